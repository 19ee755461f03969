"""Where the page's text agrees with its metadata: publishers, keywords, description, images."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from posixpath import basename
from urllib.parse import unquote, urlsplit

import numpy as np
from babel.core import get_global
from babel.dates import get_timezone

from structce.arrays import Flags, Floats
from structce.features.class_names import meanings
from structce.features.cues import page_cues, joined_words, joined_texts, share_of_text, with_digit
from structce.features.landmarks import (
    block_texts,
    heading_region,
    headline_parts,
    is_running,
    main_mask,
)
from structce.features.registry import feature, once_a_page
from structce.language import (
    PICTURE_CREDIT,
    EMAIL,
    NOTHING,
    WrittenDates,
    language_code,
    locale,
    normalise,
    parse_iso,
    parse_timestamp,
    parse_written_dates,
    split_byline,
    strip_byline_prefix,
    split_words,
)
from structce.metadata import Metadata, stated_authors
from structce.page import Page
from structce.text_index import Span, TextIndex

_LIKENESS = (0.3, 0.5, 0.7, 0.85, 0.95)
_LEAST_STATED = 3  # letters of a stated publisher or keyword that is looked for
_LEAST_BLOCK = 20  # letters of a block that may be the description
_FILE_NAME = 8  # characters of an image's name; shorter ones are the same in many places


@feature("task", source="Spengler et al. (2010)")
def publisher_cue(page: Page) -> Flags:
    """Region names the publisher as stated: bylines of agencies and staff, footers."""
    return publisher_match(page) > 0


@feature("task", bins=_LIKENESS)
def publisher_match(page: Page) -> Floats:
    """Longest stated publisher's name found in the region, as a share of the region's text."""
    stated = map(joined_words, page.metadata.publishers)
    return share_of_text(page, {name for name in stated if len(name) >= _LEAST_STATED})


@feature("task", source="schema.org")
def keyword_match(page: Page) -> list[str | None]:
    """Text that is a stated ``keyword`` of the page, or the ``section`` it belongs to.

    Keywords stand in lists of topics below the article, the section above the headline.
    """
    kinds = {"section": page.metadata.sections, "keyword": page.metadata.keywords}
    stated = {key: kind for kind, texts in kinds.items() for text in texts if (key := joined_words(text))}
    known = {key: kind for key, kind in stated.items() if len(key) >= _LEAST_STATED}
    return [known.get(text) for text in joined_texts(page)]


@feature("task", bins=_LIKENESS)
def description_match(page: Page) -> Floats:
    """Share of the block's letters that stand in the page's description: standfirsts."""
    stated = normalise(page.metadata.description)
    texts = block_texts(page)
    found = {text: _common_start(text, stated) for text in set(texts) if len(text) >= _LEAST_BLOCK}
    return np.array([found.get(text, 0.0) for text in texts], dtype=np.float64)


def _common_start(text: str, stated: str) -> float:
    """Return how much of a text is found in another: all, or its first letters."""
    if not stated:
        return 0.0
    if text in stated:
        return 1.0
    length = next((n for n, (a, b) in enumerate(zip(text, stated, strict=False)) if a != b), 0)
    return length / len(text)


@feature("task")
def stated_image(page: Page) -> Flags:
    """Image whose file name is that of an image stated for the page."""
    stated = {name for url in page.metadata.images if len(name := _file_name(url)) >= _FILE_NAME}
    found = np.zeros(len(page), dtype=bool)
    for i in np.flatnonzero(page.is_media).tolist() if stated else ():
        values = "\n".join(page.attributes[i].values())
        joined_words = unquote(values) if "%" in values else values
        found[i] = any(name in joined_words for name in stated)
    return found


def _file_name(url: str) -> str:
    try:
        return basename(unquote(urlsplit(url).path))
    except ValueError:
        return ""


_NAME_LIKENESS = (0.3, 0.5, 0.7, 0.85, 0.95)
_INSIDE = range(4, 61)  # letters of a name that is looked for inside a text
_LEAST_EXACT = 2  # letters of a name that may be all of a text: AP
_PART = 3  # letters of a first or last name that may be all of a text
_NAME_WORDS = range(2, 6)  # words of a person's name that makes an address


@feature("task", bins=_NAME_LIKENESS)
def author_match(page: Page) -> Floats:
    """Longest stated author's name found in the region, as a share of the region's text."""
    return share_of_text(page, {n for a in page.metadata.authors if len(n := joined_words(a)) in _INSIDE})


@dataclass(frozen=True)
class _Stated:
    """What stated authors may look like in text.

    Parameters
    ----------
    forms
        How whole texts write a name, by their letters.
    names
        Names that are looked for inside a text.
    addresses
        What may stand before the ``@`` in the address of a stated name.
    accounts
        The same of addresses that are stated instead of names.
    """

    forms: dict[str, str]
    names: list[str]
    addresses: set[str]
    accounts: set[str]


@feature("task")
def author_form(page: Page) -> list[str | None]:
    """How a text names a stated author: ``exact``, with ``by``, ``reversed``, ``initials``, ...

    Also a first or last name alone, ``part``, the name and more, ``inside``, and an address made of
    the name, ``email``. Metadata and byline seldom write a name in quite the same way.
    """
    if not page.metadata.authors:
        return [None] * len(page)
    stated = _stated(page.metadata.authors)
    code = language_code(page.lang)
    rows = zip(page.text, joined_texts(page), page_cues(page), strict=True)
    return [_form(text, key, cues, stated, code) for text, key, cues in rows]


def _form(text: str, key: str, cues: frozenset[str], stated: _Stated, code: str) -> str | None:
    if key in stated.forms:
        return stated.forms[key]
    if "author-cue" in cues and joined_words(strip_byline_prefix(text, code)) in stated.forms:
        return "by"
    shown = {_account(address) for address in EMAIL.findall(text)} if "email-cue" in cues else set()
    if not stated.addresses.isdisjoint(shown):
        return "email"
    if any(name in key for name in stated.names):
        return "inside"
    return "email" if stated.accounts and not stated.accounts.isdisjoint(_made(text)) else None


def _stated(authors: Iterable[str]) -> _Stated:
    stated = _Stated({}, [], set(), {_account(author) for author in authors if "@" in author})
    for author in authors:
        for name in split_byline(author) if "@" not in author else ():
            _add(stated, split_words(name))
    return stated


def _add(stated: _Stated, parts: tuple[str, ...]) -> None:
    """Add the ways to write a name; of two authors the first keeps a way that both have."""
    full = "".join(parts)
    if len(full) < _LEAST_EXACT:
        return
    stated.forms[full] = "exact"
    stated.names.extend([full] if len(full) in _INSIDE else [])
    if len(parts) < 2:
        return
    first, last = parts[0], parts[-1]
    stated.forms.setdefault(last + "".join(parts[:-1]), "reversed")
    stated.forms.setdefault(first[0] + last, "initials")
    stated.forms.setdefault("".join(part[0] for part in parts[:-1]) + last, "initials")
    for piece in (first, last):
        if len(piece) >= _PART:
            stated.forms.setdefault(piece, "part")
    stated.addresses.update((first, last, last + first[0]), _made(" ".join(parts)))


def _made(name: str) -> set[str]:
    """Return what may stand before the ``@`` in the address of a person of that name."""
    parts = split_words(name)
    if len(parts) not in _NAME_WORDS:
        return set()
    first, last = parts[0], parts[-1]
    return {first[0] + last, first + last, last + first, "".join(parts)}


def _account(address: str) -> str:
    return joined_words(address.split("@")[0])


_MOST_ZONES = 4  # time zones of a country whose clocks are tried; our choice
_YEARS = range(1900, 2200)  # a system without a date states the year 1


@once_a_page
def shown_moments(page: Page) -> list[WrittenDates]:
    """Return the days and times that each short text shows."""
    code = language_code(page.lang)
    found = [NOTHING] * len(page)
    for i in with_digit(page):
        found[i] = parse_written_dates(page.text[i], code)
    return found


@feature("task")
def published_match(page: Page) -> list[str | None]:
    """What of the stated moment of publication a text shows: its ``day``, ``day-time``, ``time``.

    In digits or names of months, in the statement's time zone, in UTC, in one that the page uses
    elsewhere, or in that of the language's country. ``other`` where a text shows another day: the
    date of another article.
    """
    return _agreements(page, page.metadata.published_dates)


@feature("task")
def modified_match(page: Page) -> list[str | None]:
    """What of the stated moment of the last change a text shows, as for the publication."""
    return _agreements(page, page.metadata.modified_dates)


def _agreements(page: Page, stated: Sequence[str]) -> list[str | None]:
    parsed = (parse_timestamp(text) for text in stated)
    moments = [one for one in parsed if one is not None and one.year in _YEARS]
    if not moments:
        return [None] * len(page)
    zones = _zones(page) | set(country_zones(page.lang))
    usual = _local(moments, zones)
    found: list[str | None] = []
    for one in shown_moments(page):
        if one is NOTHING:
            found.append(None)
        elif one.offset is None:
            found.append(_agreement(one, usual))
        else:
            named = timezone(timedelta(minutes=one.offset))
            found.append(_agreement(one, _local(moments, {named})))
    return found


def _zones(page: Page) -> set[tzinfo]:
    """Return UTC and the time zones of all moments that the page states."""
    texts = (*page.metadata.dates, *page.metadata.times)
    found = (parse_iso(text) for text in texts)
    offsets = {moment.utcoffset() for moment in found if moment is not None}
    return {UTC, *(timezone(offset) for offset in offsets if offset is not None)}


@lru_cache(maxsize=64)
def country_zones(tag: str) -> tuple[tzinfo, ...]:
    """Return the time zones of the country of a language tag; none of a country of many.

    Without a country it is the one where most people speak the language, by the CLDR.
    """
    known = locale(tag)
    likely = get_global("likely_subtags").get(language_code(tag), "").split("_")[-1]
    territory = known.territory if known is not None and known.territory else likely
    names = get_global("territory_zones").get(territory, ())
    return tuple(map(get_timezone, names)) if len(names) <= _MOST_ZONES else ()


def _local(moments: Iterable[datetime], zones: set[tzinfo]) -> set[datetime]:
    """Return what calendars and clocks show at some moments; as stated without a time zone."""
    local = {moment for moment in moments if moment.tzinfo is None}
    aware = [moment for moment in moments if moment.tzinfo is not None]
    return local | {one.astimezone(zone).replace(tzinfo=None) for one in aware for zone in zones}


def _agreement(one: WrittenDates, local: set[datetime]) -> str | None:
    days = {
        moment
        for moment in local
        for year, month, day in one.days
        if (month, day) == (moment.month, moment.day) and year in (0, moment.year)
    }
    if days:
        return "day-time" if any((m.hour, m.minute) in one.clocks for m in days) else "day"
    if one.days:
        return "other"
    return "time" if any((m.hour, m.minute) in one.clocks for m in local) else None


@feature("task")
def date_match(page: Page) -> list[str | None]:
    """Region shows the numbers of a stated date: day, month and year, or day and year."""
    stated = (parse_iso(text) for text in page.metadata.dates)
    days = {moment.date() for moment in stated if moment is not None}
    return [_numbers_match(one.numbers, days) for one in shown_moments(page)]


def _numbers_match(numbers: frozenset[int], days: set[date]) -> str | None:
    kind = None
    for day in days if numbers else ():
        if day.day in numbers and {day.year, day.year % 100} & numbers:
            if day.month in numbers:
                return "full"
            kind = "day-year"
    return kind


@feature("task")
def stated_time(page: Page) -> list[str | None]:
    """Region in a ``time`` element: whether its moment is one that the page states for itself."""
    moments = {m.date() for text in page.metadata.dates if (m := parse_iso(text)) is not None}
    elements = page.elements
    own: list[str | None] = []
    rows = zip(elements.tag, elements.parent.tolist(), elements.attributes, strict=True)
    for tag, parent, row in rows:
        kind = own[parent] if parent >= 0 else None
        if tag == "time":
            moment = parse_iso(row.get("datetime", ""))
            known = moment is not None and moment.date() in moments
            kind = "stated" if known else "other"
        own.append(kind)
    return [own[i] for i in page.element.tolist()]


_LONG_TEXT = 250  # characters of a region; a longer one is no byline
_MOST_AUTHORS = 12
_LEAST_NAME, _LEAST_HEADLINE, _LEAST_DESCRIPTION = 4, 8, 25  # letters; shorter ones stand anywhere
_BEGINNING = 60  # letters of a description by which a standfirst that ends otherwise is found

Names = list[frozenset[str]]
Place = tuple[int, ...]


@once_a_page
def text_index(page: Page) -> TextIndex:
    """Return the page's normalised text with the way back to regions."""
    return TextIndex(page)


