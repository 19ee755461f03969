"""Parsing shared by readers of data sets: texts, names, dates, ids, files and annotated HTML."""

from __future__ import annotations

import codecs
import html
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from lxml.html.defs import block_tags
from selectolax.lexbor import LexborHTMLParser, LexborNode

from structce.corpus import DAMAGED
from structce.errors import CorpusError
from structce.gold import TEXT, Gold
from structce.io import Folder
from structce.language import normalise, strip_byline_prefix
from structce.page import site_of
from structce.rendering import TEXT as TEXT_NODE
from structce.rendering import UNSEEN, Document, children, decode, parse, paths_below

_BULLET = re.compile(r"^\s*[-*•·–▪●○◦‣]\s+")
_NO_ID = re.compile(r"[^A-Za-z0-9._-]+")

_BETWEEN = re.compile(r"\s*,\s+(?:(?:und|and)\s+)?|\s*&\s*|\s+(?:und|and|et|y)\s+")
_MAX_WORDS = 5  # words of a person's name; "Dr Marna van der Merwe"
_NO_PERSON = re.compile(  # words that may follow a name and a comma
    r"\b(?:CEO|Director|Editor|Educator|Expert|Founder|Manager|Officer|Specialist|University)\b"
    r"|\bM\.D\.|\bPh\.?D\b|[()]"
)
_ADDRESS = re.compile(r"@|://|^www\.")
_ADDRESS_ASIDE = re.compile(r"\s*\([^()]*(?:@|://)[^()]*\)")

NOT_SHOWN = UNSEEN | {"iframe", "object"}
"""Elements whose text is not visible; text inside the last two is for old browsers."""

