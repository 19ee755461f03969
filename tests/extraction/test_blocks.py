"""Blocks of a document: by borders of lines, and by a set of tags."""

import pytest

from structce.extraction import ParsedDocument, block_set, text_blocks

PAGE = (
    "<body><div id=navBar class='top-menu XMLMenu'><a href=/>Home</a> <a>News</a></div>"
    "<table><tr><td>one<p>two <b>three</b></td><td>four</td></tr></table><hr>five<br>six"
    "<ul><li>seven</li><li><img src=a></li></ul><span>eight</span> nine</body>"
)


@pytest.fixture
def document():
    return ParsedDocument(PAGE)


def texts(blocks):
    return [blocks.text(i) for i in range(len(blocks))]


def test_blocks_of_text_end_at_borders_and_forced_breaks(document):
    expected = ["Home News", "one", "two three", "four", "five", "six", "seven", "eight nine"]
    assert texts(text_blocks(document)) == expected


def test_a_block_set_is_cut_at_its_tags_alone(document):
    expected = ["Home News", "one", "two three", "four", "five\nsix", "seven", "eight", "nine"]
    assert texts(block_set(document)) == expected
    assert texts(block_set(document, ("table",))) == [
        "Home News",
        "one\ntwo three\nfour",
        "five\nsix\nseven\neight nine",
    ]


def test_a_table_without_another_may_be_kept_whole():
    table = "<table><tr><td>b<p>c</p></td></tr></table>"
    page = ParsedDocument(f"<table><tr><td>a<div>{table}</div>d<p>e</table><p>f")
    assert texts(block_set(page)) == ["a", "b", "c", "d", "e", "f"]
    assert texts(block_set(page, whole_tables=True)) == ["a", "b\nc", "d", "e", "f"]


def test_elements_count_where_they_begin(document):
    features = block_set(document).features()
    assert features["text"].tolist() == [2, 1, 2, 1, 2, 1, 1, 1]
    assert features["link"].tolist() == [2, 0, 0, 0, 0, 0, 0, 0]
    assert features["image"].tolist() == [0, 0, 0, 0, 0, 1, 0, 0]
    assert features["list"].tolist() == [0, 0, 0, 0, 0, 3, 0, 0]
    assert features["text-tag"].tolist() == [0, 0, 2, 0, 0, 0, 0, 0]


def test_tokens_of_attributes_are_those_around_nearest_first():
    page = ParsedDocument("<div id=outer_box><p class='teaserText HTMLPart2'>a</p>b</div>c")
    assert text_blocks(page).attribute_tokens() == [
        ("teaser", "text", "html", "part", "outer", "box"),
        ("outer", "box"),
        (),
    ]


def test_tokens_of_deep_nesting_are_those_of_the_nearest():
    page = ParsedDocument("<div class=a>" * 3_000 + "x")
    assert text_blocks(page).attribute_tokens() == [("a",) * 50]
