"""Single values on a page: its headline, authors and day, its images and their captions.

Each may occur in several places: in the breadcrumb, among related links, in the bar that repeats
the headline. Evidence for and against each place is summed, and the best place wins; places that
are nearly as good are its rivals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import islice
from posixpath import basename
from urllib.parse import unquote

import numpy as np
from rapidfuzz import fuzz

from structce.addresses import split_address
from structce.alignment.location import (
    NOT_FOUND,
    Location,
    find_similar,
    lines_of_blocks,
    tags_around,
    text_distance,
)
from structce.gold import EXACT, MENTIONED, READ, SIMILAR
from structce.language import (
    PICTURE_CREDIT,
    calendar,
    date_tokens,
    find_dates,
    fold_digits,
    language_code,
    normalise,
    parse_iso,
    strip_byline_prefix,
)
from structce.page import Page, Span, TextIndex, site_of

_HEADLINE_LIKENESS = 88.0  # per cent, of a heading and a headline that is not found verbatim
_SITE = re.compile(r"\s[|–—\-•·:»/]{1,2}\s")  # separates the site's name in a window's title
_MIN_PART = 12  # characters of a window's title without the site's name
_TITLE_MARGIN = 1.0  # a place whose score is within this of the best is a rival
_NO_HEADLINE = frozenset({"nav", "footer", "li", "aside"})

Costs = dict[tuple[int, ...], float]
"""Cost of each place, given by its regions: distance from the text, and other evidence."""

_BYLINE = re.compile(r"author|byline|autor|verfasser|redakt|writer|contributor", re.IGNORECASE)
_MAX_BYLINE = 250  # characters; a longer region is a paragraph that names somebody
_NAME_SUFFIX = re.compile(r"\s*[(\[|].*$")
_REVERSED = re.compile(r"^([^\d,]+),\s*([^\d,]+)$")
_NAMES = ("class", "id", "rel", "itemprop", "href")
_NAME_LIKENESS, _MIN_LETTERS = 92.0, 8  # per cent; least letters of a name that may be misspelt
_MAX_INTRODUCTION = 30  # characters of "Text und Recherche:" and the like
_MAX_AROUND = 100  # letters and digits beside a name in a byline: a place, a date, a role
_FAR = 25.0  # cost of a place, in regions, above which a name belongs to another article
_MORE = re.compile(  # heading of a list of further articles
    r"\b(?:more|all \w+|posts?|view all) (?:by|from)\b|\b(?:mehr|alle \w+) von\b|\bplus de\b"
    r"|\bmás de\b",
    re.IGNORECASE,
)
_MARGIN = 3.0  # regions; a place whose cost is within this of the best is a rival

_ADDRESS = re.compile(r"(?:https?:)?//[^\s\"'<>]+|[^\s\"'<>,]*/[^\s\"'<>,]+")
_MIN_NAME = 10  # least characters of an image's file name that identify it
_NAME_ALONE = 0.8  # score of an image found by its file name, less certain than by its path
_MAX_ADDRESSES = 5_000  # characters of an attribute that is searched


def find_title(index: TextIndex, title: str, body: int | None) -> Location:
    """Return the location of the page's headline.

    The title is looked for verbatim, then without the name of the site; otherwise a similar heading
    is taken. Of several places, tag, size, position and distance from ``body``, the first body
    text, if one was found, decide.
    """
    wanted, score, method = normalise(title), 1.0, EXACT
    spans = _exact_spans(index, title)
    if not spans:  # without its first or last part, which may be the name of the site
        cuts = list(_SITE.finditer(title))
        parts = [title[: cut.start()] for cut in cuts] + [title[cut.end() :] for cut in cuts]
        least, method = max(_MIN_PART, len(wanted) // 2), SIMILAR
        long = [p for p in sorted(parts, key=len, reverse=True) if len(normalise(p)) >= least]
        spans = [span for part in long for span in _exact_spans(index, part)]
        score = max((len(span) / len(wanted) for span in spans), default=0.0)
    if not spans:
        ratios = [(fuzz.ratio(wanted, index.text[s.start : s.end]), s) for s in _headings(index)]
        best_ratio = max((ratio for ratio, _ in ratios), default=0.0)
        if best_ratio < _HEADLINE_LIKENESS:
            return NOT_FOUND
        spans, score = [span for ratio, span in ratios if ratio == best_ratio], best_ratio / 100
    scores = {span: _score(index, span, body) for span in spans}
    best = max(spans, key=scores.__getitem__)
    regions = index.regions(best)
    close = [s for s in spans if s != best and scores[best] - scores[s] < _TITLE_MARGIN]
    rivals = {i for span in close for i in index.regions(span)} - set(regions)
    return Location(tuple(regions), method, score, tuple(sorted(rivals)))


def _exact_spans(index: TextIndex, text: str) -> list[Span]:
    return [span for span in index.find(text) if index.regions(span)]


def _score(index: TextIndex, span: Span, body: int | None) -> float:
    page = index.page
    first = index.regions(span)[0]
    tags = tags_around(page, first)
    score = 4.0 * ("h1" in tags) + 2.0 * ("h2" in tags) + 1.0 * index.fills_block(span)
    score -= 2.0 * bool(tags & _NO_HEADLINE) + 1.0 * ("a" in tags)
    score += float(page.styles["font-size"][first]) / 16
    if body is not None:
        score += 2.0 if span.start < body else 0.0
        score -= abs(body - span.end) / max(len(index.text), 1)
    return score


def _headings(index: TextIndex) -> Iterator[Span]:
    """Yield the spans of the page's ``h1`` and ``h2`` elements."""
    page = index.page
    for tag in ("h1", "h2"):
        spans: dict[int, Span] = {}
        for i, element in enumerate(page.element):
            for above in page.elements.ancestors(int(element)):
                if page.elements.tag[above] == tag:
                    start = spans.get(above, Span(index.starts[i], 0)).start
                    spans[above] = Span(start, index.starts[i + 1])
        yield from spans.values()


