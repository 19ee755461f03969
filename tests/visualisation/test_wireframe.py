"""Drawings and lists of pages: all that is wrong is there, nothing is obeyed or endless."""

import html
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from structce.errors import LabelError
from structce.visualisation.wireframe import (
    MAX_FIGURE_BYTES,
    draw_wireframe,
    wireframe_css,
    wireframe_legend,
)
from structce.visualisation.wireframe_layout import MAX_SHEET_HEIGHT

HOSTILE = "</title></svg><script>alert(1)</script>&\"' \u202eevil\u2066 \x1b[31m\x00\ud800 <b>"


def parsed(markup):
    return ElementTree.fromstring(markup)


def drawn(page, gold, predicted):
    return parsed(draw_wireframe(page, gold, predicted, "None", id="p"))


def of_class(root, name):
    return [one for one in root.iter() if name in (one.get("class") or "").split()]


def n_rectangles(root, name):
    return sum(one.get("d").count("M") for one in of_class(root, name) if one.get("d"))


def said(root):
    return " ".join(" ".join(root.itertext()).split())


def numbers_of(path):
    """The left, top, width and height of each rectangle of a path."""
    pattern = r"M(\S+) (\S+?)h(\S+?)v(\S+?)h-(\S+?)z"
    return [tuple(map(float, found[:4])) for found in re.findall(pattern, path)]


def test_a_page_with_layout_is_a_picture_with_a_title_and_its_counts_in_words(paged):
    page = paged(["Storm", "By Ann", "It blew.", "Home"], title="Storm over the pier")
    gold = ["Title", "Author", "Paragraph", "None"]
    markup = draw_wireframe(page, gold, ["Title", "None", "Title", "None"], "None", id="p1")
    svg = parsed(markup).find("svg")
    assert svg.get("role") == "img"
    assert svg.get("aria-labelledby") == "p1-title p1-text"
    assert svg.find("title").text == "Labels of Storm over the pier"
    assert svg.find("title").get("id") == "p1-title"
    assert svg.find("desc").get("id") == "p1-text"
    assert svg.find("desc").text == (
        "4 regions, 2 of them wrong. Wrong: 1 Author labelled None, 1 Paragraph labelled Title. "
        "Right: 1 Title."
    )


def test_each_region_is_a_rectangle_of_its_kind(paged):
    page = paged(list("abcdef"))
    gold = ["Title", "Date", "Date", "?", "None", "None"]
    predicted = ["Title", "None", "None", "Date", "None", "Title"]
    root = drawn(page, gold, predicted)
    counts = {kind: n_rectangles(root, f"wf-{kind}") for kind in ("right", "wrong", "unknown")}
    assert counts == {"right": 1, "wrong": 3, "unknown": 1}
    assert n_rectangles(root, "wf-background") == 1
    assert {one.find("title").text for one in of_class(root, "wf-wrong") if one.get("d")} == {
        "Date → None",
        "None → Title",
    }
    assert [one.find("title").text for one in of_class(root, "wf-unknown") if one.get("d")] == [
        "unknown → Date"
    ]


def test_a_rectangle_stands_where_its_box_stands_at_half_the_size(paged):
    page = paged(["a", "b"], [(100, 40, 300, 50), (0, 60, 1280, 30)])
    root = drawn(page, ["Title", "None"], ["None", "None"])
    (wrong,) = of_class(root, "wf-wrong")[:1]
    assert numbers_of(wrong.get("d")) == [(50, 20, 150, 25)]


def test_every_wrong_region_has_a_tag_and_a_line_of_text(paged):
    page = paged([f"words of number {n}" for n in range(40)])
    gold = ["Paragraph", "Date"] * 20
    root = drawn(page, gold, ["None"] * 40)
    for group in ("wf-wide", "wf-narrow"):
        (tags,) = of_class(root, group)
        texts = [one.text for one in tags.iter("text")]
        assert sorted(texts) == ["Date → None"] * 20 + ["Paragraph → None"] * 20
    lines = [" ".join(one.itertext()) for one in of_class(root, "wf-wrong") if one.tag == "li"]
    assert len(lines) == 40
    assert all(f"words of number {n}" in lines[n] for n in range(40))


def test_wrong_neighbours_with_the_same_labels_share_a_tag(paged):
    page = paged(["one", "two", "three", "far"], [(0, y, 500, 20) for y in (0, 24, 48, 250)])
    root = drawn(page, ["Date"] * 4, ["None"] * 4)
    (tags,) = of_class(root, "wf-wide")
    assert [one.text for one in tags.iter("text")] == ["Date → None ×3", "Date → None"]


def test_wrong_regions_that_find_no_room_for_a_tag_are_counted(paged):
    page = paged([f"words {n}" for n in range(200)], [(0, 5 * n, 1280, 5) for n in range(200)])
    gold = ["Paragraph", "Date"] * 100
    root = drawn(page, gold, ["None"] * 200)
    (tags,) = of_class(root, "wf-wide")
    n_tagged = len(list(tags.iter("text")))
    assert 20 < n_tagged < 200
    assert f"Without a tag, for want of room: {200 - n_tagged} wrong regions." in said(root)
    assert n_rectangles(root, "wf-wrong") == 200