@once_a_page
def article_frame(page: Page) -> tuple[int, int]:
    """Return the first region of the article, its headline, and the last of its running text.

    The whole page where there is no running text.
    """
    running = np.flatnonzero(main_mask(page) & is_running(page))
    if not len(running):
        return 0, max(len(page) - 1, 0)
    first, last = int(running[0]), int(running[-1])
    heading = heading_region(page)
    return (min(heading, first) if 0 <= heading <= last else first), last


def article_distance(page: Page, i: int) -> int:
    """Return how far a region is from the article: above it in regions, below it twice that."""
    first, last = article_frame(page)
    return first - i if i < first else 2 * max(0, i - last) + (i > last)


def inside(page: Page, *tags: str) -> Flags:
    """Return which regions lie in an element of one of the names, shape (n_regions,)."""
    return page.elements.lineage([tag in tags for tag in page.elements.tag])[page.element]


@once_a_page
def in_figure(page: Page) -> Flags:
    """Return which regions lie in a figure, shape (n_regions,)."""
    return inside(page, "figure", "figcaption")


@feature("task")
def author_place(page: Page) -> Names:
    """Where a stated author's name stands: the best place, or another one.

    ``whole`` where the region says little else, ``part`` where first and last name are apart. A
    stated name right at the article is a byline; the same name elsewhere rarely is.
    """
    found: list[set[str]] = [set() for _ in range(len(page))]
    for kind, names in zip(("person", "publisher"), stated_authors(page.metadata), strict=True):
        for name in names[:_MOST_AUTHORS]:
            if len(normalise(name)) >= _LEAST_NAME:
                _mark_author(page, kind, name, found)
    return [frozenset(names) for names in found]


