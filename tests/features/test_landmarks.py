"""Headline and text, zones, statements of the page, and cues that a reader would name."""

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein

from structce.features.cues import page_cues
from structce.features.landmarks import common_words, title_similarities
from structce.features.metadata_match import stated_time
from structce.features.registry import REGISTRY
from structce.features.zones import line_cues, zones
from structce.language import cues_of_texts

PROSE = (
    "The ferry will stop in June, and the company that runs it said on Monday that nobody in the "
    "town could say how long the works would take, or who would pay for them in the end."
)


def test_the_levenshtein_similarity_is_that_of_the_definition(page_of, values):
    texts = ["Ferry stops in June", "Ferry stopped in July", "Post", "x" * 400]
    page = page_of(texts, "<title>Ferry stops in June | The Post</title>")
    titles = ("ferrystopsinjune", "ferrystopsinjunethepost")
    folded = ("ferrystopsinjune", "ferrystoppedinjuly", "post")
    likeness = Levenshtein.normalized_similarity
    expected = [max(likeness(text, title) for title in titles) for text in folded]
    found = values("task.title-levenshtein-distance", page)
    assert found == pytest.approx([*expected, 0.0])
    assert expected[0] == 1


def test_words_of_the_title_are_counted(page_of, values):
    page = page_of(["Ferry stops", "The ferry", "...", "Boats"], "<title>Ferry stops</title>")
    assert values("task.title-word-match", page) == [1.0, 0.5, None, 0.0]


def test_paragraph_is_long_and_ends_as_a_sentence(page_of, values):
    names = "Ann Lee Tom Rost Mira Okafor Jon King Zoe Arc Max Kolter Eva Holm Jan Moor Ida Quay."
    page = page_of([PROSE, PROSE, PROSE, PROSE[:-1], names, "The end."])
    assert values("task.paragraph-cue", page) == [True, True, True, False, False, False]
    assert {"the", "in", "that"} <= common_words(page)
    assert "okafor" not in common_words(page)


def test_without_running_text_no_word_is_a_function_word(page_of, values):
    page = page_of(["Home", "Sport"])
    assert common_words(page) == frozenset()
    assert not any(values("task.paragraph-cue", page))
    assert values("task.depth-in-main", page) == [None, None]


def test_distances_are_counted_from_headline_and_text(page_of, values):
    page = page_of(["Menu", "Ferry stops", "By", PROSE, PROSE, "End"], "<title>Ferry stops</title>")
    assert values("task.from-heading", page) == [-1, 0, 1, 2, 3, 4]
    assert values("task.from-text", page) == [-3, -2, -1, 0, 1, 2]
    assert values("task.after-text", page) == [-4, -3, -2, -1, 0, 1]
    assert values("task.running-text", page) == [False] * 3 + [True] * 2 + [False]
    assert values("task.is-heading", page) == [False, True] + [False] * 4


def test_similarity_is_highest_at_the_headline(make_page, article_html):
    page = make_page(article_html())
    likeness = title_similarities(page)
    assert page.tag[int(np.argmax(likeness))] == "h1"
    assert likeness.max() == pytest.approx(1.0)


def name_sets(name, page):
    names = REGISTRY[f"task.{name}"].values(page)
    return {text: set(row) for text, row in zip(page.text, names, strict=True) if text}


def test_headings_of_text_and_teasers_differ(story_page):
    like = name_sets("like-text", story_page)
    assert "h3:other:among" in like["Subtitle"]
    assert "h3:other:apart" in like["A market moves"]
    assert like["Really?"] == {"same:among", "p:same:among", "short::same:among"}


def test_a_teaser_is_a_little_text_that_is_all_a_link(story_page):
    company = name_sets("company", story_page)
    assert "text:few:1:linked:one" in company["A market moves"]
    assert "text:few:2-3:plain:one" in company["quay"]


def test_captions_are_known_by_mark_up_and_by_the_image_before(story_page):
    places = name_sets("caption-place", story_page)
    assert "figcaption:in:short" in places["The"]
    assert places["Subtitle"] == set()


def test_zones_part_the_page_around_headline_and_text(make_page, article_html):
    page = make_page(article_html())
    parts = dict(zip(page.text, zones(page), strict=True))
    assert parts["Ferry to stop in June, part 0"] == "title"
    assert parts["Ann Lee"] == parts["1 March 2026"] == "head"
    assert parts["No end in sight"] == "text"
    assert parts["All rights reserved"] == "foot"
    assert set(zones(make_page("<p>a</p><p>b</p>"))) == {"none"}


