"""Candidates of title, authors and date: what a page offers, worked out by hand on small pages."""

import numpy as np
import pytest

from structce.article.author_candidates import AUTHOR_COLUMNS, author_candidates
from structce.article.candidates import (
    DATE_COLUMNS,
    TITLE_COLUMNS,
    date_candidates,
    highest_of,
    mean_of,
    title_candidates,
)
from structce.article.choice import CANDIDATES, COLUMNS
from structce.article.evidence import LANDMARKS, rows_of

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


def test_highest_and_mean_are_of_the_places_alone():
    values = np.array([0.9, 0.2, 0.4])
    assert [highest_of(values, at) for at in ([1], [1, 2], range(2), [])] == [0.2, 0.4, 0.9, 0.0]
    assert mean_of(values, [1]) == 0.2
    assert mean_of(values, (1, 2)) == pytest.approx(0.3)


@pytest.mark.parametrize("columns", [TITLE_COLUMNS, AUTHOR_COLUMNS, DATE_COLUMNS])
def test_every_column_is_named_once(columns):
    assert len(set(columns)) == len(columns)


@pytest.mark.parametrize("field", CANDIDATES)
def test_every_column_is_known_of_some_candidate_and_no_fact_is_left_out(field, stated):
    candidates = CANDIDATES[field](stated)
    rows = rows_of([candidate.facts for candidate in candidates], COLUMNS[field])
    assert rows.shape == (len(candidates), len(COLUMNS[field]))
    named = {name for candidate in candidates for name in candidate.facts}
    assert named <= set(COLUMNS[field])
    may_be_missing = {"is_whole", "is_organisation"}
    assert set(COLUMNS[field]) - named <= may_be_missing


@pytest.mark.parametrize("field", CANDIDATES)
@pytest.mark.parametrize("html", ["", "<html></html>", "<img src=a.png>", "<p>text</p>"])
def test_a_page_that_offers_nothing_has_no_candidate_of_a_region(field, html, make_page, see):
    candidates = CANDIDATES[field](see(make_page(html)))
    assert [candidate for candidate in candidates if candidate.regions] == []
    assert rows_of([], COLUMNS[field]).shape == (0, len(COLUMNS[field]))


def test_what_is_unknown_is_nan(stated):
    only_stated = by_value(title_candidates(stated))["Ferry stops - The Post"]
    row = dict(zip(TITLE_COLUMNS, rows_of([only_stated.facts], TITLE_COLUMNS)[0], strict=True))
    assert np.isnan([row["p"], row["place"], row["level"], row["p_none"]]).all()
    assert (row["is_og"], row["is_json-ld"]) == (1, 0)


def test_a_title_that_is_stated_and_visible_is_one_candidate_with_both(stated):
    candidates = by_value(title_candidates(stated))
    candidate = candidates["Ferry stops"]
    assert (candidate.regions, candidate.source) == ((0,), "region")
    assert candidate.sources == ("json-ld", "og", "window")
    assert candidate.facts["p"] == pytest.approx(0.9)
    assert (candidate.facts["n_sources"], candidate.facts["level"], candidate.facts["n_level"]) == (
        3,
        1,
        1,
    )
    whole = candidates["Ferry stops - The Post"]
    assert (whole.regions, whole.source, whole.facts["like_window"]) == ((), "og", 100)
    assert set(candidates) == {"Ferry stops", "Ferry stops - The Post"}


def test_a_site_suffix_is_cut_where_the_rest_is_a_visible_heading(make_page, see):
    html = "<title>Ferry stops · Blog of Nobody</title><h2>Ferry stops</h2><p>Rain."
    page = make_page(html)
    visible = by_value(title_candidates(see(page, ["Title", "Paragraph"])))
    assert visible["Ferry stops"].sources == ("window",)
    hidden = by_value(title_candidates(see(page, ["None", "Paragraph"])))
    assert hidden["Ferry stops · Blog of Nobody"].sources == ("window",)
    assert "region" not in {candidate.source for candidate in hidden.values()}


