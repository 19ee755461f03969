"""Candidates of title and date: every value that a page offers, with its features.

A value may be in regions of the page, in metadata statements, or in both; equal values are one
candidate. Its features are a row of numbers from which boosted trees estimate how likely it is
right (:mod:`structce.article.choice`): of its regions, of the statements, of the words around it,
and of its likeness to the other candidates. NaN stands for an unknown feature. Candidates of
authors are in :mod:`structce.article.author_candidates`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

import numpy as np
from rapidfuzz import fuzz

from structce.addresses import split_address
from structce.arrays import Floats
from structce.article.evidence import SURROUNDINGS, Evidence, likely_blocks, word_key
from structce.features import cues
from structce.language import (
    TIME_OF_DAY,
    date_occasion,
    find_dates,
    find_phrase,
    normalise,
    parse_iso,
)
from structce.page import SOURCES, Statement, stated_titles, without_site
from structce.patterns import lazy_pattern

_MAX_TITLE = 400  # characters of a title
_MAX_PARTS = 4  # elements of a heading that may each be the headline
_WHOLE, _FIRST, _LAST, _MIDDLE = range(4)  # positions of a part in its heading
_MAX_LINE = 200  # characters of a block in which days are looked for
_LEAD, _N_BEFORE = 40, 2  # characters and number of regions that may introduce a day
_N_AFTER = 3  # regions after the body in which a change is looked for
_OTHER_LABELS = ("None", "Paragraph", "Subtitle")
_MOMENT = lazy_pattern(r".{4}-.{5}T")
_YEAR = lazy_pattern(r"(?<!\d)(?:19|20)\d\d(?!\d)")

REGION_COLUMNS = (
    *"""
    p p_mean rank p_best place from_body from_title level in_link n_chars named_author named_date
    named_title in_time
    """.split(),
    *(f"in_{name}" for name in SURROUNDINGS),
)
"""Columns of a candidate's features from regions."""

_IS_SOURCE = {f"is_{source}": source for source in SOURCES}
STATED_COLUMNS = (*_IS_SOURCE, "n_sources", "n_stated", "stated_rank")
"""Columns of a candidate's features from metadata."""

TITLE_COLUMNS = (
    *REGION_COLUMNS,
    *STATED_COLUMNS,
    *"""
    p_none p_paragraph p_subtitle n_words like_window in_window like_stated like_best is_publisher
    n_same n_level window_share is_whole part part_share font_size holds_shown held_by_shown
    site_words
    """.split(),
)
"""Columns of the candidates of a title."""

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


@dataclass
class Candidate:
    """A value that a page offers for a field, with its regions and sources."""

    value: str  # line, name, or moment in ISO 8601, as the article would state it
    regions: tuple[int, ...] = ()  # the most likely first; empty if only metadata state it
    sources: tuple[str, ...] = ()  # in metadata, in order of precedence
    raw: str = ""  # words of the page that it was read from
    clock_source: str = ""  # of a moment's time of day, if neither regions nor the first source
    facts: dict[str, float] = field(default_factory=dict)  # features; missing ones are unknown
    needs_trees: bool = False  # a part of a heading or a whole short text, too odd for a rule
    lists: tuple[str, ...] = ()  # lists of authors, see structce.page.listed_names

    @property
    def p(self) -> float:
        """Highest probability of the field's label in its regions; 0 without regions."""
        return self.facts.get("p", 0.0)

    @property
    def is_stated(self) -> bool:
        """Whether metadata state it, other than a ``time`` element, which may be anywhere."""
        return not {*self.sources} <= {"time"}

    @property
    def source(self) -> str:
        """``region`` if the page shows the value, otherwise the most specific metadata source."""
        return "region" if self.regions else next(iter(self.sources), "")


