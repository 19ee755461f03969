"""Candidates of the date: days in likely lines, and days that metadata state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime

from structce.arrays import Floats
from structce.article.candidates import (
    REGION_COLUMNS,
    STATED_COLUMNS,
    Candidate,
    add_statements,
    highest_of,
    region_facts,
    within,
)
from structce.article.evidence import Evidence, likely_blocks
from structce.features import cues
from structce.language import TIME_OF_DAY, date_occasion, find_dates, find_phrase, parse_iso
from structce.page import Statement

_MAX_LINE = 200  # characters of a block in which days are looked for
_LONGEST_TITLE = 400  # characters of a title that are searched for a year
_LEAD, _N_BEFORE = 40, 2  # characters and number of regions that may introduce a day
_N_AFTER = 3  # regions after the body in which a change is looked for
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")

DATE_COLUMNS = (
    *REGION_COLUMNS,
    *STATED_COLUMNS,
    *"""
    has_clock occasion share_of_line n_shown between after_body p_body p_none p_share p_rival
    order n_days after_first before_last is_modified is_only_modified shown_modified from_modified
    from_published from_stated from_likeliest is_utc like_address like_title
    """.split(),
)
"""Columns of the candidates of a date."""


def date_candidates(evidence: Evidence) -> list[Candidate]:
    """Return the candidates of the day of publication: in likely lines, and stated."""
    candidates: dict[str, Candidate] = {}
    p, page = evidence.probability("Date"), evidence.page
    for rank, block in enumerate(likely_blocks(evidence, p, least=0.004, n_most=8)):
        regions = [i for i in evidence.regions_of(block) if page.text[i]]
        for moment, raw, at in _moments_in(evidence, p, regions):
            key = moment[:10]
            is_unseen = "T" in moment and TIME_OF_DAY.search(raw) is None
            clock = "time" if is_unseen else ""  # only the ``time`` element states the time of day
            if key in candidates:
                candidates[key].facts["n_shown"] += 1
                if "T" in moment and "T" not in candidates[key].value:
                    candidates[key].value, candidates[key].clock_source = moment, clock
                continue
            facts = region_facts(evidence, p, at, rank) | _line_facts(evidence, moment, raw, at)
            candidates[key] = Candidate(moment, tuple(at), raw=raw, clock_source=clock, facts=facts)
    stated = [statement for statement in evidence.stated_dates if parse_iso(statement.value)]
    add_statements(candidates, stated, lambda value: value[:10])
    _take_clocks(candidates, stated, page.lang)
    _compare_days(candidates, stated)
    _compare_places(candidates, evidence)
    return list(candidates.values())


def _take_clocks(
    candidates: Mapping[str, Candidate], stated: Sequence[Statement], lang: str
) -> None:
    """Give days that no text writes, as "10:05" of an entry, the hour that JSON-LD states."""
    for statement in reversed(stated):
        own = candidates[statement.value[:10]]
        is_hour = statement.source == "json-ld" and not statement.is_modified
        if own.regions and is_hour and "T" in statement.value and not find_dates(own.raw, lang):
            own.value, own.clock_source = statement.value, "json-ld"


def shown_change(evidence: Evidence) -> tuple[str, list[int]] | None:
    """Return the moment of the last change that the page shows, with its regions; None without one.

    It follows a word such as "Updated", in the same region or in the next one with a date,
    between the title and the end of the body.
    """
    page = evidence.page
    names_of = cues.page_cues(page)[: evidence.end + _N_AFTER]
    for i, names in enumerate(names_of):
        if "update-cue" not in names or i < evidence.title_place - _N_BEFORE:
            continue
        line = page.text[i].casefold()
        word = find_phrase(line, "updated", page.lang)
        before, _, after = line.rpartition(word or "\n")
        if not word or (not after and len(before) > _MAX_LINE - _LEAD):
            continue
        if moments := _written_moments(after, page.lang):
            return _element_moment(evidence, i) or moments[0], [i]
        if len(after) > _LEAD:
            continue
        for n in range(i + 1, min(i + 1 + _N_BEFORE, len(page))):
            if moments := _written_moments(page.text[n], page.lang):
                return _element_moment(evidence, n) or moments[0], [i, n]
    return None


def _line_facts(evidence: Evidence, moment: str, raw: str, at: Sequence[int]) -> dict[str, float]:
    """Return features of a day from the line that shows it."""
    first = at[0]
    return {
        "n_shown": 1.0,
        "share_of_line": min(12 / max(len(raw), 1), 1.0),
        "has_clock": float("T" in moment),
        "occasion": _occasion(evidence, first, raw),
        "between": float(evidence.title_place <= first <= evidence.begin),
        "after_body": float(first > evidence.end),
        "p_body": float(evidence.body[first]),
        "p_none": float(evidence.probability("None")[first]),
    }


def _occasion(evidence: Evidence, region: int, raw: str) -> float:
    """Return 1 if words say that a day is that of a change, -1 of publication, otherwise 0."""
    page, before = evidence.page, ""
    for i in range(region - 1, max(region - 1 - _N_BEFORE, -1), -1):
        if evidence.lengths[i] > _LEAD or any(map(str.isdigit, page.text[i])):
            break
        before = f"{page.text[i]} {before}"
    return date_occasion(before + raw, page.lang)


def _moments_in(
    evidence: Evidence, p: Floats, regions: Sequence[int]
) -> Iterator[tuple[str, str, list[int]]]:
    """Yield moments in ISO 8601, each with the words it was read from and its regions."""
    page = evidence.page
    least = 0.3 * highest_of(p, regions)
    likely = [i for i in regions if p[i] >= least]
    for i in likely:
        if moment := _element_moment(evidence, i):
            written = _written_moments(page.text[i], page.lang)
            same = [other for other in written if other[:10] == moment[:10]]
            others = [other for other in written if other not in same] if same else []
            # Of several moments the element states one, mostly that of the change.
            for value in (*others, min(same) if len(same) > 1 else moment):
                yield value, page.text[i], [i]
            return
    for i in likely:
        for moment in _written_moments(page.text[i], page.lang):
            yield moment, page.text[i], [i]
    line = evidence.text_of(regions)
    if len(regions) > 1 and len(line) <= _MAX_LINE:
        for moment in _written_moments(line, page.lang)[:2]:
            yield moment, line, likely or list(regions)


def _element_moment(evidence: Evidence, region: int) -> str:
    """Return the moment that the ``time`` element around a region states, or an empty text."""
    stated = (evidence.nearest_attributes(region, "time") or {}).get("datetime", "").strip()
    moment = parse_iso(stated) if stated else None
    return "" if moment is None else _iso(moment, ":" in stated)


def _written_moments(text: str, lang: str) -> list[str]:
    has_clock = TIME_OF_DAY.search(text) is not None
    return [_iso(moment, has_clock) for moment in find_dates(text, lang)[:3]]


def _iso(moment: datetime, has_clock: bool) -> str:
    is_timed = has_clock and moment.time() != moment.min.time()
    return moment.isoformat() if is_timed else moment.date().isoformat()


def _compare_days(candidates: Mapping[str, Candidate], stated: Sequence[Statement]) -> None:
    """Add to each candidate comparisons of its day with the others."""
    days = {key: date.fromisoformat(key).toordinal() for key in candidates}
    modified = {day.value[:10]: None for day in stated if day.is_modified}  # an ordered set
    published = {day.value[:10]: None for day in stated if not day.is_modified}
    trusted = {day.value[:10] for day in stated if not day.is_modified and day.source != "time"}
    shown = [key for key, candidate in candidates.items() if candidate.regions]
    best = max(shown, key=lambda key: candidates[key].facts["p"], default="")
    anchors = {"modified": next(iter(modified), ""), "published": next(iter(published), "")}
    anchors["likeliest"] = best
    first, last = min(days.values(), default=0), max(days.values(), default=0)
    for key, candidate in candidates.items():
        facts, day = candidate.facts, days[key]
        facts |= {
            "n_days": float(len(candidates)),
            "after_first": float(min(day - first, 9999)),
            "before_last": float(min(last - day, 9999)),
            "is_modified": float(key in modified),
            "is_only_modified": float(key in modified and key not in published),
            "is_utc": float(candidate.value.endswith("+00:00")),
        }
        if modified:
            facts["shown_modified"] = float(any(candidates[other].regions for other in modified))
        if others := [abs(day - days[other]) for other in trusted if other != key]:
            facts["from_stated"] = float(min(*others, 999))
        for name, other in anchors.items():
            if other:
                facts[f"from_{name}"] = within(day - days[other], 999)


def _compare_places(candidates: Mapping[str, Candidate], evidence: Evidence) -> None:
    """Add to each candidate comparisons of its place with others and of its year with the title."""
    metadata, url = evidence.page.metadata, evidence.page.url
    title = evidence.page.text[evidence.title_place] if len(evidence.page) else ""
    years = set(_YEAR.findall(f"{metadata.title} {title[:_LONGEST_TITLE]}"))
    shown = sorted(
        (key for key, candidate in candidates.items() if candidate.regions),
        key=lambda key: candidates[key].regions[0],
    )
    p = {key: candidates[key].facts["p"] for key in shown}
    total = sum(p.values()) or 1.0
    for key, candidate in candidates.items():
        facts = candidate.facts
        facts["like_address"] = _like_address(key, url)
        facts["like_title"] = (1.0 if key[:4] in years else -1.0) if years else 0.0
        facts["p_rival"] = max((p[other] for other in shown if other != key), default=0.0)
        if candidate.regions:
            facts["p_share"], facts["order"] = p[key] / total, float(shown.index(key))


def _like_address(day: str, url: str) -> float:
    """Return how much of a day is in an address: 0 nothing, 1 the year, 2 year and month."""
    year, month, _ = day.split("-")
    if f"/{year}" not in url and f"-{year}" not in url:
        return 0.0
    months = (f"{year}/{month}", f"{year}-{month}", f"{year}{month}", f"{year}/{int(month)}/")
    return 2.0 if any(written in url for written in months) else 1.0
