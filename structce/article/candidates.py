"""Candidates of title, authors and date: every value that a page offers, with what speaks for it.

A value may stand in regions of the page, in statements of its metadata, or in both; equal values
are one candidate. What speaks for a candidate is a row of numbers, from which boosted trees tell
how likely it is right (:mod:`structce.article.choice`). NaN stands for what is not known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from itertools import repeat
from urllib.parse import urlsplit

import numpy as np
from rapidfuzz import fuzz

from structce.arrays import Floats
from structce.article.evidence import SURROUNDINGS, Evidence, likely_blocks
from structce.language import (
    TIME_OF_DAY,
    find_dates,
    is_update,
    language_code,
    normalise,
    parse_iso,
    split_byline,
    strip_byline_prefix,
)
from structce.statements import (
    SOURCES,
    Statement,
    stated_names,
    stated_titles,
    without_site,
)

_NAN = float("nan")
_MAX_TITLE = 400  # characters of a block that may be a title
_MAX_BYLINE = 200  # characters of a block that may name authors or days
_SHORTEST_BYLINE, _ANNOUNCED = 5, 60  # characters of a region that begins with "By"
_MOST_ANNOUNCED = 3
_PROFILE = re.compile(r"author|autor|/people|/profile|/staff|/user|/member|redakt|journalist")
_HANDLE = re.compile(r"[@_/\\]|\d|\.(?:com|net|org|co|de|info)\b")


@dataclass
class Candidate:
    """One value that a page offers for a field, and where it stands.

    Parameters
    ----------
    value
        As it would be given: a line, a name, or a moment in ISO 8601.
    regions
        Regions that hold it, the most likely first; empty if only metadata states it.
    sources
        Where metadata state it, in order of precedence.
    raw
        The words of the page that it was read from.
    facts
        Numbers that speak for or against it, by name; those that are missing are not known.
    """

    value: str
    regions: tuple[int, ...] = ()
    sources: tuple[str, ...] = ()
    raw: str = ""
    facts: dict[str, float] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """``region`` if the value stands on the page, else the most specific statement's source."""
        return "region" if self.regions else next(iter(self.sources), "")


def rows_of(candidates: Sequence[Candidate], columns: Sequence[str]) -> Floats:
    """Return what speaks for each candidate, shape (n_candidates, n_columns)."""
    rows = np.empty((len(candidates), len(columns)))
    for i, one in enumerate(candidates):
        rows[i] = [*map(one.facts.get, columns, repeat(_NAN))]
    return rows


_REGION = (
    *("p", "p_mean", "rank", "p_best", "place", "from_body", "from_title", "level", "in_link"),
    *("n_chars", "named_author", "named_date", "named_title", "in_time"),
    *(f"in_{name}" for name in SURROUNDINGS),
)
_IS_SOURCE = {f"is_{source}": source for source in SOURCES}
_STATED = (*_IS_SOURCE, "n_sources", "n_stated", "stated_rank")

TITLE_COLUMNS = (
    *_REGION,
    *_STATED,
    *("p_none", "p_paragraph", "p_subtitle", "n_words", "like_window", "in_window", "like_stated"),
    *("like_best", "is_publisher", "n_same", "n_level", "window_share", "is_whole"),
)
"""Columns of the candidates of a title."""

AUTHOR_COLUMNS = (
    *_REGION,
    *_STATED,
    *("is_organisation", "n_words", "capitals", "is_odd", "is_publisher", "in_site"),
    *("leads_to_profile", "has_by", "share_of_line", "n_names", "n_visible", "n_shown"),
    *("is_part", "has_part", "n_persons_stated", "after_body", "p_date", "is_lower"),
)
"""Columns of the candidates of an author."""

DATE_COLUMNS = (
    *_REGION,
    *_STATED,
    *("is_modified", "is_only_modified", "n_days", "after_first", "before_last", "from_published"),
    *("has_clock", "is_update", "share_of_line", "n_shown", "after_body", "from_likeliest"),
)
"""Columns of the candidates of a date."""


def title_candidates(evidence: Evidence) -> list[Candidate]:
    """Return the lines that may be the page's title: likely blocks, headings, and statements."""
    found: dict[str, Candidate] = {}
    p = evidence.probability("Title")
    blocks = likely_blocks(evidence, p, least=0.01, n_most=6)
    headings = np.flatnonzero(evidence.level[evidence.starts] == 1).tolist()
    for rank, block in enumerate(dict.fromkeys([*blocks, *headings[:4]])):
        for regions in _title_parts(evidence, p, block):
            text = evidence.text_of(regions)
            if 0 < len(text) <= _MAX_TITLE and (key := normalise(text)) and key not in found:
                facts = _region_facts(evidence, p, regions, rank)
                facts["is_whole"] = float(len(regions) == len(evidence.regions_of(block)))
                found[key] = Candidate(text, tuple(regions), facts=facts)
    visible = [one.value for one in found.values()]
    stated = stated_titles(evidence.page.metadata)
    _add_statements(found, _short_titles(stated, visible, evidence), normalise)
    _compare_titles(evidence, found)
    return list(found.values())


