"""Solvers of the learners' training problems, imported at first use: labelling needs none."""

from typing import TYPE_CHECKING

from structce.lazy_import import lazy_names

if TYPE_CHECKING:
    from structce.learners.solvers.frank_wolfe import solve_frank_wolfe
    from structce.learners.solvers.greedy_sgd import solve_greedy
    from structce.learners.solvers.latent import solve_latent
    from structce.learners.solvers.lbfgs import ChainFit, ChainLoss, ChainProblem, fit_lbfgs
    from structce.learners.solvers.problem import Marginals, Problem, Solution, squared_norm

_MODULES = {
    "frank_wolfe": "solve_frank_wolfe",
    "greedy_sgd": "solve_greedy",
    "latent": "solve_latent",
    "lbfgs": "ChainFit ChainLoss ChainProblem fit_lbfgs",
    "problem": "Marginals Problem Solution squared_norm",
}
_HOMES = {
    name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names.split()
}

__all__ = [
    "ChainFit", "ChainLoss", "ChainProblem", "Marginals", "Problem", "Solution", "fit_lbfgs",
    "solve_frank_wolfe", "solve_greedy", "solve_latent", "squared_norm",
]  # fmt: skip

__getattr__ = lazy_names(__name__, _HOMES)
