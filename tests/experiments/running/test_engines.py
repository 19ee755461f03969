"""Units in other processes: the same numbers, and what dies is one row."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from structce.errors import ExperimentError, MissingExtraError
from structce.experiments import Arm, Engine
from structce.experiments.running.engines import ENDED
from structce.experiments.telling.files import to_json, without_costs
from structce.learners import LEARNERS

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

QUICK = {"max_epochs": (2,)}


@pytest.fixture
def mine(load_file):
    """A file of somebody's own, imported as no package knows it."""
    return load_file("learners_of_mine", MINE)


@pytest.fixture
def asked(experiment):
    """Learners of the house, learners of a file, one that raises, and a part of the features."""
    arms = (
        Arm("multiclass-svm", {**QUICK, "lambda_": (0.1, 1.0)}),
        Arm("structured-svm", QUICK),
        Arm("mine", {"label": (0, 2)}),
        Arm("inner"),
        Arm("raising"),
    )
    return replace(experiment, arms=arms, ablation=("text",), learning_curve=(0.5,))


@pytest.fixture
def known(learners, mine):
    return {**LEARNERS, **learners, "mine": mine.Mine, "inner": mine.Mine.Inner}


def told(report):
    return to_json(without_costs(report))


def test_several_processes_find_what_one_finds(asked, corpus, known, report_of):
    alone = report_of(asked, corpus, known)
    assert {arm.name for arm in alone.studies[0].arms} == {arm.name for arm in asked.arms[:-1]}
    assert len(alone.studies[0].failures) == 4
    together = report_of(asked, corpus, known, engine=Engine(n_jobs=2))
    assert told(together) == told(alone)
    assert len(together.costs) == len(alone.costs)


def test_learners_without_a_name_travel_too_and_what_cannot_is_a_row(
    experiment, corpus, learners, report_of
):
    class Local:
        def fit(self, X, y, *, n_labels):
            return self

        def predict(self, X):
            return [np.full(x.shape[0], 3) for x in X]

    class Rooted(learners["background"]):
        """Its base stands in a file that no other process imports by this name."""

    known = {"local": Local, "made": lambda: Local(), "rooted": Rooted}
    chosen = replace(experiment, arms=(Arm("local"), Arm("made")), families=("dom",))
    alone, together = (
        report_of(chosen, corpus, known, engine=Engine(n_jobs=n_jobs)) for n_jobs in (1, 2)
    )
    assert together.is_complete
    assert told(together) == told(alone)
    chosen = replace(chosen, arms=(*chosen.arms, Arm("rooted")))
    (study,) = report_of(chosen, corpus, known, engine=Engine(n_jobs=2)).studies
    assert study.arms == alone.studies[0].arms
    (failure,) = study.failures
    assert failure.arm == "rooted"
    assert failure.error.startswith("LearnerError: A task has failed to un-serialize")


def test_a_unit_that_ends_its_process_is_one_row_and_the_others_go_on(
    experiment, corpus, known, study_of
):
    arms = (
        Arm("mine", {"label": (0, 3, 2), "deadly": (3,)}),
        Arm("inner"),
        Arm("mine", {"label": (4,), "deadly": (4,)}, "doomed"),
    )
    study = study_of(replace(experiment, arms=arms), corpus, known, engine=Engine(n_jobs=2))
    assert [(one.arm, one.error) for one in study.failures] == [("mine", ENDED), ("doomed", ENDED)]
    first, second = (one.unit for one in study.failures)
    assert first == "mine, label = 3, deadly = 3, compass by site, split 1, tune"
    assert second == "doomed, label = 4, deadly = 4, compass by site, split 1, test"
    assert [arm.name for arm in study.arms] == ["mine", "inner"]
    (trial,) = study.arm("mine").row.trials
    assert [point.parameters["label"] for point in trial.points] == [0, 2]
    assert trial.parameters["label"] == 2


def test_what_several_processes_did_is_kept(asked, corpus, known, report_of, tmp_path):
    first = report_of(asked, corpus, known, engine=Engine(n_jobs=2), store=tmp_path / "units")
    n_kept = len(list((tmp_path / "units").iterdir()))
    # Two points, a calibration, two points; four tests, each with two parts and a share; columns.
    assert n_kept == 2 + 1 + 2 + 4 * 4 + 1
    second = report_of(asked, corpus, known, store=tmp_path / "units")
    assert to_json(second) == to_json(first)


def test_engines_and_jobs_that_there_are_not_are_refused():
    with pytest.raises(ExperimentError, match="engine 'spark'; expected one of local, ray"):
        Engine("spark")
    for n_jobs in (0, -2):
        with pytest.raises(ExperimentError, match=f"{n_jobs} jobs; expected 1 or more, or -1"):
            Engine(n_jobs=n_jobs)


def test_a_cluster_that_is_not_installed_is_an_error_that_says_what_to_install(
    asked, corpus, known, report_of, monkeypatch
):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'structce\[ray\]'"):
        report_of(asked, corpus, known, engine=Engine("ray"))
