"""Candidates of title, authors and date: every value that a page offers, with what speaks for it.

A value may stand in regions of the page, in statements of its metadata, or in both; equal values
are one candidate. What speaks for a candidate is a row of numbers, from which boosted trees tell
how likely it is right (:mod:`structce.article.choice`). NaN stands for what is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np

from structce.arrays import Floats
from structce.article.evidence import SURROUNDINGS, Evidence
from structce.statements import SOURCES, Statement

_NAN = float("nan")


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
    clock_source
        Of a moment, what gave its time of day where the regions, or the first source, did not.
    facts
        Numbers that speak for or against it, by name; those that are missing are not known.
    kind
        ``signature`` for a short region as it stands, ``element`` for one element of a heading;
        empty for all that trees of every release know.
    """

    value: str
    regions: tuple[int, ...] = ()
    sources: tuple[str, ...] = ()
    raw: str = ""
    clock_source: str = ""
    facts: dict[str, float] = field(default_factory=dict)
    kind: str = ""

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


REGION_COLUMNS = (
    *"""
    p p_mean rank p_best place from_body from_title level in_link n_chars named_author named_date
    named_title in_time
    """.split(),
    *(f"in_{name}" for name in SURROUNDINGS),
)
"""Columns of what regions say of a candidate."""

_IS_SOURCE = {f"is_{source}": source for source in SOURCES}
STATED_COLUMNS = (*_IS_SOURCE, "n_sources", "n_stated", "stated_rank")
"""Columns of what metadata say of a candidate."""


def mean_of(values: Floats, at: Sequence[int]) -> float:
    """Return the mean of the values at some places, at least one."""
    return float(values[at[0]]) if len(at) == 1 else float(values[list(at)].mean())


def highest_of(values: Floats, at: Sequence[int]) -> float:
    """Return the highest of the values at some places; 0 without a place."""
    if len(at) == 1:
        return float(values[at[0]])
    return float(values[list(at)].max()) if at else 0.0


def region_facts(
    evidence: Evidence, p: Floats, regions: Sequence[int], rank: int
) -> dict[str, float]:
    """Return what the regions of a candidate say of it."""
    at = list(regions)
    first, n_regions = at[0], max(len(p), 1)
    return {
        "p": highest_of(p, at),
        "p_mean": mean_of(p, at),
        "rank": float(rank),
        "p_best": float(p.max()),
        "place": first / n_regions,
        "from_body": within(first - evidence.begin, 60),
        "from_title": within(first - evidence.title_place, 60),
        "level": float(evidence.level[first]),
        "in_link": float(all(evidence.in_link[i] for i in at)),
        "n_chars": float(sum(len(evidence.page.text[i]) for i in at)),
        **evidence.facts_of_names(first),
    }


def within(number: int, most: int) -> float:
    """Return a number, but not below ``-most`` nor above ``most``."""
    return float(max(-most, min(number, most)))


def add_statements(
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
            candidate.clock_source = one.source if one.source != candidate.source else ""
    values = {key_of(one.value) for one in stated}
    for candidate in found.values():
        candidate.facts |= {
            name: float(source in candidate.sources) for name, source in _IS_SOURCE.items()
        }
        candidate.facts["n_sources"] = float(len(candidate.sources))
        candidate.facts["n_stated"] = float(len(values))


def _is_moment(text: str) -> bool:
    return len(text) > 10 and text[4:5] == "-" and text[10] == "T"
