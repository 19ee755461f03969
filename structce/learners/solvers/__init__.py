"""Solvers of the learners' training problems, imported at first use: labelling needs none."""

from typing import TYPE_CHECKING

from structce.doors import lazy_names

if TYPE_CHECKING:
    from structce.learners.solvers.dual import Marginals, squared_norm
    from structce.learners.solvers.frank_wolfe import solve_frank_wolfe
    from structce.learners.solvers.greedy_sgd import solve_greedy
    from structce.learners.solvers.latent import complete, solve_latent, textbook_latent
    from structce.learners.solvers.lbfgs import ChainFit, ChainLoss, ChainProblem, fit_lbfgs
    from structce.learners.solvers.problem import Problem
    from structce.learners.solvers.sgd import solve_sgd
    from structce.learners.solvers.solution import Solution

_MODULES = {
    "dual": "Marginals squared_norm",
    "frank_wolfe": "solve_frank_wolfe",
    "greedy_sgd": "solve_greedy",
    "latent": "complete solve_latent textbook_latent",
    "lbfgs": "ChainFit ChainLoss ChainProblem fit_lbfgs",
    "problem": "Problem",
    "sgd": "solve_sgd",
    "solution": "Solution",
}
_HOMES = {
    name: f"{__name__}.{module}" for module, names in _MODULES.items() for name in names.split()
}

__all__ = [
    "ChainFit", "ChainLoss", "ChainProblem", "Marginals", "Problem", "Solution", "complete",
    "fit_lbfgs", "solve_frank_wolfe", "solve_greedy", "solve_latent", "solve_sgd", "squared_norm",
    "textbook_latent",
]  # fmt: skip

__getattr__ = lazy_names(__name__, _HOMES)
