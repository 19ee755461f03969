"""Parsed HTML to what the page says about itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from lxml import etree

from structce.metadata import Json, Metadata
from structce.rendering.microdata import read_microdata

_MAX_DEPTH = 50  # levels of one JSON-LD script; our choice, real ones have about six
_MAX_ITEMS = 500  # JSON-LD objects of one page; our choice against hostile pages


def read_metadata(root: etree._Element) -> Metadata:
    """Return the statements of a parsed page about itself; broken ones are left out."""
    meta: dict[str, list[str]] = {}
    times: dict[str, None] = {}
    titles: list[etree._Element] = []
    scripts: list[etree._Element] = []
    for element in root.iter("meta", "time", "title", "script"):
        tag = element.tag
        if tag == "script":
            scripts.append(element)
            continue
        if tag == "title":
            titles.append(element)
            continue
        if moment := element.get("datetime"):
            times[moment] = None
        if tag == "meta" and (content := element.get("content")):
            name = element.get("property") or element.get("name")
            if name:
                meta.setdefault(name.strip().lower(), []).append(content)
    return Metadata(
        title=_title(titles),
        meta={name: tuple(values) for name, values in meta.items()},
        json_ld=tuple(_json_ld(scripts)),
        times=tuple(times),
        microdata=read_microdata(root),
    )


def _title(titles: Iterable[etree._Element]) -> str:
    for element in titles:
        parent = element.getparent()
        if parent is None or parent.tag in ("head", "html", "body"):
            return " ".join("".join(map(str, element.itertext())).split())
    return ""


def _json_ld(scripts: Iterable[etree._Element]) -> Iterator[Mapping[str, Json]]:
    count = 0
    for script in scripts:
        if (script.get("type") or "").split(";")[0].strip().lower() != "application/ld+json":
            continue
        for item in _objects(_parse(script.text or "")):
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
