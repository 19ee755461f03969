"""Attribution of a region's label: to its columns, and to the labels of other regions.

`attribute_label` takes the score of a label apart; `find_counterfactual` finds the least that would
change the label. How a learner's decoding lets other regions count is a `LabelContext`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from structce.arrays import Floats, Labels
from structce.errors import LearnerError
from structce.learners.base import Learner, LinearChain
from structce.learners.greedy_svm import GreedySVM
from structce.learners.inference.constrained import constrained_viterbi
from structce.learners.inference.greedy import greedy_decode
from structce.learners.inference.viterbi import max_marginals, sequence_score
from structce.learners.inputs import Features, SparseRows, check_pages

_TIE = 1e-9
"""Scores nearer to each other than this, relative to 1 or to themselves, may be a tie."""


class ContextTerm(NamedTuple):
    """What other regions add to the scores of the chosen label and of the runner-up.

    Parameters
    ----------
    offset
        Where the region stands whose label adds it: -1 is the region before, 1 the next one;
        None for the rest of the page.
    labels
        That region's label beside the chosen one, and beside the runner-up.
    scores
        What is added to the chosen label, and to the runner-up.
    """

    offset: int | None
    labels: tuple[int, int] | None
    scores: tuple[float, float]


class Flip(NamedTuple):
    """A region and another label for it."""

    region: int
    label: int


@dataclass(frozen=True, eq=False)
class Attribution:
    """Why a region has its label: the parts of each label's score.

    Parameters
    ----------
    labels : shape (n_regions,)
        Of the page, as the learner gives them.
    chosen, runner_up
        Label of the region, and the label of the second highest score; a tie goes to the lower.
    label_scores : shape (n_labels,)
        Score of the best labelling of the page that gives the region each label.
    columns, values : shape (n_set,)
        The columns that are set in the region, and their values.
    contributions : shape (n_set, n_labels)
        Value times weight; a column of it sums to the region's emission for that label.
    terms
        The other parts of the scores of `chosen` and `runner_up`.
    flips
        Labels of other regions that differ where the region has the runner-up.
    """

    labels: Labels
    chosen: int
    runner_up: int
    label_scores: Floats
    columns: Labels
    values: Floats
    contributions: Floats
    terms: tuple[ContextTerm, ...]
    flips: tuple[Flip, ...]

    @property
    def margin(self) -> float:
        """By how much the chosen label leads, at least 0 but for rounding (dimensionless).

        The differences of all contributions and terms add up to it.
        """
        return float(self.label_scores[self.chosen] - self.label_scores[self.runner_up])


class Counterfactual(NamedTuple):
    """The least that would change the label of a region.

    Parameters
    ----------
    columns
        Those of the region without which its label is another, fewest possible; empty if no set
        of them changes it.
    flips
        Only where no columns do: the fewest other labels near the region that change its label.
    label
        The label that comes instead; None if nothing was found.
    """

    columns: tuple[int, ...]
    flips: tuple[Flip, ...]
    label: int | None


def attribute_label(learner: Learner, page: Features, i: int) -> Attribution:
    """Return why region `i` of a page, from 0, has the label that a fitted learner gives it.

    Raises
    ------
    LearnerError
        If the learner has a single label, is not fitted, or cannot be explained.
    """
    context = label_context(learner)
    if learner.n_labels_ < 2:
        raise LearnerError("a learner with a single label has no runner-up to compare it with")
    emissions, labels = learner.scores([page])[0], learner.predict([page])[0]
    columns, values = _row(check_pages([page], learner.n_columns_)[0], i)
    label_scores, chosen = context.label_scores(emissions, i), int(labels[i])
    rivals = label_scores.copy()
    rivals[chosen] = -np.inf
    runner_up = int(rivals.argmax())
    terms, flips = context.terms(emissions, labels, i, runner_up)
    return Attribution(
        labels=labels,
        chosen=chosen,
        runner_up=runner_up,
        label_scores=label_scores,
        columns=columns,
        values=values,
        contributions=values[:, None] * learner.emissions_[columns],
        terms=terms,
        flips=flips,
    )


def find_counterfactual(
    learner: Learner, page: Features, i: int, attribution: Attribution
) -> Counterfactual:
    """Return what would change the label of region `i`, found true by labelling the page again.

    Columns that are left out are left out of this region alone. Since what other regions bring
    does not depend on them, taking the columns with the greatest difference first gives the
    smallest set for each rival; the smallest of all rivals is returned.

    References
    ----------
    D. Martens, F. Provost (2014). Explaining data-driven document classifications. MIS Quarterly
    38(1): the fewest words of a document without which its class is another. That the document is
    a region of a chain, and that its neighbours' labels may flip, is not in the paper.
    """
    rows = check_pages([page], learner.n_columns_)[0]
    gains = attribution.contributions[:, [attribution.chosen]] - attribution.contributions
    for items, _ in smallest_sets(
        gains, attribution.label_scores[attribution.chosen] - attribution.label_scores
    ):
        columns = attribution.columns[items]
        label = int(learner.predict([_without(rows, i, columns)])[0][i])
        if label != attribution.chosen:
            return Counterfactual(tuple(columns.tolist()), (), label)
    emissions = learner.scores([page])[0]
    flips, other = label_context(learner).flips(emissions, attribution.labels, i)
    return Counterfactual((), flips, other)


class LabelContext(ABC):
    """How a learner's decoding brings other regions' labels to bear on one region."""

    @abstractmethod
    def label_scores(self, emissions: Floats, i: int) -> Floats:
        """Return the score of the best labelling that gives region `i` each label.

        Returns
        -------
        shape (n_labels,)
            The emissions of the region, plus what does not depend on them.
        """

    @abstractmethod
    def terms(
        self, emissions: Floats, y: Labels, i: int, rival: int
    ) -> tuple[tuple[ContextTerm, ...], tuple[Flip, ...]]:
        """Return the parts of the scores of labels ``y[i]`` and ``rival`` that are no emissions.

        Parameters
        ----------
        y : shape (n_regions,)
            The labels that the learner gives to the page.

        Returns
        -------
        terms
        flips
            Labels of other regions that are not those of ``y`` where region `i` is the rival.
        """

    @abstractmethod
    def flips(self, emissions: Floats, y: Labels, i: int) -> tuple[tuple[Flip, ...], int | None]:
        """Return the fewest other labels of regions near `i` that change its label, and to what.

        Empty and None if there are none.
        """


class _NoContext(LabelContext):
    """Every region on its own."""

    def label_scores(self, emissions: Floats, i: int) -> Floats:
        scores: Floats = emissions[i]
        return scores

    def terms(
        self, emissions: Floats, y: Labels, i: int, rival: int
    ) -> tuple[tuple[ContextTerm, ...], tuple[Flip, ...]]:
        return (), ()

    def flips(self, emissions: Floats, y: Labels, i: int) -> tuple[tuple[Flip, ...], int | None]:
        return (), None


class _ChainContext(LabelContext):
    """The best sequence of the page: the regions beside, and through them all others."""

    def __init__(self, transitions: Floats) -> None:
        self.transitions = transitions

    def label_scores(self, emissions: Floats, i: int) -> Floats:
        best: Floats = max_marginals(emissions, self.transitions)[i]
        return best

    def terms(
        self, emissions: Floats, y: Labels, i: int, rival: int
    ) -> tuple[tuple[ContextTerm, ...], tuple[Flip, ...]]:
        z = constrained_viterbi(emissions, self.transitions, fixed={i: rival})
        found = []
        for offset in (-1, 1):
            if 0 <= i + offset < len(y):
                labels = int(y[i + offset]), int(z[i + offset])
                edges = [self._edge(one, i, offset) for one in (y, z)]
                found.append(ContextTerm(offset, labels, (edges[0], edges[1])))
        if len(y) > 1:
            beside = [sum(term.scores[side] for term in found) for side in (0, 1)]
            totals = [sequence_score(emissions, self.transitions, one) for one in (y, z)]
            own = [float(emissions[i, one[i]]) for one in (y, z)]
            rest = [totals[side] - own[side] - beside[side] for side in (0, 1)]
            found.append(ContextTerm(None, None, (rest[0], rest[1])))
        flips = (Flip(int(r), int(z[r])) for r in np.flatnonzero(y != z) if r != i)
        return tuple(found), tuple(flips)

    def flips(self, emissions: Floats, y: Labels, i: int) -> tuple[tuple[Flip, ...], int | None]:
        """Return the best of one other label beside region `i`, else of two; see the base class.

        All regions that are not named are decoded anew. Of as few flips, those win that cost the
        page's score least.
        """
        tried = sorted(self._candidates(emissions, y, i), key=lambda one: (len(one[1]), -one[0]))
        for _, flips in tried:
            z = constrained_viterbi(emissions, self.transitions, fixed=dict(flips))
            label = int(z[i])
            if label != y[i]:
                return flips, label
        return (), None

    def _candidates(
        self, emissions: Floats, y: Labels, i: int
    ) -> Iterator[tuple[float, tuple[Flip, ...]]]:
        """Yield flips beside region `i` after which another label is best there or ties.

        With the labels beside it fixed, a region depends on nothing else, so one table of all
        labels before, at and after it answers for the page.
        """
        paths = self._paths(emissions, i)
        for axis, at in ((0, i - 1), (2, i + 1)):
            if not 0 <= at < len(y):
                continue
            totals = paths.max(axis=2 - axis)  # labels of both, in page order
            for label, scores in enumerate(totals if axis == 0 else totals.T):
                if label != y[at] and _may_change(scores, int(y[i])):
                    yield float(scores.max()), (Flip(at, label),)
        if not 0 < i < len(y) - 1:
            return
        for before, after in np.ndindex(paths.shape[0], paths.shape[2]):
            scores = paths[before, :, after]
            differ = before != y[i - 1] and after != y[i + 1]
            if differ and _may_change(scores, int(y[i])):
                flips = Flip(i - 1, int(before)), Flip(i + 1, int(after))
                yield float(scores.max()), flips

    def _edge(self, y: Labels, i: int, offset: int) -> float:
        """Return the transition between region `i` and the one before or after it."""
        pair = int(y[i]), int(y[i + offset])
        return float(self.transitions[pair[::offset]])

    def _paths(self, emissions: Floats, i: int) -> Floats:
        """Return the best scores by the labels before, at and after region `i`.

        Returns
        -------
        shape (n_labels, n_labels, n_labels)
            At the borders of the page the first or last axis has length 1.
        """
        n_labels = len(self.transitions)
        before, after = np.zeros((1, n_labels)), np.zeros((n_labels, 1))
        if i > 0:
            best = max_marginals(emissions[:i], self.transitions)[-1]
            before = best[:, None] + self.transitions
        if i + 1 < len(emissions):
            best = max_marginals(emissions[i + 1 :], self.transitions)[0]
            after = best[None, :] + self.transitions
        paths: Floats = before[:, :, None] + emissions[i][None, :, None] + after[None, :, :]
        return paths


class _GreedyContext(LabelContext):
    """Left to right: the labels decided before a region, and nothing after it."""

    def __init__(self, weights: Floats) -> None:
        self.weights = weights

    def label_scores(self, emissions: Floats, i: int) -> Floats:
        steps: Floats = greedy_decode(emissions, self.weights)[1][i]
        return steps

    def terms(
        self, emissions: Floats, y: Labels, i: int, rival: int
    ) -> tuple[tuple[ContextTerm, ...], tuple[Flip, ...]]:
        found = []
        for offset, label, weights in self._before(y, i):
            scores = float(weights[label, y[i]]), float(weights[label, rival])
            found.append(ContextTerm(offset, (label, label), scores))
        return tuple(found), ()

    def flips(self, emissions: Floats, y: Labels, i: int) -> tuple[tuple[Flip, ...], int | None]:
        """Return the fewest other labels before region `i`, all the rest as decided; see the base.

        For each label that could come instead, each earlier region takes the label that helps it
        most, and the regions that help most come first; so no smaller number does.
        """
        present, before = self.label_scores(emissions, i), list(self._before(y, i))
        # What each label would gain on the present one, by earlier region, and that region's label.
        swings = np.array([
            (weights - weights[label]) - (weights - weights[label])[:, [y[i]]]
            for _, label, weights in before
        ]).reshape(len(before), len(present), len(present))  # fmt: skip
        gains, labels = swings.max(axis=1), swings.argmax(axis=1)
        for chosen, rival in smallest_sets(gains, present[y[i]] - present):
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


def label_context(learner: Learner) -> LabelContext:
    """Return how a fitted learner's regions depend on each other.

    Raises
    ------
    LearnerError
        If the learner has weights whose part in decoding is not known here.
    """
    if isinstance(learner, LinearChain):
        return _ChainContext(learner.transitions_)
    if isinstance(learner, GreedySVM):
        return _GreedyContext(learner.context_weights_)
    if learner.weight_names == ("emissions_",):
        return _NoContext()
    raise LearnerError(
        f"a {learner.name} cannot be explained: expected a linear chain, a greedy SVM, or "
        f"emissions alone, not weights {learner.weight_names}"
    )


def smallest_sets(gains: Floats, margins: Floats) -> Iterator[tuple[Labels, int]]:
    """Yield small sets of items that may give another label the lead, smallest first.

    Parameters
    ----------
    gains : shape (n_items, n_labels)
        What each label gains on the present one by an item; gains of several items add up.
    margins : shape (n_labels,)
        By how much the present label leads each.

    Yields
    ------
    items
        Indices, the largest gain first. For one label no smaller set reaches the lead, since
        these are the items of the largest gains.
    label
        The label that catches up. It may merely draw level, which decoding decides; then a set
        that takes it past follows, if there is one.
    """
    order = np.argsort(-gains, axis=0, kind="stable")
    found: set[tuple[int, float, int]] = set()
    for label, margin in enumerate(margins.tolist()):
        sums = np.cumsum(gains[order[:, label], label])[: (gains[:, label] > 0).sum()]
        slack = _TIE * max(1.0, abs(margin))
        for least in (margin - slack, margin + slack):
            n = int(np.searchsorted(sums, least)) + 1
            if n <= len(sums):
                found.add((n, margin - float(sums[n - 1]), label))
    for n, _, label in sorted(found):
        yield order[:n, label], label


def _may_change(scores: Floats, label: int) -> bool:
    """Return whether another label has the highest score, or one that ties to within rounding."""
    others = np.delete(scores, label)
    slack = _TIE * max(1.0, abs(float(scores[label])))
    return bool(len(others) and others.max() > scores[label] - slack)


def _row(rows: SparseRows, i: int) -> tuple[Labels, Floats]:
    """Return the columns that are set in a region, and their values."""
    cells = slice(rows.indptr[i], rows.indptr[i + 1])
    columns, values = rows.indices[cells].astype(np.int64), rows.data[cells].astype(np.float64)
    is_set = values != 0
    return columns[is_set], values[is_set]


def _without(rows: SparseRows, i: int, columns: Labels) -> SparseRows:
    """Return the page with some columns not set in region `i`."""
    result = rows.copy()
    cells = slice(rows.indptr[i], rows.indptr[i + 1])
    result.data[cells][np.isin(rows.indices[cells], columns)] = 0
    return result
