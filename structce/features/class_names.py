"""Features of names and attributes: meanings of class names, attributes, microdata, roles."""

from __future__ import annotations

import re
from functools import lru_cache, partial

import numpy as np

from structce import kernels
from structce.arrays import Integers
from structce.features.dom_tree import (
    NO_NAMES,
    NameSet,
    ancestor_steps,
    elements_called,
    elements_with,
    innermost_values,
    marked_near,
    near_bits,
    of_regions,
)
from structce.features.element_names import element_bits, kind_bits, kind_names
from structce.features.registry import BESIDE, SPENGLER, feature, once_a_page
from structce.language import TEXTS, WORDS
from structce.page import Page

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


@feature("dom", name="meaning", window=BESIDE)
@once_a_page
def meanings(page: Page) -> list[NameSet]:
    """Meanings of the class names of the region's element and of the three above it.

    The words differ from site to site, their meanings hardly do: "byline", "autor" and
    "article__author" all announce an author. Meanings from the elements above start with ``^``.
    """
    return kernels.map_codes(_marked_names, *meaning_bits(page))


@once_a_page
def meaning_bits(page: Page) -> tuple[Integers, Integers]:
    """Return the meanings of each region's element, and of the three above, as bits."""
    own = element_bits(page) & kind_bits("meaning")
    return own[page.element], near_bits(page, own)


@lru_cache(maxsize=WORDS)
def _marked_names(own: int, near: int) -> NameSet:
    above = kind_names("meaning", near)
    return kind_names("meaning", own) | {f"^{name}" for name in above}


@feature("dom")
def far_meaning(page: Page) -> list[NameSet]:
    """Meanings of the class names of the elements higher up."""
    own = element_bits(page) & kind_bits("meaning")
    bits = np.append(kernels.bits_down(page.elements.parent, own), 0)
    far = bits[ancestor_steps(page)[-1, page.element]]
    return kernels.map_codes(partial(kind_names, "meaning"), far)


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