def test_lines_are_known_by_text_metadata_and_meaning(make_page, article_html):
    page = make_page(article_html())
    cues = dict(zip(page.text, line_cues(page), strict=True))
    assert cues["Ann Lee"] == {"name", "author"}
    assert {"date", "day", "time-stated"} <= cues["1 March 2026"]
    assert "headline" in cues["Ferry to stop in June, part 0"]
    assert "head:author" in name_sets("zone-cue", page)["Ann Lee"]


PUBLISHED = '<meta property="article:published_time" content="2026-03-14T09:30:00Z">'


def test_the_share_of_an_authors_name_is_that_of_letters(page_of, values):
    head = '<meta name="author" content="Ann Lee">'
    page = page_of(["Ann Lee", "ANN LEE, Berlin", "Berlin"], head)
    assert values("task.author-match", page) == pytest.approx([1, 0.5, 0])


def test_a_publisher_is_found_by_name(page_of, values):
    head = '<meta property="og:site_name" content="The Post">'
    page = page_of(["The Post", "© The Post 2026", "A post"], head)
    assert values("task.publisher-cue", page) == [True, True, False]


def test_the_standfirst_is_like_the_description(page_of, values):
    head = "<meta name=description content='What the council said, and what it left out of it.'>"
    whole, other = "What the council said, and what it left out of it.", "What the council denied"
    page = page_of([whole, other, "Something else entirely"], head)
    assert values("task.description-match", page) == [1, pytest.approx(14 / 20), 0]


def test_numbers_of_the_stated_day_are_found(page_of, values):
    texts = ["14 March 2026", "14/03/26", "14/05/26", "15 March 2026", "No date"]
    kinds = ["day-year", "full", "day-year", None, None]
    assert values("task.date-match", page_of(texts, PUBLISHED)) == kinds


def test_a_time_element_has_the_stated_day_or_another(page_of):
    times = ["<time datetime=2026-03-14>x</time>", "<time datetime=2026-03-15>y</time>", "z"]
    assert stated_time(page_of(times, PUBLISHED)) == ["stated", "other", None]


def test_every_column_is_what_its_texts_show(make_page, article_html):
    page = make_page(article_html())
    cues = page_cues(page)
    names = frozenset().union(*cues)
    assert {"author-cue", "months-cue", "copyright-cue"} <= names
    expected = cues_of_texts(page.text, page.lang)
    for name in names:
        values = np.asarray(REGISTRY[f"task.{name}"].values(page)).tolist()
        assert values == [name in own for own in expected]


@pytest.mark.parametrize(
    ("lang", "text", "kind", "share"),
    [
        ("de", "5. Juni 2025", "named", 1.0),
        ("de", "Do., 5. Juni 2025", "weekday", 1.0),
        ("de", "05.06.2025, 12:30", "numeric", 1.0),
        ("de", "am 5. Juni 2025", "named", 9 / 11),
        ("de", "5. Juni", "yearless", 1.0),
        ("de", "Juni 2025", "monthly", 1.0),
        ("de", "June 5, 2025", "other", 1.0),
        ("en", "June 5, 2025", "named", 1.0),
        ("en-GB", "5 June 2025", "named", 1.0),
        ("ja", "2025年6月5日", "numeric", 1.0),
        ("", "2025-06-05", "other", 1.0),
        ("de", "5 Äpfel", None, None),
    ],
)
def test_a_date_is_written_in_a_way_of_the_language(page_of, lang, text, kind, share):
    page = page_of([text], lang=lang)
    assert REGISTRY["task.date-pattern"].values(page) == [kind]
    (value,) = np.asarray(REGISTRY["task.date-share"].values(page), dtype=float).tolist()
    assert (None if np.isnan(value) else value) == (share and pytest.approx(share))


NUMBERS = {"only": "12|1.234,5 %", "ordinal": "3rd|2. Liga|No. 7"}
NUMBERS |= {"starts": "5 boats|(12 comments)", "inside": "Route 66", None: "boats"}


@pytest.mark.parametrize("kind", NUMBERS)
def test_a_number_is_all_of_a_text_or_part_of_it(page_of, kind):
    page = page_of(NUMBERS[kind].split("|"))
    assert set(REGISTRY["task.number-cue"].values(page)) == {kind}