_HTML5 = "article aside details figcaption figure footer header main nav section summary"
BLOCKS = frozenset((block_tags - {"del", "ins"}) | {"body", *_HTML5.split()})
"""Block-level elements, whose borders separate pieces of text."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

_MIN_SHARED = 0.5  # on L3S-GN1 a page shares 0.89 of the words with its annotated copy, or none

_Value = TypeVar("_Value")


_PRESCAN = 4_096  # bytes in which the zeros of UTF-16 are counted


def decode_text(data: bytes) -> str:
    """Return the text of an annotator's file.

    The encoding is that of the byte order mark; UTF-16 if most of every other byte are zero; else
    UTF-8 if the bytes are valid UTF-8; else Windows-1252.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    head = data[:_PRESCAN]
    for start, encoding in enumerate(("utf-16-be", "utf-16-le")):
        if 2 * head[start::2].count(0) > len(head[start::2]):
            return data.decode(encoding, errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def text_lines(text: str) -> tuple[str, ...]:
    """Return the lines that contain a letter or digit, white space collapsed."""
    return tuple(line for line in map(collapse_spaces, text.splitlines()) if normalise(line))


def text_body(text: str) -> tuple[tuple[str, str], ...]:
    """Return the lines of a main text as pieces of a body of the kind ``Text``."""
    return tuple((TEXT, line) for line in text_lines(text))


def annotated_lines(text: object) -> list[str]:
    """Return the lines of a text that have words, without bullets and outer bars of table rows.

    Entities are decoded. The numbers of lists are mostly part of the page's text, and are kept.
    """
    lines = []
    for marked in str(text or "").splitlines():
        line = collapse_spaces(_BULLET.sub("", html.unescape(marked)))
        is_row = len(line) > 1 and line.startswith("| ") and line.endswith(" |")
        lines.append(line[1:-1].strip() if is_row else line)
    return [line for line in lines if normalise(line)]


def annotated_segments(texts: object) -> tuple[str, ...]:
    """Return each text of a list on one line, see :func:`annotated_lines`; empty ones left out."""
    listed = texts if isinstance(texts, list | tuple) else ()
    segments = (" ".join(annotated_lines(text)) for text in listed)
    return tuple(segment for segment in segments if segment)


def parse_texts(stated: object) -> tuple[str, ...]:
    """Return the texts of a value or a list of values, entities decoded, empty ones left out."""
    values = stated if isinstance(stated, list) else [stated]
    texts = (one_line(str(value)) for value in values if value is not None)
    return tuple(text for text in texts if text)


def one_line(text: str) -> str:
    """Return a text on one line, entities decoded."""
    return collapse_spaces(html.unescape(text))


def collapse_spaces(stated: object) -> str:
    """Return a value as text on one line; empty for None."""
    return " ".join(str(stated or "").split())


def drop_empty(values: Mapping[str, _Value]) -> dict[str, _Value]:
    """Return the values that are not empty."""
    return {name: value for name, value in values.items() if value}


def stated_gold(
    *,
    title: str = "",
    authors: tuple[str, ...] = (),
    byline: object = None,
    lang: str = "en",
    date: object = None,
    body: tuple[tuple[str, str], ...] = (),
    about: Mapping[str, str] = MappingProxyType({}),
    **values: Any,
) -> Gold:
    """Return a gold that covers the labels that it has a value for, unless told otherwise.

    A ``byline`` is read as names, and ``date`` as a day or moment in ISO 8601; what cannot be read
    becomes a fact about the page. ``values`` are further fields of the gold.
    """
    day, names = parse_day(date), authors or parse_names(byline, lang)
    unread = {
        "author": "" if names else str(byline or ""),
        "date": "" if day else str(date or "").strip(),
    }
    labels = {"Title": title, "Author": names, "Date": day, "Paragraph": body, "Subtitle": body}
    fields: dict[str, Any] = {
        "title": title or None,
        "authors": names,
        "date": day,
        "body": body,
        "about": drop_empty(unread | dict(about)),
        "covers": frozenset(drop_empty(labels)),
    }
    return Gold(**fields | values)


def parse_day(stated: object) -> date | None:
    """Return the day, or the moment, of an ISO 8601 text; None for any other value."""
    text = str(stated or "").strip()
    try:
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    except ValueError:
        return None


def parse_names(stated: object, lang: str) -> tuple[str, ...]:
    """Return the names in a byline or a list of names, without addresses and a leading "By".

    Only unambiguous lists are split: at semicolons, and at commas and "and" between what look like
    full names. Titles, places and publishers stay with the name.

    >>> parse_names("Von Ann Lee und Tom Rost; Mira Okafor, London", "de")
    ('Ann Lee', 'Tom Rost', 'Mira Okafor, London')
    """
    parts: Sequence[str] = [part for value in parse_texts(stated) for part in value.split(";")]
    names: dict[str, None] = {}
    for part in parts:
        line = strip_byline_prefix(_ADDRESS_ASIDE.sub("", part).strip(), lang)
        pieces = _BETWEEN.split(line)
        names |= dict.fromkeys(pieces if all(map(_is_full_name, pieces)) else [line])
    return tuple(name for name in names if name and not _ADDRESS.search(name))


def _is_full_name(text: str) -> bool:
    words = text.split()
    has_capitals = bool(words) and words[0][0].isupper() and words[-1][0].isupper()
    is_long_enough = 1 < len(words) <= _MAX_WORDS
    return has_capitals and is_long_enough and not _NO_PERSON.search(text)


def safe_id(name: str) -> str:
    """Return a name with hyphens for all characters that are not allowed in a page's id.

    >>> safe_id("apple (10)")
    'apple-10'
    """
    return _NO_ID.sub("-", name).strip("-")


def unique_id(file: str, taken: set[str]) -> str:
    """Return a page id made of a file's name without ending, and add it to those taken.

    Characters other than Latin letters become hyphens, and a number distinguishes ids that differ
    only in case.
    """
    stem = unicodedata.normalize("NFKD", file.removesuffix(".html"))
    letters = "".join(c for c in stem if not unicodedata.combining(c))
    name = re.sub(r"[^A-Za-z0-9._]+", "-", letters).strip("-.") or "page"
    free, n = name, 1
    while free.casefold() in taken:
        n += 1
        free = f"{name}-{n}"
    taken.add(free.casefold())
    return free


def json_objects(lines: Iterable[str | bytes], name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of JSON Lines with their place, ``NAME: line NUMBER``, without empty lines.

    Raises CorpusError if a line is not an object.
    """
    for number, line in enumerate(lines, start=1):
        if line.strip():
            location = f"{name}: line {number}"
            try:
                row = json.loads(line)
            except DAMAGED as error:
                raise CorpusError(f"{location}: {error}") from error
            if not isinstance(row, dict):
                raise CorpusError(f"{location}: expected an object")
            yield location, row


def files_of(folder: Folder) -> list[Folder]:
    """Return the files and folders in a folder, in the order of their names."""
    files: list[Folder] = [*folder.iterdir()]
    return sorted(files, key=lambda file: file.name)


def stems(folder: Folder, ending: str) -> set[str]:
    """Return the names of all files in a folder, without the given ending if they have it."""
    return {file.name.removesuffix(ending) for file in folder.iterdir()}


def files_below(folder: Folder) -> list[str]:
    """Return the paths of all files in a folder or zip archive, relative to it, sorted."""
    if isinstance(folder, Path):
        return sorted(paths_below(folder))
    names = (name for name in folder.root.namelist() if not name.endswith("/"))
    return sorted(name.removeprefix(folder.at) for name in names if name.startswith(folder.at))


def stated_url(data: bytes, *, in_page_order: bool = False) -> str:
    """Return the address with a host that a page states as its own; empty if none.

    Canonical links come before the properties of Open Graph, unless ``in_page_order``.
    """
    nodes = LexborHTMLParser(data).css("link[rel=canonical], meta[property='og:url']")
    for node in nodes if in_page_order else sorted(nodes, key=lambda node: node.tag or ""):
        address = (node.attributes.get("href" if node.tag == "link" else "content") or "").strip()
        url = f"https:{address}" if address.startswith("//") else address
        if site_of(url):
            return url
    return ""


def linked_site(data: bytes) -> str:
    """Return the site to which more than half of a page's absolute links lead, or ""."""
    links = LexborHTMLParser(data).css("a[href]")
    sites = Counter(site for node in links if (site := site_of(node.attributes["href"] or "")))
    ((site, count),) = sites.most_common(1) or [("", 0)]
    return site if 2 * count > sites.total() else ""


@dataclass(frozen=True, eq=False)
class HtmlNode:
    """An element, or a text node."""

    tag: str  # lower-case name of the element; empty for a text node
    xpath: str  # as written by structce.page.Page.xpath; of a text node that of its parent
    above: HtmlNode | None  # the parent element; None for the root
    attributes: Mapping[str, str]  # of an element
    text: str = ""  # of a text node

    def upward(self) -> Iterator[HtmlNode]:
        """Yield the node and its ancestors, innermost first."""
        node: HtmlNode | None = self
        while node is not None:
            yield node
            node = node.above

    def is_inside(self, tags: Collection[str]) -> bool:
        """Return whether the node or one of its ancestors has one of these tags."""
        return any(node.tag in tags for node in self.upward())


def html_nodes(document: Document) -> Iterator[HtmlNode]:
    """Yield the elements and text nodes of a document, in document order, the root first."""
    root = parse(document)
    waiting: list[tuple[LexborNode, HtmlNode | None, str]] = [(root, None, f"/{root.tag}[1]")]
    while waiting:
        node, above, xpath = waiting.pop()
        tag = (node.tag or "-").lower()
        if tag == TEXT_NODE:
            yield HtmlNode("", xpath, above, {}, node.text_content or "")
            continue
        attributes = {name: value or "" for name, value in node.attributes.items()}
        element = HtmlNode(tag, xpath, above, attributes)
        yield element
        counts: Counter[str] = Counter()
        below: list[tuple[LexborNode, HtmlNode | None, str]] = []
        for child in children(node):
            name = (child.tag or "-").lower()
            if name == TEXT_NODE:
                below.append((child, element, xpath))
            elif name[0] != "-":
                counts[name] += 1
                below.append((child, element, f"{xpath}/{name}[{counts[name]}]"))
        waiting += reversed(below)


def shown_texts(document: Document) -> Iterator[HtmlNode]:
    """Yield the text nodes that are not empty, without scripts and other invisible elements."""
    for node in html_nodes(document):
        if node.text.strip() and not node.is_inside(NOT_SHOWN):
            yield node


def is_same_page(texts: Iterable[HtmlNode], data: bytes, name: str) -> bool:
    """Return whether a page as fetched contains at least half of the words of its annotated copy.

    Some are cut off in the head, so that no parser finds a text in them.
    """
    ours, theirs = _words(texts), _words(shown_texts(decode(data, name=name)))
    return (ours & theirs).total() >= _MIN_SHARED * max(ours.total(), 1)


def _words(texts: Iterable[HtmlNode]) -> Counter[str]:
    return Counter(word for text in texts for word in text.text.casefold().split())
