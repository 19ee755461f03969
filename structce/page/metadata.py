"""Metadata of a page: what its document states about itself, outside the visible text.

:func:`read_metadata` reads the ``title`` and ``meta`` elements, JSON-LD, ``time`` elements and
microdata of an HTML tree parsed by selectolax. :class:`Metadata` stores them as written, with one
property for each fact that publishers state in several places.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from structce.language import packaged_table, unescape
from structce.patterns import lazy_pattern

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

Json = object  # a value as json.loads gives it
_Attributes = Mapping[str, str | None]
_Element = tuple["LexborNode", _Attributes]
_EMPTY: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_LIST_SEPARATOR = lazy_pattern(r"(?:(?<!\s)\s++)?[,;|]\s*+")
_ADDRESSES = frozenset({"image", "thumbnailurl"})
_ARTICLES = ("article", "posting", "report", "review", "recipe")  # endings of item types
_PAGES = frozenset({"", "webpage", "itempage", "creativework"})
_OTHERS = frozenset({"imageobject", "comment", "breadcrumblist", "searchaction"})
_ORGANISATIONS = ("organization", "website", "corporation", "newspaper")  # endings of types
_PARTIES = ("author", "creator", "publisher", "sourceOrganization", "isPartOf", "copyrightHolder")
_N_RANKS = 3  # articles, pages, other things
_NO_ITEM = 0  # item of properties outside all items; the memory address of a node is never 0
# Limits against hostile pages, far beyond what real pages have.
_MAX_PROPERTIES = 2000  # itemprop attributes of one page
_MAX_LENGTH = 1000  # characters of a value; a description is shorter, an article body longer
_MAX_DEPTH = 50  # levels of one JSON-LD script; real ones have about six
_MAX_ITEMS = 500  # JSON-LD objects of one page
_MAX_REPAIRED = 50_000  # characters of a broken script that is repaired
_MAX_NAMES = 100  # characters of a link that names an author
_MAX_STATEMENT = 10_000  # characters of a statement; a longer one is cut
_MAX_STATEMENTS = 500  # of one fact, or under one name; a paper may have that many authors
_MAX_TITLE = 1000  # characters of a title
_MAX_HEADLINES = 100  # titles of one page
_MAX_META = 2000  # distinct names of meta elements
_MAX_WALKED = 5000  # nodes visited to collect a property's text
_SELECTOR = (
    "title, meta, script[type*='ld+json' i], time[datetime], a[rel~='author' i],"
    "link[rel~='canonical' i][href], [itemprop], [itemscope]"
)
_ABOVE_TITLE = ("head", "html", "body")
_JSON_LD = "application/ld+json"
_DECODER = json.JSONDecoder(strict=False)
_BEFORE_JSON = lazy_pattern(r"\s*+(?:(?://|/\*)?\s*+<!\[CDATA\[(?:\s*+\*/)?|<!--)")
_AFTER_JSON = lazy_pattern(r"(?:(?:(?://|/\*)\s*+)?\]\]>(?:\s*+\*/)?|-->)\s*+")
_BETWEEN_JSON = lazy_pattern(r"[\s,;]*")
_SCHEMA = lazy_pattern(r"\"(?:schema:|https?://schema\.org/)(?=\w+\"\s*:)")
_TITLE_SEPARATOR = lazy_pattern(r"\s+[|·•«–—-]\s+")


def _fact(name: str) -> cached_property[tuple[str, ...]]:
    """Return the property with the distinct texts that state a fact, most specific first."""

    def distinct_texts(metadata: Metadata) -> tuple[str, ...]:
        texts: Iterable[str] = (text for _, text in metadata.statements(name))
        if name == "headlines":
            texts = (*texts, metadata.title)
        elif name == "authors":
            texts = (text for text in texts if not is_address(text))
        elif name == "keywords":
            texts = (word for text in texts for word in _LIST_SEPARATOR.split(text))
        return _distinct(texts)

    return cached_property(distinct_texts)


class Metadata(msgspec.Struct, frozen=True, dict=True):
    """Statements of a page about itself: title element, meta elements, JSON-LD, ``time``.

    Publishers write these for search engines, so they are often right, sometimes stale, and
    occasionally about another page. They are cues, never labels.

    Attributes
    ----------
    headlines, authors, published_dates, modified_dates, images, publishers, keywords, sections
        What publishers state of each fact, in JSON-LD, microdata and ``meta`` elements, most
        specific first: texts as written, keywords one by one, authors without addresses.
    """

    title: str = ""  # text of the title element
    # Contents of meta elements by lower-case name or property.
    meta: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=lambda: _EMPTY)
    json_ld: tuple[Mapping[str, Json], ...] = ()  # objects, with "@graph" and lists opened
    times: tuple[str, ...] = ()  # values of datetime attributes, in document order
    # Values of the article's itemprop attributes, by the name as schema.org writes it.
    microdata: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=lambda: _EMPTY)
    author_links: tuple[str, ...] = ()  # texts of the links whose rel is author
    canonical: str = ""  # the page's own address in a link element, as written

    headlines = _fact("headlines")
    authors = _fact("authors")
    published_dates = _fact("published_dates")
    modified_dates = _fact("modified_dates")
    images = _fact("images")
    publishers = _fact("publishers")
    keywords = _fact("keywords")
    sections = _fact("sections")

    @cached_property
    def dates(self) -> tuple[str, ...]:
        """Dates of publication, then of change, in the page's own notation."""
        return _distinct([*self.published_dates, *self.modified_dates])

    @cached_property
    def description(self) -> str:
        """First stated description, that of a ``meta`` element if there is one; empty if none."""
        schema = ("json-ld", "microdata")
        statements = sorted(self.statements("description"), key=lambda pair: pair[0] in schema)
        return statements[0][1] if statements else ""

    @cached_property
    def organisations(self) -> frozenset[str]:
        """Names that JSON-LD gives to organisations or sites, but not to persons."""
        pairs = ((type_of(item), item.get("name")) for item in self._objects)
        named = [(kind, " ".join(name.split())) for kind, name in pairs if isinstance(name, str)]
        persons = {name for kind, name in named if kind == "person"}
        return frozenset(name for kind, name in named if kind.endswith(_ORGANISATIONS)) - persons

    def statements(self, fact: str) -> tuple[tuple[str, str], ...]:
        """Return the sources of a fact, each with one of its texts there, most specific first.

        A source is ``json-ld``, ``microdata`` or the name of a ``meta`` element. Of a page that
        states hundreds of titles, or one of thousands of characters, only a part is read.
        """
        stated: dict[str, tuple[tuple[str, str], ...]] = self.__dict__.setdefault("_stated", {})
        if fact not in stated:
            longest, n_most = _MAX_STATEMENT, _MAX_STATEMENTS
            if fact == "headlines":
                longest, n_most = _MAX_TITLE, _MAX_HEADLINES
            meta, keys = self.meta, _vocabulary()[fact]["schema"]
            names = [name for name in _vocabulary()[fact]["meta"] if name in meta]
            pairs = [("json-ld", text) for key in keys for text in self.linked(key)]
            pairs += [("microdata", text) for key in keys for text in self.microdata.get(key, ())]
            pairs += [(name, text) for name in names for text in meta[name]]
            stated[fact] = tuple([(name, text[:longest]) for name, text in pairs[:n_most]])
        return stated[fact]

    def linked(self, key: str, *, is_first: bool = False) -> list[str]:
        """Return the names or addresses that JSON-LD states under a key, those of articles first.

        An object that only refers to another by ``@id`` takes that object's name. With
        ``is_first`` only the first object that states something is read.
        """
        items = [item for item in self._items if (item.get(key) if is_first else key in item)]
        rows = items[:1] if is_first else items
        texts = (text for item in rows for text in _strings(item[key], self._names))
        return [text[:_MAX_STATEMENT] for text in islice(texts, _MAX_STATEMENTS)] if rows else []

    @cached_property
    def _items(self) -> tuple[Mapping[str, Json], ...]:
        """The JSON-LD objects that may describe the page, articles first."""
        ranked = [(_rank(item), item) for item in self.json_ld]
        return tuple(item for rank in range(_N_RANKS) for n, item in ranked if n == rank)

    @property
    def _objects(self) -> Iterator[Mapping[str, Json]]:
        """The JSON-LD objects, and the authors and publishers nested in them."""
        yield from self.json_ld
        for value in (item.get(key) for item in self.json_ld for key in _PARTIES):
            entries = value if isinstance(value, list) else [value]
            yield from (party for party in entries if isinstance(party, dict))

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """Names of the JSON-LD objects by their ``@id``."""
        names: dict[str, str] = {}
        for item in self._objects:
            identifier, name = item.get("@id"), item.get("name")
            if isinstance(identifier, str) and isinstance(name, str) and name.strip():
                names.setdefault(identifier, name)
        return names


