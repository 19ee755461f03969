"""Features of the tree: worked by hand, or against the obvious walk up and down."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from structce.features.class_names import element_meanings, element_tokens, meanings, read_name
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


def known(name: str, page: Page) -> list[float | None]:
    """Return a feature's numbers, None for unknown ones."""
    return [None if np.isnan(number) else number for number in numbers(name, page)]


@pytest.fixture(params=["nested", "article", "empty"])
def page(request: pytest.FixtureRequest, make_page: Make, article_html: Callable[..., str]) -> Page:
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


def test_sums_over_a_subtree_are_those_of_a_walk(page: Page) -> None:
    lines = [list(page.elements.ancestors(int(i))) for i in page.element]
    weights = np.arange(len(page)) + 1
    expected = [
        [row for row, line in enumerate(lines) if i in line] for i in range(len(page.elements))
    ]
    assert sums_below(page, weights).tolist() == [weights[rows].sum() for rows in expected]
    first, count = regions_below(page)
    assert count.tolist() == [len(rows) for rows in expected]
    assert first.tolist() == [rows[0] for rows in expected]
    below = Counter(n for i in range(len(page.elements)) for n in page.elements.ancestors(i))
    assert (ends(page) - np.arange(len(page.elements))).tolist() == [
        below[i] for i in range(len(page.elements))
    ]
    seen: set[int] = set()
    opened = [(new := set(line) - seen, seen.update(new)) for line in lines]
    assert tags_opened(page).tolist() == [len(new) for new, _ in opened]


def test_what_stands_above_is_what_a_walk_meets(page: Page) -> None:
    elements = page.elements
    chosen = [i for i, name in enumerate(elements.tag) if name in ("div", "li", "article", "p")]
    lines = [list(elements.ancestors(i)) for i in range(len(elements))]
    assert counts_above(page, chosen).tolist() == [len(set(chosen) & set(line)) for line in lines]
    assert innermost(page, chosen) == [
        next((n for n in lines[i] if n in chosen), -1) for i in page.element
    ]
    own = [frozenset(name[:1]) if i % 2 else frozenset() for i, name in enumerate(elements.tag)]
    union = frozenset[str]().union
    assert inherited(page, own) == [union(*(own[n] for n in line)) for line in lines]
    assert joined_near(page, own) == [union(*(own[n] for n in lines[i][1:4])) for i in page.element]
    assert joined_far(page, own) == [union(*(own[n] for n in lines[i][4:])) for i in page.element]


def test_elements_without_names_share_the_set_of_their_parent(make_page: Make) -> None:
    page = make_page("<div class=list><ul>" + "<li><i>x</i></li>" * 3 + "</ul></div>")
    sets = values("dom.near-token", page)
    assert sets[0] is sets[1] is sets[2]
    assert len({id(names) for names in inherited(page, element_tokens(page))}) == 2


def test_paths_and_tags_lead_up_from_the_region(page: Page) -> None:
    tags = page.elements.tag
    lines = [[tags[n] for n in page.elements.ancestors(int(i))] for i in page.element]
    assert values("dom.path", page) == ["/".join(reversed(line[:4])) for line in lines]
    assert values("dom.parent-tag", page) == [(*line, None)[1] for line in lines]
    assert values("dom.grandparent-tag", page) == [(*line, None, None)[2] for line in lines]
    assert values("dom.ancestor-tag", page) == [frozenset(line) for line in lines]
    assert in_link(page).tolist() == ["a" in line for line in lines]


def test_paths_repeat_where_names_and_classes_do(make_page: Make) -> None:
    html = "<ul><li class=x>1</li><li class=x>2</li><li>3</li></ul><ol><li class=x>4</li></ol>"
    assert numbers("dom.path-repetitions", make_page(html)) == [2, 2, 1, 1]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("published-by__author", {"author"}),
        ("posted_by", {"author"}),
        ("author-date", {"author", "date"}),
        ("article__published", {"body", "date"}),
        ("datePublished", {"date"}),
        ("publicationDate", {"date"}),
        ("publisher-logo", set()),
        ("nav-public", {"navigation"}),
        ("read", set()),
        ("ad-3", {"advertisement"}),
        ("top_ads", {"advertisement"}),
        ("subHead", {"lead"}),
        ("teaser-text", {"lead", "related", "body"}),
        ("text-xl", set()),
        ("md:text-white", set()),
        ("text-byline", {"author"}),
        ("article-text", {"body"}),
        ("Überschrift", {"title"}),
        ("", set()),
    ],
)
def test_a_class_name_means_what_its_parts_mean(name: str, expected: set[str]) -> None:
    assert read_name(name).meanings == expected


def test_meanings_come_from_the_element_and_from_three_above(make_page: Make) -> None:
    page = make_page(
        "<main id=comments><div class='byline x'><p><span property='headline'><i>a</i></span></p>"
        "</div></main>"
    )
    assert meanings(page) == [{"^title", "^author"}]
    assert values("dom.far-meaning", page) == [{"comment"}]
    assert frozenset({"author"}) in element_meanings(page)


def test_names_are_opened_into_words(make_page: Make) -> None:
    assert name_tokens("articleBody-top_2x a") == ("article", "body", "top")
    page = make_page("<p class='articleBody-top_2x a' name=lead rel='nofollow'>x</p>")
    assert values("dom.token", page) == [{"article", "body", "top", "lead", "nofollow"}]
    assert element_tokens(page)[-1] == read_name("articleBody-top_2x").tokens | {"lead", "nofollow"}


