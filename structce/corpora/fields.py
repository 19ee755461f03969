"""Where a headline, an author, a date and an image stand on a page.

Each value may be on the page several times: in a breadcrumb, in related links, below the text.
One place is chosen, by rules that look at mark-up and position; the weights are our choice.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from datetime import date, datetime, timedelta
from posixpath import basename
from urllib.parse import unquote, urlsplit

from rapidfuzz import fuzz

from structce.bylines import CREDIT
from structce.dates import find_dates, parse_iso
from structce.page import Page
from structce.text import fold_digits, normalise
from structce.text_index import Span, TextIndex

_HEADLINE = 88.0  # least similarity of an h1 with a headline that is not on the page verbatim
_BYLINE = re.compile(r"author|byline|autor|verfasser|redakt|writer|contributor", re.IGNORECASE)
_LONG_AUTHOR, _LONG_DATE = 250, 150  # characters; a longer region is no byline, no date line
_ADDRESS = re.compile(r"(?:https?:)?//[^\s\"'<>]+|[^\s\"'<>,]*/[^\s\"'<>,]+")
_MIN_NAME = 10  # characters of an image's file name that tell it from others


def find_title(index: TextIndex, title: str, body: int | None) -> tuple[Span | None, bool]:
    """Return where the headline of the page stands, and whether only a similar text does.

    Parameters
    ----------
    body
        Place of the first body text, if one was found: the headline is mostly above it.
    """
    whole = [span for span in index.find(title) if index.regions(span)]
    if whole:
        return max(whole, key=lambda span: _title_score(index, span, body)), False
    wanted = normalise(title)
    for span in _headings(index):
        heading = index.text[span.start : span.end]
        if fuzz.ratio(wanted, heading) >= _HEADLINE:
            return span, True
    return None, False


def _title_score(index: TextIndex, span: Span, body: int | None) -> float:
    page = index.page
    first = index.regions(span)[0]
    tags = {page.elements.tag[i] for i in page.elements.ancestors(int(page.element[first]))}
    score = 4.0 * ("h1" in tags) + 2.0 * ("h2" in tags) + 1.0 * index.fills_block(span)
    score -= 2.0 * bool(tags & {"nav", "footer", "li"}) + 1.0 * ("a" in tags)
    score += float(page.styles["font-size"][first]) / 16
    if body is not None:
        score += 2.0 if span.start < body else 0.0
        score -= abs(body - span.end) / max(len(index.text), 1)
    return score


def _headings(index: TextIndex) -> Iterator[Span]:
    """Yield the spans of the page's ``h1`` elements."""
    page = index.page
    spans: dict[int, Span] = {}
    for i, element in enumerate(page.element):
        for above in page.elements.ancestors(int(element)):
            if page.elements.tag[above] == "h1":
                start = spans[above].start if above in spans else index.starts[i]
                spans[above] = Span(start, index.starts[i + 1])
    yield from spans.values()


def find_author(
    index: TextIndex, name: str, within: tuple[int, int], taken: Container[int]
) -> int | None:
    """Return the region of the byline that names an author, or None.

    Parameters
    ----------
    within
        First and last region of headline and text; a byline stands among or near them.
    taken
        Regions that have another label.
    """
    best, least = None, float("inf")
    for span in index.find(name):
        for i, _ in index.overlapping(span):
            text = index.page.text[i]
            if i in taken or len(text) > _LONG_AUTHOR:
                continue
            cost = _distance(i, within) + (len(text) - len(name)) / 20
            cost += 20 * bool(CREDIT.search(text)) + 20 * _in_figure(index.page, i)
            cost -= 15 * _has_cue(index.page, i)
            if cost < least:
                best, least = i, cost
    return best


def _in_figure(page: Page, i: int) -> bool:
    tags = (page.elements.tag[above] for above in page.elements.ancestors(int(page.element[i])))
    return any(tag in ("figure", "figcaption") for tag in tags)


def _has_cue(page: Page, i: int) -> bool:
    """Return whether attributes of the region's element or the three above speak of a byline."""
    for n, above in enumerate(page.elements.ancestors(int(page.element[i]))):
        attributes = page.elements.attributes[above]
        values = (attributes.get(key, "") for key in ("class", "id", "rel", "itemprop", "href"))
        if any(_BYLINE.search(value) for value in values):
            return True
        if n == 3:
            break
    return False


def _distance(i: int, within: tuple[int, int]) -> float:
    """Return how many regions lie between a region and the text; less weight above than below."""
    first, last = within
    return (first - i) if i < first else max(0, i - last) * 2 + (i > last)


def find_date(
    page: Page, moment: date, within: tuple[int, int], taken: Container[int]
) -> int | None:
    """Return the region that shows the day of publication, or None.

    A moment given in UTC may show as the day before or after, in the publisher's own time.
    """
    days = _days(moment)
    near = days[0]
    best, least = None, float("inf")
    for i, text in enumerate(page.text):
        if i in taken or not text or len(text) > _LONG_DATE:
            continue
        if not any(c.isdigit() for c in text):
            continue
        shown = _shown_days(text, days, page.lang, near)
        stated = _stated_days(page, i)
        day = next((day for day in days if day in shown or day in stated), None)
        if day is None:
            continue
        cost = _distance(i, within) + len(text) / 40 + 3 * days.index(day) + 4 * (day not in shown)
        if cost < least:
            best, least = i, cost
    return best


def _days(moment: date) -> list[date]:
    """Return the calendar days that a day or moment may show as, its own first."""
    if not isinstance(moment, datetime):
        return [moment]
    days = [moment.date()]
    if moment.utcoffset() == timedelta(0):
        days += [(moment + timedelta(hours=hours)).date() for hours in (13, -10)]
    return list(dict.fromkeys(days))


def _shown_days(text: str, days: list[date], lang: str, near: date) -> set[date]:
    """Return the days that a text shows, if the number of one looked for is in it."""
    numbers = {int(n) for n in re.findall(r"\d{1,4}", fold_digits(text))}
    if not any(day.day in numbers for day in days):
        return set()
    return {moment.date() for moment in find_dates(text, lang, near=near)}


def _stated_days(page: Page, i: int) -> set[date]:
    """Return the days that ``time`` elements around a region state."""
    rows = [
        page.elements.attributes[above]
        for above in page.elements.ancestors(int(page.element[i]))
        if page.elements.tag[above] == "time"
    ]
    moments = (parse_iso(row.get("datetime", "")) for row in rows)
    return {moment.date() for moment in moments if moment is not None}


def find_images(page: Page, addresses: tuple[str, ...]) -> list[int]:
    """Return the first image region whose attributes hold one of the addresses."""
    wanted = {_path(address) for address in addresses} - {""}
    names = {name for path in wanted if len(name := basename(path)) >= _MIN_NAME}
    by_name: list[int] = []
    for i in range(len(page)):
        if not page.is_media[i]:
            continue
        paths = {_path(address) for address in _addresses(page, i)}
        if paths & wanted:
            return [i]
        if {basename(path) for path in paths} & names:
            by_name.append(i)
    return by_name[:1]


def _addresses(page: Page, i: int) -> Iterator[str]:
    for value in page.attributes[i].values():
        if "/" in value and len(value) < 5000:
            yield from _ADDRESS.findall(unquote(value))


def _path(address: str) -> str:
    """Return the path of an address without host, query and size suffixes of file names."""
    try:
        path = unquote(urlsplit(address).path)
    except ValueError:
        return ""
    return re.sub(r"-\d+x\d+(?=\.\w+$)", "", path).rstrip(",")
