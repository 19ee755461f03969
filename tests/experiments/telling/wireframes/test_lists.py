"""Pages that cannot be drawn are lists: right runs in a line, wrong regions each in one."""

from xml.etree import ElementTree

import pytest

from structce.visualisation.wireframe import draw_wireframe


def parsed(markup):
    return ElementTree.fromstring(markup)


def said(root):
    return " ".join(" ".join(root.itertext()).split())


@pytest.mark.parametrize("boxes", [None, [(float("nan"),) * 4] * 2, [(5, 5, 0, 0)] * 2])
def test_without_any_place_for_a_label_the_page_is_a_list(paged, boxes):
    renderer = "static" if boxes is None else "chromium"
    page = paged(["Storm", "Home"], boxes, renderer=renderer)
    root = parsed(draw_wireframe(page, ["Title", "None"], ["None", "None"], "None", id="p"))
    assert root.find("svg") is None
    assert [said(one) for one in root.iter("li")] == [
        "Title → None Storm",
        "… 1 region of None, right",
    ]


def test_the_list_tells_runs_in_one_line_and_wrong_regions_each_in_one(paged):
    texts = ["Home", "Sport", "First words", "More", "lost", "lost too", "when", "end"]
    gold = ["None", "None", "Paragraph", "Paragraph", "Date", "Date", "?", "None"]
    predicted = ["None", "None", "Paragraph", "Paragraph", "None", "None", "Date", "None"]
    page = paged(texts, renderer="static")
    root = parsed(draw_wireframe(page, gold, predicted, "None", id="p"))
    assert [(one.get("class"), said(one)) for one in root.iter("li")] == [
        ("wf-background", "… 2 regions of None, right"),
        ("wf-right", "Paragraph 2 regions First words"),
        ("wf-wrong", "Date → None lost"),
        ("wf-wrong", "Date → None lost too"),
        ("wf-unknown", "unknown → Date when"),
        ("wf-background", "… 1 region of None, right"),
    ]
    assert root.find("ol").get("aria-label").startswith("8 regions, 2 of them wrong.")


def test_a_long_text_is_cut_to_120_columns(paged):
    page = paged(["word " * 400], renderer="static")
    root = parsed(draw_wireframe(page, ["Date"], ["None"], "None", id="p"))
    assert 110 < len(root.find(".//bdi").text) <= 120


def test_media_say_what_they_are(make_page):
    page = make_page('<body><img src="a.png" alt="A  boat &lt;3">')
    root = parsed(draw_wireframe(page, ["Multimedia"], ["None"], "None", id="p"))
    assert root.find(".//bdi").text == "[img] A  boat <3"


def test_a_page_without_regions_is_a_sentence(paged):
    root = parsed(draw_wireframe(paged([]), [], [], "None", id="p"))
    assert said(root) == "0 regions, 0 of them wrong."
