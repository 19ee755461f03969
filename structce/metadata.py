"""Metadata of a page: what its document states about itself, outside the visible text.

:func:`read_metadata` reads the ``title`` and ``meta`` elements, JSON-LD, ``time`` elements and
microdata of an HTML tree parsed by selectolax. :class:`Metadata` holds them as written, with one
property for each fact that publishers state in several places. The functions ``stated_...`` reduce
these facts to single values: one title, one moment of publication, the authors' names.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, cached_property
from importlib import resources
from itertools import chain, islice
from types import MappingProxyType
from typing import TYPE_CHECKING

from structce.language import PARENTHESES, normalise, parse_timestamp, split_byline

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

Json = object
"""A value as ``json.loads`` gives it."""

_EMPTY: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_LIST_SEPARATOR = re.compile(r"\s*[,;|]\s*")
_ADDRESSES = frozenset({"image", "thumbnailurl"})
_ARTICLES = ("article", "posting", "report", "review", "recipe")  # endings of item types
_PAGES = frozenset({"", "webpage", "itempage", "creativework"})
_NO_ITEM = 0  # owner of the properties outside all items; the address of a node is never 0
# Limits against hostile pages, far beyond what real pages have.
_MAX_PROPERTIES = 2000  # itemprop attributes of one page
_MAX_LENGTH = 1000  # characters of a value; a description is shorter, an article body longer
_MAX_DEPTH = 50  # levels of one JSON-LD script; real ones have about six
_MAX_ITEMS = 500  # JSON-LD objects of one page
_TITLE_SEPARATOR = re.compile(r"\s+[|·•«–—-]\s+")
_SAME_SITE = 85.0  # least similarity, in per cent, of a headline's ending with the site's name


@dataclass(frozen=True)
class Metadata:
    """Statements of a page about itself: title element, meta elements, JSON-LD, ``time``.

    Publishers fill these for search engines, so they are often right, sometimes stale, and now
    and then about another page. They are cues, never labels.

    Parameters
    ----------
    title
        Text of the ``title`` element.
    meta
        Contents of ``meta`` elements by lower-case ``name`` or ``property``.
    json_ld
        Objects of the page's JSON-LD scripts, with ``@graph`` and lists opened.
    times
        Values of ``datetime`` attributes, in document order.
    microdata
        What ``itemprop`` attributes state of the article, by the property's name as schema.org
        writes it: ``datePublished``.
    """

    title: str = ""
    meta: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _EMPTY)
    json_ld: tuple[Mapping[str, Json], ...] = ()
    times: tuple[str, ...] = ()
    microdata: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _EMPTY)

    @cached_property
    def headlines(self) -> tuple[str, ...]:
        """Headlines of the page as stated, most specific first."""
        return _distinct([*self._stated("headlines"), self.title])

    @cached_property
    def authors(self) -> tuple[str, ...]:
        """Names of persons stated as authors or creators."""
        return _distinct([name for name in self._stated("authors") if "://" not in name])

    @cached_property
    def published_dates(self) -> tuple[str, ...]:
        """Dates of publication as stated, in the page's own notation, most specific first."""
        return _distinct(self._stated("published_dates"))

    @cached_property
    def modified_dates(self) -> tuple[str, ...]:
        """Dates of the last change as stated, in the page's own notation."""
        return _distinct(self._stated("modified_dates"))

    @cached_property
    def dates(self) -> tuple[str, ...]:
        """Dates of publication, then of change, as stated."""
        return _distinct([*self.published_dates, *self.modified_dates])

    @cached_property
    def images(self) -> tuple[str, ...]:
        """Addresses of images stated for the page."""
        return _distinct(self._stated("images"))

    @cached_property
    def publishers(self) -> tuple[str, ...]:
        """Names of the publisher or site as stated."""
        return _distinct(self._stated("publishers"))

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        """Words that the page is filed under, one by one."""
        stated = self._stated("keywords")
        return _distinct([word for text in stated for word in _LIST_SEPARATOR.split(text)])

    @cached_property
    def sections(self) -> tuple[str, ...]:
        """Names of the part of the site that the page belongs to."""
        return _distinct(self._stated("sections"))

    @cached_property
    def description(self) -> str:
        """First stated description, or the empty string."""
        return next(chain(self._contents("description"), self._items("description")), "")

    def _stated(self, fact: str) -> Iterator[str]:
        yield from self._items(fact)
        yield from self._contents(fact)

    def statements(self, fact: str) -> Iterator[tuple[str, str]]:
        """Yield the places of a fact and what they state of it, the most specific first.

        A place is ``json-ld``, ``microdata`` or the name of a ``meta`` element.
        """
        keys, names = _vocabulary()[fact]["schema"], _vocabulary()[fact]["meta"]
        yield from (("json-ld", text) for key in keys for text in self.linked(key))
        yield from (("microdata", text) for key in keys for text in self.microdata.get(key, ()))
        yield from ((name, text) for name in names for text in self.meta.get(name, ()))

    def _items(self, fact: str) -> Iterator[str]:
        """Yield what JSON-LD states of a fact, then what microdata does."""
        keys = _vocabulary()[fact]["schema"]
        yield from (text for key in keys for text in self.linked(key))
        yield from (text for key in keys for text in self.microdata.get(key, ()))

    def _contents(self, fact: str) -> Iterator[str]:
        return (text for name in _vocabulary()[fact]["meta"] for text in self.meta.get(name, ()))

    def linked(self, key: str) -> list[str]:
        """Return the names or addresses that JSON-LD gives under a key."""
        return [text for item in self.json_ld if key in item for text in _strings(item[key])]