def test_a_heading_offers_itself_its_likely_part_and_each_of_its_elements(make_page, see):
    page = make_page("<h1><span>Harbour</span> <b>Ferry stops</b></h1><p>Rain.")
    candidates = by_value(title_candidates(see(page, ["None", "Title", "Paragraph"])))
    assert set(candidates) == {"Harbour Ferry stops", "Harbour", "Ferry stops"}
    assert (candidates["Harbour Ferry stops"].regions, candidates["Ferry stops"].regions) == (
        (0, 1),
        (1,),
    )
    assert candidates["Harbour Ferry stops"].facts["is_whole"] == 1
    assert candidates["Ferry stops"].facts["is_whole"] == 0


def test_lines_of_a_heading_are_candidates_of_their_own(make_page, see):
    page = make_page("<h1>Harbour<br>Ferry stops</h1>")
    evidence = see(page, ["Title", "Title"], [0.4, 0.6])
    assert {"Harbour Ferry stops", "Ferry stops"} <= set(by_value(title_candidates(evidence)))


def test_a_heading_of_the_first_level_is_a_candidate_however_unlikely(make_page, see):
    candidates = title_candidates(see(make_page("<h1>One</h1><h2>Two</h2><p>Three</p>")))
    assert [candidate.value for candidate in candidates] == ["One"]


def test_a_block_that_is_too_long_is_no_title_and_no_byline(make_page, see):
    page = make_page(f"<h1>{'word ' * 100}</h1>")
    assert title_candidates(see(page, ["Title"])) == []
    page = make_page(f"<p>By Ann Lee {'word ' * 60}</p>")
    assert author_candidates(see(page, ["Author"])) == []


def test_an_author_that_is_stated_and_visible_is_one_candidate_with_both(stated):
    candidate = by_value(author_candidates(stated))["Ann Lee"]
    assert (candidate.regions, candidate.sources, candidate.raw) == (
        (1,),
        ("json-ld",),
        "By Ann Lee",
    )
    assert (
        candidate.facts["has_by"],
        candidate.facts["n_names"],
        candidate.facts["n_visible"],
    ) == (1, 1, 1)
    assert candidate.facts["share_of_line"] == pytest.approx(7 / 10)
    assert candidate.facts["p_date"] == pytest.approx(0.9)


def test_a_site_as_author_is_an_organisation_and_counts_as_no_person(stated):
    candidates = by_value(author_candidates(stated))
    site = candidates["The Post"]
    assert (site.facts["is_organisation"], site.facts["is_publisher"], site.regions) == (1, 1, ())
    assert "is_organisation" not in candidates["Ann Lee"].facts
    assert {candidate.facts["n_persons_stated"] for candidate in candidates.values()} == {1}


def test_handles_and_small_letters_are_told(make_page, see):
    page = make_page("<meta name=author content='ann lee'><p>By j_doe99</p>")
    candidates = by_value(author_candidates(see(page, ["Author"])))
    assert candidates["ann lee"].facts["is_lower"] == 1
    assert candidates["ann lee"].facts["is_odd"] == 0
    assert candidates["j_doe99"].facts["is_odd"] == 1


def test_several_names_of_a_line_share_it(make_page, see):
    page = make_page("<p>By Ann Lee and Tomas Rost</p>")
    candidates = author_candidates(see(page, ["Author"], [0.5]))
    assert [candidate.value for candidate in candidates] == ["Ann Lee", "Tomas Rost"]
    assert [candidate.facts["n_names"] for candidate in candidates] == [2, 2]
    assert [candidate.regions for candidate in candidates] == [(0,), (0,)]


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
    unread = [candidate.value for candidate in candidates if candidate.facts["is_unread"]]
    assert unread == ([signed] if signed and signed not in read_names(candidates) else [])


def read_names(candidates):
    return {candidate.value for candidate in candidates if not candidate.facts["is_unread"]}


def test_a_name_in_a_script_without_capitals_is_no_worse_for_it(make_page, see):
    candidates = author_candidates(see(make_page("<p>作者：李明</p>"), ["Author"], [0.5]))
    assert (
        candidates[0].value,
        candidates[0].facts["capitals"],
        candidates[0].facts["n_words"],
    ) == ("李明", 1, 2)


def test_a_line_that_begins_as_a_byline_is_looked_at_however_unlikely(make_page, see):
    candidates = author_candidates(see(make_page("<html lang=en><p>By Ann Lee</p><p>Rain.</p>")))
    assert [(candidate.value, candidate.facts["p"]) for candidate in candidates] == [
        ("Ann Lee", 0.0)
    ]