class CandidateTable(dict[str, Candidate]):
    """Candidates of one field of a page, by the key that equal values share."""

    def __init__(self, evidence: Evidence, label: str, key_of: Callable[[str], str]) -> None:
        super().__init__()
        self.evidence, self.key_of = evidence, key_of
        self.p = evidence.probability(label)
        self.chances: list[float] = self.p.tolist()
        self._highest = max(self.chances, default=0.0)

    def unknown(self, value: str) -> str:
        """Return the key of a value without a candidate; empty if it has one or no key."""
        key = self.key_of(value)
        return "" if key in self else key

    def add_shown(self, key: str, candidate: Candidate, rank: int) -> None:
        """Add a value of regions, as yet unknown; ``rank`` is that of its block."""
        evidence, regions, first = self.evidence, candidate.regions, candidate.regions[0]
        candidate.facts |= {
            "p": max(self.chances[i] for i in regions),
            "p_mean": mean_of(self.p, regions),
            "rank": float(rank),
            "p_best": self._highest,
            "place": first / max(len(self.p), 1),
            "from_body": within(first - evidence.begin, 60),
            "from_title": within(first - evidence.title_place, 60),
            "level": float(evidence.level[first]),
            "in_link": float(all(evidence.in_link[i] for i in regions)),
            "n_chars": float(sum(len(evidence.page.text[i]) for i in regions)),
            **evidence.facts_of_names(first),
        }
        self[key] = candidate

    def add_statements(self, statements: Iterable[Statement]) -> None:
        """Add each statement to the candidate with the same value, or as a new candidate."""
        keys = set()
        for rank, statement in enumerate(statements):
            key = self.key_of(statement.value)
            keys.add(key)
            if not key:
                continue
            candidate = self.setdefault(key, Candidate(statement.value))
            candidate.facts.setdefault("stated_rank", float(rank))
            if statement.is_organisation:
                candidate.facts["is_organisation"] = 1.0
            if statement.source not in candidate.sources:
                candidate.sources = (*candidate.sources, statement.source)
            if _MOMENT.match(statement.value) and "T" not in candidate.value:
                is_other = statement.source != candidate.source
                candidate.value = statement.value
                candidate.clock_source = statement.source if is_other else ""
        for candidate in self.values():
            for name, source in _IS_SOURCE.items():
                candidate.facts[name] = float(source in candidate.sources)
            candidate.facts["n_sources"] = float(len(candidate.sources))
            candidate.facts["n_stated"] = float(len(keys))


def mean_of(values: Floats, regions: Sequence[int]) -> float:
    """Return the mean of the values of some regions, of which there must be one."""
    return float(values[regions[0]] if len(regions) == 1 else values[list(regions)].mean())


def within(number: int, most: int) -> float:
    """Return a number clipped to [-most, most]."""
    return float(max(-most, min(number, most)))


def title_candidates(evidence: Evidence) -> list[Candidate]:
    """Return the candidates of the title: likely blocks, headings, and stated titles."""
    table = CandidateTable(evidence, "Title", normalise)
    page = evidence.page
    blocks = likely_blocks(evidence, table.p, least=0.01, n_most=6)
    headings = np.flatnonzero(evidence.level[evidence.starts] == 1).tolist()
    for rank, block in enumerate(dict.fromkeys([*blocks, *headings[:4]])):
        whole = [i for i in evidence.regions_of(block) if page.text[i]]
        for regions, needs_trees in _title_parts(evidence, table.chances, whole):
            text = evidence.text_of(regions)
            if 0 < len(text) <= _MAX_TITLE and (key := table.unknown(text)):
                facts = _part_facts(evidence, regions, whole, block)
                candidate = Candidate(text, tuple(regions), facts=facts, needs_trees=needs_trees)
                table.add_shown(key, candidate, rank)
    visible = [candidate.value for candidate in table.values()]
    statements = []
    for statement in stated_titles(page.metadata):
        short = without_site(statement.value, visible, page.metadata.publishers)
        statements.append(statement)
        if short != statement.value:  # the rest is a visible heading
            statements.append(Statement(short, statement.source))
    table.add_statements(statements)
    _compare_titles(table)
    return list(table.values())


