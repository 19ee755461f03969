"""Candidates of a field: every value that a page offers for it, with its features.

A value may be in regions of the page, in metadata statements, or in both; equal values are one
candidate. Its features are a row of numbers from which boosted trees estimate how likely it is
right (:mod:`structce.article.choice`): of its regions, of the statements, of the words around it,
and of its likeness to the other candidates. A feature that is missing is unknown. The fields are in
:mod:`~structce.article.titles`, :mod:`~structce.article.dates`, :mod:`~structce.article.authors`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

import msgspec

from structce.article.evidence import SURROUNDINGS, Evidence, likely_blocks
from structce.language import TEXTS
from structce.page import SOURCES, Statement
from structce.patterns import lazy_pattern

_MOMENT = lazy_pattern(r".{4}-.{5}T")

Row = tuple[float, ...]
"""Features of a candidate, in the order of some columns."""

UNKNOWN = float("nan")
"""Value of a feature that is missing."""

_PLACED = tuple("p p_mean rank p_best place from_body from_title level in_link n_chars".split())
_NAMED = (
    *"named_author named_date named_title in_time".split(),
    *(f"in_{name}" for name in SURROUNDINGS),
)
REGION_COLUMNS = (*_PLACED, *_NAMED)
"""Columns of a candidate's features from regions."""

STATED_COLUMNS = (*(f"is_{source}" for source in SOURCES), "n_sources", "n_stated", "stated_rank")
"""Columns of a candidate's features from metadata."""

_UNSEEN = (UNKNOWN,) * len(REGION_COLUMNS)
_FAR = 60  # regions from the title or the body; more count as so many


class ValueCandidate(msgspec.Struct):
    """A value that a page offers for a field, with its regions and sources."""

    value: str  # line, name, or moment in ISO 8601, as the article would state it
    regions: tuple[int, ...] = ()  # the most likely first; empty if only metadata state it
    sources: tuple[str, ...] = ()  # in metadata, in order of precedence
    raw: str = ""  # words of the page that it was read from
    clock_source: str = ""  # of a moment's time of day, if neither regions nor the first source
    needs_trees: bool = False  # a part of a heading or a whole short text, too odd for a rule
    is_organisation: bool = False  # an author that metadata state to be one
    lists: tuple[str, ...] = ()  # lists of authors, see structce.page.listed_names
    p: float = 0.0  # highest probability of the field's label in its regions
    row: Row = ()  # features in the order of the field's columns
    columns: tuple[str, ...] = ()  # their names

    def feature(self, name: str, unknown: float = 0.0) -> float:
        """Return a feature by the name of its column, or ``unknown``."""
        value = self.row[self.columns.index(name)] if name in self.columns else unknown
        return value if value == value else unknown

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

    They come from at most ``n`` blocks with a probability from ``least``, then from metadata.
    Columns after those of regions and metadata are the field's.
    """

    def __init__(
        self, evidence: Evidence, label: str, key_of: Callable[[str], str], *, least: float, n: int
    ) -> None:
        super().__init__()
        self.evidence, self.key_of = evidence, key_of
        p = evidence.probability(label)
        self.p: list[float] = p.tolist()
        self.blocks = likely_blocks(evidence, p, least=least, n_most=n)
        self.shown: dict[str, Row] = {}  # the field's features from regions
        self._seen: dict[str, Row] = {}
        self._ranks: dict[str, int] = {}  # of statements
        self._highest = max(self.p, default=0.0)

    def new_key(self, value: str) -> str:
        """Return the key of a value without a candidate; empty if it has one or no key."""
        key = self.key_of(value)
        return "" if key in self else key

    def add_visible(self, key: str, candidate: ValueCandidate, rank: int) -> None:
        """Add a new candidate that has regions; ``rank`` is that of its block."""
        evidence, regions, first = self.evidence, candidate.regions, candidate.regions[0]
        text, names = evidence.page.text, evidence.name_features(first)
        p = [self.p[i] for i in regions]
        candidate.p = max(p)
        from_body = clipped(first - evidence.body_begin, _FAR)
        from_title = clipped(first - evidence.title_region, _FAR)
        is_in_link = all(map(evidence.in_link.item, regions))
        n_chars = sum([len(text[i]) for i in regions])
        self._seen[key] = (
            candidate.p, sum(p) / len(p), rank, self._highest, first / len(self.p),
            from_body, from_title, evidence.level.item(first), is_in_link, n_chars,
            *[names[name] for name in _NAMED],
        )  # fmt: skip
        self[key] = candidate

    def add_statements(self, statements: Iterable[Statement]) -> None:
        """Add each statement to the candidate with the same value, or as a new candidate."""
        for rank, statement in enumerate(statements):
            key = self.key_of(statement.value)
            self._ranks.setdefault(key, rank)
            if key:
                if key not in self:
                    self[key] = ValueCandidate(statement.value)
                _add_source(self[key], statement)

    def finish(self, columns: tuple[str, ...], own: Iterable[Row]) -> list[ValueCandidate]:
        """Return the candidates with their features, of which the field's own are given."""
        n_stated = len(self._ranks)
        for (key, candidate), features in zip(self.items(), own, strict=True):
            seen, rank = self._seen.get(key, _UNSEEN), self._ranks.get(key, UNKNOWN)
            candidate.row = (*seen, *_source_row(candidate.sources), n_stated, rank, *features)
            candidate.columns = columns
        return [*self.values()]


@lru_cache(maxsize=TEXTS)
def _source_row(sources: tuple[str, ...]) -> Row:
    return (*[source in sources for source in SOURCES], len(sources))


def _add_source(candidate: ValueCandidate, statement: Statement) -> None:
    candidate.is_organisation |= statement.is_organisation
    if statement.source not in candidate.sources:
        candidate.sources = (*candidate.sources, statement.source)
    if _MOMENT.match(statement.value) and "T" not in candidate.value:
        is_other = statement.source != candidate.source
        candidate.value = statement.value
        candidate.clock_source = statement.source if is_other else ""


def clipped(number: int, limit: int) -> int:
    """Return a number clipped to [-limit, limit]."""
    return max(-limit, min(number, limit))


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
