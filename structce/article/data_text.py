"""Text that a page states only in the data of its scripts.

A page whose content is written by scripts often carries it in its source: as ``articleBody`` of
JSON-LD, or in the state from which a framework draws the page (``__NEXT_DATA__``, ``__NUXT__`` and
others). Strings and lists under names such as ``body`` are candidates, if JSON-LD states them or
the page's title stands near them in the data. A text of which the page shows a part is not taken.
"""

from __future__ import annotations

import html as entities
import json
import re
from collections.abc import Iterator
from itertools import accumulate, islice
from typing import NamedTuple

import numpy as np

from structce.article.blocks import Block, Span, without_places
from structce.article.quality import is_plausible
from structce.article.structure import body_blocks, body_text
from structce.article.values import TextSource
from structce.errors import StructceError
from structce.language import normalise
from structce.page import Page
from structce.patterns import lazy_pattern
from structce.rendering import Document, StaticRenderer

Json = object  # a value as json.loads gives it

# Limits against hostile pages, beyond what real pages have.
_MOST_SCRIPTS = 300  # of a page
_MOST_DATA = 5_000_000  # characters of a script
_MOST_REPAIRED = 300_000  # characters of a script that is no JSON, such as an object of JavaScript
_DEEPEST = 100  # open brackets of such a script
_MOST_NODES = 300_000  # values of a page's data
_MOST_PIECES = 5_000  # of a text
_LONGEST = 300_000  # characters of a text
_SHORTEST = 500  # characters; shorter ones are mostly the beginning of a text, cut for a preview
_MOST_CANDIDATES = 100  # texts of a page that are compared
_MOST_TRIED = 5  # candidates that are made into blocks
_FARTHEST = 3  # objects around a text in which the page's title is looked for
_LEAST_TITLE = 20  # letters of a title that a longer one begins with
_N_PROBES, _PROBE = 40, 24  # places at which a text is looked for on the page, and their letters
_MOST_SHOWN = 0.25  # share of these places that the page may show

_START = lazy_pattern(r"<script\b([^<>]*)>", re.IGNORECASE)
_END = lazy_pattern(r"</script", re.IGNORECASE)
_TYPE = lazy_pattern(r"""\btype\s*=\s*["']?\s*([\w/+.-]+)""", re.IGNORECASE)
_ID = lazy_pattern(r"""\bid\s*=\s*["']?\s*([\w$.-]+)""", re.IGNORECASE)
_ASSIGNED = lazy_pattern(
    r"""(?:window|self|globalThis)\s*(?:\.\s*([\w$]+)|\[\s*["']([\w$]+)["']\s*\])\s*=\s*"""
    r"""(?=[{\[]|\(?\s*function|JSON\.parse)"""
)
_PARSED = lazy_pattern(r"JSON\.parse\(\s*(?:decodeURIComponent\(\s*)?(?=\")")
_RETURNED = lazy_pattern(r"\(?\s*function\s*\([^)]*\)\s*\{[^{}]{0,200}?return\s*(?=[{\[])")
_BODY = lazy_pattern(
    r"(?:article|post|story|page|main|full|raw|html|rich|entry|news|blog|recipe)?[_-]?"
    r"(?:body|content|contents|text|html|copy|blocks|paragraphs|elements|components|rendered)"
    r"(?:[_-]?(?:html|text|raw|rendered|blocks|full|json|elements|parts))?",
    re.IGNORECASE,
)
_OTHERS = frozenset("liveBlogUpdate comment review hasPart isPartOf itemListElement".split())
_POST = "DiscussionForumPosting"  # whose text is the first post of a thread
_NO_TEXT = lazy_pattern(
    r"image|media|picture|photo|gallery|video|audio|embed|teaser|advert|promo|newsletter|related",
    re.IGNORECASE,
)
_WORDS = frozenset("text value html content body rendered paragraph markup".split())
_ASCII = lazy_pattern(r"[a-z]+")
_TITLES = lazy_pattern(r"title|headline|head|name|heading", re.IGNORECASE)
_TAG = lazy_pattern(r"</?[a-z][a-z0-9]*(?:\s[^<>]*)?/?>", re.IGNORECASE)
_ANGULAR = (("&q;", '"'), ("&s;", "'"), ("&l;", "<"), ("&g;", ">"), ("&a;", "&"))
_DECODER = json.JSONDecoder(strict=False)


class _DataText(NamedTuple):
    """Text of a script's data: objects between it and the page's title, its HTML, its place."""

    distance: int
    html: str
    source: TextSource