def find_author(
    index: TextIndex, name: str, within: tuple[int, int], costs: Mapping[int, float]
) -> Location:
    """Return the regions of the byline that names an author.

    A byline is between or near ``within``, the first and last region of headline and text. The
    costs are those of finding it in a region that has another label, from 0 to infinity.
    """
    mentioned = NOT_FOUND
    plain = strip_byline_prefix(name, language_code(index.page.lang))
    plain = _NAME_SUFFIX.sub("", plain).strip()
    spellings = dict.fromkeys((name, plain, _REVERSED.sub(r"\2 \1", plain)))
    for n, written in enumerate(filter(normalise, spellings)):
        bylines: Costs = {}
        others: Costs = {}
        for span in index.find(written):
            regions = tuple(i for i, _ in index.overlapping(span))
            shared = max(costs.get(i, 0.0) for i in regions)
            cost = shared + _cost(index.page, regions, written, within)
            is_byline = cost < math.inf and _is_likely(index, span, cost)
            (bylines if is_byline else others)[regions] = cost
        if bylines:
            return _cheapest(bylines, EXACT if n == 0 else SIMILAR, 1.0)
        if others and mentioned is NOT_FOUND:
            mentioned = replace(_cheapest(others, MENTIONED, 1.0), rivals=(), touched=())
    likely = _similar_name(index, name, within, costs)
    return mentioned if likely is NOT_FOUND else likely