def _title_parts(evidence: Evidence, p: Floats, block: int) -> Iterator[list[int]]:
    """Yield the regions of a block, and the likely ones where a kicker stands beside them."""
    regions = [i for i in evidence.regions_of(block) if evidence.page.text[i]]
    yield regions
    likely = [i for i in regions if p[i] >= 0.5 * p[regions].max()] if regions else []
    if 0 < len(likely) < len(regions):
        yield list(range(likely[0], likely[-1] + 1))
    if len(regions) > 1 and evidence.page.breaks[regions[1:]].any():  # a line a part
        yield [max(regions, key=lambda i: p[i])]


def _short_titles(
    stated: Sequence[Statement], visible: Sequence[str], evidence: Evidence
) -> Iterator[Statement]:
    """Yield statements, also without the site's name where the rest is a visible heading."""
    publishers = evidence.page.metadata.publishers
    for one in stated:
        yield one
        short = without_site(one.value, visible, publishers)
        if short != one.value:
            yield Statement(short, one.source)


def _compare_titles(evidence: Evidence, found: Mapping[str, Candidate]) -> None:
    """Add to each candidate how it compares with the statements and with the likeliest region."""
    window = normalise(evidence.page.metadata.title)
    shown = [key for key, one in found.items() if one.regions]
    best = max(shown, key=lambda key: found[key].facts["p"], default="")
    stated = [key for key, one in found.items() if {"og", "json-ld", "twitter"} & {*one.sources}]
    p_none, p_paragraph, p_subtitle = (
        evidence.probability(name) for name in ("None", "Paragraph", "Subtitle")
    )
    n_levels = np.bincount(evidence.level[evidence.starts], minlength=7)
    for key, one in found.items():
        facts = one.facts
        facts["n_words"] = float(len(one.value.split()))
        if window:
            facts["like_window"] = fuzz.ratio(key, window)
            facts["in_window"] = float(key in window)
            facts["window_share"] = len(key) / len(window)
        others = [text for text in stated if text != key] if key in stated else stated
        if others:
            facts["like_stated"] = max(fuzz.ratio(key, text) for text in others)
        if best:
            facts["like_best"] = fuzz.ratio(key, best)
        facts["is_publisher"] = float(key in evidence.publishers)
        facts["n_same"] = float(evidence.n_texts[key])
        if one.regions:
            facts["p_none"], facts["p_paragraph"], facts["p_subtitle"] = (
                _mean(values, one.regions) for values in (p_none, p_paragraph, p_subtitle)
            )
            facts["n_level"] = float(n_levels[int(facts["level"])])


def _mean(values: Floats, at: Sequence[int]) -> float:
    return float(values[at[0]]) if len(at) == 1 else float(values[list(at)].mean())


def author_candidates(evidence: Evidence) -> list[Candidate]:
    """Return the names that may be the authors': those in likely lines, and stated ones."""
    found: dict[str, Candidate] = {}
    p, page = evidence.probability("Author"), evidence.page
    blocks = likely_blocks(evidence, p, least=0.004, n_most=8)
    for rank, block in enumerate(dict.fromkeys([*blocks, *_announced(evidence)])):
        regions = [i for i in evidence.regions_of(block) if page.text[i]]
        line = evidence.text_of(regions)
        if 0 < len(line) <= _MAX_BYLINE:
            for name, at in _names_in(evidence, p, regions, line):
                key = normalise(name)
                if key and key not in found:
                    facts = _region_facts(evidence, p, at, rank)
                    facts |= _line_facts(name, line, page.lang)
                    found[key] = Candidate(name, tuple(at), raw=line, facts=facts)
    _add_statements(found, stated_names(page.metadata), normalise)
    _compare_names(evidence, found)
    return list(found.values())


def _announced(evidence: Evidence) -> list[int]:
    """Return the first blocks that begin as bylines do, however unlikely the learner finds them."""
    page, found = evidence.page, []
    for i, length in enumerate(evidence.lengths.tolist()):
        if _SHORTEST_BYLINE <= length <= _ANNOUNCED and _begins_as_byline(page.text[i], page.lang):
            found.append(int(page.blocks[i]))
            if len(found) >= _MOST_ANNOUNCED:
                break
    return found


@lru_cache(maxsize=4096)
def _begins_as_byline(text: str, lang: str) -> bool:
    return strip_byline_prefix(text, language_code(lang)) != text


