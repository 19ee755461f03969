"""Features of what publishers call things: class names by meaning, attributes, microdata, roles.

Class names differ from site to site, but are made of a few dozen words: each name is cut into its
words, and each word is looked up in patterns of what it means.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

from structce.features.dom_tree import (
    NO_NAMES,
    NameSet,
    elements_by_attributes,
    elements_called,
    elements_with,
    innermost,
    joined_far,
    marked_near,
    of_regions,
)
from structce.features.registry import BESIDE, SPENGLER, feature, once_a_page
from structce.features.tables import pattern, text_table
from structce.page import Page

NAMING = frozenset(
    ("class", "id", "name", "rel", "itemprop", "role", "property", "data-testid", "data-component")
)
"""Attributes that name what an element is."""

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BREAK = re.compile(r"[\W_]")  # two in a row leave an empty part, which joins nothing
_SPACED = {n: " " for n in range(128) if not chr(n).isalnum()}
_STYLING = re.compile(r"(?:^|(?<=:))text-(?=.)")
_ASCII = re.compile(r"[a-z]{2,}")
_MAX_TOKEN = 20  # letters of a word; longer ones are seldom words
_PART_END = r"(?![^\W_])"
_OPENERS = frozenset({"sub", "teaser", "pie"})  # whose meaning shows with the next part
_JOINING = _OPENERS | {"by", "text"}
_VERBS = frozenset({"published", "publish", "posted", "updated", "written", "reported"})
_CLOSED_ATTRIBUTES = frozenset(
    "type role rel itemprop target loading decoding fetchpriority aria-hidden aria-level "
    "aria-haspopup aria-expanded datatype dir hidden".split()
)
_SHORT_VALUE = re.compile(r"[a-z0-9_-]{0,20}")
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
"""Landmark roles of WAI-ARIA that elements have by their names."""

_LANDMARK_ROLES = frozenset({*LANDMARKS.values(), "region", "feed", "alertdialog"})
_MICRODATA = frozenset({"itemprop", "itemtype", "property", "typeof"})
_MAX_TERM = 30  # characters of a role or term; longer ones are none
_Pairs = tuple[tuple[str, str], ...]


class ClassName(NamedTuple):
    """One class name: its words, and what they mean."""

    tokens: NameSet
    meanings: NameSet


_NO_NAME = ClassName(NO_NAMES, NO_NAMES)


def read_name(name: str) -> ClassName:
    """Return the words and meanings of one class name, camel case opened.

    Each part of the name has its own meanings. What is "published by" somebody names that author
    and is no date; "author-date" and "published-author" keep both meanings, since either may be
    meant. A leading ``text-`` means nothing: with frameworks of small styles it sets size or
    colour.
    """
    return _read_names(name)


def _name_meanings(name: str) -> NameSet:
    """Return the meanings of one name."""
    parts = _BREAK.split(_opened(name))
    if not _JOINING.isdisjoint(parts):
        return _joined_meanings(name)
    return NO_NAMES.union(*map(_part_meanings, parts))


def _opened(name: str) -> str:
    """Return names in small letters, camel case opened."""
    return name if name.islower() else _CAMEL.sub("-", name).lower()


def _tokens(small: str) -> NameSet:
    """Return the words in names in small letters."""
    return frozenset([word for word in _ASCII.findall(small) if len(word) <= _MAX_TOKEN])


def _joined_meanings(name: str) -> NameSet:
    """Return the meanings of a name with a part whose meaning depends on its neighbour."""
    parts = _BREAK.split(_opened(_STYLING.sub("", name)))
    found: set[str] = set()
    for part, following in zip(parts, [*parts[1:], ""], strict=True):
        if following == "by" and part in _VERBS:
            found.add("author")
        else:
            found |= _part_meanings(part)
        if part in _OPENERS:
            found |= _part_meanings(part + following)
    return frozenset(found)


@lru_cache(maxsize=16384)
def _part_meanings(part: str) -> NameSet:
    if not _hint().search(part):
        return NO_NAMES
    return frozenset([name for name, pattern in _patterns().items() if pattern.search(part)])


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Return the patterns over one part of a name by what it means."""
    return {name: pattern("class_names", name) for name in text_table("class_names")}


@cache
def _hint() -> re.Pattern[str]:
    """Return a pattern that finds in names all that may mean something.

    It branches by the first two letters, several times faster than one branch after the other.
    """
    tree: dict[str, dict[str, list[str]]] = {}
    meant = [one for pattern in _patterns().values() for one in _alternatives(pattern.pattern)]
    for one in (*meant, *(f"^{part}$" for part in sorted(_JOINING))):
        letters = one.lstrip("^").replace("$", _PART_END)
        first, second, rest = letters[0], letters[1], letters[2:]
        before = rf"(?<![^\W_]{first}{second})" if one[0] == "^" else ""
        tree.setdefault(first, {}).setdefault(second, []).append(before + rest)
    inner = {
        first: "|".join(f"{second}(?:{'|'.join(rests)})" for second, rests in one.items())
        for first, one in tree.items()
    }
    return re.compile("|".join(f"{first}(?:{rests})" for first, rests in inner.items()))


def _alternatives(pattern: str) -> list[str]:
    """Return the alternatives of a pattern; bars in brackets part none."""
    found, depth = [""], 0
    for character in pattern:
        depth += (character == "(") - (character == ")")
        if character == "|" and not depth:
            found.append("")
        else:
            found[-1] += character
    return found