def _is_likely(index: TextIndex, span: Span, cost: float) -> bool:
    """Return whether a name is likely a byline, by its mark-up or as a short line.

    Without byline mark-up, a name in a sentence, a page's footer or a credit, or far from the text,
    is not a byline; nor is the name of the site.
    """
    page = index.page
    regions = [i for i, _ in index.overlapping(span)]
    if any(len(page.text[i]) > _MAX_BYLINE for i in regions):
        return False
    if _has_byline_cue(page, regions[0]) or _is_introduced(page, regions[0]):
        return True
    if index.block_length(span) > len(span) + _MAX_AROUND or cost > _FAR:
        return False
    tags = tags_around(page, regions[0])
    if "nav" in tags or ("footer" in tags and "article" not in tags):
        return False
    sites = (*page.metadata.meta.get("og:site_name", ()), site_of(page.url).partition(".")[0])
    is_site = index.text[span.start : span.end] in map(normalise, sites)
    return not is_site and not PICTURE_CREDIT.search(" ".join(page.text[i] for i in regions))


def _is_introduced(page: Page, i: int) -> bool:
    """Return whether a region begins with the language's "By", or the one before it is "By"."""
    code, text, before = language_code(page.lang), page.text[i], page.text[i - 1] if i else ""
    if strip_byline_prefix(text, code) != text:
        return True
    is_short = 0 < len(before) <= _MAX_INTRODUCTION
    return is_short and strip_byline_prefix(f"{before} {text}", code) == text


def _cost(page: Page, regions: tuple[int, ...], name: str, within: tuple[int, int]) -> float:
    text = " ".join(page.text[i] for i in regions)
    cost = text_distance(regions[0], within) + (len(text) - len(name)) / 20
    is_in_figure = bool(tags_around(page, regions[0]) & {"figure", "figcaption"})
    cost += 20 * bool(PICTURE_CREDIT.search(text)) + 20 * is_in_figure
    cost += 20 * bool(_MORE.search(text))
    return cost - 15 * _has_byline_cue(page, regions[0])


def _cheapest(
    costs: Costs,
    method: str,
    score: float,
    *,
    never: Container[tuple[int, ...]] = (),
    touched: Iterable[int] = (),
) -> Location:
    """Return the cheapest place; those nearly as cheap are rivals, the others are touched.

    The places ``never`` are rivals; further regions may be touched.
    """
    best = min(costs, key=costs.__getitem__)
    close = {p for p, cost in costs.items() if cost - costs[best] < _MARGIN and p not in never}
    rivals = {i for place in close for i in place} - set(best)
    others = {*touched, *(i for place in costs for i in place)} - rivals - set(best)
    return Location(best, method, score, tuple(sorted(rivals)), tuple(sorted(others)))


def _similar_name(
    index: TextIndex, name: str, within: tuple[int, int], costs: Mapping[int, float]
) -> Location:
    """Return the short region with byline mark-up that contains a name much like the given one."""
    wanted = normalise(name)
    if len(wanted) < _MIN_LETTERS:
        return NOT_FOUND
    cost_of: Costs = {}
    best = 0.0
    for i, text in enumerate(index.page.text):
        if not is_signed(index.page, i):
            continue
        ratio = fuzz.partial_ratio(wanted, normalise(text), score_cutoff=_NAME_LIKENESS)
        if ratio and len(normalise(text)) >= len(wanted) - 1:
            cost = costs.get(i, 0.0) + _cost(index.page, (i,), name, within)
            cost_of |= {(i,): cost} if cost < math.inf else {}
            best = max(best, ratio)
    return _cheapest(cost_of, SIMILAR, best / 100) if cost_of else NOT_FOUND


def is_signed(page: Page, i: int) -> bool:
    """Return whether a region is a short text whose mark-up names a byline."""
    return 0 < len(page.text[i]) <= _MAX_BYLINE and _has_byline_cue(page, i)


def _has_byline_cue(page: Page, i: int) -> bool:
    """Return whether attributes of a region's element or of three above it name a byline."""
    near = islice(page.elements.ancestors(int(page.element[i])), 4)
    rows = (page.elements.attributes[above] for above in near)
    return any(_BYLINE.search(row.get(key, "")) for row in rows for key in _NAMES)


