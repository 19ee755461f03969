"""What a page says about itself, outside its visible text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

Json = object
"""A value as ``json.loads`` gives it."""

_EMPTY: Mapping[str, tuple[str, ...]] = MappingProxyType({})


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
    """

    title: str = ""
    meta: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _EMPTY)
    json_ld: tuple[Mapping[str, Json], ...] = ()
    times: tuple[str, ...] = ()

    @cached_property
    def headlines(self) -> tuple[str, ...]:
        """Headlines of the page as stated, most specific first."""
        names = ("og:title", "twitter:title", "dc.title", "sailthru.title")
        return _distinct([*self.linked("headline"), *self._contents(names), self.title])

    @cached_property
    def authors(self) -> tuple[str, ...]:
        """Names of persons stated as authors or creators."""
        names = ("author", "article:author", "dc.creator", "sailthru.author", "parsely-author")
        stated = [*self.linked("author"), *self.linked("creator"), *self._contents(names)]
        return _distinct([name for name in stated if "://" not in name])

    @cached_property
    def dates(self) -> tuple[str, ...]:
        """Dates of publication or change as stated, in the page's own notation."""
        names = (
            "article:published_time",
            "article:modified_time",
            "og:published_time",
            "datepublished",
            "dc.date",
            "date",
            "pubdate",
            "last-modified",
        )
        linked = [*self.linked("datePublished"), *self.linked("dateModified")]
        return _distinct([*linked, *self._contents(names)])

    @cached_property
    def images(self) -> tuple[str, ...]:
        """Addresses of images stated for the page."""
        linked = [*self.linked("image"), *self.linked("thumbnailUrl")]
        return _distinct([*linked, *self._contents(("og:image", "twitter:image"))])

    @cached_property
    def publishers(self) -> tuple[str, ...]:
        """Names of the publisher or site as stated."""
        return _distinct([*self.linked("publisher"), *self._contents(("og:site_name",))])

    @cached_property
    def description(self) -> str:
        """First stated description, or the empty string."""
        names = ("og:description", "description", "twitter:description")
        return next(iter([*self._contents(names), *self.linked("description")]), "")

    def _contents(self, names: tuple[str, ...]) -> Iterator[str]:
        for name in names:
            yield from self.meta.get(name, ())

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