def test_a_long_page_is_cut_to_its_labels_and_says_how_much(paged):
    boxes = [(0, 500, 600, 100), (0, 20_000, 600, 100), (0, 30_000, 600, 100)]
    page = paged(["Storm", "By Ann", "footer"], boxes)
    root = drawn(page, ["Title", "Date", "None"], ["Title", "None", "None"])
    stripes = [one.text for one in of_class(root, "wf-cut-text")]
    # 26 pixels of margin stand above and below each labelled region.
    assert stripes == [
        "474 px without labels",
        "19,348 px without labels",
        "9,974 px without labels",
    ]
    assert float(root.find("svg").get("viewBox").split()[3]) == 2 * 152 / 2 + 3 * 30


def test_where_not_all_labels_fit_the_wrong_ones_are_shown(paged):
    n = 300
    page = paged([f"t{k}" for k in range(n)], [(0, 200 * k, 600, 60) for k in range(n)])
    gold = ["Paragraph"] * n
    predicted = list(gold)
    for k in (7, 150, 299):
        predicted[k] = "None"
    root = drawn(page, gold, predicted)
    assert n_rectangles(root, "wf-wrong") == 3
    assert float(root.find("svg").get("viewBox").split()[3]) <= MAX_SHEET_HEIGHT + 60
    n_right = n_rectangles(root, "wf-right")
    stripes = [one.text for one in of_class(root, "wf-cut-text")]
    hidden = [int(found[1]) for one in stripes if (found := re.search(r"(\d+) labelled", one))]
    assert n_right + sum(hidden) == n - 3
    assert all("none wrong" in one for one in stripes if "labelled" in one)
    assert f"Not in the picture: {sum(hidden)} labelled regions." in said(root)


def test_wrong_regions_that_cannot_be_drawn_stand_in_the_list_with_a_note(paged):
    nan = float("nan")
    boxes = [(0, 0, 500, 30), (0, 50, 0, 20), (nan, nan, nan, nan), (-900, 80, 100, 20)]
    boxes += [(0, -500, 100, 20), (9e9, 0, 20, 20), (0, 90, 20, float("inf")), (50_000, 9, 9, 9)]
    page = paged([f"words {n}" for n in range(8)], boxes)
    root = drawn(page, ["Date"] * 8, ["None"] * 8)
    assert n_rectangles(root, "wf-wrong") == 1
    assert [said(one) for one in root.iter("li")] == [
        "Date → None words 0",
        "Date → None 7 regions, not in the picture words 1 6 more "
        + " ".join(f"words {n}" for n in range(2, 8)),
        *(f"words {n}" for n in range(2, 8)),
    ]
    assert "Not in the picture: 7 labelled regions, 7 of them wrong." in said(root)


def test_regions_beside_the_window_widen_the_drawing(paged):
    page = paged(["in", "beside"], [(0, 0, 640, 20), (1400, 0, 520, 20)])
    root = drawn(page, ["Date", "Date"], ["None", "None"])
    (path,) = [one.get("d") for one in of_class(root, "wf-wrong") if one.get("d")]
    rectangles = numbers_of(path)
    assert len(rectangles) == 2
    assert max(x + width for x, _, width, _ in rectangles) == pytest.approx(640, abs=0.2)


@pytest.mark.parametrize("renderer", ["static", "chromium"])
def test_nothing_that_a_page_or_a_name_says_is_obeyed(paged, renderer):
    page = paged([HOSTILE] * 3, title=HOSTILE, renderer=renderer)
    label = "<img src=x onerror=alert(1)>"
    markup = draw_wireframe(
        page, [label, "None", "Date"], ["None", HOSTILE, "Date"], "None", id='"> <a b'
    )
    root = parsed(markup)
    known = {"figure", "svg", "title", "desc", "rect", "path", "g", "text", "foreignObject"}
    known |= {"p", "details", "summary", "ol", "li", "b", "i", "bdi"}
    assert {one.tag for one in root.iter()} <= known
    names = {name for one in root.iter() for name in one.attrib}
    assert not any(name.startswith(("on", "href", "src", "style")) for name in names)
    for bad in ("\u202e", "\u2066", "\x1b", "\x00", "\ud800"):
        assert bad not in html.unescape(markup)
    identifiers = [one.get("id") for one in root.iter() if one.get("id")]
    assert all(re.fullmatch(r"[\w-]+", one) for one in identifiers)


def test_two_identifiers_never_become_one(paged):
    page = paged(["a"])
    pair = [draw_wireframe(page, ["Date"], ["None"], "None", id=id) for id in ("a b", "a-b")]
    titles = [parsed(one).find("svg/title").get("id") for one in pair]
    assert titles[0] != titles[1]


