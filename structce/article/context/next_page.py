"""Next page of a story, thread or listing: a link whose address is the page's own, one page on.

A link with the word "next", or with this ``rel``, may also lead to the next story of a blog. The
next page is recognised by its address: the page's own with the next number in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl

from structce.addresses import join_address, split_address, without_fragment
from structce.article.evidence import Evidence
from structce.article.images import checked_address
from structce.article.values import NextPage
from structce.features import dom_tree
from structce.language import find_phrase
from structce.numbers import whole_number

_PAGE = (
    "page|paged|pg|seite|pagina|pag|side|sida|sivu|strona|strana|stran|str|sayfa|oldal|halaman|p"
)
_PAGE_KEYS = re.compile(rf"(?:.*[-_\[])?(?:{_PAGE}|pagenum|pagenumber|pageno|pn|pi|hal|s)\]?", re.I)
_OFFSET_KEYS = re.compile(r"start|startat|offset|from|st|skip|first|begin|o|i", re.IGNORECASE)
_NOT_ASKED = re.compile(
    r"utm_\w+|fbclid|gclid|srsltid|ref|sid|phpsessid|jsessionid|s?id_?session", re.I
)
_STEP = re.compile(rf"(?:[-_,.~]?(?:{_PAGE})?[-_,=.]?)(\d{{1,4}})", re.IGNORECASE)
_ENDING = re.compile(r"\.(?:s?html?|php|aspx?|jsp|cfm)$", re.IGNORECASE)
_NUMBERS = re.compile(r"\d+")
_YEAR = re.compile(r"(?:19|20)\d\d$")
_COPY = re.compile(r"[^\W\d_]-2/?$")  # "ferry-2" may be another story with the same title
_WIDGET_KEY = re.compile(r"[0-9a-f]{8}_page")  # page of a list inside the page
_MARKS = " \t[](){}.,:|<>«»‹›→➔▸►»…-"
_ARROW = re.compile(r"^[\s>»›→➔▸►❯⟩]+$")
_NEXT_NAME = re.compile(r"(?<![a-z])next(?![a-z])", re.IGNORECASE)
_LONGEST = 40  # characters of a link that leads to the next page
_MOST_LINKS = 3_000  # of a page; further links are not looked at
_SECOND = (1, 2)  # numbers of the second page, counted from 0 or from 1
_MOST_PAGES = 200  # highest number that is taken for a page's
_CONFIDENCE = {"rel": 0.97, "words": 0.95, "number": 0.9}


@dataclass(frozen=True)
class _Address:
    """Parts of an address that distinguish one page from another."""

    host: str
    segments: tuple[str, ...]
    query: Mapping[str, str]


def next_page(evidence: Evidence) -> NextPage | None:
    """Return the page that follows, or None if the page links to none or has no address.

    Of several links the one with most evidence counts: ``rel="next"``, words such as "Next page" in
    the language of the page, then the number alone.
    """
    page = evidence.page
    stated = join_address(page.url, page.metadata.canonical) if page.metadata.canonical else ""
    own = [parts for address in (page.url, stated) if (parts := _parts(address)) is not None]
    links = list(_following_links(evidence, own)) if own else []
    targets = {reason: (element, address) for element, address, reason in reversed(links)}
    for reason, confidence in _CONFIDENCE.items():
        if reason in targets:
            element, address = targets[reason]
            region = int(evidence.region_ranges[0][element])
            return NextPage(address, confidence, reason, page.xpath[region])
    return None


def _following_links(evidence: Evidence, own: Sequence[_Address]) -> Iterator[tuple[int, str, str]]:
    """Yield links to the page after one of its own addresses: element, address, and reason."""
    page, (first, end) = evidence.page, evidence.region_ranges
    for element in dom_tree.elements_called(page).get("a", [])[:_MOST_LINKS]:
        attributes = page.elements.attributes[element]
        stated = attributes.get("href", "").strip()
        regions = range(int(first[element]), int(end[element]))
        path = without_fragment(stated)
        if not regions or not _NUMBERS.search(path):
            continue
        address = checked_address(stated, page.url)
        other = _parts(address)
        number = next((step for parts in own if (step := page_step(parts, other))), None)
        if number is None:
            continue
        text = " ".join(page.text[i] for i in regions if page.text[i]).strip(_MARKS)
        named = f"{attributes.get('class', '')} {attributes.get('aria-label', '')}"
        if "next" in attributes.get("rel", "").lower().split():
            yield element, address, "rel"
        elif (
            not _COPY.search(path)
            and len(text) <= _LONGEST
            and (
                (find_phrase(text, "next", page.lang) and not text.isdigit())
                or _NEXT_NAME.search(named)
                or any(map(_ARROW.match, (page.text[i] for i in regions)))
            )
        ):
            yield element, address, "words"
        elif text == str(number):
            yield element, address, "number"


def page_step(own: str | _Address | None, other: str | _Address | None) -> int | None:
    """Return the number of the page at an address if it follows the own one; None for others.

    >>> page_step("https://a.example/story.html", "https://a.example/story-2.html")
    2
    >>> page_step("https://a.example/thread?id=7&page=4", "https://a.example/thread?id=7&page=5")
    5
    >>> page_step("https://a.example/2024/05/", "https://a.example/2024/06/")
    """
    own = _parts(own) if isinstance(own, str) else own
    other = _parts(other) if isinstance(other, str) else other
    if own is None or other is None or own.host != other.host:
        return None
    if own.segments == other.segments:
        return _step_in_query(own.query, other.query)
    if own.query != other.query:
        return None
    return _step_in_path(own.segments, other.segments)


def _parts(address: str) -> _Address | None:
    """Return the parts of a web address; None for any other."""
    parts = split_address(address)
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc:
        return None
    host = parts.netloc.lower().removeprefix("www.")
    asked = parse_qsl(parts.query, keep_blank_values=True)
    is_path = bool(asked) and not asked[0][1]  # forums: index.php?/topic/7-ferry/page/2/
    path = f"{parts.path}/{asked[0][0]}" if is_path else parts.path
    segments = tuple(filter(None, _ENDING.sub("", path).split("/")))
    query = {key: text for key, text in asked[is_path:] if not _NOT_ASKED.fullmatch(key)}
    return _Address(host, segments, query)


def _step_in_query(own: Mapping[str, str], other: Mapping[str, str]) -> int | None:
    """Return the number of the next page if one key of the query counts pages or entries."""
    changed = {key for key in {**own, **other} if own.get(key) != other.get(key)}
    if len(changed) != 1:
        return None
    (key,) = changed
    before, after = own.get(key, ""), other.get(key, "")
    new, old = whole_number(after), whole_number(before or "1")
    if new is None or old is None:
        return None
    if _PAGE_KEYS.fullmatch(key) and not _WIDGET_KEY.fullmatch(key):
        follows = new in _SECOND if not before else new == old + 1
        return (2 if not before else new) if follows and new <= _MOST_PAGES else None
    if _OFFSET_KEYS.fullmatch(key):
        old = old if before else 0
        return 2 if new > old and (before or new <= _MOST_PAGES) else None
    return None


def _step_in_path(own: tuple[str, ...], other: tuple[str, ...]) -> int | None:
    """Return the number of the next page if the paths differ by it alone."""
    if other[: len(own)] == own and own:  # appended: /story/2, /story/page/2
        step = _STEP.fullmatch("-".join(other[len(own) :]))
        is_month = bool(_YEAR.match(own[-1])) or (step is not None and step[1].startswith("0"))
        return 2 if step and whole_number(step[1]) in _SECOND and not is_month else None
    if len(own) != len(other):
        return None
    places = [n for n, (a, b) in enumerate(zip(own, other, strict=True)) if a != b]
    if len(places) != 1:
        return None
    before, after = own[places[0]], other[places[0]]
    if after.startswith(before):  # /story, /story-2
        step = _STEP.fullmatch(after[len(before) :])
        is_longer_number = before[-1:].isdigit() and after[len(before)].isdigit()
        return 2 if step and whole_number(step[1]) == 2 and not is_longer_number else None
    is_month = places[0] > 0 and bool(_YEAR.match(own[places[0] - 1]))
    return None if is_month else _counted_on(before, after)


def _counted_on(before: str, after: str) -> int | None:
    """Return the number of the next page if two texts differ in one number, which counts on."""
    if _NUMBERS.sub("#", before) != _NUMBERS.sub("#", after):
        return None
    numbers = zip(_NUMBERS.findall(before), _NUMBERS.findall(after), strict=True)
    changed = [(a, b) for a, b in numbers if a != b]
    if len(changed) != 1 or any(text.startswith("0") for text in changed[0]):
        return None
    old, new = map(whole_number, changed[0])
    if old is None or new is None:
        return None
    return new if new == old + 1 and new <= _MOST_PAGES else None
