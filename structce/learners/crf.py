"""Linear-chain conditional random fields, trained by our L-BFGS or by CRFsuite."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from structce.arrays import Floats, Labels
from structce.errors import LearnerError
from structce.learners import solvers
from structce.learners.base import Callback
from structce.learners.classes import LabelWeights, check_label_weights, resolve_weights
from structce.learners.inputs import Pages, check_count, check_flag, check_one_of, check_positive
from structce.learners.linear import LinearChain
from structce.learners.registry import learner

CRF_ENGINES = ("lbfgs", "crfsuite")


class ChainCRF(LinearChain):
    """What the two classes of linear-chain CRFs share: diagnostics, and training by an engine."""

    diagnostic_names = ("objective_", "gradient_norm_", "n_iterations_", "curve_")

    objective_: float  # the primal one, at the stop
    gradient_norm_: float  # of the objective's gradient; 0 at the optimum
    n_iterations_: int
    curve_: list[tuple[int, float, float]]
    """Iteration, objective, and gradient's norm over the weights' norm, of each iteration."""

    def _train(
        self,
        pages: Pages,
        labels: list[Labels],
        callback: Callback | None,
        lambda_: float,
        limits: dict[str, Any],
        *,
        engine: str = "lbfgs",
        weights: Floats | None = None,
        warm_start: bool = False,
    ) -> None:
        if engine == "crfsuite":
            fitted = solvers.fit_crfsuite(
                pages, labels, self.n_labels_, lambda_, callback=callback, **limits
            )
        else:
            shapes = self._weight_shapes()
            start = [getattr(self, name, np.empty(0)) for name in shapes]
            if not warm_start or [last.shape for last in start] != list(shapes.values()):
                start = [np.zeros(shape) for shape in shapes.values()]
            problem = solvers.ChainProblem(pages, labels, self.n_labels_, lambda_, weights)
            fitted = solvers.fit_lbfgs(problem, start, callback=callback, **limits)
        self.emissions_, self.transitions_ = fitted.emissions, fitted.transitions
        self.objective_, self.gradient_norm_ = fitted.primal, fitted.gap
        self.n_iterations_, self.curve_ = fitted.n_epochs, fitted.curve


@learner("linear-chain-crf")
@dataclass(kw_only=True, eq=False, repr=False)
class LinearChainCRF(ChainCRF):
    """Labels a page by its most probable label sequence; trained with the log loss of the page.

    The model of the structured SVM, with another loss. Unknown labels make the objective non-
    convex.

    Parameters
    ----------
    lambda_
        Weight of the regulariser, above 0; Spengler, Bordes and Gallinari (2010) chose 1.
    engine
        ``lbfgs`` is ours. ``crfsuite`` reaches the same optimum several times slower, and supports
        neither unknown labels nor label weights nor warm starts.
    max_iterations
        Maximum number of L-BFGS steps.
    tol
        Stop when ten steps improve the objective by less than this fraction of it, or the
        gradient's norm is less than this fraction of the weights' norm. The default is CRFsuite's.
    label_weights
        Weight of a region by its correct label; see `resolve_weights`. In training, each wrong
        label scores higher by this weight minus 1 (softmax-margin).
    warm_start
        Start from the weights of the previous fit, if there are any of the same shapes.

    References
    ----------
    J. Lafferty, A. McCallum, F. Pereira (2001). Conditional random fields. ICML.
    `ChainLoss` names those of the loss.
    """

    lambda_: float = 0.01
    engine: Literal["lbfgs", "crfsuite"] = "lbfgs"
    max_iterations: int = 500
    tol: float = 1e-5
    label_weights: LabelWeights = None
    warm_start: bool = False

    def _check_parameters(self) -> None:
        check_positive("lambda_", self.lambda_)
        check_positive("tol", self.tol)
        check_count("max_iterations", self.max_iterations, least=1)
        check_one_of("engine", self.engine, CRF_ENGINES)
        check_label_weights(self.label_weights)
        check_flag("warm_start", self.warm_start)
        for name in ("warm_start", "label_weights"):
            if self.engine == "crfsuite" and getattr(self, name) not in (False, None):
                raise LearnerError(f"engine='crfsuite' has no {name}; use engine='lbfgs'")

    def _fit(self, pages: Pages, labels: list[Labels], callback: Callback | None) -> None:
        given = self.label_weights
        weights = None if given is None else resolve_weights(given, labels, self.n_labels_)
        limits = {"max_iterations": int(self.max_iterations), "tol": float(self.tol)}
        self._train(
            pages, labels, callback, float(self.lambda_), limits, engine=self.engine,
            weights=weights, warm_start=self.warm_start,
        )  # fmt: skip


@dataclass(kw_only=True, eq=False, repr=False)
class CRF(ChainCRF):
    """A `LinearChainCRF` with the hyper-parameters of sklearn-crfsuite, for code written for it.

    It minimises ``c2 |w|^2 + the sum of the pages' log losses`` by our L-BFGS.

    Parameters
    ----------
    c2
        Weight of the regulariser, above 0.
    max_iterations
        Maximum number of L-BFGS steps; None for no limit.
    epsilon, delta
        Thresholds at which to stop; the smaller one is the ``tol`` of a `LinearChainCRF`.
    algorithm, c1, all_possible_transitions
        ``lbfgs``, 0 and True; nothing else is supported.

    References
    ----------
    N. Okazaki (2007). CRFsuite: a fast implementation of conditional random fields.
    """

    name = "crf"

    algorithm: str = "lbfgs"
    c1: float = 0.0
    c2: float = 1.0
    max_iterations: int | None = None
    epsilon: float = 1e-5
    delta: float = 1e-5
    all_possible_transitions: bool = True

    def _check_parameters(self) -> None:
        only = {"algorithm": "lbfgs", "c1": 0, "all_possible_transitions": True}
        for name, value in only.items():
            if (given := getattr(self, name)) != value:
                raise LearnerError(f"{name}={given!r}; expected {value!r}")
        check_positive("c2", self.c2)
        for name in ("epsilon", "delta"):
            check_positive(name, getattr(self, name))
        if self.max_iterations is not None:
            check_count("max_iterations", self.max_iterations, least=1)

    def _fit(self, pages: Pages, labels: list[Labels], callback: Callback | None) -> None:
        lambda_, tol = 2 * float(self.c2) / len(pages), min(float(self.epsilon), float(self.delta))
        most = int(self.max_iterations or np.iinfo(np.int32).max)
        self._train(pages, labels, callback, lambda_, {"max_iterations": most, "tol": tol})

    @property
    def transition_features_(self) -> dict[tuple[object, object], float]:
        """Weights of the transitions: ``(label, next label)`` to weight."""
        self._check_fitted()
        labels = self.classes_.tolist()
        return {
            (labels[a], labels[b]): float(self.transitions_[a, b])
            for a, b in np.argwhere(self.transitions_).tolist()
        }

    @property
    def state_features_(self) -> dict[tuple[str, object], float]:
        """Weights of the columns: ``(column, label)`` to weight."""
        self._check_fitted()
        named, labels = self.vectorizer_, self.classes_.tolist()
        columns = range(self.n_columns_) if named is None else named.feature_names_
        return {
            (str(columns[column]), labels[label]): float(self.emissions_[column, label])
            for column, label in np.argwhere(self.emissions_).tolist()
        }

    def save(self, folder: str | Path) -> None:
        """Write the fitted learner into a folder, as a `LinearChainCRF` of the same weights."""
        self._check_fitted()
        saved = LinearChainCRF(max_iterations=self.max_iterations or sys.maxsize)
        vars(saved).update({key: x for key, x in vars(self).items() if key.endswith("_")})
        saved.save(folder)
