"""Features of the tree: worked by hand, or against the obvious walk up and down."""

from collections import Counter

import numpy as np
import pytest

from structce.features.dom import in_link, name_tokens
from structce.features.dom_tree import (
    counts_above,
    ends,
    inherited,
    innermost,
    joined_near,
    near_bits,
    nearest_marked,
    regions_below,
    sums_below,
)
from structce.features.element_names import element_tokens, read_names

NESTED = (
    "<div class=a><section class=b><ul class=c><li class=d><a class=e>1</a> 2</li><li>3"
    "<img></li></ul></section><p>4 <b>5 <i>6</i></b></p></div><footer>7</footer>"
)


@pytest.fixture(params=["nested", "article", "empty"])
def varied_page(request, make_page, article_html):
    html = {"nested": NESTED, "article": article_html(), "empty": "<html></html>"}
    return make_page(html[request.param])


def test_sums_over_a_subtree_are_those_of_a_walk(varied_page):
    elements = varied_page.elements
    lines = [list(elements.ancestors(int(i))) for i in varied_page.element]
    weights = np.arange(len(varied_page)) + 1
    inside = [[row for row, line in enumerate(lines) if i in line] for i in range(len(elements))]
    assert sums_below(varied_page, weights).tolist() == [weights[rows].sum() for rows in inside]
    first, count = regions_below(varied_page)
    assert count.tolist() == [len(rows) for rows in inside]
    assert first.tolist() == [rows[0] for rows in inside]
    below = Counter(n for i in range(len(elements)) for n in elements.ancestors(i))
    sizes = ends(varied_page) - np.arange(len(elements))
    assert sizes.tolist() == [below[i] for i in range(len(elements))]


def test_what_stands_above_is_what_a_walk_meets(varied_page):
    elements = varied_page.elements
    chosen = [i for i, name in enumerate(elements.tag) if name in ("div", "li", "article", "p")]
    lines = [list(elements.ancestors(i)) for i in range(len(elements))]
    nearest = [next((n for n in line if n in chosen), -1) for line in lines]
    marks = np.isin(np.arange(len(elements)), chosen)
    assert nearest_marked(varied_page, marks).tolist() == nearest
    assert innermost(varied_page, chosen).tolist() == [nearest[i] for i in varied_page.element]
    counts = [len(set(chosen) & set(line)) for line in lines]
    assert counts_above(varied_page, chosen).tolist() == counts
    own = [frozenset(name[:1]) if i % 2 else frozenset() for i, name in enumerate(elements.tag)]
    union = frozenset[str]().union
    assert inherited(varied_page, own) == [union(*(own[n] for n in line)) for line in lines]
    near = [union(*(own[n] for n in lines[i][1:4])) for i in varied_page.element]
    assert joined_near(varied_page, own) == near
    bits = np.arange(len(elements)) % 8
    near_bits_of = [np.bitwise_or.reduce(bits[lines[i][1:4]]) for i in varied_page.element]
    assert near_bits(varied_page, bits).tolist() == near_bits_of


def test_elements_without_names_share_the_set_of_their_parent(make_page, values):
    page = make_page("<div class=list><ul>" + "<li><i>x</i></li>" * 3 + "</ul></div>")
    sets = values("dom.near-token", page)
    assert sets[0] is sets[1] is sets[2]
    assert len({id(names) for names in inherited(page, element_tokens(page))}) == 2


def test_tags_lead_up_from_the_region(varied_page, values):
    tags = varied_page.elements.tag
    lines = [[tags[n] for n in varied_page.elements.ancestors(int(i))] for i in varied_page.element]
    assert values("dom.parent-tag", varied_page) == [(*line, None)[1] for line in lines]
    assert values("dom.grandparent-tag", varied_page) == [(*line, None, None)[2] for line in lines]
    assert values("dom.ancestor-tag", varied_page) == [frozenset(line) for line in lines]
    assert in_link(varied_page).tolist() == ["a" in line for line in lines]