def type_of(item: Mapping[str, Json]) -> str:
    """Return the first type of a JSON-LD object, in lower case; empty without one."""
    types = item.get("@type")
    first = types[0] if isinstance(types, list) and types else types
    return first.replace(":", "/").rsplit("/", 1)[-1].lower() if isinstance(first, str) else ""


def _rank(item: Mapping[str, Json]) -> int:
    """Return how close an object is to the page's article, from 0; ``_N_RANKS`` if unrelated."""
    kind = type_of(item)
    if kind.endswith(_ARTICLES):
        return 0
    if kind in _PAGES or kind.endswith("page"):
        return 1
    return _N_RANKS if kind in _OTHERS else 2


def _strings(value: Json, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the names or addresses in a JSON-LD value; ``names`` are those of other objects."""
    if isinstance(value, str):
        yield names.get(value, value)
    elif isinstance(value, list):
        for entry in value:
            yield from _strings(entry, names)
    elif isinstance(value, dict):
        identifier = value.get("@id")
        referred = names.get(identifier) if isinstance(identifier, str) else None
        parts = (value.get(key) for key in ("givenName", "familyName"))
        person = " ".join(part for part in parts if isinstance(part, str))
        name = value.get("name") or value.get("@value") or referred or person
        name = name or value.get("url") or identifier
        yield from _strings(name, {})


_vocabulary = partial(packaged_table, __file__, "metadata")


def is_address(text: str) -> bool:
    """Return whether a text given as a name is an address, an identifier or a path."""
    return "://" in text or text.startswith(("#", "/", "_:", "www.", "urn:"))


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for value in values if (text := " ".join(value.split()))))


def read_metadata(root: LexborNode) -> Metadata:
    """Return the statements of a parsed page about itself; malformed ones are left out."""
    elements = _metadata_elements(root)
    moments = (attributes["datetime"] for _, attributes in elements["datetime"])
    times = dict.fromkeys(moment[:_MAX_NAMES] for moment in moments if moment)
    names = _distinct(_text_of(link) for link, _ in elements["a"][:_MAX_ITEMS])
    addresses = ((attributes.get("href") or "").strip() for _, attributes in elements["link"])
    parents = ((title, title.parent) for title, _ in elements["title"])
    titles = (title.text() for title, top in parents if top is not None and top.tag in _ABOVE_TITLE)
    return Metadata(
        title=" ".join(next(titles, "").split())[:_MAX_TITLE],
        meta=_meta(attributes for _, attributes in elements["meta"]),
        json_ld=_json_ld(elements["script"]),
        times=tuple(islice(times, _MAX_STATEMENTS)),
        microdata=_microdata(elements["itemscope"], elements["itemprop"]),
        author_links=tuple(text for text in names if len(text) <= _MAX_NAMES),
        canonical=next((text for text in addresses if text and len(text) <= _MAX_LENGTH), ""),
    )


def _metadata_elements(root: LexborNode) -> Mapping[str, list[_Element]]:
    """Return the elements that contain metadata, in document order, by tag or attribute."""
    elements: defaultdict[str, list[_Element]] = defaultdict(list)
    for node in root.css(_SELECTOR):
        tag, attributes = str(node.tag), node.attributes
        element = node, attributes
        relations = (attributes.get("rel") or "").lower()
        if (
            tag in ("title", "script")
            or (tag == "meta" and "content" in attributes)
            or (tag == "a" and "author" in relations)
            or (tag == "link" and "canonical" in relations.split())
        ):
            elements[tag].append(element)
        if "datetime" in attributes and tag in ("time", "meta"):
            elements["datetime"].append(element)
        if "itemscope" in attributes:
            elements["itemscope"].append(element)
        if "itemprop" in attributes and node.mem_id != root.mem_id:
            elements["itemprop"].append(element)
    return elements


def _text_of(element: LexborNode) -> str:
    """Return the text of an element; empty for large ones, which may be nested."""
    pieces: list[str] = []
    n_left = _MAX_STATEMENT
    for node in islice(element.traverse(include_text=True), _MAX_WALKED):
        if node.tag == "-text" and (text := node.text_content):
            n_left -= len(text)
            if n_left < 0:
                return ""
            pieces.append(text)
    return "".join(pieces)


def _meta(elements: Iterable[_Attributes]) -> dict[str, tuple[str, ...]]:
    meta: dict[str, list[str]] = {}
    for attributes in elements:
        name = attributes.get("property") or attributes.get("name")
        if not name or not (content := attributes["content"]):
            continue
        key = name.strip().lower()[:_MAX_LENGTH]
        contents = meta.setdefault(key, []) if len(meta) < _MAX_META else meta.get(key, [])
        if len(contents) < _MAX_STATEMENTS:
            contents.append(content[:_MAX_STATEMENT])
    return {name: tuple(values) for name, values in meta.items()}


def _json_ld(scripts: Iterable[_Element]) -> tuple[Mapping[str, Json], ...]:
    items = (
        item
        for script, attributes in scripts
        if (attributes.get("type") or "").split(";")[0].strip().lower() == _JSON_LD
        for value in _parse_json(script.text())
        for item in _json_ld_objects(value)
    )
    return tuple(islice(items, _MAX_ITEMS))


def _parse_json(text: str) -> list[Json]:
    """Return the values in a script: usually one, but some scripts contain several in a row."""
    if (before := _BEFORE_JSON.match(text)) is not None:
        text = _AFTER_JSON.sub("", text[before.end() :])
    text = _SCHEMA.sub('"', text).strip()
    values = _json_values(text)
    if values and isinstance(values[0], str):  # JSON within a string
        values = _json_values(values[0])
    if values is None and len(text) <= _MAX_REPAIRED:
        # Unescaped marks, a missing comma, comments, and so on.
        from json_repair import loads  # late: few pages are broken

        text = unescape(text) if text.startswith(("{&quot;", "[{&quot;")) else text
        with suppress(ValueError, RecursionError):
            values = [loads(text, skip_json_loads=True)]
    return [value for value in values or () if _is_shallow(value)]


def _json_values(text: str) -> list[Json] | None:
    """Return the JSON values in a text, separated by white space, commas or semicolons, or None."""
    values: list[Json] = []
    end = 0
    while end < len(text) and len(values) < _MAX_ITEMS:
        try:
            value, end = _DECODER.raw_decode(text, end)
        except (ValueError, RecursionError):
            return None
        values.append(value)
        between = _BETWEEN_JSON.match(text, end)
        end = between.end() if between is not None else end
    return values


def _is_shallow(value: Json) -> bool:
    """Return whether a value nests at most ``_MAX_DEPTH`` levels, without recursion."""
    level = [value]
    for _ in range(_MAX_DEPTH):
        nested = (entry for entry in level if isinstance(entry, dict | list))
        level = [
            v for entry in nested for v in (entry.values() if isinstance(entry, dict) else entry)
        ]
        if not level:
            return True
    return False


def _json_ld_objects(value: Json) -> Iterator[Mapping[str, Json]]:
    """Yield the objects of a JSON-LD value, with lists and graphs flattened."""
    if isinstance(value, list):
        for entry in value:
            yield from _json_ld_objects(entry)
    elif isinstance(value, dict):
        yield value
        yield from _json_ld_objects(value.get("@graph"))
        main = value.get("mainEntity") or value.get("mainEntityOfPage")
        if isinstance(main, dict) and "headline" in main:
            yield main


def _microdata(
    scopes: Iterable[_Element], properties: Sequence[_Element]
) -> dict[str, tuple[str, ...]]:
    items = {node.mem_id: attributes for node, attributes in scopes}
    by_item = _by_item(properties, items)
    types = {item: _item_type(items.get(item, {})) for item in by_item}
    first = next((item for item, kind in types.items() if kind.endswith(_ARTICLES)), None)
    values: dict[str, dict[str, None]] = {}
    keys = {key.lower(): key for names in _vocabulary().values() for key in names["schema"]}
    for item, elements in by_item.items():
        if item != first and types[item] not in _PAGES:
            continue
        for element in elements:
            for name in _property_names(element) & keys.keys():
                if value := _property_value(element, name, by_item.get(element[0].mem_id, ())):
                    values.setdefault(keys[name], {})[value] = None
    return {name: tuple(values[name]) for name in keys.values() if name in values}


def _by_item(properties: Sequence[_Element], items: Iterable[int]) -> dict[int, list[_Element]]:
    """Return the elements of each item's properties; ``_NO_ITEM`` has those outside items."""
    by_item: dict[int, list[_Element]] = {}
    item_of = dict(zip(items, items, strict=True))  # of elements, filled on the way up
    for element in properties[:_MAX_PROPERTIES]:
        passed: list[int] = []
        above = element[0].parent
        while above is not None and above.mem_id not in item_of:
            passed.append(above.mem_id)
            above = above.parent
        item = _NO_ITEM if above is None else item_of[above.mem_id]
        item_of.update(dict.fromkeys(passed, item))
        by_item.setdefault(item, []).append(element)
    return by_item


def _property_names(element: _Element) -> set[str]:
    return set((element[1].get("itemprop") or "").lower().split())


def _item_type(item: _Attributes) -> str:
    """Return the last part of an item's type in lower case: ``newsarticle``."""
    first = (item.get("itemtype") or "").split()[:1]
    return "".join(first).rstrip("/").rsplit("/", 1)[-1].lower()


def _property_value(element: _Element, name: str, properties: Sequence[_Element]) -> str:
    """Return the value of a property; if the property is an item, that item's name or address."""
    if "itemscope" not in element[1]:
        return _property_text(element, {name})
    names = {"url", "contenturl"} if name in _ADDRESSES else {"name"}
    matches = (inner for inner in properties if _property_names(inner) & names)
    return next((_property_text(inner, names) for inner in matches), "")


def _property_text(element: _Element, names: set[str]) -> str:
    """Return a property from an attribute or the text, in one line; empty if it is too long."""
    keys = ["content", "datetime"]
    keys += ["src", "href"] if names & (_ADDRESSES | {"url", "contenturl"}) else []
    node, attributes = element
    value = next(filter(None, map(attributes.get, keys)), None)
    text = " ".join((_text_of(node) if value is None else value[:_MAX_STATEMENT]).split())
    return text if len(text) <= _MAX_LENGTH else ""


def window_title(metadata: Metadata) -> str | None:
    """Return the text of the title element up to its last separator."""
    title = metadata.title
    *_, last = [None, *_TITLE_SEPARATOR.finditer(title)]
    return (title[: last.start()].rstrip(" |·•«–—-") if last else title) or None
