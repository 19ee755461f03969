"""Labels from marks and blocks, and the common runs of two texts."""

import random
from itertools import compress

import pytest

from structce.alignment.annotations import common_runs, labels_of_blocks, labels_of_marks
from structce.evaluation.overlap import lcs_length
from structce.gold import EXACT, PLACED, SIMILAR, Gold, GoldBlock, GoldMark
from structce.labels import UNKNOWN

STORY = (
    "The ferry will not sail before noon, the company said on Monday evening.",
    "Nobody could say how long the works at the quay would take this time.",
    "The mayor promised a letter, and the harbour master promised to read it.",
)


def paragraphs(*texts):
    return "".join(f"<p>{text}</p>" for text in texts)


def labels(page, *blocks, rest="None"):
    return labels_of_blocks(page, Gold(blocks=blocks, rest=rest))[0]


def story(*texts):
    return [GoldBlock("full text", text, "Paragraph") for text in texts]


def test_the_innermost_mark_counts(make_page):
    page = make_page("<body><div><h1>Ferry</h1><p>It stops.</p></div><p>Home</p>")
    marks = (
        GoldMark("article", "/html[1]/body[1]/div[1]", "Paragraph"),
        GoldMark("head", "/html[1]/body[1]/div[1]/h1[1]", "Title"),
    )
    labels, matches = labels_of_marks(page, Gold(marks=marks, rest="None"))
    assert labels == ["Title", "Paragraph", "None"]
    expected = [("article", PLACED, 1.0, (0, 1)), ("head", PLACED, 1.0, (0,))]
    assert [(m.field, m.method, m.score, m.regions) for m in matches] == expected


def test_a_mark_may_be_on_a_text_node(make_page):
    page = make_page("<body><p>By <b>Ann Lee</b> in London")
    mark = GoldMark("place", "/html[1]/body[1]/p[1]/text()[2]", "Date")
    assert labels_of_marks(page, Gold(marks=(mark,)))[0] == [UNKNOWN, UNKNOWN, "Date"]


def test_a_mark_does_not_label_regions_of_another_kind(make_page):
    page = make_page("<body><div><img src=a.png>A caption</div><p>Words<img src=b.png></p>")
    marks = (
        GoldMark("Image", "/html[1]/body[1]/div[1]", "Multimedia"),
        GoldMark("text", "/html[1]/body[1]/p[1]", "Paragraph"),
    )
    labels, _ = labels_of_marks(page, Gold(marks=marks))
    assert labels == ["Multimedia", UNKNOWN, "Paragraph", UNKNOWN]


@pytest.mark.parametrize("xpath", ["/html[1]/body[1]/p[7]", ""], ids=["elsewhere", "nowhere"])
def test_a_mark_without_regions_is_missing(make_page, xpath):
    page = make_page("<body><p>Words</p>")
    _, (match,) = labels_of_marks(page, Gold(marks=(GoldMark("a", xpath, "Title"),)))
    assert (match.state, match.value, match.method) == ("missing", xpath, "")


def test_blocks_are_found_across_links(make_page):
    cut = STORY[0].replace("company", "<a href=/c>company</a>")
    page = make_page(f"<body><nav>Home</nav><h1>No ferry</h1>{paragraphs(cut, *STORY[1:])}")
    blocks = (GoldBlock("headline", "No ferry", "Title"), *story(*STORY))
    labels, matches = labels_of_blocks(page, Gold(blocks=blocks, rest="None"))
    assert labels == ["None", "Title", *["Paragraph"] * 5]
    assert {(match.method, match.score) for match in matches} == {(EXACT, 1.0)}
    assert [match.field for match in matches] == ["headline", *["full text"] * 3]
    assert [match.regions for match in matches] == [(1,), (2, 3, 4), (5,), (6,)]


def test_missing_and_added_texts_are_skipped(make_page):
    page = make_page(f"<body>{paragraphs('A teaser', STORY[0], 'Advertising', STORY[2])}")
    labels, matches = labels_of_blocks(page, Gold(blocks=tuple(story(*STORY)), rest="None"))
    assert labels[:2] + labels[3:] == ["None", "Paragraph", "Paragraph"]
    assert [match.state for match in matches] == ["found", "missing", "found"]


