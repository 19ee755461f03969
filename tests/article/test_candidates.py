"""Candidates of title, authors and date: what a page offers, worked out by hand on small pages."""

import numpy as np
import pytest

from structce.article.authors import author_candidates
from structce.article.choice import FIELDS, candidate_rows
from structce.article.dates import date_candidates
from structce.article.evidence import LANDMARKS
from structce.article.titles import title_candidates

STATED = """<html lang=en><head><title>Ferry stops | The Post</title>
<meta property="og:site_name" content="The Post">
<meta property="og:title" content="Ferry stops - The Post">
<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Ferry stops",
"datePublished": "2026-03-14T10:30:00+01:00", "dateModified": "2026-03-13",
"author": [{"name": "Ann Lee"}, {"name": "The Post"}], "publisher": {"name": "The Post"}}</script>
</head><body><h1>Ferry stops</h1><p>By Ann Lee</p><p>14 March 2026</p><p>Text.</p></body></html>"""
LABELS = ("Title", "Author", "Date", "Paragraph")


@pytest.fixture(scope="module")
def stated(make_page, see):
    page = make_page(STATED, url="https://post.example/2026/03/12/ferry")
    return see(page, LABELS, [0.9] * 4)


def by_value(candidates):
    return {candidate.value: candidate for candidate in candidates}


@pytest.mark.parametrize("field", FIELDS)
def test_candidates_fill_every_column(field, stated):
    candidates = FIELDS[field].candidates(stated)
    columns, rows = FIELDS[field].columns, candidate_rows(field, candidates)
    assert rows.shape == (len(candidates), len(columns))
    assert {name for name, own in zip(columns, rows.T, strict=True) if np.isnan(own).all()} == set()


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("html", ["", "<html></html>", "<img src=a.png>", "<p>text</p>"])
def test_a_page_that_offers_nothing_has_no_candidate_of_a_region(field, html, make_page, see):
    candidates = FIELDS[field].candidates(see(make_page(html)))
    assert [candidate for candidate in candidates if candidate.regions] == []
    assert candidate_rows(field, []).shape == (0, len(FIELDS[field].columns))


def test_stated_and_visible_title_is_one_candidate(stated):
    candidates = by_value(title_candidates(stated))
    candidate = candidates["Ferry stops"]
    assert (candidate.regions, candidate.source) == ((0,), "region")
    assert candidate.sources == ("json-ld", "og", "window")
    assert candidate.feature("p") == pytest.approx(0.9)
    assert [candidate.feature(name) for name in ("n_sources", "level", "n_level")] == [3, 1, 1]
    whole = candidates["Ferry stops - The Post"]
    assert (whole.regions, whole.source, whole.feature("like_window")) == ((), "og", 100)
    assert set(candidates) == {"Ferry stops", "Ferry stops - The Post"}


def test_heading_gives_whole_part_and_elements(make_page, see):
    page = make_page("<h1><span>Harbour</span> <b>Ferry stops</b></h1><p>Rain.")
    candidates = by_value(title_candidates(see(page, ["None", "Title", "Paragraph"])))
    assert set(candidates) == {"Harbour Ferry stops", "Harbour", "Ferry stops"}
    whole, part = candidates["Harbour Ferry stops"], candidates["Ferry stops"]
    assert (whole.regions, whole.feature("is_whole")) == ((0, 1), 1)
    assert (part.regions, part.feature("is_whole")) == ((1,), 0)


def test_stated_and_visible_author_is_one_candidate(stated):
    candidate = by_value(author_candidates(stated))["Ann Lee"]
    assert (candidate.regions, candidate.sources) == ((1,), ("json-ld",))
    assert candidate.raw == "By Ann Lee"
    assert [candidate.feature(name) for name in ("has_by", "n_names", "n_visible")] == [1, 1, 1]
    assert candidate.feature("share_of_line") == pytest.approx(7 / 10)
    assert candidate.feature("p_date") == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("line", "signed"),
    [
        ("By Ann Lee, PhD", "Ann Lee, PhD"),
        ("AFP/The Local", "AFP/The Local"),
        ("scvalex", "scvalex"),
        ("Published 14 March 2026", None),
        ("A sentence that is far too long to be what somebody signs with.", None),
    ],
)
def test_a_short_region_may_sign_as_it_stands(line, signed, make_page, see):
    candidates = author_candidates(see(make_page(f"<p>{line}</p>"), ["Author"], [0.5]))
    unread = [candidate.value for candidate in candidates if candidate.feature("is_unread")]
    assert unread == ([signed] if signed and signed not in read_names(candidates) else [])