def _strings(value: Json) -> Iterator[str]:
    """Yield the names or addresses in a JSON-LD value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for entry in value:
            yield from _strings(entry)
    elif isinstance(value, Mapping):
        found = value.get("name") or value.get("url") or value.get("@id")
        if isinstance(found, (str, list)):
            yield from _strings(found)


@cache
def _vocabulary() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return the keys and names under which pages state each fact."""
    return tomllib.loads(resources.files(__package__).joinpath("metadata.toml").read_text("utf-8"))


@cache
def _schema_keys() -> Mapping[str, str]:
    """Return the keys of schema.org that are read, as it writes them, by their lower-case form."""
    return {key.lower(): key for names in _vocabulary().values() for key in names["schema"]}


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for value in values if (text := " ".join(value.split()))))


def read_metadata(root: LexborNode) -> Metadata:
    """Return the statements of a parsed page about itself; broken ones are left out."""
    return Metadata(
        title=_title(root.css("title")),
        meta=_meta(root.css("meta[content]")),
        json_ld=_json_ld(root.css("script[type*='ld+json' i]")),
        times=_times(root.css("time[datetime], meta[datetime]")),
        microdata=read_microdata(root),
    )


def _title(titles: Iterable[LexborNode]) -> str:
    for element in titles:
        parent = element.parent
        if parent is not None and parent.tag in ("head", "html", "body"):
            return " ".join(element.text().split())
    return ""


def _meta(elements: Iterable[LexborNode]) -> dict[str, tuple[str, ...]]:
    meta: dict[str, list[str]] = {}
    for element in elements:
        stated = element.attributes
        name = stated.get("property") or stated.get("name")
        if name and (content := stated["content"]):
            meta.setdefault(name.strip().lower(), []).append(content)
    return {name: tuple(values) for name, values in meta.items()}


def _times(elements: Iterable[LexborNode]) -> tuple[str, ...]:
    moments = (element.attributes["datetime"] for element in elements)
    return tuple(dict.fromkeys(moment for moment in moments if moment))


def _json_ld(scripts: Iterable[LexborNode]) -> tuple[Mapping[str, Json], ...]:
    items = (
        item
        for script in scripts
        if (script.attributes["type"] or "").split(";")[0].strip().lower() == "application/ld+json"
        for item in _json_ld_objects(_parse_json(script.text()))
    )
    return tuple(islice(items, _MAX_ITEMS))


def _parse_json(text: str) -> Json:
    try:
        value = json.loads(text.strip().removeprefix("<!--").removesuffix("-->"), strict=False)
    except (ValueError, RecursionError):
        return None
    return value if _is_shallow(value) else None


def _is_shallow(value: Json) -> bool:
    """Return whether a value nests at most ``_MAX_DEPTH`` levels, without recursion of our own."""
    level = [value]
    for _ in range(_MAX_DEPTH):
        inner: list[Json] = []
        for one in level:
            if isinstance(one, dict):
                inner.extend(one.values())
            elif isinstance(one, list):
                inner.extend(one)
        if not inner:
            return True
        level = inner
    return False


def _json_ld_objects(value: Json) -> Iterator[Mapping[str, Json]]:
    """Yield the objects of a JSON-LD value, lists and graphs opened."""
    if isinstance(value, list):
        for entry in value:
            yield from _json_ld_objects(entry)
    elif isinstance(value, dict):
        yield value
        yield from _json_ld_objects(value.get("@graph"))
        main = value.get("mainEntity") or value.get("mainEntityOfPage")
        if isinstance(main, dict) and "headline" in main:
            yield main


