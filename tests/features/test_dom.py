"""Features of the tree: worked by hand, or against the obvious walk up and down."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from structce.features.class_names import element_tokens, read_name
from structce.features.dom import in_link, name_tokens
from structce.features.dom_tree import (
    counts_above,
    ends,
    inherited,
    innermost,
    joined_far,
    joined_near,
    regions_below,
    sums_below,
    tags_opened,
)
from structce.features.registry import REGISTRY
from structce.page import Page

Make = Callable[..., Page]


NESTED = (
    "<div class=a><section class=b><ul class=c><li class=d><a class=e>1</a> 2</li><li>3"
    "<img></li></ul></section><p>4 <b>5 <i>6</i></b></p></div><footer>7</footer>"
)


def numbers(name: str, page: Page) -> list[float]:
    return np.asarray(REGISTRY[name].values(page), dtype=float).tolist()


def values(name: str, page: Page) -> list[object]:
    return list(REGISTRY[name].values(page))


@pytest.fixture(params=["nested", "article", "empty"])
def varied_page(
    request: pytest.FixtureRequest, make_page: Make, article_html: Callable[..., str]
) -> Page:
    html = {"nested": NESTED, "article": article_html(), "empty": "<html></html>"}
    return make_page(html[request.param])


@pytest.mark.parametrize(
    ("name", "alias"),
    [
        ("dom.attribute", "dom.all-attributes"),
        ("dom.token", "dom.all-tokens-in-class-and-name"),
        ("dom.next-comment-token", "dom.tokens-in-next-comments"),
        ("dom.previous-comment-token", "dom.tokens-in-previous-comments"),
        ("dom.depth", "dom.dom-depth"),
        ("dom.tag", "dom.dom-name"),
        ("dom.previous-depth-difference", "dom.previous-depth-difference"),
        ("dom.siblings-next", "dom.node-dom-siblings-next"),
        ("dom.parent-tag", "dom.dom-parent-name"),
        ("dom.in-iframe", "dom.node-in-iframe"),
        ("dom.paragraph-depth-difference", "dom.p-average-depth-difference"),
    ],
)
def test_a_dom_feature_of_table_1_is_found_by_its_name(name: str, alias: str) -> None:
    assert REGISTRY[alias].name == name
    assert REGISTRY[name].source == "Spengler et al. (2010)"


def test_sums_over_a_subtree_are_those_of_a_walk(varied_page: Page) -> None:
    lines = [list(varied_page.elements.ancestors(int(i))) for i in varied_page.element]
    weights = np.arange(len(varied_page)) + 1
    expected = [
        [row for row, line in enumerate(lines) if i in line]
        for i in range(len(varied_page.elements))
    ]
    assert sums_below(varied_page, weights).tolist() == [weights[rows].sum() for rows in expected]
    first, count = regions_below(varied_page)
    assert count.tolist() == [len(rows) for rows in expected]
    assert first.tolist() == [rows[0] for rows in expected]
    below = Counter(
        n for i in range(len(varied_page.elements)) for n in varied_page.elements.ancestors(i)
    )
    assert (ends(varied_page) - np.arange(len(varied_page.elements))).tolist() == [
        below[i] for i in range(len(varied_page.elements))
    ]
    seen: set[int] = set()
    opened = [(new := set(line) - seen, seen.update(new)) for line in lines]
    assert tags_opened(varied_page).tolist() == [len(new) for new, _ in opened]


def test_what_stands_above_is_what_a_walk_meets(varied_page: Page) -> None:
    elements = varied_page.elements
    chosen = [i for i, name in enumerate(elements.tag) if name in ("div", "li", "article", "p")]
    lines = [list(elements.ancestors(i)) for i in range(len(elements))]
    assert counts_above(varied_page, chosen).tolist() == [
        len(set(chosen) & set(line)) for line in lines
    ]
    assert innermost(varied_page, chosen) == [
        next((n for n in lines[i] if n in chosen), -1) for i in varied_page.element
    ]
    own = [frozenset(name[:1]) if i % 2 else frozenset() for i, name in enumerate(elements.tag)]
    union = frozenset[str]().union
    assert inherited(varied_page, own) == [union(*(own[n] for n in line)) for line in lines]
    assert joined_near(varied_page, own) == [
        union(*(own[n] for n in lines[i][1:4])) for i in varied_page.element
    ]
    assert joined_far(varied_page, own) == [
        union(*(own[n] for n in lines[i][4:])) for i in varied_page.element
    ]


def test_elements_without_names_share_the_set_of_their_parent(make_page: Make) -> None:
    page = make_page("<div class=list><ul>" + "<li><i>x</i></li>" * 3 + "</ul></div>")
    sets = values("dom.near-token", page)
    assert sets[0] is sets[1] is sets[2]
    assert len({id(names) for names in inherited(page, element_tokens(page))}) == 2


def test_paths_and_tags_lead_up_from_the_region(varied_page: Page) -> None:
    tags = varied_page.elements.tag
    lines = [[tags[n] for n in varied_page.elements.ancestors(int(i))] for i in varied_page.element]
    assert values("dom.path", varied_page) == ["/".join(reversed(line[:4])) for line in lines]
    assert values("dom.parent-tag", varied_page) == [(*line, None)[1] for line in lines]
    assert values("dom.grandparent-tag", varied_page) == [(*line, None, None)[2] for line in lines]
    assert values("dom.ancestor-tag", varied_page) == [frozenset(line) for line in lines]
    assert in_link(varied_page).tolist() == ["a" in line for line in lines]


def test_paths_repeat_where_names_and_classes_do(make_page: Make) -> None:
    html = "<ul><li class=x>1</li><li class=x>2</li><li>3</li></ul><ol><li class=x>4</li></ol>"
    assert numbers("dom.path-repetitions", make_page(html)) == [2, 2, 1, 1]


def test_names_are_opened_into_words(make_page: Make) -> None:
    assert name_tokens("articleBody-top_2x a") == ("article", "body", "top")
    page = make_page("<p class='articleBody-top_2x a' name=lead rel='nofollow'>x</p>")
    assert values("dom.token", page) == [{"article", "body", "top", "lead", "nofollow"}]
    assert element_tokens(page)[-1] == read_name("articleBody-top_2x").tokens | {"lead", "nofollow"}


def test_comments_are_read_into_words(make_page: Make) -> None:
    page = make_page("<body><!-- articleBody: start --><p>a</p><!--/article--><p>b</p>")
    assert values("dom.previous-comment-token", page) == [{"article", "body", "start"}, {"article"}]
    assert values("dom.next-comment-token", page) == [{"article"}, frozenset()]


def test_frames_are_regions_in_frames(make_page: Make) -> None:
    page = make_page("<p>a</p><iframe src=/x></iframe>")
    assert values("dom.in-iframe", page) == [False, True]


def test_block_depth_passes_over_inline_elements(make_page: Make) -> None:
    page = make_page("<div><p>a <b><i>c</i></b></p></div>")
    assert numbers("dom.block-depth", page) == [4, 4]