def find_image(page: Page, addresses: tuple[str, ...]) -> Location:
    """Return the first image region whose attributes contain one of the addresses.

    The path of an address must match, but not host and query; otherwise a sufficiently long file
    name.
    """
    wanted = {_path(address) for address in addresses} - {""}
    names = {name for path in wanted if len(name := basename(path)) >= _MIN_NAME}
    by_name: Location = NOT_FOUND
    for i in np.flatnonzero(page.is_media).tolist():
        paths = {
            _path(address)
            for value in page.attributes[i].values()
            if "/" in value and len(value) < _MAX_ADDRESSES
            for address in _ADDRESS.findall(unquote(value))
        }
        if paths & wanted:
            return Location((i,), EXACT, 1.0)
        if by_name is NOT_FOUND and {basename(path) for path in paths} & names:
            by_name = Location((i,), SIMILAR, _NAME_ALONE)
    return by_name


def find_caption(index: TextIndex, text: str, taken: Container[int]) -> Location:
    """Return the location of a caption among the free regions, preferably a whole block."""
    free = [s for s in _exact_spans(index, text) if not any(i in taken for i in index.regions(s))]
    best = max(free, key=index.fills_block, default=None)
    if best is None:
        return find_similar(index, text, Span(0, len(index.text)))
    return Location(tuple(index.regions(best)), EXACT, 1.0)


def _path(address: str) -> str:
    """Return the path of an address without host, query and size suffixes of file names."""
    path = unquote(split_address(address).path)
    return re.sub(r"-\d+x\d+(?=\.\w+$)", "", path).rstrip(",")


# The day of publication

MAX_DATE = 150
"""Characters of a line that shows a date; a longer region is a paragraph that mentions one."""

_DIGIT, _NUMBERS = re.compile(r"\d"), re.compile(r"\d{1,4}")
_NUMERIC = re.compile(r"(?<!\d)(\d{1,2})\s?[./-]\s?(\d{1,2})\s?[./-]\s?(\d{4}|\d{2})(?!\d)")
_STATED = "datetime title content data-datetime data-date data-time data-timestamp".split()
_ORDINAL = re.compile(r"0?(\d{1,2})[^\W\d_]{0,2}")
_CLOCK = re.compile(r"(?<!\d)\d{1,2}\s?[:.h時시点]\s?(\d{2})(?!\d)")
_NO_NUMBER = 6.0  # cost, in regions, of a text without digits: "yesterday", but also "Published"
_OTHER_TIME = 3.0  # worth, in regions, of the right time of day, which is not that of an update
_AROUND = 3  # words between the parts of a date, such as "14 de marzo de 2026"
_MAX_PIECES = 5  # greatest number of regions of a date


def find_date(
    page: Page, moment: date, within: tuple[int, int], costs: Mapping[int, float]
) -> Location:
    """Return the regions that show the day of publication, in whatever notation.

    Recognised are numbers in either order of day and month, a date split into pieces of one line,
    words such as "3 hours ago" if the page states the moment beside them, and moments in UTC on the
    day before or after. Other places that show the day, and the rest of its line, are touched.

    ``within`` are the first and last region of headline and text; ``costs`` are those of finding a
    date in a region that has another label, from 0 to infinity.
    """
    days = [moment]  # on which it may be dated, its own first
    if isinstance(moment, datetime):
        is_utc = moment.utcoffset() == timedelta(0)
        zones = [moment + timedelta(hours=hours) for hours in (0, 13, -10)][: 3 if is_utc else 1]
        days = list(dict.fromkeys(zone.date() for zone in zones))
    cost_of: Costs = {}
    for regions, text in _candidates(page, costs, {str(day.year) for day in days}):
        if any(set(other) <= set(regions) or set(regions) <= set(other) for other in cost_of):
            continue
        written = shown_days(text, days, page.lang)
        in_attributes = {day for i in regions for day in stated_days(page, i)}
        n = next((n for n, day in enumerate(days) if day in written or day in in_attributes), None)
        if n is not None:
            cost = text_distance(regions[0], within) + len(text) / 40 + 3 * n
            cost += _NO_NUMBER * (not _DIGIT.search(text))
            minutes = {int(clock[1]) for clock in _CLOCK.finditer(_NUMERIC.sub("", text))}
            if isinstance(moment, datetime) and minutes:  # nearly all time zones share minutes
                cost += -_OTHER_TIME if moment.minute in minutes else _OTHER_TIME
            shared = max(costs.get(i, 0.0) for i in regions)
            cost_of[regions] = shared + cost + 4 * (days[n] not in written)
    if not cost_of:
        return NOT_FOUND
    best = min(cost_of, key=cost_of.__getitem__)
    # "Published" inside a date's element shows no number, and is no rival.
    worded = {key for key in cost_of if not any(_DIGIT.search(page.text[i]) for i in key)}
    line = np.flatnonzero(page.blocks == page.blocks[best[0]]).tolist()
    return _cheapest(cost_of, READ, 1.0, never=worded, touched=line)


