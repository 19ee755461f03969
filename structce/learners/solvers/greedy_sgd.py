"""Stochastic subgradient descent on the greedy hinge of Spengler et al. (2010).

The hinge of a region is the maximum, over all labels, of cost plus score after the labels that the
learner itself decided, minus the score of the correct label after correct labels. Where a previous
correct label is unknown, the learner's own decision stands in for it, so that both sides see it.

The hinge of a region is an upper bound of its error if the learner's own context equals the correct
one, since the correct label is then among those of the maximum. Otherwise it may be below 0, as the
correct label may score high after labels that the learner does not see. (This is our note; the
paper does not discuss it.)

As the decisions depend on the weights, the hinge is not convex, and has no dual. As in the paper,
the weights are updated after each decision, here with the steps of Pegasos, whose weights are the
sum of all subgradients divided by ``lambda`` times their number, and with the average of all
iterates. The error of such an average falls about as 1 over the number of epochs, so the spread of
the objective over the last half of them estimates what is left; it is no proof of an optimum.

References
----------
A. Spengler, A. Bordes, P. Gallinari (2010). A comparison of discriminative classifiers for web
news content extraction. RIAO, section 3.1.
A. Bordes, N. Usunier, L. Bottou (2008). Sequence labelling SVMs trained in one pass. ECML/PKDD:
their solver, which keeps dual variables.
S. Shalev-Shwartz, Y. Singer, N. Srebro, A. Cotter (2011). Pegasos: primal estimated sub-gradient
solver for SVM. Mathematical Programming 127.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from structce.arrays import Flags, Floats, Integers32, Labels
from structce.errors import LearnerError
from structce.learners.base import Callback, Progress
from structce.learners.inference.greedy import greedy_decode_batch
from structce.learners.inputs import SparseRows, matmul
from structce.learners.solvers.problem import label_costs
from structce.learners.solvers.solution import Solution


def solve_greedy(
    pages: Sequence[SparseRows],
    labels: Sequence[Labels],
    weights: Floats,
    *,
    context: int,
    lambda_: float,
    max_epochs: int,
    tol: float,
    random_state: int,
    callback: Callback | None = None,
) -> Solution:
    """Return the averaged weights after at most ``max_epochs`` passes.

    Regions with unknown labels are decided, but add no loss. ``weights``, shape (n_labels,), are
    the costs of missing each label. Training stops when the objective varied over the last
    half of the epochs by at most the fraction `tol` of it.

    Returns
    -------
    Emissions include the context's weights as their last rows, shape
    (n_columns + context * n_labels, n_labels). ``gap`` is the relative spread of the objective
    over the last half of the epochs; the curve has the objective also in place of the dual.
    """
    random = np.random.default_rng(random_state)
    descent = GreedyDescent(pages, labels, weights, context, lambda_)
    curve: list[tuple[int, float, float]] = []
    change, is_done, value = 1.0, False, 0.0
    while not is_done:
        for i in random.permutation(len(pages)):
            descent.pass_page(int(i))
        emissions, transitions = descent.average()
        value = descent.objective(emissions, transitions)
        curve.append((len(curve) + 1, value, value))
        change = _recent_spread(curve)
        joined = np.vstack([emissions, transitions.reshape(-1, len(weights))])
        is_done = change <= tol or len(curve) >= max_epochs
        if callback is not None:
            kept = partial(_weights, joined)
            progress = Progress(len(curve), max_epochs, value, change, kept)
            is_done = bool(callback(progress)) or is_done
    return Solution(joined, joined[:0], value, change, len(curve), curve)


def _recent_spread(curve: Sequence[tuple[int, float, float]]) -> float:
    """Return the spread of the objective over the last half of the epochs, relative, at most 1."""
    values = [value for _, value, _ in curve[(len(curve) - 1) // 2 :]]
    spread = (max(values) - min(values)) / max(abs(values[-1]), 1e-12)
    return min(spread, 1.0) if len(curve) > 1 else 1.0


def _weights(emissions: Floats) -> tuple[Floats, Floats]:
    """Return weights in the form of the other solvers, with empty transitions."""
    return emissions, emissions[:0]


class GreedyDescent:
    """Sum of all subgradients so far, which determines the weights and their average.

    ``emissions``, shape (n_columns, n_labels), and ``transitions``, shape (context * n_labels,
    n_labels), are the weights times ``scale`` times ``n_steps``, the number of decisions so far on
    regions with known labels. Row ``k * n_labels + a`` of the transitions is for the label ``a``
    decided ``k + 1`` regions earlier.
    """

    def __init__(
        self,
        pages: Sequence[SparseRows],
        labels: Sequence[Labels],
        weights: Floats,
        context: int,
        lambda_: float,
    ) -> None:
        self.pages, self.labels, self.lambda_ = pages, labels, lambda_
        self.weights, self.costs = weights, label_costs(np.arange(len(weights)), weights)
        n_known = sum(int((y >= 0).sum()) for y in labels)
        self.scale = lambda_ * len(pages) / max(1, n_known)
        self.starts = np.arange(context) * len(weights)
        self.emissions = np.zeros((pages[0].shape[1], len(weights)))
        self.transitions = np.zeros((context * len(weights), len(weights)))
        self._emissions_lag = np.zeros_like(self.emissions)
        self._transitions_lag = np.zeros_like(self.transitions)
        self.n_steps = 0

    def pass_page(self, i: int) -> None:
        """Decide the labels of a page from left to right, and learn from each decision."""
        page, gold = self.pages[i], self.labels[i]
        own, correct = np.empty_like(gold), gold.copy()
        for r, right in enumerate(gold.tolist()):
            cells = slice(page.indptr[r], page.indptr[r + 1])
            columns, values = page.indices[cells], page.data[cells]
            before = self._context(own, r)
            scores = values @ self.emissions[columns] + self.transitions[before].sum(axis=0)
            own[r] = scores.argmax()
            if right >= 0:
                costs = self.scale * max(1, self.n_steps) * self.costs[right]
                loser = int((scores + costs).argmax())
                self.n_steps += 1
                if loser != right:
                    self._add_row(columns, values, right, loser)
                self._add_context(self._context(correct, r), before, right, loser)
            else:
                correct[r] = own[r]

    def _context(self, labels: Labels, r: int) -> Labels:
        """Return the rows of the transitions for the labels before a region, the nearest first."""
        before = labels[max(0, r - len(self.starts)) : r][::-1]
        return self.starts[: len(before)] + before

    def _add_row(self, columns: Integers32, values: Floats, right: int, loser: int) -> None:
        """Add the subgradient of a region's own columns."""
        for label, change in ((right, values), (loser, -values)):
            self.emissions[columns, label] += change
            self._emissions_lag[columns, label] += self.n_steps * change

    def _add_context(self, correct: Labels, own: Labels, right: int, loser: int) -> None:
        """Add the context's subgradient: correct labels for the right label, own for the loser."""
        if loser == right and np.array_equal(correct, own):
            return
        for rows, label, change in ((correct, right, 1), (own, loser, -1)):
            self.transitions[rows, label] += change
            self._transitions_lag[rows, label] += change * self.n_steps

    def average(self) -> tuple[Floats, Floats]:
        """Return the average of all iterates, the one after ``t`` steps weighted by ``t``."""
        n = self.n_steps
        share = max(1.0, self.scale * n * (n + 1) / 2)
        emissions = ((n + 1) * self.emissions - self._emissions_lag) / share
        transitions = ((n + 1) * self.transitions - self._transitions_lag) / share
        return emissions, transitions.reshape(-1, *self.costs.shape)

    def objective(self, emissions: Floats, transitions: Floats) -> float:
        """Return the regularised risk of given weights under their own decisions."""
        scores = [matmul(page, emissions) for page in self.pages]
        squares = float(np.vdot(emissions, emissions) + np.vdot(transitions, transitions))
        hinge = greedy_hinge(scores, self.labels, transitions, self.weights)
        return self.lambda_ / 2 * squares + hinge


