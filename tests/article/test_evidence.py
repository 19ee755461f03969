"""Evidence of a page: what is known of elements, regions and blocks, by hand on small pages."""

import numpy as np
import pytest

from structce.article.evidence import (
    LANDMARKS,
    SURROUNDINGS,
    Evidence,
    likely_blocks,
    subjects_of,
    surroundings_of,
)
from structce.labels import NEWS

HTML = """<main class="article-body"><h2 class="headline">One <b>two</b></h2>
<p>Three <a href=/x>four</a></p><div id=comments><p class="x">Five</p></div></main>"""


@pytest.fixture(scope="module")
def evidence(make_page, see):
    page = make_page(HTML)
    assert page.text == ("One", "two", "Three", "four", "Five")
    return see(page, ["Title", "Title", "Paragraph", "Subtitle", "None"], [0.9, 0.8, 0.7, 0.6, 1])


@pytest.mark.parametrize("html", ["", "<html></html>", "<body></body>"])
def test_a_page_without_regions_has_no_evidence(html, make_page, see):
    evidence = see(make_page(html))
    assert evidence.n_blocks == 0
    for name in ("body", "starts", "lengths", "level", "in_link"):
        assert getattr(evidence, name).shape == (0,)
    assert evidence.highest(np.zeros(0)).shape == (0,)
    assert (evidence.begin, evidence.end, evidence.title_place, evidence.normalised) == (
        0,
        0,
        0,
        [],
    )
    assert likely_blocks(evidence, np.zeros(0), least=0.1, n_most=3) == []
    first, end = evidence.region_ranges
    assert len(first) == len(end) == len(evidence.page.elements)
    assert (first == end).all()


def test_blocks_hold_neighbouring_regions(evidence):
    assert evidence.starts.tolist() == [0, 2, 4]
    assert [list(evidence.regions_of(n)) for n in range(3)] == [[0, 1], [2, 3], [4]]
    assert [evidence.text_of(evidence.regions_of(n)) for n in range(3)] == [
        "One two",
        "Three four",
        "Five",
    ]
    assert evidence.highest(evidence.body).tolist() == pytest.approx([0, 0.7, 0])


def test_probabilities_are_looked_up_by_label(evidence):
    assert evidence.probability("Title").tolist() == pytest.approx([0.9, 0.8, 0, 0, 0])
    assert evidence.probability("Unheard").tolist() == [0] * 5
    assert evidence.body.tolist() == pytest.approx([0, 0, 0.7, 0.6, 0])
    assert evidence.title_place == 0


def test_headings_and_links_hold_for_what_is_inside_them(evidence):
    assert evidence.level.tolist() == [2, 2, 0, 0, 0]
    assert evidence.in_link.tolist() == [False, False, False, True, False]


def test_the_innermost_landmark_counts(make_page, see):
    page = make_page("<main>a<article><p>b</p><aside>c</aside></article></main><p>d</p>")
    landmarks = see(page).landmark[page.element]
    assert landmarks.tolist() == [*(LANDMARKS[tag] for tag in ("main", "article", "aside")), 0]


def test_regions_of_an_element_are_those_between_its_first_and_last(evidence):
    first, end = evidence.region_ranges
    elements, page = evidence.page.elements, evidence.page
    for i in range(len(elements)):
        inside = [
            n for n, own in enumerate(page.element.tolist()) if i in elements.ancestors(int(own))
        ]
        assert list(range(first[i], end[i])) == inside


def test_names_speak_of_all_that_is_inside_them(evidence):
    names = list(SURROUNDINGS)
    rows = [evidence.facts_of_names(i) for i in range(5)]
    assert [row["in_content"] for row in rows] == [1] * 5
    assert [row["in_comment"] for row in rows] == [0, 0, 0, 0, 1]
    assert [row["named_title"] for row in rows] == [1, 1, 0, 0, 0]
    assert set(rows[0]) == {
        *(f"in_{name}" for name in names),
        "named_author",
        "named_date",
        "named_title",
        "in_time",
    }


def test_a_name_of_the_whole_page_says_nothing_of_its_parts(make_page, see):
    page = make_page("<html class=comment><body class=newsletter id=comments><p>x</p>")
    assert see(page).surroundings[page.element].tolist() == [0]


def test_only_near_names_tell_what_a_region_is(make_page, see):
    page = make_page("<div class=author><p><i><b><u>a</u></b></i></p></div>")
    assert see(page).facts_of_names(0)["named_author"] == 0
    page = make_page("<div class=author><p>a</p></div>")
    assert see(page).facts_of_names(0)["named_author"] == 1
    page = make_page("<time itemprop=datePublished>a</time>")
    facts = see(page).facts_of_names(0)
    assert (facts["in_time"], facts["named_date"], facts["named_author"]) == (1, 1, 0)


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ("comments-area", "comment"),
        ("related-posts", "related"),
        ("c-Newsletter", "promotion"),
        ("share-bar", "share"),
        ("author-bio", "profile"),
        ("site-nav", "frame"),
        ("cookie-wall", "notice"),
        ("entry-content", "content"),
        ("standfirst", "lead"),
        ("wp-caption-text", "caption"),
    ],
)
def test_each_kind_of_surroundings_has_its_bit(names, kind):
    assert surroundings_of(names) >> list(SURROUNDINGS).index(kind) & 1
    assert surroundings_of("zzz") == subjects_of("zzz") == 0


def test_the_body_begins_and_ends_with_its_mass(make_page, see):
    page = make_page("".join(f"<p>{'x' * 100}</p>" for _ in range(6)))
    evidence = see(page, ["None", "Paragraph", "Paragraph", "Paragraph", "None", "None"])
    assert (evidence.begin, evidence.end) == (1, 3)
    nothing = see(page)
    assert (nothing.begin, nothing.end) == (6, 6)


def test_the_likeliest_blocks_come_first_and_of_equals_the_first(make_page):
    page = make_page("<p>a</p><p>b</p><p>c</p><p>d</p>")
    p = np.array([0.2, 0.5, 0.5, 0.05])
    evidence = Evidence(page, np.zeros((4, len(NEWS))), NEWS.names)
    assert likely_blocks(evidence, p, least=0.1, n_most=3) == [1, 2, 0]
    assert likely_blocks(evidence, p, least=0.1, n_most=1) == [1]
    assert likely_blocks(evidence, p, least=0.9, n_most=3) == []


def test_publishers_and_short_texts_are_normalised(make_page, see):
    page = make_page(
        f"<meta property=og:site_name content='The Post'><p>A–b!</p><p>{'long ' * 50}</p>"
    )
    evidence = see(page)
    assert evidence.publishers == {"thepost"}
    assert evidence.normalised == ["ab", ""]