def _title_parts(
    evidence: Evidence, p: Sequence[float], regions: list[int]
) -> Iterator[tuple[list[int], bool]]:
    """Yield the regions of a block and of its parts, and whether trees must judge these."""
    yield regions, False
    if len(regions) < 2:
        return
    least = 0.5 * max(p[i] for i in regions)
    likely = [i for i in regions if p[i] >= least]
    if len(likely) < len(regions):
        yield list(range(likely[0], likely[-1] + 1)), False
    if evidence.page.breaks[regions[1:]].any():  # one part per line
        yield [max(regions, key=lambda i: p[i])], False
    parts = _child_elements(evidence, regions)
    if 1 < len(parts) <= _MAX_PARTS:
        yield from ((part, True) for part in parts)


def _child_elements(evidence: Evidence, regions: Sequence[int]) -> list[list[int]]:
    """Return the regions of a block, grouped by the child of its element that they are in."""
    page = evidence.page
    parents, holder = page.elements.parent, int(page.block_element[regions[0]])
    parts: list[list[int]] = []
    last = -1
    for i in regions:
        child = int(page.element[i])
        while child != holder and (above := int(parents[child])) not in (holder, -1):
            child = above
        if child == last and child != holder:
            parts[-1].append(i)
        else:
            parts.append([i])
        last = child
    return parts


def _part_facts(
    evidence: Evidence, regions: Sequence[int], whole: Sequence[int], block: int
) -> dict[str, float]:
    page = evidence.page
    is_first, is_last = regions[0] == whole[0], regions[-1] == whole[-1]
    part = (_WHOLE if is_last else _FIRST) if is_first else (_LAST if is_last else _MIDDLE)
    own, every = (sum(len(page.text[i]) for i in some) for some in (regions, whole))
    return {
        "is_whole": float(len(regions) == len(evidence.regions_of(block))),
        "part": float(part),
        "part_share": own / max(every, 1),
        "font_size": float(page.elements.styles["font-size"][page.element[regions[0]]]),
    }


def _compare_titles(table: CandidateTable) -> None:
    evidence, metadata = table.evidence, table.evidence.page.metadata
    window = normalise(metadata.title)
    visible = [key for key, candidate in table.items() if candidate.regions]
    best = max(visible, key=lambda key: table[key].facts["p"], default="")
    shared = {"og", "json-ld", "twitter"}
    stated_keys = [key for key, candidate in table.items() if shared & {*candidate.sources}]
    others = {f"p_{name.lower()}": evidence.probability(name) for name in _OTHER_LABELS}
    n_levels = np.bincount(evidence.level[evidence.starts], minlength=7)
    host = split_address(evidence.page.url).hostname or ""
    names = [word for name in metadata.publishers for word in name.split()]
    site = {*map(normalise, [*names, *evidence.publishers, *host.split(".")])} - {""}
    for key, candidate in table.items():
        facts = candidate.facts
        facts["n_words"] = float(len(candidate.value.split()))
        if window:
            facts["like_window"] = fuzz.ratio(key, window)
            facts["in_window"] = float(key in window)
            facts["window_share"] = len(key) / len(window)
        if rivals := [text for text in stated_keys if text != key]:
            facts["like_stated"] = max(fuzz.ratio(key, text) for text in rivals)
        if best:
            facts["like_best"] = fuzz.ratio(key, best)
        facts["is_publisher"] = float(key in evidence.publishers)
        facts["n_same"] = float(evidence.normalised.count(key))
        apart = [text for text in visible if text != key]
        parts = (len(part) / len(key) for part in apart if part in key)
        wholes = (len(key) / len(whole) for whole in apart if key in whole)
        facts["holds_shown"] = max(parts, default=0.0)
        facts["held_by_shown"] = max(wholes, default=0.0)
        words = [*filter(None, map(word_key, candidate.value.split()))]
        facts["site_words"] = sum(word in site for word in words) / max(len(words), 1)
        if candidate.regions:
            facts |= {name: mean_of(p, candidate.regions) for name, p in others.items()}
            facts["n_level"] = float(n_levels[int(facts["level"])])