def greedy_hinge(
    scores: Sequence[Floats],
    labels: Sequence[Labels],
    context_weights: Floats,
    weights: Floats,
) -> float:
    """Return the mean over pages of the sum of a page's greedy hinges; it may be below 0.

    ``scores`` are the emission scores of each page, ``weights`` the costs of missing each label.
    Regions with unknown labels have no hinge; as context of later ones, they have the label that
    the learner decides. Raises LearnerError if a hinge after correct labels is below 0.
    """
    decoded = zip(*greedy_decode_batch(scores, context_weights), strict=True)
    costs, total = label_costs(np.arange(len(weights)), weights), 0.0
    for (own, seen), emissions, y in zip(decoded, scores, labels, strict=True):
        known = np.flatnonzero(y >= 0)
        loser = (seen[known] + costs[y[known]]).max(axis=1, initial=-np.inf)
        correct = np.where(y >= 0, y, own)
        right = emissions + _after(correct, context_weights)
        hinges = loser - right[known, y[known]]
        _check_bound(hinges[_is_consistent(own, correct, len(context_weights))[known]])
        total += float(hinges.sum())
    return total / max(1, len(scores))


def _after(y: Labels, context_weights: Floats) -> Floats:
    """Return what the labels before each region add to its scores, shape (n_regions, n_labels)."""
    added = np.zeros((len(y), context_weights.shape[1]))
    for k in range(min(len(context_weights), max(0, len(y) - 1))):
        added[k + 1 :] += context_weights[k, y[: len(y) - k - 1]]
    return added


def _is_consistent(own: Labels, correct: Labels, context: int) -> Flags:
    """Return whether a region's own context equals the correct one, shape (n_regions,)."""
    n_wrong = np.concatenate([[0], np.cumsum(own != correct)])
    places = np.arange(len(own))
    return np.asarray(n_wrong[places] == n_wrong[np.maximum(places - context, 0)])


def _check_bound(hinges: Floats) -> None:
    """Raise an error if a hinge after correct labels, a bound on an error, is below 0."""
    least = float(hinges.min(initial=0.0))
    if least < -1e-6 * max(1.0, float(np.abs(hinges).max(initial=0.0))):
        raise LearnerError(f"greedy hinge of {least:.3g} after correct labels; expected 0 or more")
