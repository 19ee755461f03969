"""What an experiment asks, from its TOML file or from the command line."""

from structce.experiments.asking.quick import quick
from structce.experiments.asking.reading import read_experiment
from structce.experiments.asking.spec import Arm, Experiment, Splits
from structce.experiments.asking.writing import to_toml

__all__ = ["Arm", "Experiment", "Splits", "quick", "read_experiment", "to_toml"]