def read_microdata(root: LexborNode) -> dict[str, tuple[str, ...]]:
    """Return the values of the properties of the page's first article.

    Other articles on the page are teasers; comments, persons and the like have authors, dates and
    names of their own. Both are left out, and so are values without text.
    """
    items = {item.mem_id: item for item in root.css("[itemscope]")}
    owned = _by_owner(root, items)
    first = next((item for item in owned if _item_type(items.get(item)).endswith(_ARTICLES)), None)
    found: dict[str, dict[str, None]] = {}
    keys = _schema_keys()
    for owner, elements in owned.items():
        if owner != first and _item_type(items.get(owner)) not in _PAGES:
            continue
        for element in elements:
            for name in _property_names(element) & keys.keys():
                if value := _property_value(element, name, owned.get(element.mem_id, ())):
                    found.setdefault(keys[name], {})[value] = None
    return {name: tuple(found[name]) for name in keys.values() if name in found}


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


def _property_names(element: LexborNode) -> set[str]:
    return set((element.attributes.get("itemprop") or "").lower().split())


def _item_type(item: LexborNode | None) -> str:
    """Return the last part of an item's type in lower case: ``newsarticle``."""
    kinds = (item.attributes.get("itemtype") or "").split() if item is not None else []
    return kinds[0].rstrip("/").rsplit("/", 1)[-1].lower() if kinds else ""


def _property_value(element: LexborNode, name: str, own: Sequence[LexborNode]) -> str:
    """Return what a property says; that of an item is the name or address it has itself."""
    wanted = {"url", "contenturl"} if name in _ADDRESSES else {"name"}
    if "itemscope" in element.attributes:
        return next(
            (_own_value(inner, wanted) for inner in own if _property_names(inner) & wanted), ""
        )
    return _own_value(element, {name})


def _own_value(element: LexborNode, names: set[str]) -> str:
    """Return the attribute or the text of an element that holds a property's value, in one line.

    The empty text where it is too long.
    """
    keys = ["content", "datetime"]
    keys += ["src", "href"] if names & (_ADDRESSES | {"url", "contenturl"}) else []
    given = element.attributes
    stated = next((value for key in keys if (value := given.get(key))), None)
    text = " ".join((element.text() if stated is None else stated).split())
    return text if len(text) <= _MAX_LENGTH else ""


def stated_authors(metadata: Metadata) -> tuple[list[str], list[str]]:
    """Return the persons and the publishers that a page states as its authors.

    Addresses, remarks in brackets and names in other spellings of JSON-LD's are left out.
    """
    publishers = {normalise(name) for name in metadata.publishers}
    names: dict[str, str] = {}
    for stated in metadata.linked("author") or metadata.linked("creator") or metadata.authors:
        if "@" not in stated and "://" not in stated:
            for name in split_byline(PARENTHESES.sub("", stated).split(" / ")[0]):
                names.setdefault(normalise(name), name)
    persons = [name for key, name in names.items() if key and key not in publishers]
    return persons, [name for key, name in names.items() if key in publishers]


def stated_title(metadata: Metadata) -> str | None:
    """Return the headline that a page states in OpenGraph or JSON-LD, if it does.

    The site's name at the end is left out.
    """
    stated = [*metadata.meta.get("og:title", ()), *metadata.linked("headline")]
    stated += metadata.microdata.get("headline", ())
    title = " ".join(next((text for text in stated if text.strip()), "").split())
    parts = _TITLE_SEPARATOR.split(title)
    if len(parts) > 1 and any(_is_similar(parts[-1], name) for name in metadata.publishers):
        title = _without_last(title, parts)
    return title or None


def window_title(metadata: Metadata) -> str | None:
    """Return the text of the title element up to its last separator."""
    parts = _TITLE_SEPARATOR.split(metadata.title)
    return (_without_last(metadata.title, parts) if len(parts) > 1 else metadata.title) or None


def _without_last(title: str, parts: Sequence[str]) -> str:
    return title[: title.rindex(parts[-1])].rstrip(" |·•«–—-")


def _is_similar(one: str, other: str) -> bool:
    from rapidfuzz import fuzz  # 20 ms to import, and few who read pages need it

    return fuzz.ratio(normalise(one), normalise(other)) >= _SAME_SITE


def stated_publication_time(metadata: Metadata) -> datetime | None:
    """Return the moment of publication that a page states, in JSON-LD first."""
    stated = [*metadata.published_dates, *metadata.dates]
    return next((moment for text in stated if (moment := parse_timestamp(text)) is not None), None)
