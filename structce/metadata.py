"""What a page says about itself, outside its visible text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

Json = object
"""A value as ``json.loads`` gives it."""

_EMPTY: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_SEPARATORS = re.compile(r"\s*[,;|]\s*")
_PUBLISHED = (
    "article:published_time",
    "article:published",
    "og:published_time",
    "og:article:published_time",
    "datepublished",
    "dc.date",
    "dc.date.issued",
    "dc.date.created",
    "dcterms.created",
    "dcterms.date",
    "date.created",
    "date",
    "pubdate",
    "publishdate",
    "publish-date",
    "publication_date",
    "content:publishdate",
    "prism.publicationdate",
    "parsely-pub-date",
    "sailthru.date",
    "cxenseparse:recs:publishtime",
    "citation_publication_date",
)
_MODIFIED = (
    "article:modified_time",
    "article:modified",
    "og:modified_time",
    "og:updated_time",
    "datemodified",
    "dc.date.modified",
    "dcterms.modified",
    "date.modified",
    "date.updated",
    "last_updated_date",
    "last_modified",
    "last-modified",
)


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
        names = ("og:title", "twitter:title", "dc.title", "sailthru.title")
        return _distinct([*self._items("headline"), *self._contents(names), self.title])

    @cached_property
    def authors(self) -> tuple[str, ...]:
        """Names of persons stated as authors or creators."""
        names = ("author", "article:author", "dc.creator", "sailthru.author", "parsely-author")
        stated = [*self._items("author", "creator"), *self._contents(names)]
        return _distinct([name for name in stated if "://" not in name])

    @cached_property
    def published_dates(self) -> tuple[str, ...]:
        """Dates of publication as stated, in the page's own notation, most specific first."""
        return _distinct([*self._items("datePublished"), *self._contents(_PUBLISHED)])

    @cached_property
    def modified_dates(self) -> tuple[str, ...]:
        """Dates of the last change as stated, in the page's own notation."""
        return _distinct([*self._items("dateModified"), *self._contents(_MODIFIED)])

    @cached_property
    def dates(self) -> tuple[str, ...]:
        """Dates of publication, then of change, as stated."""
        return _distinct([*self.published_dates, *self.modified_dates])

    @cached_property
    def images(self) -> tuple[str, ...]:
        """Addresses of images stated for the page."""
        names = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image")
        return _distinct([*self._items("image", "thumbnailUrl"), *self._contents(names)])

    @cached_property
    def publishers(self) -> tuple[str, ...]:
        """Names of the publisher or site as stated."""
        return _distinct([*self._items("publisher"), *self._contents(("og:site_name",))])

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        """Words that the page is filed under, one by one."""
        names = ("article:tag", "news_keywords", "keywords", "parsely-tags", "sailthru.tags")
        stated = [*self._items("keywords"), *self._contents(names)]
        return _distinct([word for text in stated for word in _SEPARATORS.split(text)])

    @cached_property
    def sections(self) -> tuple[str, ...]:
        """Names of the part of the site that the page belongs to."""
        names = ("article:section", "og:section", "parsely-section", "prism.section")
        return _distinct([*self._items("articleSection"), *self._contents(names)])

    @cached_property
    def description(self) -> str:
        """First stated description, or the empty string."""
        names = ("og:description", "description", "twitter:description")
        return next(iter([*self._contents(names), *self._items("description")]), "")

    def _contents(self, names: tuple[str, ...]) -> Iterator[str]:
        for name in names:
            yield from self.meta.get(name, ())

    def _items(self, *keys: str) -> Iterator[str]:
        """Yield what JSON-LD gives under one of the keys, then what microdata does."""
        for key in keys:
            yield from self.linked(key)
        for key in keys:
            yield from self.microdata.get(key, ())

    def linked(self, key: str) -> list[str]:
        """Return the names or addresses that JSON-LD gives under a key."""
        return [text for item in self.json_ld if key in item for text in _strings(item[key])]


def _strings(value: Json) -> Iterator[str]:
    """Yield the names or addresses that a JSON-LD value stands for."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for entry in value:
            yield from _strings(entry)
    elif isinstance(value, Mapping):
        found = value.get("name") or value.get("url") or value.get("@id")
        if isinstance(found, (str, list)):
            yield from _strings(found)


def _distinct(values: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for value in values if (text := " ".join(value.split()))))
