"""Parsed HTML to what its ``itemprop`` attributes state of the article (HTML's microdata)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from selectolax.lexbor import LexborNode

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
_NO_ITEM = 0  # what owns the properties outside all items; a node's address is never 0
_MAX_LENGTH = 1000  # characters of a value; a description is shorter, an article body longer


def read_microdata(root: LexborNode) -> dict[str, tuple[str, ...]]:
    """Return the values of :data:`PROPERTIES` of the page's first article.

    Other articles on the page are teasers; comments, persons and the like have authors, dates and
    names of their own. Both are left out, and so are values without text.
    """
    items = {item.mem_id: item for item in root.css("[itemscope]")}
    owned = _by_owner(root, items)
    first = next((item for item in owned if _kind(items.get(item)).endswith(_ARTICLES)), None)
    found: dict[str, dict[str, None]] = {}
    for owner, elements in owned.items():
        if owner != first and _kind(items.get(owner)) not in _PAGES:
            continue
        for element in elements:
            for name in _names(element) & _BY_NAME.keys():
                if value := _value(element, name, owned.get(element.mem_id, ())):
                    found.setdefault(_BY_NAME[name], {})[value] = None
    return {name: tuple(found[name]) for name in PROPERTIES if name in found}


def _by_owner(root: LexborNode, items: Iterable[int]) -> dict[int, list[LexborNode]]:
    """Return the elements of each item's own properties; those of no item under ``_NO_ITEM``."""
    owned: dict[int, list[LexborNode]] = {}
    owners = {item: item for item in items}
    stated = [element for element in root.css("[itemprop]") if element.mem_id != root.mem_id]
    for element in stated[:_MAX_PROPERTIES]:
        owned.setdefault(_owner(element, owners), []).append(element)
    return owned


def _owner(element: LexborNode, owners: dict[int, int]) -> int:
    """Return the item above an element; ``owners`` learns those of the elements on the way."""
    passed: list[int] = []
    above = element.parent
    while above is not None and above.mem_id not in owners:
        passed.append(above.mem_id)
        above = above.parent
    owner = _NO_ITEM if above is None else owners[above.mem_id]
    owners.update(dict.fromkeys(passed, owner))
    return owner


def _names(element: LexborNode) -> set[str]:
    return set((element.attributes.get("itemprop") or "").lower().split())


def _kind(item: LexborNode | None) -> str:
    """Return the last part of an item's type in lower case: ``newsarticle``."""
    kinds = (item.attributes.get("itemtype") or "").split() if item is not None else []
    return kinds[0].rstrip("/").rsplit("/", 1)[-1].lower() if kinds else ""


def _value(element: LexborNode, name: str, own: Sequence[LexborNode]) -> str:
    """Return what a property says; that of an item is the name or address it has itself."""
    wanted = {"url", "contenturl"} if name in _ADDRESSES else {"name"}
    if "itemscope" in element.attributes:
        return next((_read(inner, wanted) for inner in own if _names(inner) & wanted), "")
    return _read(element, {name})


def _read(element: LexborNode, names: set[str]) -> str:
    """Return the attribute or the text of an element that holds a property's value, in one line.

    The empty text where it is too long.
    """
    keys = ["content", "datetime"]
    keys += ["src", "href"] if names & (_ADDRESSES | {"url", "contenturl"}) else []
    given = element.attributes
    stated = next((value for key in keys if (value := given.get(key))), None)
    text = " ".join((element.text() if stated is None else stated).split())
    return text if len(text) <= _MAX_LENGTH else ""