@once_a_page
def element_words(page: Page) -> list[ClassName]:
    """Return words and meanings of each element's naming attributes, one pair an element."""
    attributes = page.elements.attributes
    found = [_NO_NAME] * len(attributes)
    for names, elements in elements_by_attributes(page).items():
        naming = [name for name in names if name in NAMING]
        if len(naming) == 1:
            (name,) = naming
            for i in elements:
                found[i] = _read_names(attributes[i][name])
        elif naming:
            for i in elements:
                row = attributes[i]
                found[i] = _read_names(" ".join([row[name] for name in naming]))
    return found


@lru_cache(maxsize=4096)
def _read_names(names: str) -> ClassName:
    """Return the words and meanings of names with spaces between them."""
    small = _opened(names)
    parts = set(small.translate(_SPACED).split() if small.isascii() else _BREAK.split(small))
    tokens: list[NameSet] = []
    meanings: list[NameSet] = []
    for own, meant in map(_read_part, parts):
        if own:
            tokens.append(own)
        if meant:
            meanings.append(meant)
    if not _JOINING.isdisjoint(parts):
        meanings = [_name_meanings(name) for name in names.split()]
    if not tokens and not meanings:
        return _NO_NAME
    return ClassName(NO_NAMES.union(*tokens), NO_NAMES.union(*meanings))


@lru_cache(maxsize=16384)
def _read_part(part: str) -> ClassName:
    """Return the words and meanings of a part of a name, in small letters."""
    return ClassName(_tokens(part), _part_meanings(part))


@once_a_page
def element_meanings(page: Page) -> list[NameSet]:
    """Return the meanings in each element's own attributes, one set an element."""
    return [word.meanings for word in element_words(page)]


@once_a_page
def element_tokens(page: Page) -> list[NameSet]:
    """Return the words in each element's own attributes, one set an element."""
    return [word.tokens for word in element_words(page)]


@feature("dom", name="meaning", window=BESIDE)
@once_a_page
def meanings(page: Page) -> list[NameSet]:
    """What class names say of the region's element and of the three above it.

    The words differ from site to site, their meaning hardly: "byline", "autor" and
    "article__author" all announce an author. Those of the elements above are marked by ``^``.
    """
    return marked_near(page, element_meanings(page))


@feature("dom")
def far_meaning(page: Page) -> list[NameSet]:
    """What class names say of the elements higher up."""
    return joined_far(page, element_meanings(page))


@feature("dom", aliases=["all-attributes"], source=SPENGLER)
def attribute(page: Page) -> list[NameSet]:
    """Names of the attributes of the region's element, such as ``datetime`` or ``srcset``."""
    found = [NO_NAMES] * len(page.elements)
    for names, elements in elements_by_attributes(page).items():
        own = frozenset(names)
        for i in elements:
            found[i] = own
    return of_regions(page, found)


@feature("dom", source=SPENGLER)
def attribute_value(page: Page) -> list[NameSet]:
    """Values of attributes that have few: type, role, rel, target and the like.

    An address or a style tells of one site alone; ``rel=author`` means the same on all.
    """
    return of_regions(page, _read_attributes(page, _CLOSED_ATTRIBUTES, _value_names))


def _read_attributes(
    page: Page, keys: frozenset[str], read: Callable[[_Pairs], NameSet]
) -> list[NameSet]:
    """Return what is read from some attributes of each element, one set an element."""
    found = [NO_NAMES] * len(page.elements)
    having = elements_with(page)
    for i in {i for key in keys if key in having for i in having[key]}:
        row = page.elements.attributes[i]
        found[i] = read(tuple([(key, value) for key, value in row.items() if key in keys]))
    return found


@lru_cache(maxsize=4096)
def _value_names(pairs: _Pairs) -> NameSet:
    words = ((key, word) for key, value in pairs for word in value.lower().split() or [""])
    return frozenset(f"{key}={word}" for key, word in words if _SHORT_VALUE.fullmatch(word))


@lru_cache(maxsize=4096)
def _term_names(pairs: _Pairs) -> NameSet:
    """Return the last parts of terms: ``Person`` of ``https://schema.org/Person``."""
    words = (word for _, value in pairs for word in value.split())
    return frozenset(re.split(r"[/#:]", word.rstrip("/#"))[-1][:_MAX_TERM] for word in words)


@feature("dom", source="schema.org")
def microdata(page: Page) -> list[NameSet]:
    """Properties and types of schema.org at the region's element, with ``^`` at the three above.

    Where a page says ``author`` or ``datePublished`` of an element it says what it is.
    """
    return marked_near(page, _read_attributes(page, _MICRODATA, _term_names))


@feature("dom", source="WAI-ARIA")
def role(page: Page) -> list[str | None]:
    """ARIA role of the innermost element that states one: button, listitem, tab, presentation."""
    roles = _roles(page)
    return [roles.get(i) for i in innermost(page, list(roles))]


@once_a_page
def _roles(page: Page) -> dict[int, str]:
    """Return the first role that each element states, of those that state any."""
    rows = page.elements.attributes
    stated = {i: rows[i]["role"].lower().split() for i in elements_with(page).get("role", ())}
    return {i: words[0][:_MAX_TERM] for i, words in stated.items() if words}


@feature("dom", source="WAI-ARIA")
def landmark(page: Page) -> list[str | None]:
    """Innermost landmark of the page: banner, navigation, main, complementary, contentinfo.

    It is stated by role, or implied by the element's name; unlike ``dom.inside`` it is the one
    part that a region belongs to.
    """
    called = elements_called(page)
    names = {i: kind for name, kind in LANDMARKS.items() for i in called.get(name, ())}
    names |= _roles(page)  # a stated role stands before what the name implies
    names = {i: kind for i, kind in names.items() if kind in _LANDMARK_ROLES}
    return [names.get(i) for i in innermost(page, list(names))]
