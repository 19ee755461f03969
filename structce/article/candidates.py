"""Candidates of a field: every value that a page offers for it, with its features.

A value may be in regions of the page, in metadata statements, or in both; equal values are one
candidate. Its features are a row of numbers from which boosted trees estimate how likely it is
right (:mod:`structce.article.choice`): of its regions, of the statements, of the words around it,
and of its likeness to the other candidates. A feature that is missing is unknown. The fields are in
:mod:`~structce.article.titles`, :mod:`~structce.article.dates`, :mod:`~structce.article.authors`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import msgspec

from structce.arrays import Floats
from structce.article.evidence import SURROUNDINGS, Evidence
from structce.language import TEXTS
from structce.page import SOURCES, Statement
from structce.patterns import lazy_pattern

_MOMENT = lazy_pattern(r".{4}-.{5}T")

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


class ValueCandidate(msgspec.Struct):
    """A value that a page offers for a field, with its regions and sources."""

    value: str  # line, name, or moment in ISO 8601, as the article would state it
    regions: tuple[int, ...] = ()  # the most likely first; empty if only metadata state it
    sources: tuple[str, ...] = ()  # in metadata, in order of precedence
    raw: str = ""  # words of the page that it was read from
    clock_source: str = ""  # of a moment's time of day, if neither regions nor the first source
    features: dict[str, float] = msgspec.field(default_factory=dict)  # missing ones are unknown
    needs_trees: bool = False  # a part of a heading or a whole short text, too odd for a rule
    lists: tuple[str, ...] = ()  # lists of authors, see structce.page.listed_names

    @property
    def p(self) -> float:
        """Highest probability of the field's label in its regions; 0 without regions."""
        return self.features.get("p", 0.0)

    @property
    def is_stated(self) -> bool:
        """Whether metadata state it, other than a ``time`` element, which may be anywhere."""
        return not {*self.sources} <= {"time"}

    @property
    def source(self) -> str:
        """``region`` if the page shows the value, otherwise the most specific metadata source."""
        return "region" if self.regions else next(iter(self.sources), "")


class CandidateBuilder(dict[str, ValueCandidate]):
    """Builder of the candidates of one field of a page, by the key that equal values share.

    They come from regions, then from metadata; features of the words around them are the field's.
    """

    def __init__(self, evidence: Evidence, label: str, key_of: Callable[[str], str]) -> None:
        super().__init__()
        self.evidence, self.key_of = evidence, key_of
        self.p = evidence.probability(label)
        self.p_of_regions: list[float] = self.p.tolist()
        self._highest = max(self.p_of_regions, default=0.0)

    def new_key(self, value: str) -> str:
        """Return the key of a value without a candidate; empty if it has one or no key."""
        key = self.key_of(value)
        return "" if key in self else key

    def add_visible(self, key: str, candidate: ValueCandidate, rank: int) -> None:
        """Add a new candidate that has regions; ``rank`` is that of its block."""
        evidence, regions, first = self.evidence, candidate.regions, candidate.regions[0]
        candidate.features |= {
            "p": max([self.p_of_regions[i] for i in regions]),
            "p_mean": region_mean(self.p, regions),
            "rank": float(rank),
            "p_best": self._highest,
            "place": first / max(len(self.p), 1),
            "from_body": clipped(first - evidence.body_begin, 60),
            "from_title": clipped(first - evidence.title_region, 60),
            "level": float(evidence.level[first]),
            "in_link": float(all(evidence.in_link[i] for i in regions)),
            "n_chars": float(sum([len(evidence.page.text[i]) for i in regions])),
            **evidence.name_features(first),
        }
        self[key] = candidate

    def add_statements(self, statements: Iterable[Statement]) -> None:
        """Add each statement to the candidate with the same value, or as a new candidate."""
        keys = set()
        for rank, statement in enumerate(statements):
            key = self.key_of(statement.value)
            keys.add(key)
            if key:
                candidate = self.setdefault(key, ValueCandidate(statement.value))
                candidate.features.setdefault("stated_rank", float(rank))
                _add_source(candidate, statement)
        for candidate in self.values():
            candidate.features |= _source_features(candidate.sources)
            candidate.features["n_stated"] = float(len(keys))


@lru_cache(maxsize=TEXTS)
def _source_features(sources: tuple[str, ...]) -> dict[str, float]:
    features = {name: float(source in sources) for name, source in _IS_SOURCE.items()}
    return {**features, "n_sources": float(len(sources))}


def _add_source(candidate: ValueCandidate, statement: Statement) -> None:
    if statement.is_organisation:
        candidate.features["is_organisation"] = 1.0
    if statement.source not in candidate.sources:
        candidate.sources = (*candidate.sources, statement.source)
    if _MOMENT.match(statement.value) and "T" not in candidate.value:
        is_other = statement.source != candidate.source
        candidate.value = statement.value
        candidate.clock_source = statement.source if is_other else ""


def region_mean(values: Floats, regions: Sequence[int]) -> float:
    """Return the mean of the values of regions, of which there is at least one."""
    return float(values[regions[0]] if len(regions) == 1 else values[list(regions)].mean())


def clipped(number: int, limit: int) -> float:
    """Return a number clipped to [-limit, limit]."""
    return float(max(-limit, min(number, limit)))


def is_above_title(candidate: ValueCandidate, evidence: Evidence) -> bool:
    """Return whether only regions above the headline, in no part with it, show a value."""
    if candidate.is_stated or not candidate.regions:
        return False
    first = candidate.regions[0]
    return first < evidence.title_region and not is_with_title(evidence, first)


def is_with_title(evidence: Evidence, region: int) -> bool:
    """Return whether the innermost element around a region and the headline excludes the body."""
    first, end = evidence.region_ranges
    for above in evidence.page.elements.ancestors(int(evidence.page.element[region])):
        if first[above] <= evidence.title_region < end[above]:
            return not first[above] <= evidence.body_begin < end[above]
    return False
