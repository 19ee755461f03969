import re
from operator import attrgetter
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from structce.language import normalise


def test_blocks_join_inline_mark_up_and_part_at_two_breaks(make_page):
    page = make_page("<p>One <b>two</b> three</p><div>four<br>five<br><br>six</div>")
    assert page.text == ("One", "two", "three", "four", "five", "six")
    assert page.blocks.tolist() == [0, 0, 0, 1, 1, 2]


def test_depth_and_ancestors_agree(make_page):
    page = make_page("<div><ul><li><a>x</a></li></ul></div>")
    element = int(page.element[0])
    chain = [page.elements.tag[i] for i in page.elements.ancestors(element)]
    assert chain == ["a", "li", "ul", "div", "body", "html"]
    assert page.elements.depth[element] == len(chain) - 1


def test_comments_stand_before_and_after_regions(make_page):
    page = make_page("<p>a</p><!-- 0 --><p>b</p><p>c</p><!-- 1 --><!-- 2 --><p>d</p>")
    assert page.comments == ("0", "1", "2")
    assert page.comment_places.tolist() == [1, 3, 3]
    assert page.previous_comment.tolist() == [-1, 0, 0, 2]
    assert page.next_comment.tolist() == [0, 1, 1, -1]
    assert page.previous_comment.dtype == page.next_comment.dtype == np.int32


def test_the_letters_of_a_text_are_those_of_its_normal_form(make_page):
    texts = ["A plain LINE, 1-2_3.", "", "Zoë’s ﬁrst\u00adpage", "two\nlines", "{}|~", "last"]
    for some in (texts, [text for text in texts if "\n" not in text], [""], []):
        page = replace(make_page("<p>any"), text=tuple(some))
        assert list(page.letters) == [normalise(text) for text in some]


def test_the_documented_columns_are_those_of_a_page(make_page):
    text = (Path(__file__).parents[2] / "docs" / "extending.md").read_text("utf-8")
    section = text.partition("\n## What a page has\n")[2].partition("\n## ")[0]
    rows = [row.split("|")[1] for row in section.splitlines() if row.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([\w.]+)", row)}
    page = make_page("<title>Quay</title><h1>Ferry</h1><p>It <b>stops</b>.")
    for name in named:
        assert attrgetter(name)(page) is not None or name in ("site", "spans", "joins"), name
    public = {name for name in dir(page) if not name.startswith("_")}
    assert public - named == {"elements"}
    of_elements = {name for name in dir(page.elements) if not name.startswith("_")}
    named = {name.removeprefix("elements.") for name in named}
    assert of_elements - named == {"ancestors", "lineage"}
