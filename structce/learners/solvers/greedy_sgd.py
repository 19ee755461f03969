"""Stochastic subgradient descent on the greedy hinge of Spengler et al. (2010).

The hinge of a region is the maximum, over all labels, of cost plus score after the labels that the
learner itself decided, minus the score of the correct label after correct labels, or after its own
decision where one is unknown. It may be below 0 (our note), is not convex, and has no dual. As in
the paper, the weights are updated after each decision, here with the steps of Pegasos, and averaged
over all iterates. The spread of the objective over the last half of the epochs estimates what is
left.

References
----------
A. Spengler, A. Bordes, P. Gallinari (2010). A comparison of discriminative classifiers for web
news content extraction. RIAO, section 3.1.
S. Shalev-Shwartz, Y. Singer, N. Srebro, A. Cotter (2011). Pegasos: primal estimated sub-gradient
solver for SVM. Mathematical Programming 127.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structce.arrays import Floats, Integers32, Labels
from structce.learners.base import Callback, Progress
from structce.learners.inference.greedy import greedy_decode_batch
from structce.learners.inputs import SparseRows, matmul
from structce.learners.solvers.problem import Solution, label_costs


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

    Regions with unknown labels are decided, but add no loss. Emissions include the context's
    weights as their last rows, shape (n_columns + context * n_labels, n_labels); the curve has the
    objective also in place of the dual.
    """
    random = np.random.default_rng(random_state)
    descent = GreedyDescent(pages, labels, weights, context, lambda_)
    curve: list[tuple[int, float, float]] = []
    is_done = False
    while not is_done:
        for i in random.permutation(len(pages)):
            descent.pass_page(int(i))
        average = descent.average()
        value = descent.objective(average)
        curve.append((len(curve) + 1, value, value))
        recent = [value for _, value, _ in curve[(len(curve) - 1) // 2 :]]
        spread = (max(recent) - min(recent)) / max(abs(value), 1e-12)
        gap = min(spread, 1.0) if len(curve) > 1 else 1.0
        is_done = gap <= tol or len(curve) >= max_epochs
        if callback is not None:
            is_done = bool(callback(Progress(len(curve), max_epochs, value, gap))) or is_done
    return Solution(average, average[:0], value, gap, len(curve), curve)


class GreedyDescent:
    """Sum of all subgradients so far, which determines the weights and their average.

    ``sum``, shape (n_columns + context * n_labels, n_labels), are the weights times ``scale`` times
    ``n_steps``, the number of decisions so far on regions with known labels. Of the rows after the
    columns, row ``k * n_labels + a`` is for the label ``a`` decided ``k + 1`` regions earlier.
    """

    def __init__(
        self,
        pages: Sequence[SparseRows],
        labels: Sequence[Labels],
        weights: Floats,
        context: int,
        lambda_: float,
    ) -> None:
        self.pages, self.labels, self.lambda_, self.weights = pages, labels, lambda_, weights
        self.costs = label_costs(np.arange(len(weights)), weights)
        n_known = sum(int((y >= 0).sum()) for y in labels)
        self.scale = lambda_ * len(pages) / max(1, n_known)
        self.n_columns = pages[0].shape[1]
        self.starts = self.n_columns + np.arange(context) * len(weights)
        self.sum = np.zeros((self.n_columns + context * len(weights), len(weights)))
        self.lag = np.zeros_like(self.sum)
        self.n_steps = 0

    def pass_page(self, i: int) -> None:
        """Decide the labels of a page from left to right, and learn from each decision."""
        page, gold = self.pages[i], self.labels[i]
        own, correct = np.empty_like(gold), gold.copy()
        for r, right in enumerate(gold.tolist()):
            cells = slice(page.indptr[r], page.indptr[r + 1])
            columns, values = page.indices[cells], page.data[cells]
            before = self._context(own, r)
            scores = values @ self.sum[columns] + self.sum[before].sum(axis=0)
            own[r] = scores.argmax()
            if right < 0:
                correct[r] = own[r]
                continue
            costs = self.scale * max(1, self.n_steps) * self.costs[right]
            loser = int((scores + costs).argmax())
            self.n_steps += 1
            after = self._context(correct, r)
            if loser != right:
                self._add(columns, values, right)
                self._add(columns, -values, loser)
            if loser != right or not np.array_equal(before, after):
                self._add(after, 1.0, right)
                self._add(before, -1.0, loser)

    def _context(self, labels: Labels, r: int) -> Labels:
        """Return the rows of the sum for the labels before a region, the nearest first."""
        before = labels[max(0, r - len(self.starts)) : r][::-1]
        return self.starts[: len(before)] + before

    def _add(self, rows: Labels | Integers32, change: Floats | float, label: int) -> None:
        self.sum[rows, label] += change
        self.lag[rows, label] += self.n_steps * change

    def average(self) -> Floats:
        """Return the average of all iterates, the one after ``t`` steps weighted by ``t``."""
        n = self.n_steps
        share = max(1.0, self.scale * n * (n + 1) / 2)
        return np.asarray(((n + 1) * self.sum - self.lag) / share)

    def objective(self, average: Floats) -> float:
        """Return the regularised risk of given weights under their own decisions."""
        emissions, context_weights = np.split(average, [self.n_columns])
        scores = [matmul(page, emissions) for page in self.pages]
        context_weights = context_weights.reshape(-1, *self.costs.shape)
        hinge = greedy_hinge(scores, self.labels, context_weights, self.weights)
        return self.lambda_ / 2 * float(np.vdot(average, average)) + hinge


def greedy_hinge(
    scores: Sequence[Floats], labels: Sequence[Labels], context_weights: Floats, weights: Floats
) -> float:
    """Return the mean over pages of the sum of a page's greedy hinges; it may be below 0.

    ``scores`` are the emission scores of each page, ``weights`` the costs of missing each label.
    """
    decoded = zip(*greedy_decode_batch(scores, context_weights), strict=True)
    costs, total = label_costs(np.arange(len(weights)), weights), 0.0
    for (own, seen), emissions, y in zip(decoded, scores, labels, strict=True):
        known = np.flatnonzero(y >= 0)
        loser = (seen[known] + costs[y[known]]).max(axis=1, initial=-np.inf)
        correct, right = np.where(y >= 0, y, own), emissions.copy()
        for k in range(min(len(context_weights), max(0, len(y) - 1))):
            right[k + 1 :] += context_weights[k, correct[: len(y) - k - 1]]
        total += float((loser - right[known, y[known]]).sum())
    return total / max(1, len(scores))
