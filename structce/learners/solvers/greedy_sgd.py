"""Stochastic subgradient descent on the greedy hinge of Spengler et al. (2010).

The hinge of a region is the maximum, over all labels, of cost plus score after the labels that the
learner itself decided, minus the score of the correct label after correct labels. As the decisions
depend on the weights, it is not convex, and has no dual. As in the paper, the weights are updated
after each decision, here with the steps of Pegasos, whose weights are the sum of all subgradients
divided by ``lambda`` times their number, and with the average of all iterates.

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

from structce.arrays import Floats, Labels
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
    the costs of missing each label. Training stops when an epoch changes the objective by at most
    the fraction `tol` of it.

    Returns
    -------
    Emissions include the context's weights as their last rows, shape
    (n_columns + context * n_labels, n_labels). ``gap`` is the relative change of the objective in
    the last epoch; the curve has the objective also in place of the dual.
    """
    random = np.random.default_rng(random_state)
    descent = GreedyDescent(pages, labels, weights, context, lambda_)
    curve: list[tuple[int, float, float]] = []
    change, is_done, value = 1.0, False, 0.0
    while not is_done:
        for i in random.permutation(len(pages)):
            descent.pass_page(int(i))
        emissions, transitions = descent.average()
        before, value = value, descent.objective(emissions, transitions)
        change = abs(value - before) / max(abs(value), 1e-12) if curve else 1.0
        change = min(change, 1.0)
        curve.append((len(curve) + 1, value, value))
        joined = np.vstack([emissions, transitions.reshape(-1, len(weights))])
        is_done = change <= tol or len(curve) >= max_epochs
        if callback is not None:
            kept = partial(_weights, joined)
            progress = Progress(len(curve), max_epochs, value, change, kept)
            is_done = bool(callback(progress)) or is_done
    return Solution(joined, joined[:0], value, change, len(curve), curve)


def _weights(emissions: Floats) -> tuple[Floats, Floats]:
    """Return weights in the form of the other solvers, with empty transitions."""
    return emissions, emissions[:0]


class GreedyDescent:
    """Sum of all subgradients so far, which determines the weights and their average.

    ``emissions``, shape (n_columns, n_labels), and ``transitions``, shape (context, n_labels,
    n_labels), are the weights times ``scale`` times ``n_steps``, the number of decisions so far on
    regions with known labels.
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
        shape = context, len(weights), len(weights)
        self.emissions = np.zeros((pages[0].shape[1], len(weights)))
        self.transitions = np.zeros(shape)
        self._emissions_lag, self._transitions_lag = self.emissions.copy(), np.zeros(shape)
        self.n_steps = 0

    def pass_page(self, i: int) -> None:
        """Decide the labels of a page from left to right, and learn from each decision.

        Rows are added to the weights at the end of the page; until then their inner products give
        what they add to the scores of later regions.
        """
        page, gold = self.pages[i], self.labels[i].tolist()
        scores = matmul(page, self.emissions)
        products = (page @ page.T).toarray()
        change, lag = np.zeros_like(scores), np.zeros_like(scores)
        decided: list[int] = []
        for r, right in enumerate(gold):
            seen, loser = self._decide(scores[r], decided, right)
            if right >= 0:
                self.n_steps += 1
                self._move_context(gold[:r], decided, right, loser)
            if right >= 0 and loser != right:
                change[r, right], change[r, loser] = 1.0, -1.0
                lag[r] = self.n_steps * change[r]
                scores[r + 1 :, right] += products[r + 1 :, r]
                scores[r + 1 :, loser] -= products[r + 1 :, r]
            decided.append(seen)
        self.emissions += matmul(page.T, change)
        self._emissions_lag += matmul(page.T, lag)

    def _decide(self, scores: Floats, decided: list[int], right: int) -> tuple[int, int]:
        """Return the label of a region, and the label with the highest cost plus score."""
        before = decided[: -len(self.transitions) - 1 : -1]
        seen = scores + self.transitions[np.arange(len(before)), before].sum(axis=0)
        seen /= self.scale * max(1, self.n_steps)
        return int(seen.argmax()), int((seen + self.costs[right]).argmax())

    def _move_context(self, gold: list[int], decided: list[int], right: int, loser: int) -> None:
        """Add the context's subgradient: gold labels for the right label, own for the loser."""
        n = len(self.transitions)
        own, wanted = decided[: -n - 1 : -1], gold[: -n - 1 : -1]
        if own == wanted and loser == right:
            return
        known = [k for k, label in enumerate(wanted) if label >= 0]
        every = np.arange(len(own))
        for sums, step in ((self.transitions, 1), (self._transitions_lag, self.n_steps)):
            sums[known, [wanted[k] for k in known], right] += step
            sums[every, own, loser] -= step

    def average(self) -> tuple[Floats, Floats]:
        """Return the average of all iterates, the one after ``t`` steps weighted by ``t``."""
        n = self.n_steps
        if not n:
            return self.emissions, self.transitions
        share = self.scale * n * (n + 1) / 2
        emissions = ((n + 1) * self.emissions - self._emissions_lag) / share
        return emissions, ((n + 1) * self.transitions - self._transitions_lag) / share

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
    """Return the mean over pages of the paper's greedy hinge; it can be below 0.

    ``scores`` are the emission scores of each page, ``weights`` the costs of missing each label.
    """
    seen = greedy_decode_batch(scores, context_weights)[1]
    costs, total = label_costs(np.arange(len(weights)), weights), 0.0
    for own, emissions, y in zip(seen, scores, labels, strict=True):
        known = np.flatnonzero(y >= 0)
        loser = (own[known] + costs[y[known]]).max(axis=1, initial=-np.inf)
        right = emissions + _after(y, context_weights)
        total += float((loser - right[known, y[known]]).sum())
    return total / max(1, len(scores))


def _after(y: Labels, context_weights: Floats) -> Floats:
    """Return the context scores of each region; unknown previous labels add nothing."""
    added = np.zeros((len(y), context_weights.shape[1]))
    for k in range(min(len(context_weights), max(0, len(y) - 1))):
        before = y[: len(y) - k - 1]
        added[k + 1 :] += np.where(before[:, None] >= 0, context_weights[k, before], 0.0)
    return added