def test_names_are_opened_into_words(make_page, values):
    assert name_tokens("articleBody-top_2x a") == ("article", "body", "top")
    page = make_page("<p class='articleBody-top_2x a' name=lead rel='nofollow'>x</p>")
    assert values("dom.token", page) == [{"article", "body", "top", "lead", "nofollow"}]
    own = read_names("articleBody-top_2x")[1]
    assert element_tokens(page)[-1] == own | {"lead", "nofollow"}


def test_comments_are_read_into_words(make_page, values):
    page = make_page("<body><!-- articleBody: start --><p>a</p><!--/article--><p>b</p>")
    assert values("dom.previous-comment-token", page) == [{"article", "body", "start"}, {"article"}]
    assert values("dom.next-comment-token", page) == [{"article"}, frozenset()]


SIBLINGS = "<section><p>a <b>b</b> c</p><p>d</p></section><ul><li><a>e</a></li></ul><div><img>"
LISTS = "<ul><li>1</li><li>2<ol><li>3</li></ol></li><li>4</li></ul>5<div role=listitem>6</div>"
HEADINGS = (
    "<p>0</p><h1>1 <i>2</i></h1><p>3</p><div role=heading aria-level=4>4</div>"
    "<div role=heading>5</div><p>6</p><p>7</p>"
)
LINKED = "<div><p>ab <a>cd</a></p>efgh</div><img>"
PAGES = [
    ("text.next-in-parent", SIBLINGS, [3, 1, 1, 0, 0, 0]),
    ("dom.siblings-next", "<p>a</p><b>c</b><i>d</i>", [2, 1, 0]),
    ("dom.list-length", LISTS, [3, 3, 1, 3, None, 2]),
    ("dom.list-depth", LISTS, [1, 1, 2, 1, 0, 0]),
    ("dom.heading-level", HEADINGS, [None, 1, 1, None, 4, 2, None, None]),
    ("dom.heading-above", HEADINGS, [None, None, 1, 1, 1, 4, 2, 2]),
    ("dom.since-heading", HEADINGS, [None, None, 1, 1, 2, 1, 1, 2]),
    ("dom.in-iframe", "<p>a</p><iframe src=/x></iframe>", [False, True]),
    ("dom.block-depth", "<div><p>a <b><i>c</i></b></p></div>", [4, 4]),
    ("dom.previous-depth-difference", "<p>a <b>b</b></p><i>c</i>", [None, 1, -1]),
    ("dom.paragraph-depth-difference", "<div><p>ab</p>c <b><i>d</i></b></div>", [0, -1, 1]),
    ("dom.path-repetitions",
     "<ul><li class=x>1</li><li class=x>2</li><li>3</li></ul><ol><li class=x>4</li></ol>",
     [2, 2, 1, 1]),
    ("dom.place-in-block", "<p>By <a>Ann Lee</a> in <a>Oslo</a></p><p>Alone</p>",
     ["first", "middle", "middle", "last", "only"]),
    ("dom.element-link-density", LINKED, [0.5, 1, 0.25, None]),
    ("dom.link-density", "<p>abcd<a>efgh</a></p><li><a>ijkl</a></li><p>mnop</p>",
     [0.5, 0.5, 1.0, 0.0]),
    # html, body and p for 50 columns; p, i and b for 25
    ("dom.tag-density", f"<p>{'x' * 50}</p><p><i><b>{'y' * 25}</b></i></p><img>", [6, 12, None]),
    ("dom.container-text-share",
     "<div><p>abcd</p><p>ef <b>gh</b></p></div><div><p>ij</p><a>kl</a></div>",
     [0.8, 0.8, 0.8, 0.2, 1]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "html", "expected"), PAGES, ids=[name for name, *_ in PAGES])
def test_values_are_those_worked_by_hand(make_page, values, name, html, expected):
    assert values(name, make_page(html)) == expected
