"""Class names, attributes, microdata and roles, and what they mean."""

import re

import numpy as np
import pytest

from structce.features.class_names import element_meanings, meanings, read_names
from structce.features.tables import pattern, text_table


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
def test_a_class_name_means_what_its_parts_mean(name, expected):
    assert read_names(name)[1] == expected


def test_meanings_come_from_the_element_and_from_three_above(make_page, values):
    page = make_page(
        "<main id=comments><div class='byline x'><p><span property='headline'><i>a</i></span></p>"
        "</div></main>"
    )
    assert meanings(page) == [{"^title", "^author"}]
    assert values("dom.far-meaning", page) == [{"comment"}]
    assert frozenset({"author"}) in element_meanings(page)


def test_attributes_are_listed_by_name(make_page, values):
    page = make_page("<a rel='author nofollow' href=/x dir=LTR>x</a><time datetime=1>y</time>")
    assert values("dom.attribute", page) == [{"rel", "href", "dir"}, {"datetime"}]


def test_microdata_is_read_here_and_near(make_page, values):
    page = make_page(
        "<div itemprop=author itemscope itemtype='https://schema.org/Person'>"
        "<span itemprop=name>Ann</span> <i property=schema:jobTitle>x</i></div><p>y</p>"
    )
    near = {"^author", "^Person"}
    assert values("dom.microdata", page)[0] == {"name"} | near
    assert values("dom.microdata", page)[-2:] == [{"jobTitle"} | near, frozenset()]


def test_roles_and_landmarks_are_the_innermost_stated_or_implied(make_page, values):
    page = make_page(
        "<header>1<nav>2</nav></header><div role='Main x'>3<aside role=presentation>4</aside>"
        "<p role=note>5</p></div><p role=' '>6</p>"
    )
    assert values("dom.role", page) == [None, None, "main", "presentation", "note", None]
    assert values("dom.landmark", page) == ["banner", "navigation", "main", "main", "main", None]


def obvious_meanings(name):
    """Return the meanings of a name's parts, each pattern tried on each part."""
    parts = re.split(r"[\W_]", re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower())
    patterns = {key: pattern("class_names", key) for key in text_table("class_names")}
    return frozenset(
        key for key, expression in patterns.items() if any(map(expression.search, parts))
    )


def test_class_names_are_read_part_by_part():
    words = re.findall(r"[^\W\d_]+", " ".join(text_table("class_names").values()))
    words += ["nav", "ads", "tags", "x", "publisher", "timeline", "leader", "more", "moreover", "ß"]
    chosen = np.random.default_rng(3)
    for _ in range(3000):
        some = chosen.choice(words, size=chosen.integers(1, 4)).tolist()
        name = str(chosen.choice(["-", "_", "__", "", "A", " "])).join(some)
        if not {"sub", "teaser", "pie", "by", "text"} & {*re.split(r"[\W_]", name)}:
            assert read_names(name)[1] == obvious_meanings(name), name
