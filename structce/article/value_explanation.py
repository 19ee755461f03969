"""Explanations of values: why a candidate was chosen for a field, and not its rival.

The trees that chose among the candidates give each its probability. Their log odds are split over
the columns along the paths of the two candidates (:meth:`BoostedTrees.path_contributions`), and the
differences add up to the margin between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from structce.arrays import Floats
from structce.article.candidates import Candidate
from structce.article.choice import (
    CANDIDATES,
    ELIGIBLE,
    candidates_of,
    choice_facts,
    probabilities,
)
from structce.article.evidence import Evidence, Facts, rows_of
from structce.article.furniture import eligible_names
from structce.article.page_type import page_facts
from structce.article.reading import Reading, evidence_of
from structce.errors import StructceError
from structce.labelling import ArticleTrees
from structce.learners import BoostedTrees

EXPLAINED = tuple(CANDIDATES)
"""Fields whose values are chosen among candidates."""


class ExplainedCandidate(NamedTuple):
    """Value that a page offers for a field.

    ``probability`` is that of being right before the rules of the field, in [0, 1]; ``is_eligible``
    is false if a rule excludes the value, such as a day that belongs to a comment. ``regions`` are
    those that show it, ``sources`` the metadata that state it.
    """

    value: str
    probability: float
    is_chosen: bool
    is_eligible: bool
    regions: tuple[int, ...]
    sources: tuple[str, ...]


class ValueShare(NamedTuple):
    """Contribution of a column to the log odds of the chosen value and of its rival.

    ``value`` and ``rival_value`` are the column's values, NaN where unknown.
    """

    name: str
    value: float
    rival_value: float
    chosen: float
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
    if field not in EXPLAINED:
        expected = ", ".join(EXPLAINED)
        raise StructceError(f"field {field!r} has no candidates; expected one of {expected}")
    labeller = reading.initial.labeller
    trees = ArticleTrees() if labeller is None else labeller.trees
    evidence = evidence_of(reading.initial)
    candidates = candidates_of(field, evidence, trees)
    ensemble, facts, p = _judgement(field, candidates, evidence, trees)
    given = getattr(reading.article, field)
    values = given if isinstance(given, tuple) else [given] if given else []
    names = {value.value for value in values}
    eligible = set(ELIGIBLE.get(field, eligible_names)(candidates, evidence))
    order = np.argsort(-p, kind="stable").tolist()
    explained = {
        i: ExplainedCandidate(
            candidates[i].value,
            float(p[i]),
            candidates[i].value in names,
            i in eligible,
            candidates[i].regions,
            candidates[i].sources,
        )
        for i in order
    }
    confidence = values[0].confidence if values else None
    whole = ValueExplanation(field, tuple(explained.values()), 0.0, (), 0.0, confidence)
    chosen, rival = (
        next((i for i, candidate in explained.items() if candidate is which), None)
        for which in (whole.chosen, whole.rival)
    )
    if ensemble is None or chosen is None:
        return whole
    margin, shares = _shares(ensemble, facts[chosen], None if rival is None else facts[rival])
    others = sum(share.difference for share in shares[n_columns:])
    return ValueExplanation(
        field, whole.candidates, margin, tuple(shares[:n_columns]), others, confidence
    )


def _judgement(
    field: str, candidates: Sequence[Candidate], evidence: Evidence, trees: ArticleTrees
) -> tuple[BoostedTrees | None, list[Facts], Floats]:
    """Return the trees that decide about candidates, the features they see, the probabilities.

    Those of authors judge each beside its rivals, if the model has such trees.
    """
    p = probabilities(field, candidates, trees)
    judge = trees.choices.get(field) if field == "authors" else None
    if judge is None or not candidates:
        return trees.candidates.get(field), [candidate.facts for candidate in candidates], p
    facts = choice_facts(field, candidates, p, range(len(p)), page_facts(evidence))
    return judge, facts, judge.probability(rows_of(facts, judge.names))


def _shares(
    trees: BoostedTrees, chosen: Facts, rival: Facts | None
) -> tuple[float, list[ValueShare]]:
    """Return the margin of a candidate over its rival, and the columns' shares, largest first."""
    rows = rows_of([chosen, chosen if rival is None else rival], trees.names)
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
