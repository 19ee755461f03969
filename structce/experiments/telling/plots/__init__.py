"""The plots of a report, one module each: from what was found to a piece of the page."""

from structce.experiments.telling.plots.ablation import ablation_plot
from structce.experiments.telling.plots.contrasts import contrast_plot
from structce.experiments.telling.plots.convergence import convergence
from structce.experiments.telling.plots.costs import cost_plot
from structce.experiments.telling.plots.drawing import Figure
from structce.experiments.telling.plots.intervals import interval_plot
from structce.experiments.telling.plots.labels import label_plot
from structce.experiments.telling.plots.learning import learning_curve
from structce.experiments.telling.plots.pairs import pair_plot
from structce.experiments.telling.plots.parameters import parameter_curve, tuned_parameters
from structce.experiments.telling.plots.ranks import rank_plot
from structce.experiments.telling.plots.reliability import reliability_plot
from structce.experiments.telling.plots.theme import STYLE

__all__ = [
    "STYLE",
    "Figure",
    "ablation_plot",
    "contrast_plot",
    "convergence",
    "cost_plot",
    "interval_plot",
    "label_plot",
    "learning_curve",
    "pair_plot",
    "parameter_curve",
    "rank_plot",
    "reliability_plot",
    "tuned_parameters",
]