def test_a_link_to_a_page_of_a_person_is_told(make_page, see):
    page = make_page("<a href=/staff/ann>Ann Lee</a> <p><a href=/x>Tom Rost</a></p>")
    candidates = by_value(author_candidates(see(page, ["Author", "Author"])))
    assert candidates["Ann Lee"].facts["leads_to_profile"] == 1
    assert candidates["Tom Rost"].facts["leads_to_profile"] == 0
    assert candidates["Tom Rost"].facts["in_link"] == 1


def test_words_around_a_name_tell_what_it_is_doing_there(make_page, see):
    page = make_page(
        "<html lang=en><title>Ferry stops - Tom Rost</title>"
        "<article><p>By Ann Lee, reporter</p><p>Photo:</p><p>Tom Rost</p></article>"
    )
    labels = ["None" if text == "Photo:" else "Author" for text in page.text]
    names = by_value(author_candidates(see(page, labels, [0.5] * len(labels))))
    ann, tom = names["Ann Lee"].facts, names["Tom Rost"].facts
    assert (ann["after_before"], ann["then_role"], ann["after_picture"]) == (1, 1, 0)
    assert (tom["after_before"], tom["then_role"], tom["after_picture"]) == (0, 0, 1)
    assert (ann["in_window"], tom["in_window"]) == (0, 1)
    assert ann["landmark"] == LANDMARKS["article"]
    assert (ann["n_alike"], ann["alike_before"], tom["alike_before"]) == (3, 0, 2)


def test_names_that_are_parts_of_each_other_are_told(make_page, see):
    page = make_page("<meta name=author content='Ann Lee'><p>By Ann Maria Lee</p>")
    candidates = by_value(author_candidates(see(page, ["Author"])))
    assert (candidates["Ann Lee"].facts["is_part"], candidates["Ann Lee"].facts["has_part"]) == (
        1,
        0,
    )
    long = candidates["Ann Maria Lee"].facts
    assert (long["is_part"], long["has_part"]) == (0, 1)


def test_words_of_a_title_are_counted(make_page, see):
    page = make_page("<h1>The ferry stops in June</h1>")
    (candidate,) = title_candidates(see(page, ["Title"]))
    assert candidate.facts["n_words"] == 5


def test_days_are_compared_with_each_other(stated):
    candidates = date_candidates(stated)
    assert [candidate.value for candidate in candidates] == [
        "2026-03-14T10:30:00+01:00",
        "2026-03-13",
        "2026-03-12",
    ]
    first, modified, address = candidates
    assert (first.regions, first.sources, first.raw) == ((2,), ("json-ld",), "14 March 2026")
    assert [candidate.facts["after_first"] for candidate in candidates] == [2, 1, 0]
    assert [candidate.facts["before_last"] for candidate in candidates] == [0, 1, 2]
    assert [candidate.facts["from_published"] for candidate in candidates] == [0, -1, -2]
    assert [candidate.facts["from_likeliest"] for candidate in candidates] == [0, -1, -2]
    assert [candidate.facts["is_only_modified"] for candidate in candidates] == [0, 1, 0]
    assert (modified.sources, address.sources) == (("json-ld",), ("address",))
    assert address.facts["is_address"] == 1


def test_a_day_published_and_changed_is_not_only_a_change(make_page, see):
    html = STATED.replace('"dateModified": "2026-03-13"', '"dateModified": "2026-03-14"')
    (candidate,) = date_candidates(see(make_page(html), LABELS))
    assert (candidate.facts["is_modified"], candidate.facts["is_only_modified"]) == (1, 0)


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
def test_an_element_may_state_another_moment_than_that_of_publication(html, values, make_page, see):
    page = make_page(f"<html lang=en><body>{html}</body></html>")
    assert [one.value for one in date_candidates(see(page, ["Date"]))] == values


def test_a_time_element_tells_what_its_text_does_not(make_page, see):
    page = make_page("<time datetime=2026-03-14T10:30:00>yesterday</time>")
    (candidate,) = date_candidates(see(page, ["Date"]))
    assert (candidate.value, candidate.regions, candidate.raw) == (
        "2026-03-14T10:30:00",
        (0,),
        "yesterday",
    )
    assert (candidate.facts["has_clock"], candidate.facts["in_time"]) == (1, 1)
    assert (candidate.source, candidate.clock_source) == ("region", "time")


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
def test_the_source_of_the_clock_is_told_where_it_did_not_give_the_day(
    make_page, see, shown, clock_source
):
    stated = """<html lang=en><script type="application/ld+json">{"@type": "NewsArticle",
        "datePublished": "2026-03-14T10:30:00"}</script>"""
    (candidate,) = date_candidates(
        see(make_page(stated + shown), ["Date"] * shown.count("14 March"))
    )
    assert candidate.value == "2026-03-14T10:30:00"
    assert candidate.clock_source == clock_source


