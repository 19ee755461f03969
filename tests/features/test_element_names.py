"""Names of elements: words of classes and ids, and the kinds that they have."""

import re

import numpy as np
import pytest

from structce import kernels
from structce.features import element_names
from structce.features.element_names import (
    KINDS,
    element_bits,
    element_tokens,
    kind_bits,
    kind_names,
    read_names,
)
from structce.features.tables import text_table
from structce.kernels import reference


def kinds_of(table, names):
    return kind_names(table, read_names(names)[0])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("published-by__author", {"author"}),
        ("posted_by", {"author"}),
        ("updatedBy", {"author"}),
        ("updated-byway", {"date"}),
        ("sub_title", {"lead", "title"}),
        ("nosub-head", set()),
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
        ("flex\n\ttext-white\n", set()),
        ("Text-sc-1amvtpj-0", {"body"}),
        ("text-byline", {"author"}),
        ("article-text", {"body"}),
        ("Überschrift", {"title"}),
        ("", set()),
    ],
)
def test_a_class_name_means_what_its_parts_mean(name, expected):
    assert kinds_of("meaning", name) == expected


KINDS_BY_NAME = """comments-area=comment related-posts=related c-Newsletter=promotion
share-bar=share author-bio=profile site-nav=frame cookie-wall=notice entry-content=content
entry__--content=content standfirst=lead wp-caption-text=caption is-hidden=hidden""".split()


@pytest.mark.parametrize("row", KINDS_BY_NAME)
def test_names_state_the_surroundings(row):
    name, kind = row.split("=")
    assert kind in kinds_of("surroundings", f"zzz {name}")
    assert not kinds_of("surroundings", f"zzz {name[:3]} is-hidden-xs zz\nzz")


def test_attributes_count_by_what_they_name(make_page):
    page = make_page(
        "<div class='byline share'><p id=lead role=author><b itemprop=author>a</b></p></div>"
    )
    div, p, b = (int(bits) for bits in element_bits(page)[-3:])
    assert kind_names("hint", div) == {"author", "aside"}
    assert kind_names("surroundings", div) == {"share"}
    assert not p & kind_bits("hint")
    assert kind_names("hint", b) == {"author"}
    assert kind_names("surroundings", p) == {"lead"}
    assert kind_names("meaning", p) == {"lead", "author"}
    assert element_tokens(page)[-2] == {"lead", "author"}


def expression(word, beside):
    """Return a listed word as a regular expression; ``beside`` may be beside a part."""
    marks = {"^": f"(?<![^{beside}])", "$": f"(?![^{beside}])", "|": "(?![^ ])", ">": r"\Z"}
    first = marks["^"] if word[0] == "^" else "(?<![^ ])" if word[0] == "|" else ""
    return first + word.strip("^$|>").replace("*", "[-_]*") + marks.get(word[-1], "")


def obvious_kinds(table, names):
    """Return the kinds of names, each word of a table searched as a regular expression."""
    texts, beside = [names.lower()], " _-"
    if table == "meaning":
        opened = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", names).lower()
        texts, beside = re.split(r"[\W_]", opened), " "
    kinds = set()
    for kind, listed in text_table("element_names")[table].items():
        words = [word for word in listed.split() if not {"/", ":"} & {*word}]
        found = [expression(word, beside) for word in words if word[0] != "!"]
        others = [expression(word[1:], beside) for word in words if word[0] == "!"]
        refused = f"(?!{'|'.join(others)})" if others else ""
        if any(re.search(f"{refused}(?:{'|'.join(found)})", text) for text in texts):
            kinds.add(kind)
    return kinds


def random_names():
    """Return values of attributes that are composed of listed words and what is like them."""
    listed = (w for kinds in text_table("element_names").values() for w in kinds.values())
    words = [
        *re.findall(r"[^\W\d_]+", " ".join(listed)),
        *"is u js d x 7 ads ß É publisher".split(),
    ]
    draw = np.random.default_rng(3)
    marks = [*"- _ __ -_ : 9".split(), "", "", " ", "\t", "\n"]
    for _ in range(1500):
        some = draw.choice(words, size=draw.integers(1, 6)).tolist()
        some = [word.capitalize() if draw.random() < 0.2 else word for word in some]
        yield "".join(f"{word}{draw.choice(marks)}" for word in some)


def test_words_of_all_kinds_are_found_where_expressions_find_them():
    for names in random_names():
        plain = re.sub(r"\s$|\n", "", names)
        tables = list(KINDS)
        if {"sub", "teaser", "pie", "by", "text", "scri"} & {
            *re.split(r"[\W_]|(?=[A-Z])", names.lower())
        }:
            tables.remove("meaning")
        for table in tables:
            assert kinds_of(table, plain) == obvious_kinds(table, plain), (table, plain)


@pytest.mark.parametrize("version", [kernels, reference], ids=["chosen", "reference"])
def test_kernels_read_names_as_the_textbook_does(version):
    names = [*random_names(), "", "\n", "lead\n", "ads\n x", "A" * 9, "a\u2028lead", "cookieBar"]
    masks = {"class": -1, "id": 7}
    rows = [{"class": name, "x": "lead"} for name in names] + [{}, {"id": "lead", "class": "ad x"}]
    tables = element_names._trie().arrays
    functions = element_names._settled_bits, element_names.read_names
    bits, words = version.read_names(rows, masks, *tables, element_names._DOUBTFUL, *functions)
    assert [*zip(bits.tolist(), words, strict=True)][: len(names)] == [*map(read_names, names)]
    lead, ad = read_names("lead"), read_names("ad x")
    assert (int(bits[-1]), words[-1]) == (lead[0] & 7 | ad[0], {"lead", "ad"})
    assert (int(bits[-2]), words[-2]) == (0, frozenset())
