"""The linear-chain conditional random field, fitted by CRFsuite and decoded here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import ClassVar

import numpy as np
from sklearn_crfsuite import CRF

from structce.learners.arrays import Floats, Labels, Rows, product
from structce.learners.base import learner
from structce.learners.chain import count_edges, score
from structce.learners.checks import check_count, check_positive
from structce.learners.linear_chain import LinearChain
from structce.learners.progress import Callback
from structce.learners.sum_product import forward_backward_batch


@learner("linear-chain-crf")
class LinearChainCRF(LinearChain):
    """Gives a page its most probable label sequence; trained with the log loss of the page.

    Every column has a weight for every label, whether they meet in training or not, and every
    label may follow every other: the same model as the structured SVM's, with another loss.
    CRFsuite is deterministic, so there is no seed.

    Parameters
    ----------
    lambda_
        Weight of the regulariser, above 0. The default was chosen on validation sites of the
        Fundus pages; Spengler, Bordes and Gallinari (2010) chose 1 on News600.
    max_iterations
        At most this many steps of L-BFGS.
    tol
        Stop when ten steps improve the objective by less than this part of it, or the gradient's
        norm is less than this part of the weights' norm. The default is CRFsuite's.

    Attributes
    ----------
    transitions_ : shape (n_labels, n_labels)
        ``transitions_[a, b]`` scores label ``b`` right after label ``a``.
    objective_ : float
        The primal objective at the stop.
    gradient_norm_ : float
        Euclidean norm of the objective's gradient at the stop; 0 at the optimum.
    n_iterations_ : int

    References
    ----------
    J. Lafferty, A. McCallum, F. Pereira (2001). Conditional random fields. ICML.
    N. Okazaki (2007). CRFsuite: a fast implementation of conditional random fields.
    """

    diagnostic_names: ClassVar[tuple[str, ...]] = ("objective_", "gradient_norm_", "n_iterations_")

    objective_: float
    gradient_norm_: float
    n_iterations_: int

    def __init__(
        self, *, lambda_: float = 0.01, max_iterations: int = 500, tol: float = 1e-5
    ) -> None:
        self.lambda_ = lambda_
        self.max_iterations = max_iterations
        self.tol = tol

    def _check_parameters(self) -> None:
        check_positive("lambda_", self.lambda_)
        check_positive("tol", self.tol)
        check_count("max_iterations", self.max_iterations, least=1)

    def _fit(self, pages: list[Rows], labels: list[Labels], callback: Callback | None) -> None:
        engine = CRF(
            algorithm="lbfgs",
            c1=0,
            c2=self.lambda_ * len(pages) / 2,  # CRFsuite: c2 |w|^2 + sum of the pages' losses
            max_iterations=self.max_iterations,
            epsilon=self.tol,
            delta=self.tol,
            all_possible_states=True,
            all_possible_transitions=True,
        )
        names = [str(column) for column in range(self.n_columns_)]
        filled = [i for i, y in enumerate(labels) if len(y)]
        items = (_items(pages[i], names) for i in filled)
        engine.fit(*self._with_every_label(items, (_names(labels[i]) for i in filled)))
        last = engine.training_log_.last_iteration
        self.n_iterations_ = int(last["num"]) if last else 0
        self.emissions_, self.transitions_ = self._weights(engine)
        self.objective_, gradients = chain_objective(
            pages, labels, self.emissions_, self.transitions_, self.lambda_
        )
        self.gradient_norm_ = float(np.sqrt(sum(np.vdot(one, one) for one in gradients)))

    def _with_every_label(
        self, items: Iterator[list[dict[str, float]]], labels: Iterator[list[str]]
    ) -> tuple[Iterator[list[dict[str, float]]], Iterator[list[str]]]:
        """Return the training pages after one page a label that holds one region and no column.

        So CRFsuite knows labels that never occur. A region without columns or neighbours has the
        same loss whatever the weights are, so the optimum stays where it is.
        """
        every = [[str(label)] for label in range(self.n_labels_)]
        return chain([[{}] for _ in every], items), chain(every, labels)

    def _weights(self, engine: CRF) -> tuple[Floats, Floats]:
        """Return CRFsuite's weights, which it prints with six decimals; 0 where it has none."""
        emissions = np.zeros((self.n_columns_, self.n_labels_))
        transitions = np.zeros((self.n_labels_, self.n_labels_))
        for (column, label), weight in engine.state_features_.items():
            emissions[int(column), int(label)] = weight
        for (before, after), weight in engine.transition_features_.items():
            transitions[int(before), int(after)] = weight
        return emissions, transitions


def chain_objective(
    pages: Sequence[Rows],
    labels: Sequence[Labels],
    emissions: Floats,
    transitions: Floats,
    lambda_: float,
) -> tuple[float, tuple[Floats, Floats]]:
    """Return ``lambda/2 |w|^2 + mean log loss per page``, and its gradient.

    Returns
    -------
    objective
    gradients
        With respect to emissions and transitions, and of their shapes.
    """
    scores = [product(page, emissions) for page in pages]
    partitions, nodes, edges = forward_backward_batch(scores, transitions)
    loss = float(partitions.sum())
    emission_gradient = np.zeros_like(emissions)
    for page, y, values, marginals in zip(pages, labels, scores, nodes, strict=True):
        loss -= score(values, transitions, y)
        residual = marginals - np.eye(len(transitions))[y]
        emission_gradient += product(page.T, residual)
        edges = edges - count_edges(y, len(transitions))
    norm = np.vdot(emissions, emissions) + np.vdot(transitions, transitions)
    gradients = (
        lambda_ * emissions + emission_gradient / len(pages),
        lambda_ * transitions + edges / len(pages),
    )
    return float(lambda_ / 2 * norm + loss / len(pages)), gradients


def _items(page: Rows, names: Sequence[str]) -> list[dict[str, float]]:
    """Return each region of a page as CRFsuite takes it: values by the columns' names."""
    columns = [names[column] for column in page.indices.tolist()]
    values = page.data.tolist()
    bounds = zip(page.indptr[:-1].tolist(), page.indptr[1:].tolist(), strict=True)
    return [dict(zip(columns[a:b], values[a:b], strict=True)) for a, b in bounds]


def _names(y: Labels) -> list[str]:
    return [str(label) for label in y.tolist()]