def date_candidates(evidence: Evidence) -> list[Candidate]:
    """Return the candidates of the day of publication: in likely lines, and stated."""
    table = CandidateTable(evidence, "Date", lambda moment: moment[:10])
    page = evidence.page
    for rank, block in enumerate(likely_blocks(evidence, table.p, least=0.004, n_most=8)):
        regions = [i for i in evidence.regions_of(block) if page.text[i]]
        for moment, raw, of_moment in _moments_in(evidence, table.chances, regions):
            is_unseen = "T" in moment and TIME_OF_DAY.search(raw) is None
            clock = "time" if is_unseen else ""  # only the ``time`` element states the time of day
            if candidate_of_day := table.get(moment[:10]):
                candidate_of_day.facts["n_shown"] += 1
                if "T" in moment and "T" not in candidate_of_day.value:
                    candidate_of_day.value, candidate_of_day.clock_source = moment, clock
                continue
            facts = _line_facts(evidence, moment, raw, of_moment[0])
            candidate = Candidate(moment, tuple(of_moment), (), raw, clock, facts)
            table.add_shown(moment[:10], candidate, rank)
    statements = [statement for statement in evidence.stated_dates if parse_iso(statement.value)]
    table.add_statements(statements)
    for statement in reversed(statements):  # a day that no text writes gets the hour of JSON-LD
        candidate = table[statement.value[:10]]
        is_hour = statement.source == "json-ld" and not statement.is_modified
        is_hour &= bool(candidate.regions) and "T" in statement.value
        if is_hour and not find_dates(candidate.raw, page.lang):
            candidate.value, candidate.clock_source = statement.value, "json-ld"
    _compare_days(table, statements)
    return list(table.values())


def _line_facts(evidence: Evidence, moment: str, raw: str, region: int) -> dict[str, float]:
    page, before = evidence.page, ""
    for i in range(region - 1, max(region - 1 - _N_BEFORE, -1), -1):
        if evidence.lengths[i] > _LEAD or any(map(str.isdigit, page.text[i])):
            break
        before = f"{page.text[i]} {before}"
    return {
        "n_shown": 1.0,
        "share_of_line": min(12 / max(len(raw), 1), 1.0),
        "has_clock": float("T" in moment),
        "occasion": date_occasion(before + raw, page.lang),
        "between": float(evidence.title_place <= region <= evidence.begin),
        "after_body": float(region > evidence.end),
        "p_body": float(evidence.body[region]),
        "p_none": float(evidence.probability("None")[region]),
    }


def _moments_in(
    evidence: Evidence, p: Sequence[float], regions: Sequence[int]
) -> Iterator[tuple[str, str, list[int]]]:
    """Yield moments in ISO 8601, each with the words it was read from and its regions."""
    page = evidence.page
    least = 0.3 * max((p[i] for i in regions), default=0.0)
    likely = [i for i in regions if p[i] >= least]
    for i in likely:
        if moment := element_moment(evidence, i):
            written = written_moments(page.text[i], page.lang)
            same = [other for other in written if other[:10] == moment[:10]]
            others = [other for other in written if other not in same] if same else []
            # Of several moments the element states one, mostly that of the change.
            for value in (*others, min(same) if len(same) > 1 else moment):
                yield value, page.text[i], [i]
            return
    for i in likely:
        for moment in written_moments(page.text[i], page.lang):
            yield moment, page.text[i], [i]
    line = evidence.text_of(regions)
    if len(regions) > 1 and len(line) <= _MAX_LINE:
        for moment in written_moments(line, page.lang)[:2]:
            yield moment, line, likely or list(regions)


