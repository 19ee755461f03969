"""Linear-chain conditional random field, trained by our L-BFGS or by CRFsuite."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from structce.arrays import Labels
from structce.errors import LearnerError
from structce.learners import solvers
from structce.learners.base import Callback, Progress
from structce.learners.inputs import (
    LabelWeights,
    Pages,
    check_count,
    check_flag,
    check_label_weights,
    check_one_of,
    check_positive,
    resolve_weights,
)
from structce.learners.linear import LinearChain
from structce.learners.registry import learner

CRF_ENGINES = ("lbfgs", "crfsuite")


@learner("linear-chain-crf")
@dataclass(kw_only=True, eq=False, repr=False)
class LinearChainCRF(LinearChain):
    """Labels a page by its most probable label sequence; trained with the log loss of the page.

    The model of the structured SVM, with another loss. Both engines are deterministic.

    The loss of a page with unknown labels is minus the log probability of all label sequences that
    agree with the known ones (Tsuboi and others 2008). The objective is then no longer convex.

    Parameters
    ----------
    lambda_
        Weight of the regulariser, above 0; Spengler, Bordes and Gallinari (2010) chose 1.
    engine
        ``lbfgs`` is ours. ``crfsuite`` reaches the same optimum several times slower, and supports
        neither unknown labels nor label weights nor warm starts; it has no hook, so the callback
        is called once, at the end.
    max_iterations
        Maximum number of L-BFGS steps.
    tol
        Stop when ten steps improve the objective by less than this fraction of it, or the
        gradient's norm is less than this fraction of the weights' norm. The default is CRFsuite's.
    label_weights
        Weight of a region by its correct label; see `resolve_weights`. In training, each wrong
        label scores higher by this weight minus 1 (softmax-margin): 1 is the plain CRF.
    warm_start
        Start from the weights of the previous fit, if there are any of the same shapes.

    References
    ----------
    J. Lafferty, A. McCallum, F. Pereira (2001). Conditional random fields. ICML.
    `ChainLoss` names those of the loss.
    """

    diagnostic_names = ("objective_", "gradient_norm_", "n_iterations_", "curve_")

    lambda_: float = 0.01
    engine: Literal["lbfgs", "crfsuite"] = "lbfgs"
    max_iterations: int = 500
    tol: float = 1e-5
    label_weights: LabelWeights = None
    warm_start: bool = False

    objective_: float = field(init=False)  # the primal one, at the stop
    gradient_norm_: float = field(init=False)  # of the objective's gradient; 0 at the optimum
    n_iterations_: int = field(init=False)
    curve_: list[tuple[int, float, float]] = field(init=False)
    """Iteration, objective, and gradient's norm over the weights' norm, of each iteration."""

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
        fit = self._fit_crfsuite if self.engine == "crfsuite" else self._fit_lbfgs
        fitted = fit(pages, labels, callback)
        self.emissions_, self.transitions_ = fitted.emissions, fitted.transitions
        self.objective_, self.gradient_norm_ = fitted.objective, fitted.gradient_norm
        self.n_iterations_, self.curve_ = len(fitted.curve), fitted.curve

    def _fit_lbfgs(
        self, pages: Pages, labels: list[Labels], callback: Callback | None
    ) -> solvers.ChainFit:
        given = self.label_weights
        weights = None if given is None else resolve_weights(given, labels, self.n_labels_)
        problem = solvers.ChainProblem(pages, labels, self.n_labels_, float(self.lambda_), weights)
        shapes = self._weight_shapes()
        start = [getattr(self, name, np.empty(0)) for name in shapes]
        if not self.warm_start or [last.shape for last in start] != list(shapes.values()):
            start = [np.zeros(shape) for shape in shapes.values()]
        most, tol = int(self.max_iterations), float(self.tol)
        vector = problem.vector(*start)
        return solvers.fit_lbfgs(problem, vector, max_iterations=most, tol=tol, callback=callback)

    def _fit_crfsuite(
        self, pages: Pages, labels: list[Labels], callback: Callback | None
    ) -> solvers.ChainFit:
        if any((y < 0).any() for y in labels):
            raise LearnerError(
                "engine='crfsuite' cannot train on unknown labels or sets of labels; use "
                "engine='lbfgs'"
            )
        # late: only training with this engine needs it
        from structce.learners.backends.crfsuite import fit_crfsuite

        most, tol = int(self.max_iterations), float(self.tol)
        fitted = fit_crfsuite(
            pages, labels, self.n_labels_, float(self.lambda_), max_iterations=most, tol=tol
        )
        if callback is not None:
            weights = (fitted.emissions, fitted.transitions)
            gap = fitted.gradient_norm / max(1.0, float(np.sqrt(solvers.squared_norm(*weights))))
            callback(Progress(len(fitted.curve), most, fitted.objective, gap, lambda: weights))
        return fitted