def read_names(candidates):
    return {candidate.value for candidate in candidates if not candidate.feature("is_unread")}


def test_words_around_a_name_tell_what_it_is_doing_there(make_page, see):
    page = make_page(
        "<html lang=en><title>Ferry stops - Tom Rost</title>"
        "<article><p>By Ann Lee, reporter</p><p>Photo:</p><p>Tom Rost</p></article>"
    )
    labels = ["None" if text == "Photo:" else "Author" for text in page.text]
    names = by_value(author_candidates(see(page, labels, [0.5] * len(labels))))
    ann, tom = names["Ann Lee"].feature, names["Tom Rost"].feature
    assert (ann("after_before"), ann("then_role"), ann("after_picture")) == (1, 1, 0)
    assert (tom("after_before"), tom("then_role"), tom("after_picture")) == (0, 0, 1)
    assert (ann("in_window"), tom("in_window")) == (0, 1)
    assert ann("landmark") == LANDMARKS["article"]
    assert (ann("n_alike"), ann("alike_before"), tom("alike_before")) == (3, 0, 2)


def test_days_are_compared_with_each_other(stated):
    candidates = date_candidates(stated)
    values = ["2026-03-14T10:30:00+01:00", "2026-03-13", "2026-03-12"]
    assert [candidate.value for candidate in candidates] == values
    first, modified, address = candidates
    assert (first.regions, first.sources, first.raw) == ((2,), ("json-ld",), "14 March 2026")
    expected = {"after_first": [2, 1, 0], "before_last": [0, 1, 2], "is_only_modified": [0, 1, 0]}
    expected |= {name: [0, -1, -2] for name in ("from_published", "from_likeliest")}
    for name, own in expected.items():
        assert [candidate.feature(name) for candidate in candidates] == own
    assert (modified.sources, address.sources) == (("json-ld",), ("address",))
    assert address.feature("is_address") == 1


@pytest.mark.parametrize(
    ("html", "values"),
    [
        ("<time datetime=2026-03-14T10:30>12 March 2026 09:10, updated 14 March 2026 10:30</time>",
         ["2026-03-12T09:10:00", "2026-03-14T10:30:00"]),
        ("<time datetime=2026-03-14T10:30>14 March 2026 09:10, updated 14 March 2026 10:30</time>",
         ["2026-03-14T09:10:00"]),
        ('<script type=application/ld+json>{"datePublished": "2026-03-14T08:00:00+01:00"}</script>'
         "<time datetime=2026-03-14T10:05>10:05</time>", ["2026-03-14T08:00:00+01:00"]),
    ],
)  # fmt: skip
def test_time_element_may_state_the_modification(html, values, make_page, see):
    page = make_page(f"<html lang=en><body>{html}</body></html>")
    assert [one.value for one in date_candidates(see(page, ["Date"]))] == values


@pytest.mark.parametrize(
    ("shown", "clock_source"),
    [
        ("<p>14 March 2026</p>", "json-ld"),
        ("<p>14 March 2026, 10:30</p>", ""),
        ("<p>14 March 2026</p><p>14 March 2026, 10:30</p>", ""),
        ("<p>14 March 2026</p><time datetime=2026-03-14T10:30>14 March 2026</time>", "time"),
        ("", ""),  # the same statement gave both
    ],
)
def test_time_of_day_names_its_own_source(make_page, see, shown, clock_source):
    stated = """<html lang=en><script type="application/ld+json">{"@type": "NewsArticle",
        "datePublished": "2026-03-14T10:30:00"}</script>"""
    evidence = see(make_page(stated + shown), ["Date"] * shown.count("14 March"))
    (candidate,) = date_candidates(evidence)
    assert candidate.value == "2026-03-14T10:30:00"
    assert candidate.clock_source == clock_source