def test_a_repeated_text_is_placed_by_its_order(make_page):
    page = make_page(f"<body>{paragraphs('No ferry', 'Sport', 'No ferry', STORY[0], 'Sport')}")
    blocks = [GoldBlock("headline", "No ferry", "Title"), *story(STORY[0])]
    blocks.insert(0, GoldBlock("not content", "No ferry Sport", "None"))
    assert labels(page, *blocks) == ["None", "None", "Title", "Paragraph", "None"]


def test_lost_letters_do_not_divide_a_paragraph(make_page):
    shop = paragraphs("Café owners at the quay are not amused.")
    page = make_page(f"<body><p><b>T</b>{STORY[0][1:]}</p>{shop}")
    lost = GoldBlock("text", "Caf? owners at the quay are not amused.", "Caption")
    blocks = (*story(STORY[0]), lost)
    labels, matches = labels_of_blocks(page, Gold(blocks=blocks, rest="None"))
    assert labels == ["Paragraph", "Paragraph", "Caption"]
    assert [match.method for match in matches] == [EXACT, SIMILAR]


def test_common_words_alone_are_no_match(make_page):
    page = make_page(f"<body>{paragraphs('Read the terms of use and the rules of the site')}")
    labels, matches = labels_of_blocks(page, Gold(blocks=tuple(story(*STORY)), rest="None"))
    assert [match.state for match in matches] == ["missing"] * 3
    assert "Paragraph" not in labels


def test_a_region_in_the_place_of_a_lost_block_is_unknown(make_page):
    page = make_page(f"<body>{paragraphs(STORY[0], 'Quite other words stand here.', STORY[2])}")
    blocks = story(STORY[0], "A paragraph that changed later.", STORY[2])
    assert labels(page, *blocks) == ["Paragraph", UNKNOWN, "Paragraph"]


def test_media_are_unknown_and_punctuation_follows_neighbours(make_page):
    page = make_page(
        f"<body><p>{STORY[0]}<b>*</b>{STORY[1]}<img src=a.png></p><i>|</i><u>Home</u><i>|</i>Sport"
    )
    given = labels(page, *story(*STORY[:2]))
    assert given == ["Paragraph"] * 3 + [UNKNOWN, UNKNOWN, "None", "None", "None"]


def test_a_long_page_with_hidden_parts_is_labelled_alike(make_page):
    draw = random.Random(4)
    words = [f"w{n}" for n in range(300)]
    texts = [" ".join(draw.choices(words, k=30)) for _ in range(400)]
    kinds = [draw.choice(("Paragraph", "None", "Caption")) for _ in texts]
    shown = [draw.random() < 0.9 for _ in texts]
    page = make_page("<body>" + paragraphs(*compress(texts, shown)))
    blocks = [GoldBlock(kind, text, kind) for text, kind in zip(texts, kinds, strict=True)]
    assert labels(page, *blocks) == [*compress(kinds, shown)]


def shared(runs, first, second):
    """The number of tokens in runs, which must be the same on both sides, and in order."""
    a = b = 0
    for run in runs:
        assert run.first >= a
        assert run.second >= b
        assert run.length > 0
        a, b = run.first + run.length, run.second + run.length
        assert first[run.first : a] == second[run.second : b]
    return sum(run.length for run in runs)


def test_short_sequences_share_a_longest_subsequence():
    draw = random.Random(1)
    for _ in range(300):
        first = [draw.randrange(5) for _ in range(draw.randrange(13))]
        second = [draw.randrange(5) for _ in range(draw.randrange(13))]
        assert shared(common_runs(first, second), first, second) == lcs_length(first, second)


def test_a_long_text_with_gaps_and_additions_is_found_whole():
    draw = random.Random(2)
    text = [draw.randrange(400) for _ in range(6_000)]
    first = text[:1_000] + [9_000 + i for i in range(300)] + text[1_500:]
    second = text[:4_000] + [8_000 + i for i in range(700)] + text[4_000:]
    assert shared(common_runs(first, second), first, second) == 5_500


def test_anchors_find_as_much_as_the_whole_table():
    draw = random.Random(3)
    first = [draw.randrange(60) for _ in range(400)]
    second = [draw.randrange(60) if draw.random() < 0.1 else token for token in first]
    n_shared = shared(common_runs(first, second), first, second)
    assert n_shared >= 0.98 * lcs_length(first, second)