def _mark_author(page: Page, kind: str, name: str, found: Sequence[set[str]]) -> None:
    letters = len(normalise(name))
    for n, regions in enumerate(_places(page, name, lambda i: _byline_cost(page, i))):
        rank = "again" if n else "best"
        for i in regions:
            share = letters / max(len(normalise(page.text[i])), 1)
            form = "part" if len(regions) > 1 else "whole" if share >= 0.6 else "in"
            found[i] |= {f"{kind}:{rank}", f"{kind}:{rank}:{form}"}


def _byline_cost(page: Page, i: int) -> float:
    named = {name.lstrip("^") for name in meanings(page)[i]}
    credit = PICTURE_CREDIT.search(page.text[i]) is not None
    return 20.0 * credit + 20.0 * bool(in_figure(page)[i]) - 15.0 * ("author" in named)


def _places(page: Page, text: str, extra: Callable[[int], float]) -> list[Place]:
    """Return where a short text stands, the best place first."""
    index = text_index(page)
    costs: dict[Place, float] = {}
    for span in index.find(text):
        overlaps = list(index.overlapping(span))
        if overlaps and all(len(page.text[i]) <= _LONG_TEXT for i, _ in overlaps):
            regions = tuple(i for i, _ in overlaps)
            beside = sum(len(page.text[i]) * (1 - share) for i, share in overlaps)
            costs[regions] = article_distance(page, regions[0]) + beside / 20 + extra(regions[0])
    return sorted(costs, key=lambda regions: (costs[regions], regions))


