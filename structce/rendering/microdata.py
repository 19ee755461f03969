"""Parsed HTML to what its ``itemprop`` attributes state of the article (HTML's microdata)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from lxml import etree

PROPERTIES = (
    "headline",
    "author",
    "creator",
    "datePublished",
    "dateModified",
    "publisher",
    "image",
    "thumbnailUrl",
    "keywords",
    "articleSection",
    "description",
)
"""Properties that are read, as schema.org writes them."""

_BY_NAME = {name.lower(): name for name in PROPERTIES}
_ADDRESSES = frozenset({"image", "thumbnailurl"})
_ARTICLES = ("article", "posting", "report", "review", "recipe")  # endings of types
_PAGES = frozenset({"", "webpage", "itempage", "creativework"})
_MAX_PROPERTIES = 2000  # itemprop attributes of one page; our choice against hostile pages
_MAX_LENGTH = 1000  # characters of a value; a description is shorter, an article body longer
_STATEMENTS = etree.XPath(f"(descendant::*[@itemprop])[position() <= {_MAX_PROPERTIES}]")
_TEXT = etree.XPath("string()")


def read_microdata(root: etree._Element) -> dict[str, tuple[str, ...]]:
    """Return the values of :data:`PROPERTIES` of the page's first article.

    Other articles on the page are teasers; comments, persons and the like have authors, dates and
    names of their own. Both are left out, and so are values without text.
    """
    owned = _by_owner(root)
    first = next((item for item in owned if _kind(item).endswith(_ARTICLES)), None)
    found: dict[str, dict[str, None]] = {}
    for owner, elements in owned.items():
        if owner is not first and _kind(owner) not in _PAGES:
            continue
        for element in elements:
            for name in _names(element) & _BY_NAME.keys():
                if value := _value(element, name, owned.get(element, ())):
                    found.setdefault(_BY_NAME[name], {})[value] = None
    return {name: tuple(found[name]) for name in PROPERTIES if name in found}


def _by_owner(root: etree._Element) -> dict[etree._Element | None, list[etree._Element]]:
    """Return the elements of each item's own properties; those of no item under None."""
    owned: dict[etree._Element | None, list[etree._Element]] = {}
    for element in cast("list[etree._Element]", _STATEMENTS(root)):
        above = (item for item in element.iterancestors() if "itemscope" in item.attrib)
        owned.setdefault(next(above, None), []).append(element)
    return owned


def _names(element: etree._Element) -> set[str]:
    return set((element.get("itemprop") or "").lower().split())


def _kind(item: etree._Element | None) -> str:
    """Return the last part of an item's type in lower case: ``newsarticle``."""
    kinds = (item.get("itemtype") or "").split() if item is not None else []
    return kinds[0].rstrip("/").rsplit("/", 1)[-1].lower() if kinds else ""


def _value(element: etree._Element, name: str, own: Sequence[etree._Element]) -> str:
    """Return what a property says; that of an item is the name or address it has itself."""
    wanted = {"url", "contenturl"} if name in _ADDRESSES else {"name"}
    if "itemscope" in element.attrib:
        return next((_read(inner, wanted) for inner in own if _names(inner) & wanted), "")
    return _read(element, {name})


def _read(element: etree._Element, names: set[str]) -> str:
    """Return the attribute or the text of an element that holds a property's value, in one line.

    The empty text where it is too long.
    """
    keys = ["content", "datetime"]
    keys += ["src", "href"] if names & (_ADDRESSES | {"url", "contenturl"}) else []
    stated = next((value for key in keys if (value := element.get(key))), None)
    text = " ".join((str(_TEXT(element)) if stated is None else stated).split())
    return text if len(text) <= _MAX_LENGTH else ""
