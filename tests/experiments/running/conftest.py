"""Learners of every kind, to be brought to other processes."""

from dataclasses import replace

import pytest

from structce.experiments.config import Candidate
from structce.learners.registry import LEARNERS

MINE = """
import os
import numpy as np


class Mine:
    \"\"\"Gives every region one label; some of them end their process.\"\"\"

    class Inner:
        def fit(self, X, y, *, n_labels):
            return self

        def predict(self, X):
            return [np.full(x.shape[0], 3) for x in X]

    def __init__(self, *, label=2, deadly=-1):
        self.label, self.deadly = label, deadly

    def fit(self, X, y, *, n_labels):
        if self.label == self.deadly:
            os._exit(9)
        return self

    def predict(self, X):
        return [np.full(x.shape[0], self.label) for x in X]
"""

QUICK = {"max_epochs": (1,)}


@pytest.fixture
def mine(load_file):
    """A file of somebody's own, imported as no package knows it."""
    return load_file("learners_of_mine", MINE)


@pytest.fixture
def mixed(experiment):
    """Learners of the house, learners of a file, one that raises, and a part of the features."""
    arms = (
        Candidate("multiclass-svm", {**QUICK, "lambda_": (0.1, 1.0)}),
        Candidate("structured-svm", QUICK),
        Candidate("mine", {"label": (0, 2)}),
        Candidate("inner"),
        Candidate("raising"),
    )
    return replace(experiment, arms=arms, ablation=("text",), learning_curve=(0.5,))


@pytest.fixture
def known(learners, mine):
    return {**LEARNERS, **learners, "mine": mine.Mine, "inner": mine.Mine.Inner}