@feature("task")
def headline_place(page: Page) -> Names:
    """Where a stated headline stands: the best place, inside the best, or another one.

    Headlines cut into a kicker and a title are found as one. What is stated twice, in a breadcrumb
    and above the text, is the title only at the latter.
    """
    found: list[set[str]] = [set() for _ in range(len(page))]
    scores = _headline_scores(page)
    best = max(scores, key=lambda regions: scores[regions], default=())
    for regions in scores:
        rank = "best" if regions == best else "inside" if set(regions) <= set(best) else "again"
        for n, i in enumerate(regions):
            part = "one" if len(regions) == 1 else "more" if n else "first"
            found[i] |= {rank, f"{rank}:{part}"}
    return [frozenset(names) for names in found]


def _headline_scores(page: Page) -> dict[Place, float]:
    """Return how likely each place of a stated headline is the title."""
    index = text_index(page)
    parts = {part for stated in page.metadata.headlines for part in headline_parts(stated)}
    wanted = {key: part for part in sorted(parts) if len(key := normalise(part)) >= _LEAST_HEADLINE}
    scores: dict[Place, float] = {}
    for key, part in wanted.items():
        for span in index.find(part):
            if regions := tuple(index.regions(span)):
                score = _title_score(page, index, span, regions[0]) + min(len(key), 60) / 30
                scores[regions] = max(scores.get(regions, score), score)
    return scores


