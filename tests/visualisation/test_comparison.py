"""Compared labels, drawn and listed: all that is wrong is there, nothing is obeyed or endless."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from structce.errors import LabelError
from structce.visualisation.comparison import draw_comparison

HOSTILE = "</title></svg><script>alert(1)</script>&\"' \u202eevil\u2066 \x1b[31m\x00\ud800 <b>"


def parsed(markup):
    return ElementTree.fromstring(markup)


def drawn(page, gold, predicted):
    return parsed(draw_comparison(page, gold, predicted, "None"))


def words_of(element):
    return " ".join(" ".join(element.itertext()).split())


def boxes_of(figure):
    return [div for div in figure.iter("div") if "absolute" in div.get("style", "")]


def test_the_caption_counts_regions_and_mistakes(paged):
    page = paged(["Storm", "By Ann", "It blew.", "Home"])
    figure = drawn(
        page, ["Title", "Author", "Paragraph", "None"], ["Title", "None", "Title", "None"]
    )
    assert figure.find("figcaption").text == (
        "4 regions, 2 of them wrong. Wrong: 1 Author labelled None, 1 Paragraph labelled Title. "
        "Right: 1 Title."
    )


def test_wrong_regions_are_dashed_and_right_ones_have_a_tip(paged):
    page = paged(["Storm", "By Ann", "Home", "?"])
    figure = drawn(page, ["Title", "Author", "None", "?"], ["Title", "None", "None", "Date"])
    wrong, right = boxes_of(figure)  # neither background nor unknown
    assert "dashed" in wrong.get("style")
    assert wrong.find("b").text == "Author → None"
    assert "dashed" not in right.get("style")
    assert right.get("title") == "Title: Storm"
    assert [words_of(line) for line in figure.iter("li")] == ["Author → None By Ann"]


@pytest.mark.parametrize("renderer", ["static", "chromium"])
def test_nothing_from_the_page_becomes_markup(paged, renderer):
    page = paged([HOSTILE, HOSTILE], title=HOSTILE, renderer=renderer)
    markup = draw_comparison(page, ["Title", HOSTILE], [HOSTILE, "Title"], "None")
    root = parsed(markup)
    assert not [element for element in root.iter() if element.tag in ("script", "svg")]
    assert not re.search("[\u202e\u2066\x1b\x00]", markup)


def test_a_page_of_5000_wrong_regions_is_cut(paged):
    page = paged(["word " * 99] * 5000)
    gold = ["Date", "Title"] * 2500
    markup = draw_comparison(page, gold, ["None"] * 5000, "None")
    assert len(markup.encode()) < 600_000
    assert "Not listed: 4700 further lines." in words_of(parsed(markup))


def test_a_wrong_number_of_labels_is_refused(paged):
    with pytest.raises(LabelError, match="each of 2 regions, got 1 and 2"):
        draw_comparison(paged(["a", "b"]), ["None"], ["None", "None"], "None")


@pytest.mark.parametrize("boxes", [None, [(float("nan"),) * 4] * 2, [(5, 5, 0, 0)] * 2])
def test_a_page_without_layout_is_a_list(paged, boxes):
    renderer = "static" if boxes is None else "chromium"
    page = paged(["Storm", "Home"], boxes, renderer=renderer)
    if renderer == "static":
        page = replace(page, boxes=page.boxes * float("nan"))
    figure = drawn(page, ["Title", "None"], ["None", "None"])
    assert not boxes_of(figure)
    lines = [words_of(line) for line in figure.iter("li")]
    assert lines == ["Title → None Storm", "… 1 region of None, right"]


def test_the_list_has_a_line_per_run_and_per_wrong_region(paged):
    texts = ["Home", "Sport", "First words", "More", "lost", "lost too", "when", "end"]
    gold = ["None", "None", "Paragraph", "Paragraph", "Date", "Date", "?", "None"]
    predicted = ["None", "None", "Paragraph", "Paragraph", "None", "None", "Date", "None"]
    figure = drawn(paged(texts, [(0, 0, 0, 0)] * 8), gold, predicted)
    assert [(line.get("class"), words_of(line)) for line in figure.iter("li")] == [
        ("cmp-background", "… 2 regions of None, right"),
        ("cmp-right", "Paragraph 2 regions First words"),
        ("cmp-wrong", "Date → None lost"),
        ("cmp-wrong", "Date → None lost too"),
        ("cmp-unknown", "unknown → Date when"),
        ("cmp-background", "… 1 region of None, right"),
    ]


def test_a_page_without_regions_is_a_sentence(paged):
    assert words_of(drawn(paged([]), [], [])) == "0 regions, 0 of them wrong."