def _candidates(
    page: Page, costs: Mapping[int, float], years: set[str]
) -> list[tuple[tuple[int, ...], str]]:
    """Return short regions, and runs of regions of a line, with their texts.

    Those that show a year come first; otherwise, shorter runs precede longer ones.
    """
    free = [i for i, text in enumerate(page.text) if text and costs.get(i, 0.0) < math.inf]
    runs: list[tuple[int, ...]] = [
        (i,) for i in free if _DIGIT.search(page.text[i]) or "time" in tags_around(page, i)
    ]
    for line in lines_of_blocks(page, free):
        for size in range(2, min(len(line), _MAX_PIECES) + 1):
            starts = range(len(line) - size + 1)
            runs += [tuple(line[start : start + size]) for start in starts]
    texts = [(regions, " ".join(page.text[i] for i in regions)) for regions in runs]
    short = [(regions, text) for regions, text in texts if len(text) <= MAX_DATE]
    return sorted(short, key=lambda pair: not any(year in fold_digits(pair[1]) for year in years))


def shown_days(text: str, days: Sequence[date], lang: str) -> set[date]:
    """Return the dates that a text shows; empty unless it has the number of a given day."""
    folded = fold_digits(text)
    numbers = {int(n) for n in _NUMBERS.findall(folded)}
    if not any(day.day in numbers for day in days):
        return set()
    plain = {*_numeric(folded), *(day for day in days if _spells(folded, day, lang))}
    return plain or {moment.date() for moment in find_dates(text, lang, near=days[0])}


def _spells(text: str, day: date, lang: str) -> bool:
    """Return whether a text has the number of a day, the name of its month and its year together.

    They may be in any order, and in any language, since pages often do not state theirs.
    """
    words = date_tokens(text)
    names = [calendar(code).months for code in dict.fromkeys((language_code(lang), ""))]
    for n, word in enumerate(words):
        if any(day.month in months.get(word, ()) for months in names):
            near = words[max(0, n - _AROUND) : n + _AROUND + 1]
            ordinals = filter(None, map(_ORDINAL.fullmatch, near))  # ``4``, ``04``, ``4th``
            if str(day.year) in near and any(int(number[1]) == day.day for number in ordinals):
                return True
    return False


def _numeric(text: str) -> Iterator[date]:
    """Yield the readings of numeric dates, day first and month first."""
    for match in _NUMERIC.finditer(text):
        first, second, year = (int(part) for part in match.groups())
        year += 2000 if year < 70 else 1900 if year < 100 else 0
        for month, day in ((second, first), (first, second)):
            with suppress(ValueError):
                yield date(year, month, day)


def stated_days(page: Page, i: int) -> set[date]:
    """Return the days stated by attributes of a region's element or of a ``time`` above it."""
    around = page.elements.ancestors(int(page.element[i]))
    elements = [a for n, a in enumerate(around) if n == 0 or page.elements.tag[a] == "time"]
    rows = [page.elements.attributes[element] for element in elements]
    moments = (parse_iso(row[name]) for row in rows for name in _STATED if name in row)
    return {moment.date() for moment in moments if moment is not None}
