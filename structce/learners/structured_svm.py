"""Structured SVM: a hinge over whole label sequences, with or without unknown labels."""

from __future__ import annotations

from typing import ClassVar

from structce.arrays import Labels
from structce.learners.base import Callback
from structce.learners.inputs import Pages
from structce.learners.linear import LinearChain
from structce.learners.multiclass_svm import SVM
from structce.learners.registry import learner

_PYSTRUCT_SOLVERS = {"pystruct": "frank-wolfe", "pystruct-one-slack": "one-slack"}
"""Solvers of pystruct by engine."""


@learner("structured-svm")
class StructuredSVM(LinearChain, SVM):
    """Labels a page by its highest-scoring label sequence; trained with a hinge over the page.

    Margins are rescaled by the Hamming loss, or by a label-weighted one. Transitions are
    regularised like emissions. With unknown labels the loss is not convex, and the solution is a
    local optimum; see `solve_latent`. `SVM` describes hyper-parameters and attributes; besides its
    engine there are ``pystruct`` and ``pystruct-one-slack``, the Frank-Wolfe and the one-slack
    cutting-plane solvers of that package, for small dense problems.

    References
    ----------
    I. Tsochantaridis, T. Joachims, T. Hofmann, Y. Altun (2005). Large margin methods for
    structured and interdependent output variables. JMLR 6.
    """

    engines: ClassVar[tuple[str, ...]] = (*SVM.engines, *_PYSTRUCT_SOLVERS)

    def _fit(self, pages: Pages, labels: list[Labels], callback: Callback | None) -> None:
        if self.engine in _PYSTRUCT_SOLVERS:
            # late: it takes long to import, and only training with this engine needs it
            from structce.learners.backends.pystruct import solve_pystruct

            settings = {**self._settings(callback), "weights": self._weights(labels)}
            solver = _PYSTRUCT_SOLVERS[self.engine]
            solution = solve_pystruct(pages, labels, solver=solver, **settings)
            self._keep(solution)
        else:
            solution = self._solve(pages, labels, callback, is_chain=True)
        self.emissions_, self.transitions_ = solution.emissions, solution.transitions