def text_in_data(
    html: str, page: Page, title: str = "", *, n_read: int = 0
) -> tuple[tuple[Block, ...], str, TextSource] | None:
    """Return the text that a page states only in its data, as blocks and as lines, and its place.

    Parameters
    ----------
    html
        Source of the page.
    page
        The rendered page; a text that it shows in part is not returned.
    title
        Title of the article, beside which its text stands in the data.
    n_read
        Characters of the text that was read from the page; a shorter one is not returned.

    Returns
    -------
    None if there is no such text. The blocks have no place on the page.
    """
    shown, n_least = "".join(page.letters), max(_SHORTEST, n_read)
    titles = {text for text in (title, page.title, *page.metadata.headlines) if normalise(text)}
    candidates = list(islice(_candidates(html, titles), _MOST_CANDIDATES))
    candidates.sort(key=lambda candidate: (candidate.distance, -len(candidate.html)))
    for candidate in candidates[:_MOST_TRIED]:
        try:
            inner = StaticRenderer().render(Document(f"<article>{candidate.html}</article>"))
        except StructceError:  # beyond the limits of a page
            continue
        labels = ["None" if is_media else "Paragraph" for is_media in inner.is_media]
        blocks = without_places(body_blocks(inner, ~inner.is_media, labels, np.ones(len(inner))))
        text = body_text(blocks)
        is_hidden = _visible_share(text, shown) < _MOST_SHOWN
        if is_hidden and len(text) >= n_least and is_plausible(text):
            return blocks, text, candidate.source
    return None


def _visible_share(text: str, shown: str) -> float:
    """Return the share of 40 passages of a text that the page shows, in [0, 1]."""
    letters = normalise(text)
    starts = np.linspace(0, max(len(letters) - _PROBE, 0), _N_PROBES).astype(int).tolist()
    return sum(letters[start : start + _PROBE] in shown for start in starts) / _N_PROBES


def _candidates(html: str, titles: set[str]) -> Iterator[_DataText]:
    """Yield the texts in the data of a page that are near its title, or that JSON-LD states."""
    # The longest word of ASCII letters, which no data escapes.
    words = {max(_ASCII.findall(title.casefold()), key=len, default="") for title in titles}
    normalised = {*map(normalise, titles)}
    entries = (
        (name, span, entry)
        for name, span, data in _scripts(html, words)
        for entry in _walk(data, normalised)
    )
    for name, span, (pointer, key, value, distance) in islice(entries, _MOST_NODES):
        distance = 0 if name == "ld+json" and key == "articleBody" else distance
        if distance is None or not _BODY.fullmatch(key) or not isinstance(value, str | list | dict):
            continue
        text = "".join(f"<p>{piece}</p>" for piece in map(_markup, _pieces(value)) if piece)
        if _SHORTEST <= len(text) <= _LONGEST:
            yield _DataText(distance, text, TextSource(name, pointer, span))


def _scripts(html: str, words: set[str]) -> Iterator[tuple[str, Span, Json]]:
    """Yield the name of each script with data, the span of its content, and the data.

    What is no JSON is repaired, which is slow, only if it contains one of the words of titles.
    """
    end, n_left = 0, _MOST_REPAIRED
    for _ in range(_MOST_SCRIPTS):
        start = _START.search(html, end)
        stop = _END.search(html, start.end()) if start else None
        if start is None or stop is None:
            return
        end = stop.end()
        span = start.end(), stop.start()
        if not _SHORTEST <= span[1] - span[0] <= _MOST_DATA:
            continue
        content = html[slice(*span)]
        kind, name = (match[1] if (match := p.search(start[1])) else "" for p in (_TYPE, _ID))
        if kind.lower() == "application/ld+json":
            name = "ld+json"
        elif "json" not in kind.lower():
            if not (assigned := _ASSIGNED.search(content)):
                continue
            name, content = assigned[1] or assigned[2], content[assigned.end() :]
        text, data = _decoded(content.strip())
        if data is None and len(text) <= n_left and _depth(text) <= _DEEPEST:
            folded = text.casefold()
            if name == "ld+json" or any(word in folded for word in words):
                n_left -= len(text)
                data = _repaired_json(text)
        if data is not None:
            yield name or kind, span, data


def _decoded(text: str) -> tuple[str, Json]:
    """Return the text of a script's first value, and the value; None if the text is no JSON.

    The value may be JSON in a string, JSON in Angular's escapes, or what a function returns.
    """
    if text[1:4] == "&q;":
        for code, mark in _ANGULAR:
            text = text.replace(code, mark)
    try:
        if (parsed := _PARSED.match(text)) is not None:
            text = str(_DECODER.raw_decode(text, parsed.end())[0])
        if (returned := _RETURNED.match(text)) is not None:
            return text[returned.end() : text.rfind("}}(") + 1 or None], None
        return text, _DECODER.raw_decode(text)[0]
    except (ValueError, RecursionError):
        return text, None