def _title_score(page: Page, index: TextIndex, span: Span, i: int) -> float:
    first, last = article_frame(page)
    h1, h2, listed, linked = _title_marks(page)
    score = 4.0 * h1[i] + 2.0 * h2[i] - 2.0 * listed[i] - 1.0 * linked[i]
    score += 1.0 * index.fills_block(span) + float(page.styles["font-size"][i]) / 16
    return float(score + 2.0 * (i <= last) - abs(i - first) / 50)


@once_a_page
def _title_marks(page: Page) -> list[Flags]:
    listed = inside(page, "nav", "footer", "li")
    return [inside(page, "h1"), inside(page, "h2"), listed, inside(page, "a")]


@feature("task")
def description_place(page: Page) -> Names:
    """Where a stated description stands: the place nearest to the article, or another one.

    Publishers state the standfirst, or the first paragraph, as the page's description.
    """
    found: list[set[str]] = [set() for _ in range(len(page))]
    for stated in _descriptions(page.metadata):
        places = [regions for span in _starts(page, stated) if (regions := _covered(page, span))]
        places.sort(key=lambda regions: article_distance(page, regions[0]))
        for n, regions in enumerate(places):
            for i in regions:
                found[i].add("again" if n else "best")
    return [frozenset(names) for names in found]


def _descriptions(metadata: Metadata) -> list[str]:
    names = ("og:description", "description")
    contents = [text for name in names for text in metadata.meta.get(name, ())]
    return list(dict.fromkeys([*contents, *metadata.linked("description")]))


def _starts(page: Page, stated: str) -> list[Span]:
    """Return where a description stands, or else where its beginning does."""
    index, letters = text_index(page), normalise(stated)
    if len(letters) < _LEAST_DESCRIPTION:
        return []
    if spans := index.find(stated):
        return spans
    start = index.text.find(letters[:_BEGINNING])
    return [Span(start, start + len(letters[:_BEGINNING]))] if start >= 0 else []


def _covered(page: Page, span: Span) -> list[int]:
    return [i for i, _ in text_index(page).overlapping(span)]