def _names_in(
    evidence: Evidence, p: Floats, regions: Sequence[int], line: str
) -> Iterator[tuple[str, list[int]]]:
    """Yield the names in a block with their regions: of its likely regions alone, and of all."""
    page = evidence.page
    highest = p[list(regions)].max()
    likely = [i for i in regions if p[i] >= 0.5 * highest]
    for i in likely:
        for name in split_byline(page.text[i], page.lang):
            yield name, [i]
    if len(regions) > 1:
        for name in split_byline(line, page.lang):
            key = normalise(name)
            inside = [i for i in likely if key in evidence.normalised[i]]
            yield name, inside or likely or list(regions)


def _line_facts(name: str, line: str, lang: str) -> dict[str, float]:
    names = split_byline(line, lang)
    return {
        "has_by": float(_begins_as_byline(line, lang)),
        "share_of_line": len(name) / max(len(line), 1),
        "n_names": float(len(names)),
    }


def _compare_names(evidence: Evidence, found: Mapping[str, Candidate]) -> None:
    """Add to each candidate its form, and how it compares with the others and with the site."""
    page = evidence.page
    host = _host(page.url)
    p_date = evidence.probability("Date")
    n_shown = sum(bool(one.regions) for one in found.values())
    n_persons = sum(
        bool(one.sources) and not one.facts.get("is_organisation") for one in found.values()
    )
    tokens = {key: set(one.value.casefold().split()) for key, one in found.items()}
    for key, one in found.items():
        facts, words = one.facts, one.value.split()
        facts["n_words"] = float(len(words))
        facts["capitals"] = sum(word[:1].isupper() for word in words) / max(len(words), 1)
        facts["is_lower"] = float(one.value.islower())
        facts["is_odd"] = float(bool(_HANDLE.search(one.value)))
        facts["is_publisher"] = float(
            any(key in name or name in key for name in evidence.publishers)
        )
        facts["in_site"] = float(len(key) > 2 and key.replace(" ", "") in host)
        facts["n_visible"] = float(evidence.n_with(key))
        facts["n_shown"] = float(n_shown)
        facts["n_persons_stated"] = float(n_persons)
        facts["is_part"] = float(any(tokens[key] < other for other in tokens.values()))
        facts["has_part"] = float(any(other < tokens[key] for other in tokens.values()))
        if one.regions:
            first = one.regions[0]
            facts["leads_to_profile"] = float(_leads_to_profile(evidence, first))
            facts["after_body"] = float(first > evidence.end)
            facts["p_date"] = float(p_date[max(first - 2, 0) : first + 3].max())


def _host(url: str) -> str:
    try:
        return re.sub(r"[^a-z0-9]", "", (urlsplit(url).hostname or "").lower())
    except ValueError:
        return ""


def _leads_to_profile(evidence: Evidence, region: int) -> bool:
    """Return whether a region's own link leads to a page about a person."""
    elements = evidence.page.elements
    for n, above in enumerate(elements.ancestors(int(evidence.page.element[region]))):
        attributes = elements.attributes[above]
        if elements.tag[above] == "a":
            return bool(_PROFILE.search(attributes.get("href", "").lower())) or (
                "author" in attributes.get("rel", "")
            )
        if n > 3:
            break
    return False


def date_candidates(evidence: Evidence) -> list[Candidate]:
    """Return the days that may be that of publication: those in likely lines, and stated ones."""
    found: dict[str, Candidate] = {}
    p, page = evidence.probability("Date"), evidence.page
    for rank, block in enumerate(likely_blocks(evidence, p, least=0.004, n_most=8)):
        regions = [i for i in evidence.regions_of(block) if page.text[i]]
        for moment, raw, at in _moments_in(evidence, p, regions):
            key = moment[:10]
            if key in found:
                found[key].facts["n_shown"] += 1
                if "T" in moment and "T" not in found[key].value:
                    found[key].value = moment
                continue
            facts = _region_facts(evidence, p, at, rank)
            facts["n_shown"], facts["share_of_line"] = 1.0, min(12 / max(len(raw), 1), 1.0)
            facts["has_clock"] = float("T" in moment)
            facts["is_update"] = float(is_update(raw, page.lang))
            facts["after_body"] = float(at[0] > evidence.end)
            found[key] = Candidate(moment, tuple(at), raw=raw, facts=facts)
    stated = [one for one in evidence.stated_dates if parse_iso(one.value)]
    _add_statements(found, stated, lambda value: value[:10])
    _compare_days(found, stated)
    return list(found.values())


