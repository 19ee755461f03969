"""Features of names and attributes: meanings of class names, attributes, microdata, roles.

Class names differ from site to site, but are composed of a few dozen words: each name is split
into its words, and each word is matched with patterns by meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import repeat
from typing import cast

from structce import kernels
from structce.features.dom_tree import (
    NO_NAMES,
    NameSet,
    elements_called,
    elements_with,
    innermost_values,
    joined_far,
    marked_near,
    of_regions,
)
from structce.features.registry import BESIDE, SPENGLER, feature, once_a_page
from structce.features.tables import pattern, text_table
from structce.language import TEXTS, WORDS
from structce.page import Page
from structce.patterns import lazy_pattern

NAMING = frozenset(
    ("class", "id", "name", "rel", "itemprop", "role", "property", "data-testid", "data-component")
)
"""Attributes that name what an element is."""

_CAMEL = lazy_pattern(r"(?<=[a-z])(?=[A-Z])")
_BREAK = lazy_pattern(r"[\W_]")  # two in a row leave an empty part, which has no meaning
_STYLING = lazy_pattern(r"(?:^|(?<=:))text-(?=.)")
_ASCII = lazy_pattern(r"[a-z]{2,}")
_MAX_TOKEN = 20  # letters of a word; longer ones are seldom words
_PART_END = r"(?![^\W_])"
_OPENERS = frozenset({"sub", "teaser", "pie"})  # words whose meaning depends on the next part
_JOINING = _OPENERS | {"by", "text"}
_VERBS = frozenset({"published", "publish", "posted", "updated", "written", "reported"})
LANDMARKS = {
    "header": "banner",
    "nav": "navigation",
    "main": "main",
    "aside": "complementary",
    "footer": "contentinfo",
    "form": "form",
    "search": "search",
    "article": "article",
    "dialog": "dialog",
}
"""WAI-ARIA landmark roles that are implied by element names."""

_LANDMARK_ROLES = frozenset({*LANDMARKS.values(), "region", "feed", "alertdialog"})
_MICRODATA = ("itemprop", "itemtype", "property", "typeof")
_MAX_TERM = 30  # characters of a role or term; the rest is cut off


ClassName = tuple[NameSet, NameSet]
"""Words of class names, and their meanings."""

_PARTS: dict[str, NameSet] = {}  # meanings of parts of names that have been read
_NAMES: dict[str, ClassName] = {}  # names that have been read


def read_names(names: str) -> ClassName:
    """Return the words and meanings of names that are separated by spaces, camel case split.

    Each part of a name has its own meanings. "Published by" names the author and is not a date;
    "author-date" and "published-author" keep both meanings, since either may be meant. A leading
    ``text-`` means nothing: in utility-class frameworks it sets size or colour.
    """
    return _read_all([names])[names]


def _read_all(values: Iterable[str]) -> dict[str, ClassName]:
    """Return the words and meanings of distinct values, which are kept for other pages."""
    read = {names: _NAMES.get(names) for names in dict.fromkeys(values)}
    new = [names for names, own in read.items() if own is None]
    rows: Iterable[ClassName | None] = repeat(None, len(new))
    if kernels.read_names is not None:
        rows = kernels.read_names(new, _PARTS, _part_meanings, _joined_meanings, _JOINING)
    found = {names: row or _read_one(names) for names, row in zip(new, rows, strict=True)}
    if len(_NAMES) + len(found) > WORDS:
        _NAMES.clear()
    _NAMES.update(found)
    read.update(found)
    return cast(dict[str, ClassName], read)


def _read_one(names: str) -> ClassName:
    words = [word for word in _ASCII.findall(_opened(names)) if len(word) <= _MAX_TOKEN]
    return frozenset(words), NO_NAMES.union(*map(_joined_meanings, names.split()))


def _opened(names: str) -> str:
    """Return names in lower case, with camel case split."""
    return names if names.islower() else _CAMEL.sub("-", names).lower()


@lru_cache(maxsize=TEXTS)
def _joined_meanings(name: str) -> NameSet:
    """Return the meanings of a name, parts of which may depend on their neighbour."""
    parts = _BREAK.split(_opened(name))
    if not _JOINING.isdisjoint(parts):
        parts = _BREAK.split(_opened(_STYLING.sub("", name)))
    meanings: set[str] = set()
    for part, following in zip(parts, [*parts[1:], ""], strict=True):
        if following == "by" and part in _VERBS:
            meanings.add("author")
        else:
            meanings |= _part_meanings(part)
        if part in _OPENERS:
            meanings |= _part_meanings(part + following)
    return frozenset(meanings)


def _part_meanings(part: str) -> NameSet:
    """Return the meanings of a part alone, which are kept for other names."""
    meant = _PARTS.get(part)
    if meant is not None:
        return meant
    meant = NO_NAMES
    if _hint().search(part):
        starts = {part[i : i + 2] for i in range(len(part) - 1)}
        likely = _patterns().keys() & starts
        patterns = set().union(*map(_patterns().__getitem__, likely))
        meant = frozenset([name for name, own in patterns if own.search(part)])
    if len(_PARTS) >= 4 * WORDS:
        _PARTS.clear()
    _PARTS[part] = meant
    return meant


@cache
def _patterns() -> dict[str, set[tuple[str, re.Pattern[str]]]]:
    """Return meanings and patterns of parts by the first two letters of their alternatives."""
    starts: dict[str, set[tuple[str, re.Pattern[str]]]] = {}
    for name in text_table("class_names"):
        own = pattern("class_names", name)
        for word in _alternatives(own.pattern):
            starts.setdefault(word.lstrip("^")[:2], set()).add((name, own))
    return starts


@cache
def _hint() -> re.Pattern[str]:
    """Return a pattern that finds everything in names that may have a meaning.

    It branches on the first two letters, several times faster than trying one branch after another.
    """
    tree: dict[str, dict[str, list[str]]] = {}
    for name in text_table("class_names"):
        for word in _alternatives(pattern("class_names", name).pattern):
            letters = word.lstrip("^").replace("$", _PART_END)
            first, second, rest = letters[0], letters[1], letters[2:]
            before = rf"(?<![^\W_]{first}{second})" if word[0] == "^" else ""
            tree.setdefault(first, {}).setdefault(second, []).append(before + rest)
    inner = {
        first: "|".join(f"{second}(?:{'|'.join(rests)})" for second, rests in branches.items())
        for first, branches in tree.items()
    }
    return re.compile("|".join(f"{first}(?:{rests})" for first, rests in inner.items()))


def _alternatives(pattern: str) -> list[str]:
    """Return the alternatives of a pattern; bars inside brackets do not separate any."""
    alternatives, depth = [""], 0
    for character in pattern:
        depth += (character == "(") - (character == ")")
        if character == "|" and not depth:
            alternatives.append("")
        else:
            alternatives[-1] += character
    return alternatives


@once_a_page
def naming_values(page: Page) -> list[str]:
    """Return the values of each element's naming attributes, separated by spaces."""
    return kernels.join_values(page.elements.attributes, NAMING)


