"""Features of what a page's mark-up says of its parts: schema.org, ARIA, attributes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.features.tree import (
    NO_NAMES,
    Names,
    elements_called,
    elements_with,
    holders,
    innermost,
    joined_near,
    of_regions,
    with_marked,
)
from structce.page import Page

_CLOSED = frozenset(
    "type role rel itemprop target loading decoding fetchpriority aria-hidden aria-level "
    "aria-haspopup aria-expanded datatype dir hidden".split()
)
_VALUE = re.compile(r"[a-z0-9_-]{0,20}")
_LANDMARKS = {
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
_LANDMARK_ROLES = frozenset({*_LANDMARKS.values(), "region", "feed", "alertdialog"})
_VOCABULARY = frozenset({"itemprop", "itemtype", "property", "typeof"})
_LONGEST = 30  # characters of a role or term; longer ones are none
Pairs = tuple[tuple[str, str], ...]


@feature("dom", aliases=["all-attributes"], source="Spengler et al. (2010)")
def attribute(page: Page) -> list[Names]:
    """Names of the attributes of the region's element, such as ``datetime`` or ``srcset``."""
    return [_names(tuple(row)) for row in page.attributes]


@lru_cache(maxsize=16384)
def _names(keys: tuple[str, ...]) -> Names:
    return frozenset(keys)


@feature("dom", source="Spengler et al. (2010)")
def attribute_value(page: Page) -> list[Names]:
    """Values of attributes that have few: type, role, rel, target and the like.

    An address or a style tells of one site alone; ``rel=author`` means the same on all.
    """
    return of_regions(page, _read(page, _CLOSED, _values))


def _read(page: Page, keys: frozenset[str], read: Callable[[Pairs], Names]) -> list[Names]:
    """Return what is read from some attributes of each element, one set an element."""
    found = [NO_NAMES] * len(page.elements)
    having = elements_with(page)
    for i in {i for key in keys if key in having for i in having[key]}:
        row = page.elements.attributes[i]
        found[i] = read(tuple([(key, value) for key, value in row.items() if key in keys]))
    return found


@lru_cache(maxsize=16384)
def _values(pairs: Pairs) -> Names:
    words = ((key, word) for key, value in pairs for word in value.lower().split() or [""])
    return frozenset(f"{key}={word}" for key, word in words if _VALUE.fullmatch(word))


@lru_cache(maxsize=16384)
def _terms(pairs: Pairs) -> Names:
    """Return the last parts of terms: ``Person`` of ``https://schema.org/Person``."""
    words = (word for _, value in pairs for word in value.split())
    return frozenset(re.split(r"[/#:]", word.rstrip("/#"))[-1][:_LONGEST] for word in words)


@feature("dom", source="schema.org")
def microdata(page: Page) -> list[Names]:
    """Properties and types of schema.org at the region's element, with ``^`` at the three above.

    Where a page says ``author`` or ``datePublished`` of an element it says what it is.
    """
    own = _read(page, _VOCABULARY, _terms)
    near = joined_near(page, own)
    return [with_marked(own[i], names) for i, names in zip(holders(page), near, strict=True)]


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
    return {i: words[0][:_LONGEST] for i, words in stated.items() if words}


@feature("dom", source="WAI-ARIA")
def landmark(page: Page) -> list[str | None]:
    """Innermost landmark of the page: banner, navigation, main, complementary, contentinfo.

    It is stated by role, or implied by the element's name; unlike ``dom.inside`` it is the one
    part that a region belongs to.
    """
    called = elements_called(page)
    names = {i: kind for name, kind in _LANDMARKS.items() for i in called.get(name, ())}
    names |= _roles(page)  # a stated role stands before what the name implies
    names = {i: kind for i, kind in names.items() if kind in _LANDMARK_ROLES}
    return [names.get(i) for i in innermost(page, list(names))]