_LONG = 150  # characters; a longer text is no date line
_MINUTE = 61  # seconds within which two moments are one
_NEAR = 12  # cost of a place that belongs to the article's frame
_DAYS = ("day", "day-time")

Moments = Sequence[datetime]


@feature("task")
def attribute_match(page: Page) -> Names:
    """Whether the ``time`` element around a region states the moment of publication, or change.

    To the minute, or its day; ``only`` where it is one of the two: the date of an update is not
    that of publication, though a text may show both alike.
    """
    return _attribute_matches(page)


@once_a_page
def _attribute_matches(page: Page) -> Names:
    stated = {
        "published": _moments(page.metadata.published_dates),
        "modified": _moments(page.metadata.modified_dates),
    }
    own: Names = []
    elements = page.elements
    rows = zip(elements.tag, elements.parent.tolist(), elements.attributes, strict=True)
    for tag, parent, row in rows:
        moment = parse_iso(row["datetime"]) if tag == "time" and row.get("datetime") else None
        above = own[parent] if parent >= 0 else frozenset[str]()
        own.append(_matches(moment, stated) if moment is not None else above)
    return [own[i] for i in page.element.tolist()]


def _moments(stated: Sequence[str]) -> Moments:
    return [moment for text in stated if (moment := parse_timestamp(text)) is not None]


def _matches(moment: datetime, stated: Mapping[str, Moments]) -> frozenset[str]:
    found = {f"{name}:{kind}" for name, all_ in stated.items() if (kind := _kind(moment, all_))}
    exact = {name.split(":")[0] for name in found if name.endswith(":minute")}
    return frozenset(found | {f"only-{name}" for name in exact if len(exact) == 1})


def _kind(moment: datetime, stated: Moments) -> str:
    """Return ``minute`` where a moment is stated, ``day`` where its day is, else nothing."""
    kinds = {_date_agreement(moment, other) for other in stated}
    return next((kind for kind in ("minute", "day") if kind in kinds), "")


def _date_agreement(one: datetime, other: datetime) -> str:
    if one.tzinfo is None or other.tzinfo is None:
        one, other = one.replace(tzinfo=None), other.replace(tzinfo=None)
    if abs((one - other).total_seconds()) < _MINUTE:
        return "minute"
    return "day" if one.date() == other.date() else ""


@feature("task")
def date_place(page: Page) -> Names:
    """Whether the region is the best place of the stated date of publication, or another one.

    The best is near the article, short, shows the minute too, and is not the date of a change.
    """
    costs = _costs(page)
    shown, attributes = published_match(page), _attribute_matches(page)
    found: Names = [frozenset()] * len(page)
    for n, i in enumerate(sorted(costs, key=lambda i: (costs[i], i))):
        rank = "again" if n else "best"
        exact = shown[i] == "day-time" or "published:minute" in attributes[i]
        names = {rank, f"{rank}:{'exact' if exact else 'day'}"}
        names.add(f"{rank}:{'near' if costs[i] < _NEAR else 'far'}")
        found[i] = frozenset(names | ({"second"} if n == 1 else set()))
    return found


def _costs(page: Page) -> dict[int, float]:
    """Return what speaks against each region that may be the date line; the weights are ours."""
    published, modified = published_match(page), modified_match(page)
    attributes, named = _attribute_matches(page), meanings(page)
    costs: dict[int, float] = {}
    for i, kinds in enumerate(attributes):
        shows = published[i] in _DAYS
        states = not kinds.isdisjoint(("published:minute", "published:day"))
        if (shows or states) and 0 < len(page.text[i]) <= _LONG:
            cost = article_distance(page, i) + len(page.text[i]) / 40
            cost -= 2 * (published[i] == "day-time" or "published:minute" in kinds)
            cost += 2 * (modified[i] == "day-time" and published[i] == "day")
            cost += 4 * (not shows) - 3 * (not named[i].isdisjoint(("date", "^date")))
            costs[i] = cost
    return costs