def element_moment(evidence: Evidence, region: int) -> str:
    """Return the moment that the ``time`` element around a region states, or an empty text."""
    datetime_text = (evidence.nearest_attributes(region, "time") or {}).get("datetime", "").strip()
    moment = parse_iso(datetime_text) if datetime_text else None
    return "" if moment is None else _iso(moment, ":" in datetime_text)


def written_moments(text: str, lang: str) -> list[str]:
    """Return the first three days or moments in a text, in ISO 8601."""
    has_clock = TIME_OF_DAY.search(text) is not None
    return [_iso(moment, has_clock) for moment in find_dates(text, lang)[:3]]


def _iso(moment: datetime, has_clock: bool) -> str:
    is_timed = has_clock and moment.time() != moment.min.time()
    return moment.isoformat() if is_timed else moment.date().isoformat()


def _compare_days(table: CandidateTable, statements: Sequence[Statement]) -> None:
    """Add to each candidate comparisons of its day and place with others, title and address."""
    page, title_place = table.evidence.page, table.evidence.title_place
    days = {key: date.fromisoformat(key).toordinal() for key in table}
    modified = [day.value[:10] for day in statements if day.is_modified]
    published = [day.value[:10] for day in statements if not day.is_modified]
    trusted = {d.value[:10] for d in statements if not d.is_modified and d.source != "time"}
    visible = {key: candidate.p for key, candidate in table.items() if candidate.regions}
    in_order = sorted(visible, key=lambda key: table[key].regions[0])
    total = sum(visible[key] for key in in_order) or 1.0
    anchors = {
        "modified": next(iter(modified), ""),
        "published": next(iter(published), ""),
        "likeliest": max(visible, key=visible.__getitem__, default=""),
    }
    first, last = min(days.values(), default=0), max(days.values(), default=0)
    title = page.text[title_place][:_MAX_TITLE] if len(page) else ""
    years = set(_YEAR.findall(f"{page.metadata.title} {title}"))
    for key, candidate in table.items():
        facts, day = candidate.facts, days[key]
        facts |= {
            "n_days": float(len(table)),
            "after_first": float(min(day - first, 9999)),
            "before_last": float(min(last - day, 9999)),
            "is_modified": float(key in modified),
            "is_only_modified": float(key in modified and key not in published),
            "is_utc": float(candidate.value.endswith("+00:00")),
            "like_address": _like_address(key, page.url),
            "like_title": (1.0 if key[:4] in years else -1.0) if years else 0.0,
            "p_rival": max((p for other, p in visible.items() if other != key), default=0.0),
        }
        if candidate.regions:
            facts["p_share"], facts["order"] = candidate.p / total, float(in_order.index(key))
        if modified:
            facts["shown_modified"] = float(any(table[other].regions for other in modified))
        if others := [abs(day - days[other]) for other in trusted if other != key]:
            facts["from_stated"] = float(min(*others, 999))
        for name, other in anchors.items():
            if other:
                facts[f"from_{name}"] = within(day - days[other], 999)


def _like_address(day: str, url: str) -> float:
    """Return how much of a day is in an address: 0 nothing, 1 the year, 2 year and month."""
    year, month, _ = day.split("-")
    if f"/{year}" not in url and f"-{year}" not in url:
        return 0.0
    months = (f"{year}/{month}", f"{year}-{month}", f"{year}{month}", f"{year}/{int(month)}/")
    return 2.0 if any(written in url for written in months) else 1.0


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
        if moments := written_moments(after, page.lang):
            return element_moment(evidence, i) or moments[0], [i]
        if len(after) > _LEAD:
            continue
        for n in range(i + 1, min(i + 1 + _N_BEFORE, len(page))):
            if moments := written_moments(page.text[n], page.lang):
                return element_moment(evidence, n) or moments[0], [i, n]
    return None