def test_comments_are_read_into_words(make_page: Make) -> None:
    page = make_page("<body><!-- articleBody: start --><p>a</p><!--/article--><p>b</p>")
    assert values("dom.previous-comment-token", page) == [{"article", "body", "start"}, {"article"}]
    assert values("dom.next-comment-token", page) == [{"article"}, frozenset()]


def test_attributes_of_few_values_keep_them(make_page: Make) -> None:
    page = make_page("<a rel='author nofollow' href=/x dir=LTR>x</a><time datetime=1>y</time>")
    assert values("dom.attribute", page) == [{"rel", "href", "dir"}, {"datetime"}]
    assert values("dom.attribute-value", page) == [
        {"rel=author", "rel=nofollow", "dir=ltr"},
        frozenset(),
    ]


def test_microdata_is_read_here_and_near(make_page: Make) -> None:
    page = make_page(
        "<div itemprop=author itemscope itemtype='https://schema.org/Person'>"
        "<span itemprop=name>Ann</span> <i property=schema:jobTitle>x</i></div><p>y</p>"
    )
    near = {"^author", "^Person"}
    assert values("dom.microdata", page)[0] == {"name"} | near
    assert values("dom.microdata", page)[-2:] == [{"jobTitle"} | near, frozenset()]


def test_roles_and_landmarks_are_the_innermost_stated_or_implied(make_page: Make) -> None:
    page = make_page(
        "<header>1<nav>2</nav></header><div role='Main x'>3<aside role=presentation>4</aside>"
        "<p role=note>5</p></div><p role=' '>6</p>"
    )
    assert values("dom.role", page) == [None, None, "main", "presentation", "note", None]
    assert values("dom.landmark", page) == ["banner", "navigation", "main", "main", "main", None]


def test_list_and_table_places_are_those_of_the_innermost(make_page: Make) -> None:
    page = make_page(
        "<ul><li>1</li><li>2<ol><li>3</li></ol></li><li>4</li></ul>5"
        "<table><tr><td>6</td><td><b>7</b></td></tr></table><div role=listitem>8</div>"
    )
    assert known("dom.list-place", page)[:5] == [0, 1, 0, 2, None]
    assert known("dom.list-length", page)[:5] == [3, 3, 1, 3, None]
    assert numbers("dom.list-depth", page) == [1, 1, 2, 1, 0, 0, 0, 0]
    assert known("dom.table-column", page) == [None] * 5 + [0, 1, None]
    assert known("dom.table-width", page) == [None] * 5 + [2, 2, None]
    assert known("dom.list-length", page)[5:7] == [None, None]
    assert known("dom.list-length", page)[7] is not None


def test_headings_are_told_by_name_or_role(make_page: Make) -> None:
    page = make_page(
        "<p>0</p><h1>1 <i>2</i></h1><p>3</p><div role=heading aria-level=4>4</div>"
        "<div role=heading>5</div><p>6</p><p>7</p>"
    )
    assert known("dom.heading-level", page) == [None, 1, 1, None, 4, 2, None, None]
    assert known("dom.heading-above", page) == [None, None, 1, 1, 1, 4, 2, 2]
    assert known("dom.since-heading", page) == [None, None, 1, 1, 2, 1, 1, 2]


def test_images_are_described_by_their_attributes(make_page: Make) -> None:
    page = make_page(
        "<p>text</p><img src=/a.JPEG?w=1 width=300px height=200 alt='A grey quay'>"
        "<img src='data:image/gif;base64,x' data-src=/b.webp alt=''>"
        "<img src=/photo width=100% height=5 alt=IMG_12.jpg><img>"
        "<svg viewBox='0 0 24 12'></svg>"
    )
    assert known("dom.aspect-ratio", page) == [None, 1.5, None, None, None, 2]
    assert known("dom.stated-width", page) == [None, 300, None, None, None, 24]
    assert values("dom.alternative-text", page) == [
        None, "words", "empty", "file", "absent", "absent",
    ]  # fmt: skip
    assert known("dom.alternative-words", page) == [None, 3, 0, 3, None, None]
    assert values("dom.media-source", page) == [None, "jpg", "webp", "other", "none", "none"]


def test_frames_are_regions_in_frames(make_page: Make) -> None:
    page = make_page("<p>a</p><iframe src=/x></iframe>")
    assert values("dom.in-iframe", page) == [False, True]


def test_link_density_is_told_of_element_and_parent(make_page: Make) -> None:
    page = make_page("<div><p>ab <a>cd</a></p>efgh</div><img>")
    assert known("dom.element-link-density", page) == [0.5, 1, 0.25, None]
    assert known("dom.parent-link-density", page) == [0.25, 0.5, 0.25, 0.25]


def test_tag_density_counts_elements_that_begin_in_the_block(make_page: Make) -> None:
    page = make_page("<p>" + "x" * 50 + "</p><p><i><b>" + "y" * 25 + "</b></i></p><img>")
    density = known("dom.tag-density", page)
    assert density[1:] == [12, None]  # p, i and b for 25 columns
    assert density[0] == 6  # html, body and p for 50 columns


def test_block_depth_passes_over_inline_elements(make_page: Make) -> None:
    page = make_page("<div><p>a <b><i>c</i></b></p></div>")
    assert numbers("dom.block-depth", page) == [4, 4]


def test_the_container_is_the_block_above_the_block(make_page: Make) -> None:
    page = make_page("<div><p>abcd</p><p>ef <b>gh</b></p></div><div><p>ij</p><a>kl</a></div>")
    assert numbers("dom.container-text-share", page)[:3] == [0.8, 0.8, 0.8]
    assert numbers("dom.container-text-share", page)[3] == 0.2