def _moments_in(
    evidence: Evidence, p: Floats, regions: Sequence[int]
) -> Iterator[tuple[str, str, list[int]]]:
    """Yield moments in ISO 8601, the words that say so, and their regions."""
    page = evidence.page
    likely = [i for i in regions if p[i] >= 0.3 * p[list(regions)].max()]
    for i in likely:
        if moment := _element_moment(evidence, i):
            yield moment, page.text[i], [i]
            return
    for i in likely:
        for moment in _written_moments(page.text[i], page.lang):
            yield moment, page.text[i], [i]
    line = evidence.text_of(regions)
    if len(regions) > 1 and len(line) <= _MAX_BYLINE:
        for moment in _written_moments(line, page.lang)[:2]:
            yield moment, line, likely or list(regions)


def _element_moment(evidence: Evidence, region: int) -> str:
    """Return what the ``time`` element around a region states, or an empty text."""
    elements = evidence.page.elements
    for n, above in enumerate(elements.ancestors(int(evidence.page.element[region]))):
        if elements.tag[above] == "time":
            stated = elements.attributes[above].get("datetime", "").strip()
            moment = parse_iso(stated)
            return "" if moment is None else _iso(moment, ":" in stated)
        if n > 3:
            break
    return ""


def _written_moments(text: str, lang: str) -> list[str]:
    has_clock = TIME_OF_DAY.search(text) is not None
    return [_iso(moment, has_clock) for moment in find_dates(text, lang)[:3]]


def _iso(moment: datetime, has_clock: bool) -> str:
    is_timed = has_clock and moment.time() != moment.min.time()
    return moment.isoformat() if is_timed else moment.date().isoformat()


def _compare_days(found: Mapping[str, Candidate], stated: Sequence[Statement]) -> None:
    """Add to each candidate how its day compares with the others."""
    days = {key: date.fromisoformat(key).toordinal() for key in found}
    published = next((one.value[:10] for one in stated if not one.is_modified), "")
    modified = {one.value[:10] for one in stated if one.is_modified}
    told = {one.value[:10] for one in stated if not one.is_modified}
    shown = [key for key, one in found.items() if one.regions]
    best = max(shown, key=lambda key: found[key].facts["p"], default="")
    first, last = min(days.values(), default=0), max(days.values(), default=0)
    for key, one in found.items():
        facts, day = one.facts, days[key]
        facts["n_days"] = float(len(found))
        facts["after_first"] = float(min(day - first, 9999))
        facts["before_last"] = float(min(last - day, 9999))
        facts["is_modified"] = float(key in modified)
        facts["is_only_modified"] = float(key in modified and key not in told)
        if published:
            facts["from_published"] = _within(day - days[published], 999)
        if best:
            facts["from_likeliest"] = _within(day - days[best], 999)


def _region_facts(
    evidence: Evidence, p: Floats, regions: Sequence[int], rank: int
) -> dict[str, float]:
    """Return what the regions of a candidate say of it."""
    at = list(regions)
    first, n_regions = at[0], max(len(p), 1)
    return {
        "p": float(p[first]) if len(at) == 1 else float(p[at].max()),
        "p_mean": _mean(p, at),
        "rank": float(rank),
        "p_best": float(p.max()),
        "place": first / n_regions,
        "from_body": _within(first - evidence.begin, 60),
        "from_title": _within(first - evidence.title_place, 60),
        "level": float(evidence.level[first]),
        "in_link": float(all(evidence.in_link[i] for i in at)),
        "n_chars": float(sum(len(evidence.page.text[i]) for i in at)),
        **evidence.facts_of_names(first),
    }


def _within(number: int, most: int) -> float:
    return float(max(-most, min(number, most)))


def _add_statements(
    found: dict[str, Candidate], stated: Iterable[Statement], key_of: Callable[[str], str]
) -> None:
    """Add statements to the candidates of the same value, or as candidates of their own."""
    stated = list(stated)
    for rank, one in enumerate(stated):
        key = key_of(one.value)
        if not key:
            continue
        candidate = found.setdefault(key, Candidate(one.value))
        candidate.facts.setdefault("stated_rank", float(rank))
        if one.is_organisation:
            candidate.facts["is_organisation"] = 1.0
        if one.source not in candidate.sources:
            candidate.sources = (*candidate.sources, one.source)
        if "T" in one.value and "T" not in candidate.value and _is_moment(one.value):
            candidate.value = one.value
    values = {key_of(one.value) for one in stated}
    for candidate in found.values():
        candidate.facts |= {
            name: float(source in candidate.sources) for name, source in _IS_SOURCE.items()
        }
        candidate.facts["n_sources"] = float(len(candidate.sources))
        candidate.facts["n_stated"] = float(len(values))


def _is_moment(text: str) -> bool:
    return len(text) > 10 and text[4:5] == "-" and text[10] == "T"