def _repaired_json(text: str) -> Json:
    """Return the value of an object of JavaScript, or of broken JSON; None if it cannot be read."""
    from json_repair import loads  # late: few pages need it

    try:
        value: Json = loads(text.replace("\\/", "/"), skip_json_loads=True)
    except (ValueError, RecursionError):
        return None
    return value


def _depth(text: str) -> int:
    """Return the greatest number of brackets that are open at once, also in strings."""
    steps = ((mark in "[{") - (mark in "]}") for mark in text)
    return max(accumulate(steps), default=0)


def _walk(data: Json, titles: set[str]) -> Iterator[tuple[str, str, Json, int | None]]:
    """Yield JSON pointer, key and value of each entry of an object, and how far the title is.

    That is the number of objects between the entry and one that has a title of the page next to it;
    None if none of the nearest has. Numbers in Nuxt's list of all values stand for the strings at
    these places.
    """
    values = data if isinstance(data, list) else []
    stack: list[tuple[str, Json, int | None]] = [("", data, None)]
    while stack:
        place, value, distance = stack.pop()
        if isinstance(value, list):
            stack += [(f"{place}/{n}", entry, distance) for n, entry in enumerate(value)]
        if not isinstance(value, dict) or _POST in str(value.get("@type")):
            continue
        resolved = {key: _nuxt_value(entry, values) for key, entry in value.items()}
        if _names_page(resolved, titles):
            distance = 0
        elif distance is not None:
            is_near = distance + 1 < _FARTHEST and not _has_own_name(resolved)
            distance = distance + 1 if is_near else None
        for key, entry in value.items():
            pointer = f"{place}/{key.replace('~', '~0').replace('/', '~1')}"
            other = resolved[key]
            yield (f"/{entry}" if other is not entry else pointer), key, other, distance
            if key not in _OTHERS:
                stack.append((pointer, entry, distance))


def _names_page(entries: dict[str, Json], titles: set[str]) -> bool:
    """Return whether an object has the title of the page."""
    for key, value in entries.items():
        if isinstance(value, str) and _TITLES.search(key):
            letters = normalise(value[:500])
            is_long = len(letters) >= _LEAST_TITLE
            if letters in titles or (is_long and any(t.startswith(letters) for t in titles)):
                return True
    return False


def _has_own_name(entries: dict[str, Json]) -> bool:
    """Return whether an object has a name of several words, as another story has."""
    names = map(entries.get, ("title", "headline", "name"))
    return any(isinstance(name, str) and " " in name.strip() for name in names)


def _nuxt_value(entry: Json, values: list[Json]) -> Json:
    """Return the string of Nuxt's list that a number stands for; anything else as it is."""
    if isinstance(entry, bool) or not isinstance(entry, int) or not 0 < entry < len(values):
        return entry
    return values[entry] if isinstance(values[entry], str) else entry


def _pieces(value: Json) -> list[str]:
    """Return the texts of a body: a string, or one for each entry of a list of its parts."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        inner = (value.get(key) for key in ("content", "children", "blocks", "rendered", "items"))
        value = next(filter(None, inner), None)
        return _pieces(value) if isinstance(value, str | list) else []
    entries = value if isinstance(value, list) else []
    return [" ".join(_words(entry)) for entry in entries[:_MOST_PIECES]]


def _words(value: Json) -> list[str]:
    """Return the strings of a part of a body, in order: those under names of texts."""
    words: list[str] = []
    stack: list[tuple[bool, Json]] = [(True, value)]
    while stack and len(words) < _MOST_PIECES:
        is_text, entry = stack.pop()
        if isinstance(entry, str):
            words += [entry] if is_text else []
        elif isinstance(entry, list):
            stack += [(is_text, inner) for inner in reversed(entry)]
        elif isinstance(entry, dict) and not _NO_TEXT.search(str(entry.get("type"))[:100]):
            stack += [(key in _WORDS, inner) for key, inner in reversed(entry.items())]
    return words


def _markup(text: str) -> str:
    """Return a text as HTML: as it is if it has tags, else with its lines as paragraphs."""
    if not _TAG.search(text):
        text = entities.unescape(text)
    if _TAG.search(text):
        return text
    lines = (entities.escape(line) for line in text.splitlines() if line.strip())
    return "</p><p>".join(lines)
