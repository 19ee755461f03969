"""Attribution of a region's label to the region's columns and to the labels of other regions.

`attribute_label` splits the score of every label into its parts; `find_counterfactual` searches for
the smallest change of the page that gives the region another label.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from structce.arrays import Floats, Labels
from structce.errors import LearnerError
from structce.learners.base import Learner
from structce.learners.boosted_chain import BoostedChain
from structce.learners.greedy_svm import GreedySVM
from structce.learners.inference.constrained import constrained_viterbi
from structce.learners.inference.greedy import greedy_decode
from structce.learners.inference.viterbi import max_marginals, sequence_score
from structce.learners.inputs import Features, check_pages
from structce.learners.linear import LinearChain, LinearLearner

_TIE = 1e-9
"""Relative tolerance within which two scores may be a tie; absolute for scores below 1."""


class ContextTerm(NamedTuple):
    """Share of another region in the scores of the chosen label and of the runner-up.

    ``offset`` is its position relative to this region: -1 is the region before, 1 the next, None
    the rest of the page; 0 is this region, whose scores trees begin with before any column.
    """

    offset: int | None
    labels: tuple[int, int] | None  # its labels beside the chosen label, and beside the runner-up
    scores: tuple[float, float]  # what it adds to the scores of these two


class Flip(NamedTuple):
    """A different label for another region of the page."""

    region: int
    label: int


@dataclass(frozen=True, eq=False)
class Attribution:
    """Additive explanation of a region's label.

    ``label_scores`` has, for each label, the score of the best labelling of the page in which the
    region has it. ``columns`` are those with a non-zero value in the region or, of trees, on whose
    splits its scores depend. ``contributions``, shape (n_set, n_labels), are values times weights,
    and sum to the region's emission scores; of trees, see `BoostedChain.contributions`.
    """

    labels: Labels  # predicted labels of the page
    chosen: int  # predicted label of the region
    runner_up: int  # label with the second highest score; the lower index wins a tie
    label_scores: Floats  # shape (n_labels,)
    columns: Labels  # shape (n_set,)
    values: Floats  # of these columns
    contributions: Floats
    terms: tuple[ContextTerm, ...]  # other parts of the scores of `chosen` and `runner_up`
    flips: tuple[Flip, ...]  # other regions whose labels change if the region takes the runner-up

    @property
    def margin(self) -> float:
        """Lead of the chosen label over the runner-up, at least 0 up to rounding (dimensionless).

        Equals the sum of the differences of all contributions and terms.
        """
        return float(self.label_scores[self.chosen] - self.label_scores[self.runner_up])


class Counterfactual(NamedTuple):
    """The smallest change of a page that gives a region another label.

    ``columns`` is the smallest set of the region's columns whose removal does, empty if no set
    does; of trees, the smallest that was tried. Only if it is empty, ``flips`` is the smallest set
    of other labels near the region that does. ``label`` is the region's label after the change;
    None if no change was found.
    """

    columns: tuple[int, ...]
    flips: tuple[Flip, ...]
    label: int | None


def attribute_label(learner: Learner, page: Features, i: int) -> Attribution:
    """Return the parts of the scores behind the label that a learner predicts for region `i`.

    Raises LearnerError if the learner has a single label, is neither linear nor boosted trees, is
    not fitted, or its decoding is not known here.
    """
    learner._check_fitted()
    context = _label_context(learner)
    if learner.n_labels_ < 2:
        raise LearnerError("a learner with a single label has no runner-up to compare it with")
    emissions = learner.scores([page])[0]
    labels = learner._decode([emissions])[0]
    columns, values, contributions = _contributions(learner, page, i)
    label_scores, chosen = context.label_scores(emissions, i), int(labels[i])
    rivals = label_scores.copy()
    rivals[chosen] = -np.inf
    runner_up = int(rivals.argmax())
    terms, flips = context.terms(emissions, labels, i, runner_up)
    if isinstance(learner, BoostedChain):
        start = emissions[i] - contributions.sum(axis=0)
        terms = (ContextTerm(0, None, (float(start[chosen]), float(start[runner_up]))), *terms)
    return Attribution(
        labels, chosen, runner_up, label_scores, columns, values, contributions, terms, flips
    )


def _contributions(learner: Learner, page: Features, i: int) -> tuple[Labels, Floats, Floats]:
    """Return the columns with a share in the emission scores, their values and their shares."""
    row = check_pages([page], learner.n_columns_)[0][[i]]
    if isinstance(learner, BoostedChain):
        shares = learner.contributions(row)
        columns = np.flatnonzero(shares.any(axis=1))
        return columns, row.toarray()[0, columns], shares[columns]
    row.eliminate_zeros()
    columns, emissions = row.indices.astype(np.int64), learner.emissions_  # type: ignore[attr-defined]
    return columns, row.data, row.data[:, None] * emissions[columns]


def find_counterfactual(
    learner: Learner, page: Features, i: int, attribution: Attribution
) -> Counterfactual:
    """Return the smallest change that gives region `i` another label, verified by prediction.

    Columns are removed from this region only, those with the largest score difference first. The
    share of other regions in the scores does not depend on these columns, so that this gives the
    smallest set. Of trees, whose columns do not act independently, every set that begins so is
    tried.

    References
    ----------
    D. Martens, F. Provost (2014). Explaining data-driven document classifications. MIS Quarterly
    38(1): the smallest set of words whose removal changes the class of a document. Regions of a
    chain, and flips of their neighbours' labels, are not in the paper.
    """
    row = check_pages([page], learner.n_columns_)[0][[i]]
    emissions = learner.scores([page])[0]
    gains = attribution.contributions[:, [attribution.chosen]] - attribution.contributions
    gains[attribution.values == 0] = 0  # nothing to remove
    margins = attribution.label_scores[attribution.chosen] - attribution.label_scores
    is_additive = not isinstance(learner, BoostedChain)
    for items, _ in _leading_sets(gains, margins, is_additive=is_additive):
        columns = attribution.columns[items]
        changed, without = emissions.copy(), row.copy()
        without.data[np.isin(row.indices, columns)] = 0
        changed[i] = learner.scores([without])[0][0]
        label = int(learner._decode([changed])[0][i])
        if label != attribution.chosen:
            return Counterfactual(tuple(columns.tolist()), (), label)
    flips, other = _label_context(learner).flips(emissions, attribution.labels, i)
    return Counterfactual((), flips, other)


class _ChainContext:
    """Influence of other regions in a linear chain: through the transitions of the best sequence.

    `_GreedyContext` has the same methods.
    """

    def __init__(self, transitions: Floats) -> None:
        self.transitions = transitions

    def label_scores(self, emissions: Floats, i: int) -> Floats:
        """Return, for each label, the score of the best labelling in which region `i` has it."""
        return np.asarray(max_marginals(emissions, self.transitions)[i])

    def terms(
        self, emissions: Floats, y: Labels, i: int, rival: int
    ) -> tuple[tuple[ContextTerm, ...], tuple[Flip, ...]]:
        """Return the parts of the scores of labels ``y[i]`` and `rival` that are not emissions.

        The flips are the labels of other regions that differ from ``y``, the predicted labels of
        the page, when region `i` has the rival label.
        """
        z = constrained_viterbi(emissions, self.transitions, fixed={i: rival})
        terms = []
        for offset in (-1, 1):
            if 0 <= i + offset < len(y):
                labels = int(y[i + offset]), int(z[i + offset])
                left, right = min(i, i + offset), max(i, i + offset)
                edges = [float(self.transitions[path[left], path[right]]) for path in (y, z)]
                terms.append(ContextTerm(offset, labels, (edges[0], edges[1])))
        if len(y) > 1:
            rest = [
                sequence_score(emissions, self.transitions, path)
                - float(emissions[i, path[i]])
                - sum(term.scores[side] for term in terms)
                for side, path in enumerate((y, z))
            ]
            terms.append(ContextTerm(None, None, (rest[0], rest[1])))
        flips = (Flip(int(r), int(z[r])) for r in np.flatnonzero(y != z) if r != i)
        return tuple(terms), tuple(flips)

    def flips(self, emissions: Floats, y: Labels, i: int) -> tuple[tuple[Flip, ...], int | None]:
        """Return the fewest flips beside region `i` that change its label, and the new label.

        All other regions are decoded again. Among equally many flips, those that cost the page's
        score least win. Empty and None if no change of labels is found.

        Given the labels of its neighbours, a region depends on nothing else, so one table over
        the labels before, at and after it is enough.
        """
        paths = self._paths(emissions, i)
        n_before, _, n_after = paths.shape
        candidates: list[tuple[int, float, tuple[Flip, ...]]] = []

        def add(scores: Floats, *flips: Flip) -> None:
            if all(y[flip.region] != flip.label for flip in flips) and _may_change(scores, y[i]):
                candidates.append((len(flips), -float(scores.max()), flips))

        if i > 0:
            for label in range(n_before):
                add(paths[label].max(axis=1), Flip(i - 1, label))
        if i + 1 < len(y):
            for label in range(n_after):
                add(paths[:, :, label].max(axis=0), Flip(i + 1, label))
        if 0 < i < len(y) - 1:
            for before, after in np.ndindex(n_before, n_after):
                add(paths[before, :, after], Flip(i - 1, before), Flip(i + 1, after))
        for _, _, flips in sorted(candidates, key=lambda candidate: candidate[:2]):
            z = constrained_viterbi(emissions, self.transitions, fixed=dict(flips))
            if z[i] != y[i]:
                return flips, int(z[i])
        return (), None

    def _paths(self, emissions: Floats, i: int) -> Floats:
        """Return the best scores by the labels before, at and after region `i`.

        At a border of the page the first or last axis has length 1, otherwise ``n_labels``.
        """
        n_labels = len(self.transitions)
        before, after = np.zeros((1, n_labels)), np.zeros((n_labels, 1))
        if i > 0:
            best = max_marginals(emissions[:i], self.transitions)[-1]
            before = best[:, None] + self.transitions
        if i + 1 < len(emissions):
            best = max_marginals(emissions[i + 1 :], self.transitions)[0]
            after = best[None, :] + self.transitions
        return np.asarray(before[:, :, None] + emissions[i][None, :, None] + after[None, :, :])


class _GreedyContext:
    """Influence of other regions in greedy decoding: that of the labels decided before.

    Without context weights every region is independent.
    """

    def __init__(self, weights: Floats) -> None:
        self.weights = weights

    def label_scores(self, emissions: Floats, i: int) -> Floats:
        return np.asarray(greedy_decode(emissions, self.weights)[1][i])

    def terms(
        self, emissions: Floats, y: Labels, i: int, rival: int
    ) -> tuple[tuple[ContextTerm, ...], tuple[Flip, ...]]:
        terms = []
        for offset, label, weights in self._before(y, i):
            scores = float(weights[label, y[i]]), float(weights[label, rival])
            terms.append(ContextTerm(offset, (label, label), scores))
        return tuple(terms), ()

    def flips(self, emissions: Floats, y: Labels, i: int) -> tuple[tuple[Flip, ...], int | None]:
        """Return the fewest flips before region `i` that change its label, and the new label.

        For each rival label, every earlier region takes the label that helps the rival most, and
        the regions that help most come first, so no smaller set suffices.
        """
        present, before = self.label_scores(emissions, i), list(self._before(y, i))
        # Gain of each label on the present one, by earlier region and that region's new label.
        swings = np.array([
            (weights - weights[label]) - (weights - weights[label])[:, [y[i]]]
            for _, label, weights in before
        ]).reshape(len(before), len(present), len(present))  # fmt: skip
        gains, labels = swings.max(axis=1), swings.argmax(axis=1)
        for chosen, rival in _leading_sets(gains, present[y[i]] - present, is_additive=True):
            scores = present.copy()
            for k in chosen:
                _, label, weights = before[k]
                scores += weights[labels[k, rival]] - weights[label]
            if scores.argmax() != y[i]:
                flips = (Flip(i + before[k][0], int(labels[k, rival])) for k in chosen)
                return tuple(flips), int(scores.argmax())
        return (), None

    def _before(self, y: Labels, i: int) -> Iterator[tuple[int, int, Floats]]:
        """Yield offset, label and weights of each earlier region that region `i` sees."""
        for k in range(min(len(self.weights), i)):
            yield -k - 1, int(y[i - k - 1]), self.weights[k]


def _label_context(learner: Learner) -> _ChainContext | _GreedyContext:
    """Return how the regions of a fitted learner influence each other.

    Raises LearnerError if the columns have no weights, or their role in decoding is not known here.
    """
    if isinstance(learner, LinearChain | BoostedChain):
        return _ChainContext(learner.transitions_)
    if isinstance(learner, GreedySVM):
        return _GreedyContext(learner.context_weights_)
    if isinstance(learner, LinearLearner) and learner.weight_names == ("emissions_",):
        return _GreedyContext(np.zeros((0, learner.n_labels_, learner.n_labels_)))
    raise LearnerError(
        f"a {learner.name} cannot be explained: expected a linear chain, a greedy SVM, emissions "
        f"alone or boosted-trees, not weights {learner.weight_names}"
    )


def _leading_sets(
    gains: Floats, margins: Floats, *, is_additive: bool
) -> Iterator[tuple[Labels, int]]:
    """Yield sets of items that may give another label the lead, and that label, smallest first.

    A set consists of the items with the largest gains. If gains add up, sets that cannot reach the
    lead are left out, so that the first whose label leads or wins a tie is the smallest.

    Gains of each label on the present one have shape (n_items, n_labels); ``margins``, shape
    (n_labels,), are the leads of the present label over each label.
    """
    order = np.argsort(-gains, axis=0, kind="stable")
    ranked = np.take_along_axis(gains, order, axis=0)
    left = margins - np.cumsum(ranked, axis=0)
    may_lead = ranked > 0
    if is_additive:
        may_lead &= left <= _TIE * np.maximum(1.0, np.abs(margins))
    sizes, labels = np.nonzero(may_lead)
    nearest = left[sizes, labels] if is_additive else margins[labels]
    for k in np.lexsort((labels, nearest, sizes)).tolist():
        yield order[: sizes[k] + 1, labels[k]], int(labels[k])


def _may_change(scores: Floats, label: np.int64) -> bool:
    """Return whether another label has the highest score, or one that ties to within rounding."""
    others = np.delete(scores, label)
    slack = _TIE * max(1.0, abs(float(scores[label])))
    return bool(len(others) and others.max() > scores[label] - slack)