def test_a_line_of_an_update_is_marked(make_page, see):
    html = "<html lang=en><p>Updated: 15 March 2026</p><p>Published: 14 March 2026</p>"
    candidates = by_value(date_candidates(see(make_page(html), ["Date", "Date"])))
    assert candidates["2026-03-15"].facts["occasion"] == 1
    assert candidates["2026-03-14"].facts["occasion"] == -1


def test_a_word_in_front_of_a_day_tells_its_occasion_unless_another_day_parts_them(make_page, see):
    html = (
        "<html lang=en><p>Last updated</p><p>15 March 2026</p><p>14 March 2026</p>"
        f"<p>Updated {'some time ago ' * 4}</p><p>13 March 2026</p>"
    )
    candidates = by_value(date_candidates(see(make_page(html), ["Date"] * 5)))
    assert [candidates[f"2026-03-{n}"].facts["occasion"] for n in (15, 14, 13)] == [1, 0, 0]


def test_a_day_is_compared_with_those_that_are_stated(make_page, see):
    html = (
        '<meta property="article:published_time" content="2026-03-11T23:00:00+00:00">'
        '<meta property="article:modified_time" content="2026-03-20T10:00:00+00:00">'
        "<html lang=en><p>12 March 2026</p>"
    )
    candidates = by_value(date_candidates(see(make_page(html), ["Date"])))
    visible = candidates["2026-03-12"].facts
    assert (visible["from_stated"], visible["from_modified"]) == (1, -8)
    assert (visible["is_utc"], visible["shown_modified"]) == (0, 0)
    stated = candidates["2026-03-11T23:00:00+00:00"].facts
    assert (stated["is_utc"], stated["from_modified"]) == (1, -9)
    assert "from_stated" not in stated  # no other day of publication is stated


def test_a_day_is_compared_with_the_address_and_the_year_of_the_title(make_page, see):
    html = "<title>Best ferries of 2026</title><html lang=en><p>3 May 2026</p><p>4 June 2025</p>"
    page = make_page(html, url="https://post.example/2026/05/ferries")
    candidates = by_value(date_candidates(see(page, ["Date", "Date"])))
    assert [candidates[day].facts["like_address"] for day in ("2026-05-03", "2025-06-04")] == [2, 0]
    assert [candidates[day].facts["like_title"] for day in ("2026-05-03", "2025-06-04")] == [1, -1]


def test_days_are_ranked_by_their_place_and_share_of_the_label(make_page, see):
    html = "<html lang=en><p>3 May 2026</p><p>Text</p><p>4 June 2025</p>"
    evidence = see(make_page(html), ["Date", "None", "Date"], [0.6, 0.9, 0.2])
    candidates = by_value(date_candidates(evidence))
    first, second = (candidates[day].facts for day in ("2026-05-03", "2025-06-04"))
    assert (first["order"], second["order"]) == (0, 1)
    assert first["p_rival"] == pytest.approx(second["p"])
    assert first["p_share"] + second["p_share"] == pytest.approx(1)


def test_a_day_that_is_printed_twice_is_one_candidate(make_page, see):
    page = make_page("<p>14 March 2026</p><p>Text</p><p>14 March 2026, 10:30</p>")
    (candidate,) = date_candidates(see(page, ["Date", "None", "Date"]))
    assert (candidate.value, candidate.regions, candidate.facts["n_shown"]) == (
        "2026-03-14T10:30:00",
        (0,),
        2,
    )


def test_no_page_is_changed_by_looking_at_it(make_page, see):
    page = make_page(STATED)
    evidence = see(page, LABELS)

    def rows(field):
        facts = [candidate.facts for candidate in CANDIDATES[field](evidence)]
        return rows_of(facts, COLUMNS[field])

    before = [rows(field) for field in CANDIDATES]
    after = [rows(field) for field in CANDIDATES]
    for array, other in zip(before, after, strict=True):
        assert np.array_equal(array, other, equal_nan=True)