@once_a_page
def distinct_names(page: Page) -> dict[str, ClassName]:
    """Return words and meanings by what :func:`naming_values` returns for an element."""
    return _read_all(naming_values(page))


@once_a_page
def element_meanings(page: Page) -> list[NameSet]:
    """Return the meanings of each element's own attributes, one set per element."""
    meant = {names: meanings for names, (_, meanings) in distinct_names(page).items()}
    return [*map(meant.__getitem__, naming_values(page))]


@once_a_page
def element_tokens(page: Page) -> list[NameSet]:
    """Return the words in each element's own attributes, one set per element."""
    tokens = {names: tokens for names, (tokens, _) in distinct_names(page).items()}
    return [*map(tokens.__getitem__, naming_values(page))]


@feature("dom", name="meaning", window=BESIDE)
@once_a_page
def meanings(page: Page) -> list[NameSet]:
    """Meanings of the class names of the region's element and of the three above it.

    The words differ from site to site, their meanings hardly do: "byline", "autor" and
    "article__author" all announce an author. Meanings from the elements above start with ``^``.
    """
    return marked_near(page, element_meanings(page))


@feature("dom")
def far_meaning(page: Page) -> list[NameSet]:
    """Meanings of the class names of the elements higher up."""
    return joined_far(page, element_meanings(page))


@feature("dom", aliases=["all-attributes"], source=SPENGLER)
def attribute(page: Page) -> list[NameSet]:
    """Names of the attributes of the region's element, such as ``datetime`` or ``srcset``."""
    return kernels.map_rows(frozenset, of_regions(page, page.elements.attributes))


@feature("dom", source="schema.org")
def microdata(page: Page) -> list[NameSet]:
    """Properties and types of schema.org at the region's element, with ``^`` at the three above.

    A page that marks an element as ``author`` or ``datePublished`` states what the element is.
    """
    terms = [NO_NAMES] * len(page.elements)
    for key in _MICRODATA:
        for i in elements_with(page).get(key, ()):
            terms[i] |= _terms(page.elements.attributes[i][key])
    return marked_near(page, terms)


@lru_cache(maxsize=TEXTS)
def _terms(value: str) -> NameSet:
    """Return the last parts of terms: ``Person`` of ``https://schema.org/Person``."""
    lasts = (re.split(r"[/#:]", word.rstrip("/#"))[-1] for word in value.split())
    return frozenset(last[:_MAX_TERM] for last in lasts)


@feature("dom", source="WAI-ARIA")
def role(page: Page) -> list[str | None]:
    """ARIA role of the innermost element that states one: button, listitem, tab, presentation."""
    return innermost_values(page, _roles(page))


@once_a_page
def _roles(page: Page) -> dict[int, str]:
    """Return the first role of each element that states one."""
    rows = page.elements.attributes
    stated = {i: rows[i]["role"].lower().split() for i in elements_with(page).get("role", ())}
    return {i: words[0][:_MAX_TERM] for i, words in stated.items() if words}


@feature("dom", source="WAI-ARIA")
def landmark(page: Page) -> list[str | None]:
    """Innermost landmark of the page: banner, navigation, main, complementary, contentinfo.

    It is stated by role or implied by the element's name; unlike ``dom.inside``, it is the single
    part of the page that a region belongs to.
    """
    called = elements_called(page)
    names = {i: kind for name, kind in LANDMARKS.items() for i in called.get(name, ())}
    names |= _roles(page)  # a stated role overrides the one that the name implies
    names = {i: kind for i, kind in names.items() if kind in _LANDMARK_ROLES}
    return innermost_values(page, names)