@pytest.mark.parametrize("renderer", ["static", "chromium"])
def test_a_page_of_5000_wrong_regions_keeps_to_the_bytes_and_says_what_is_left_out(paged, renderer):
    n = 5_000
    page = paged(["<&\"'>" * 60] * n, renderer=renderer)
    gold = [f"Label&<>{k % 90:024d}" for k in range(n)]
    markup = draw_wireframe(page, gold, ["None"] * n, "None", id="p")
    assert len(markup.encode()) <= MAX_FIGURE_BYTES
    root = parsed(markup)
    n_lines = len(list(root.iter("li")))
    assert f"Left out for length: {n - n_lines:,} wrong regions." in said(root)
    if renderer == "chromium":
        n_drawn = n_rectangles(root, "wf-wrong")
        assert 20 < n_drawn <= 600
        lost = f"{n - n_drawn:,}"
        assert f"Not in the picture: {lost} labelled regions, {lost} of them wrong." in said(root)


def test_a_page_of_short_runs_of_mistakes_keeps_to_the_bytes_too(paged):
    gold = [f"L{k // 3 % 7}" for k in range(5_000)]
    page = paged(["&"] * 5_000, renderer="static")
    markup = draw_wireframe(page, gold, ["None"] * 5_000, "None", id="p")
    assert len(markup.encode()) <= MAX_FIGURE_BYTES


def test_labels_for_other_than_all_regions_are_refused(paged):
    with pytest.raises(LabelError, match="each of 2 regions, got 1 and 2"):
        draw_wireframe(paged(["a", "b"]), ["None"], ["None", "None"], "None", id="p")


def test_the_legend_names_labels_and_what_the_strokes_mean():
    root = parsed(wireframe_legend(["Title", "?", "<i>Odd"]))
    assert [said(one) for one in root.iter("li")] == [
        "Title",
        "<i>Odd",
        "wrong: gold → predicted",
        "gold label unknown",
        "background, right",
    ]


def test_every_class_of_the_mark_up_has_a_style(paged):
    page = paged(list("abcdef"), [(0, 900 * n, 500, 700) for n in range(6)])
    gold = ["Title", "Date", "Date", "?", "None", "None"]
    predicted = ["Title", "None", "None", "Date", "None", "Title"]
    both = [replace(page, renderer=renderer) for renderer in ("static", "chromium")]
    marked = [draw_wireframe(one, gold, predicted, "None", id="p") for one in both]
    used = {
        name
        for markup in [*marked, wireframe_legend(["Title"])]
        for one in parsed(markup).iter()
        for name in (one.get("class") or "").split()
    }
    assert used <= set(re.findall(r"\.([\w-]+)", wireframe_css()))


@pytest.mark.parametrize("boxes", [None, [(float("nan"),) * 4] * 2, [(5, 5, 0, 0)] * 2])
def test_without_any_place_for_a_label_the_page_is_a_list(paged, boxes):
    renderer = "static" if boxes is None else "chromium"
    page = paged(["Storm", "Home"], boxes, renderer=renderer)
    root = drawn(page, ["Title", "None"], ["None", "None"])
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
    root = drawn(page, gold, predicted)
    assert [(one.get("class"), said(one)) for one in root.iter("li")] == [
        ("wf-background", "… 2 regions of None, right"),
        ("wf-right", "Paragraph 2 regions First words"),
        ("wf-wrong", "Date → None lost"),
        ("wf-wrong", "Date → None lost too"),
        ("wf-unknown", "unknown → Date when"),
        ("wf-background", "… 1 region of None, right"),
    ]
    assert root.find("ol").get("aria-label").startswith("8 regions, 2 of them wrong.")


@pytest.mark.parametrize("renderer", ["static", "chromium"])
def test_one_mistake_many_times_in_a_row_is_one_line_with_a_count(paged, renderer):
    page = paged([f"cell {n}" for n in range(21)], renderer=renderer)
    gold = ["Paragraph"] * 18 + ["Date", "Paragraph", "Paragraph"]
    root = drawn(page, gold, ["None"] * 21)
    top = next(root.iter("ol")).findall("li")
    assert [said(one.find("b")) for one in top] == [
        "Paragraph → None",
        "Date → None",
        *["Paragraph → None"] * 2,  # two are shown as they are
    ]
    assert (top[0].find("i").text, top[0].find("bdi").text) == ("18 regions", "cell 0")
    assert top[0].find("details/summary").text == "17 more"
    folded = [said(one) for one in top[0].iter("li")][1:]
    assert folded == [f"cell {n}" for n in range(1, 18)]


def test_a_long_text_is_cut_to_120_columns(paged):
    page = paged(["word " * 400], renderer="static")
    root = drawn(page, ["Date"], ["None"])
    assert 110 < len(root.find(".//bdi").text) <= 120


def test_media_say_what_they_are(make_page):
    page = make_page('<body><img src="a.png" alt="A  boat &lt;3">')
    root = drawn(page, ["Multimedia"], ["None"])
    assert root.find(".//bdi").text == "[img] A  boat <3"


def test_a_page_without_regions_is_a_sentence(paged):
    root = drawn(paged([]), [], [])
    assert said(root) == "0 regions, 0 of them wrong."
