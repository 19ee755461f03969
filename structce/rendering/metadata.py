"""Parsed HTML to what the page says about itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from selectolax.lexbor import LexborNode

from structce.metadata import Json, Metadata
from structce.rendering.microdata import read_microdata

_MAX_DEPTH = 50  # levels of one JSON-LD script; our choice, real ones have about six
_MAX_ITEMS = 500  # JSON-LD objects of one page; our choice against hostile pages


def read_metadata(root: LexborNode) -> Metadata:
    """Return the statements of a parsed page about itself; broken ones are left out."""
    return Metadata(
        title=_title(root.css("title")),
        meta=_meta(root.css("meta[content]")),
        json_ld=tuple(_json_ld(root.css("script[type*='ld+json' i]"))),
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


def _json_ld(scripts: Iterable[LexborNode]) -> Iterator[Mapping[str, Json]]:
    count = 0
    for script in scripts:
        kind = script.attributes["type"] or ""
        if kind.split(";")[0].strip().lower() != "application/ld+json":
            continue
        for item in _objects(_parse(script.text())):
            if count == _MAX_ITEMS:
                return
            count += 1
            yield item


def _parse(text: str) -> Json:
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


def _objects(value: Json) -> Iterator[Mapping[str, Json]]:
    """Yield the objects of a JSON-LD value, lists and graphs opened."""
    if isinstance(value, list):
        for entry in value:
            yield from _objects(entry)
    elif isinstance(value, dict):
        yield value
        yield from _objects(value.get("@graph"))
        main = value.get("mainEntity") or value.get("mainEntityOfPage")
        if isinstance(main, dict) and "headline" in main:
            yield main
