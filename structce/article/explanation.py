"""Explanations: why a region has its label, and why a candidate was chosen for a field.

A candidate is compared with its rival. The trees that chose give each its probability; their log
odds are split over the columns along the paths of the two candidates
(:meth:`BoostedTrees.path_contributions`), and the differences add up to the margin between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from structce.arrays import Floats
from structce.article.choice import (
    FIELDS,
    candidate_rows,
    candidates_of,
    chance_of_choices,
    choice_columns,
    choice_rows,
    probabilities,
)
from structce.article.evidence import evidence_of, named_columns
from structce.article.page_type import page_features
from structce.article.reading import PageRecord, Reading
from structce.errors import StructceError
from structce.labelling import ArticleTrees, Explanation
from structce.labels import LabelSet
from structce.learners import BoostedTrees

_EXPLAINED_LABEL = "Title"


class ExplainedCandidate(NamedTuple):
    """Value that a page offers for a field."""

    value: str
    probability: float  # of being right, in [0, 1], before the rules of the field
    is_chosen: bool
    is_eligible: bool  # false if a rule excludes it, such as a day that belongs to a comment
    regions: tuple[int, ...]  # that show it
    sources: tuple[str, ...]  # of metadata that state it


class ValueShare(NamedTuple):
    """Contribution of a column to the log odds of the chosen value and of its rival."""

    name: str
    value: float  # of the column; NaN if unknown
    rival_value: float
    chosen: float  # in log odds
    rival: float

    @property
    def difference(self) -> float:
        """Contribution to the margin; below 0 it favours the rival."""
        return self.chosen - self.rival


@dataclass(frozen=True)
class ValueExplanation:
    """Why a value was chosen for a field.

    Parameters
    ----------
    field
        ``title``, ``authors`` or ``date``.
    candidates
        All values that the page offers, the likeliest first.
    margin
        Log odds of the first chosen value less those of its rival, the likeliest value that was not
        chosen; the differences of ``shares`` and ``others`` add up to it. Without a rival, the log
        odds above those that trees begin with.
    shares
        The columns with the greatest absolute differences, greatest first; none without trees or
        without a chosen value.
    others
        Sum of the differences of all other columns.
    confidence
        Probability that the chosen value is right, given its rivals and its page; None without one.
    """

    field: str
    candidates: tuple[ExplainedCandidate, ...]
    margin: float
    shares: tuple[ValueShare, ...]
    others: float
    confidence: float | None

    @property
    def chosen(self) -> ExplainedCandidate | None:
        """The first chosen value."""
        return next((candidate for candidate in self.candidates if candidate.is_chosen), None)

    @property
    def rival(self) -> ExplainedCandidate | None:
        """The likeliest value that was not chosen, before those that a rule excludes."""
        rivals = [candidate for candidate in self.candidates if not candidate.is_chosen]
        return max(rivals, key=lambda rival: rival.is_eligible, default=None)

    def as_dict(self) -> dict[str, object]:
        """Return the explanation as JSON values; unknown values of columns are None."""
        shares = [
            {name: None if value != value else value for name, value in share._asdict().items()}
            | {"difference": share.difference}
            for share in self.shares
        ]
        candidates = [candidate._asdict() for candidate in self.candidates]
        return {**asdict(self), "candidates": candidates, "shares": shares}


def explain_value(reading: Reading, field: str, *, n_columns: int = 10) -> ValueExplanation:
    """Return why a field of an article has its value.

    Parameters
    ----------
    field
        ``title``, ``authors`` or ``date``.
    n_columns
        Greatest number of columns listed by name, at least 0.

    Raises
    ------
    StructceError
        If values of the field are not chosen among candidates.
    """
    if field not in FIELDS:
        expected = ", ".join(FIELDS)
        raise StructceError(f"field {field!r} has no candidates; expected one of {expected}")
    labeller, evidence = reading.initial.labeller, evidence_of(reading.initial)
    trees = ArticleTrees() if labeller is None else labeller.trees
    candidates = candidates_of(field, evidence, trees)
    rows, columns = candidate_rows(field, candidates), FIELDS[field].columns
    ensemble, p = trees.candidates.get(field), probabilities(field, candidates, rows, trees)
    if candidates and field == "authors" and (judge := trees.choices.get(field)) is not None:
        every, page = range(len(p)), page_features(evidence)  # each beside its rivals
        rows, ensemble = choice_rows(field, candidates, rows, p, every, page), judge
        columns = choice_columns(field)
        p = chance_of_choices(field, rows, judge)
    given = getattr(reading.article, field)
    values = given if isinstance(given, tuple) else [given] if given else []
    is_chosen = [c.value in {value.value for value in values} for c in candidates]
    eligible = set(FIELDS[field].eligible(candidates, evidence))
    order = np.argsort(-p, kind="stable").tolist()
    explained = tuple(
        ExplainedCandidate(c.value, float(p[i]), is_chosen[i], i in eligible, c.regions, c.sources)
        for i, c in ((i, candidates[i]) for i in order)
    )
    chosen = next((i for i in order if is_chosen[i]), None)
    rivals = (i for i in order if not is_chosen[i])
    rival = max(rivals, key=eligible.__contains__, default=None)
    margin, shares = 0.0, list[ValueShare]()
    if ensemble is not None and chosen is not None:
        rows = named_columns(rows, columns, ensemble.names)
        margin, shares = _shares(ensemble, rows[chosen], None if rival is None else rows[rival])
    others = sum((share.difference for share in shares[n_columns:]), 0.0)
    confidence = values[0].confidence if values else None
    return ValueExplanation(field, explained, margin, tuple(shares[:n_columns]), others, confidence)


def _shares(
    trees: BoostedTrees, chosen: Floats, rival: Floats | None
) -> tuple[float, list[ValueShare]]:
    """Return the margin of a candidate over its rival, and the columns' shares, largest first."""
    rows = np.array([chosen, chosen if rival is None else rival])
    added = [trees.slope * trees.path_contributions(row).sum(axis=0) for row in rows]
    if rival is None:
        rows[1], added[1] = np.nan, np.zeros(len(trees.names))
    shares = [
        ValueShare(*share)
        for share in zip(trees.names, *rows.tolist(), *(row.tolist() for row in added), strict=True)
        if share[3] or share[4]
    ]
    shares.sort(key=lambda share: -abs(share.difference))
    return float((added[0] - added[1]).sum()), shares


class ExplainedRegion(NamedTuple):
    """Explanation of a region's label, and the label that the article reader finally gave it."""

    explanation: Explanation
    answer: str

    def as_dict(self) -> PageRecord:
        """Return both as JSON values."""
        return {**self.explanation.as_dict(), "answer": self.answer}


def explain_regions(
    reading: Reading, regions: Sequence[int], label: str, *, n_columns: int
) -> list[ExplainedRegion]:
    """Return explanations of the labels that the labeller gave to regions.

    Regions are given by their indices; none means all regions whose final label is ``label``.

    Raises
    ------
    RegionError
        If the page has no such region.
    """
    answer = reading.labelling.labels
    chosen = regions or [i for i, name in enumerate(answer) if name == label]
    explain = partial(reading.initial.explain, n_columns=n_columns)
    return [ExplainedRegion(explain(i), answer[i]) for i in chosen]


def explained_label(label_set: LabelSet) -> str:
    """Return the label that is explained by default: the title, or the first of the set."""
    return _EXPLAINED_LABEL if _EXPLAINED_LABEL in label_set.names else label_set.foreground[0]
