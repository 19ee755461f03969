"""jusText: paragraphs, what they are by themselves, and what their neighbours make of them."""

import random

import numpy as np
import pytest

from structce.extraction import ParsedDocument, extract
from structce.extraction.justext import BAD, GOOD, NEAR_GOOD, SHORT, JusText, Paragraphs
from structce.extraction.parsed_document import BLOCK_LEVEL
from structce.extraction.shown_words import JoinedWords

STOPS = frozenset("the to in it is that of and a".split())
FULL = "the ferry to the island is in the harbour "  # 4 words in 8 are stop words
EMPTY = "Tickets cost eleven euros, children travel without tickets, dogs cost extra; "


def kept(html, **parameters):
    return JusText(**{"words": STOPS, **parameters}).extract(ParsedDocument(html)).text.split("\n")


def paragraphs(*contents):
    return "".join(f"<p>{content}</p>" for content in contents)


def columns(*rows):
    """Paragraphs of (length, link density, stop density, links, heading, sign)."""
    return Paragraphs(*(np.array(column) for column in zip(*rows, strict=True)))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ((300, 0.21, 0.5, True, False, False), BAD),
        ((300, 0.20, 0.5, True, False, False), GOOD),
        ((300, 0.0, 0.5, False, False, True), BAD),
        ((69, 0.1, 0.5, True, False, False), BAD),
        ((69, 0.0, 0.0, False, False, False), SHORT),
        ((70, 0.0, 0.32, False, False, False), NEAR_GOOD),
        ((200, 0.0, 0.32, False, False, False), NEAR_GOOD),
        ((201, 0.0, 0.32, False, False, False), GOOD),
        ((201, 0.0, 0.31, False, False, False), NEAR_GOOD),
        ((201, 0.0, 0.29, False, False, False), BAD),
    ],
)
def test_the_first_pass_judges_a_paragraph_by_itself(row, expected):
    assert JusText().first_pass(columns(row)).tolist() == [expected]


def test_a_list_that_covers_less_of_a_text_lowers_the_bounds():
    row = (300, 0.0, 0.17, False, False, False)
    assert JusText().first_pass(columns(row), 0.5).tolist() == [GOOD]


def plain(*lengths):
    return columns(*((length, 0.0, 0.0, False, False, False) for length in lengths))


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ([GOOD, SHORT, GOOD], [GOOD, GOOD, GOOD]),
        ([GOOD, SHORT, BAD], [GOOD, BAD, BAD]),
        ([GOOD, SHORT], [GOOD, BAD]),
        ([GOOD, SHORT, NEAR_GOOD, BAD], [GOOD, GOOD, GOOD, BAD]),
        ([GOOD, SHORT, NEAR_GOOD, SHORT, BAD], [GOOD, GOOD, GOOD, BAD, BAD]),
        ([BAD, NEAR_GOOD, SHORT, NEAR_GOOD, BAD], [BAD, BAD, BAD, BAD, BAD]),
        ([BAD, NEAR_GOOD, SHORT, GOOD], [BAD, GOOD, GOOD, GOOD]),
        ([NEAR_GOOD, NEAR_GOOD], [BAD, BAD]),
    ],
)
def test_the_second_pass_judges_a_paragraph_among_its_neighbours(first, expected):
    judged = JusText().second_pass(plain(*[50] * len(first)), np.array(first, dtype=np.int64))
    assert judged.tolist() == expected


def headed(*lengths):
    return columns(*((n, 0.0, 0.0, False, i == 0, False) for i, n in enumerate(lengths)))


@pytest.mark.parametrize(("distance", "expected"), [(200, GOOD), (201, BAD)])
def test_a_short_heading_belongs_to_a_good_paragraph_near_it(distance, expected):
    first = np.array([SHORT, BAD, GOOD])
    judged = JusText().second_pass(headed(20, distance, 300), first)
    assert judged.tolist() == [expected, BAD, GOOD]
    alone = JusText(heading_distance=-1).second_pass(headed(20, distance, 300), first)
    assert alone.tolist() == [BAD, BAD, GOOD]


def test_early_headings_help_short_paragraphs_behind_them():
    rows = [(20, 0.0, 0.0, False, i == 1, False) for i in range(4)]
    first = np.array([SHORT, SHORT, BAD, GOOD])  # as a date above a headline, and links below it
    assert JusText().second_pass(columns(*rows), first)[1] == GOOD
    one_more = np.array([GOOD, SHORT, SHORT, BAD, GOOD])
    rows = [(20, 0.0, 0.0, False, i == 2, False) for i in range(5)]
    assert JusText().second_pass(columns(*rows), one_more).tolist()[1:3] == [GOOD, GOOD]
    late = JusText(early_headings=False).second_pass(columns(*rows), one_more)
    assert late.tolist()[1:3] == [BAD, GOOD]


