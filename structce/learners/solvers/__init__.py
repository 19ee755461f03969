"""Solvers of the learners' training problems, imported at first use: labelling needs none."""

from typing import TYPE_CHECKING

from structce.lazy_import import lazy_names

if TYPE_CHECKING:
    from structce.learners.solvers.crfsuite import fit_crfsuite
    from structce.learners.solvers.frank_wolfe import solve_frank_wolfe
    from structce.learners.solvers.greedy_sgd import solve_greedy
    from structce.learners.solvers.latent import solve_latent
    from structce.learners.solvers.lbfgs import ChainLoss, ChainProblem, fit_lbfgs
    from structce.learners.solvers.problem import Marginals, Problem, Solution

_MODULES = {
    "crfsuite": "fit_crfsuite",
    "frank_wolfe": "solve_frank_wolfe",
    "greedy_sgd": "solve_greedy",
    "latent": "solve_latent",
    "lbfgs": "ChainLoss ChainProblem fit_lbfgs",
    "problem": "Marginals Problem Solution",
}
_HOMES = {
    name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names.split()
}

__all__ = [
    "ChainLoss", "ChainProblem", "Marginals", "Problem", "Solution", "fit_crfsuite",
    "fit_lbfgs", "solve_frank_wolfe", "solve_greedy", "solve_latent",
]  # fmt: skip

__getattr__ = lazy_names(__name__, _HOMES)
