"""Candidates of title, authors and date: every value that a page offers, with its features.

A value may be in regions of the page, in metadata statements, or in both; equal values are one
candidate. Its features are a row of numbers from which boosted trees estimate how likely it is
right (:mod:`structce.article.choice`). NaN stands for an unknown feature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from structce.arrays import Floats
from structce.article.evidence import SURROUNDINGS, Evidence
from structce.page import SOURCES, Statement


@dataclass
class Candidate:
    """A value that a page offers for a field, with its places.

    Parameters
    ----------
    value
        Line, name, or moment in ISO 8601, as the article would state it.
    regions
        Regions that contain it, the most likely first; empty if only metadata state it.
    sources
        Metadata sources that state it, in order of precedence.
    raw
        Words of the page that it was read from.
    clock_source
        Source of a moment's time of day, if neither the regions nor the first source.
    facts
        Features by name; missing ones are unknown.
    lists
        Lists of authors that name it, see :func:`structce.page.listed_names`.
    kind
        ``signature`` for the whole text of a short region, ``element`` for one element of a
        heading; empty for candidates that trees of every release know.
    """

    value: str
    regions: tuple[int, ...] = ()
    sources: tuple[str, ...] = ()
    raw: str = ""
    clock_source: str = ""
    facts: dict[str, float] = field(default_factory=dict)
    kind: str = ""
    lists: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """``region`` if the page shows the value, otherwise the most specific metadata source."""
        return "region" if self.regions else next(iter(self.sources), "")


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


def mean_of(values: Floats, at: Sequence[int]) -> float:
    """Return the mean of the values at the given places, of which there must be one."""
    return float(values[at[0]]) if len(at) == 1 else float(values[list(at)].mean())


def highest_of(values: Floats, at: Sequence[int]) -> float:
    """Return the highest of the values at the given places; 0 without a place."""
    if len(at) == 1:
        return float(values[at[0]])
    return float(values[list(at)].max()) if at else 0.0


def region_facts(
    evidence: Evidence, p: Floats, regions: Sequence[int], rank: int
) -> dict[str, float]:
    """Return the features of a candidate from its regions."""
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
    """Return a number clipped to [-most, most]."""
    return float(max(-most, min(number, most)))


def add_statements(
    candidates: dict[str, Candidate], stated: Iterable[Statement], key_of: Callable[[str], str]
) -> None:
    """Add each statement to the candidate with the same value, or as a new candidate."""
    stated = list(stated)
    for rank, statement in enumerate(stated):
        key = key_of(statement.value)
        if not key:
            continue
        candidate = candidates.setdefault(key, Candidate(statement.value))
        candidate.facts.setdefault("stated_rank", float(rank))
        if statement.is_organisation:
            candidate.facts["is_organisation"] = 1.0
        if statement.source not in candidate.sources:
            candidate.sources = (*candidate.sources, statement.source)
        if _is_moment(statement.value) and "T" not in candidate.value:
            is_other = statement.source != candidate.source
            candidate.value = statement.value
            candidate.clock_source = statement.source if is_other else ""
    values = {key_of(statement.value) for statement in stated}
    for candidate in candidates.values():
        candidate.facts |= {
            name: float(source in candidate.sources) for name, source in _IS_SOURCE.items()
        }
        candidate.facts["n_sources"] = float(len(candidate.sources))
        candidate.facts["n_stated"] = float(len(values))


def _is_moment(text: str) -> bool:
    return len(text) > 10 and text[4:5] == "-" and text[10] == "T"