def test_a_paragraph_ends_at_its_tags_and_at_two_forced_breaks():
    text = FULL * 6
    assert kept(f"<section>{text}<br>{text}<div>{text}</div></section>") == [
        text.strip(), text.strip(), text.strip(),
    ]  # fmt: skip
    paragraph = f"{text}<br><b></b>{EMPTY * 3}"  # one paragraph has enough stop words
    two = f"{text}<br> <!-- --></b><br>{EMPTY * 3}"
    assert len(kept(paragraph)) == 2
    assert kept(two) == [text.strip()]


def test_the_share_of_links_is_that_of_characters():
    text = FULL * 6
    links = paragraphs(f"{text}<a href=x>{text}</a>", text)
    assert kept(links) == [text.strip()]
    assert len(kept(paragraphs(f"{text * 5}<a href=x>{text}</a>", text))) == 2


def test_forms_are_opened_and_their_controls_are_not_read():
    text = FULL * 6
    assert kept(f"<form>{text}<button>{EMPTY * 9}</button></form>") == [text.strip()]


def test_without_stop_words_long_paragraphs_without_links_are_good():
    html = paragraphs(EMPTY * 3, "<a href=x>Home</a>")
    assert kept(html) == [""]
    assert kept(html, words=frozenset()) == [(EMPTY * 3).strip()]


ARTICLES = {
    "en": "The ferry will stop in June, and nobody could say how long it would be for us. ",
    "de": "Die Fähre wird im Juni nicht mehr fahren, und niemand weiß, wie lange das so ist. ",
    "zh": "渡船将于六月停运，港务长说这是因为没有人知道我们的船在那里要等多久，而他们也不会来。",
}  # fmt: skip


@pytest.mark.parametrize("lang", ARTICLES)
@pytest.mark.parametrize("stated", [True, False])
def test_the_language_is_the_stated_one_or_that_of_most_words(lang, stated):
    text, other = ARTICLES[lang] * 8, EMPTY * 3
    html = f"<html{f' lang={lang}' * stated}><body>{paragraphs(text, other)}</body></html>"
    assert extract(html, "justext").text == text.strip()


def test_of_a_language_without_a_list_no_stop_words_are_asked_for():
    html = f"<html lang=eu><body>{paragraphs(EMPTY * 3)}</body></html>"
    assert extract(html, "justext").text == (EMPTY * 3).strip()


def test_of_a_language_that_is_not_the_stated_one_no_stop_words_are_asked_for():
    swahili = "Watu kumi na wanane wanaswa kwa makosa mbalimbali mkoani humo, polisi walisema. " * 4
    html = f"<html lang=en><body>{paragraphs(swahili)}</body></html>"
    assert extract(html, "justext").text == swahili.strip()


def test_words_cut_by_tags_alone_are_joined():
    document = ParsedDocument("<p>Sl<b>ow</b> b<!-- -->o<i>at</i>s 渡船<br>x")
    words = JoinedWords.of(document, np.zeros(len(document.tokens.is_word), dtype=bool))
    assert words.text == ["Slow", "boats", "渡", "船", "x"]
    assert words.first.tolist() == [0, 2, 6, 7, 8]


FORMS = (
    "<p>{}</p>",
    "<p>{}</p>",
    "<div>{}</div>",
    "<h2>{}</h2>",
    "<p><a href=x>{}</a></p>",
    "<p>{} <a href=x>more</a></p>",
    "<p>&copy; {}</p>",
    "{}<br><br>",
    "{}<br>",
    "<b>{} </b>",
    "<section>{} </section>",
    "<form>{} </form>",
    "<noscript>{} </noscript>",
)


def random_page(rng):
    """A page of paragraphs of many lengths, headings, links, signs and breaks."""
    pieces = []
    for _ in range(rng.randint(1, 20)):
        text = " ".join(rng.choices(f"{FULL * 2}{EMPTY}".split(), k=rng.choice((2, 6, 15, 30, 60))))
        form = rng.choice(FORMS)
        pieces.append(form.format(text))
    return f"<html><head><title>A</title></head><body>{''.join(pieces)}</body></html>"


def test_the_library_keeps_the_same_words():
    library = pytest.importorskip("justext")
    rng = random.Random(5)
    sizes = set()
    for _ in range(150):
        html = random_page(rng)
        paragraphs = library.justext(html, STOPS)
        theirs = " ".join(
            paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate
        )
        ours = " ".join(kept(html, early_headings=False))
        assert ours.split() == theirs.split()
        sizes.add(len(ours))
    assert len(sizes) > 20


def test_a_section_is_no_paragraph_of_the_thesis():
    assert "section" in BLOCK_LEVEL
    text = FULL * 6
    assert kept(f"<section>{text}</section><section>{EMPTY}</section>") == [
        text.strip(), EMPTY.strip(),
    ]  # fmt: skip
