"""Jobs in other processes: the same numbers, and what dies is one row."""

import sys
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest
from joblib.externals.loky import get_reusable_executor

from structce.errors import ExperimentError, MissingExtraError
from structce.experiments.backends import ENDED, Backend
from structce.experiments.config import Candidate
from structce.experiments.report.files import to_json
from structce.experiments.results import FailureRecord


@pytest.fixture(scope="module", autouse=True)
def ended_processes():
    """No process outlives the tests of this module."""
    yield
    get_reusable_executor().shutdown(wait=True)


def told(report):
    return to_json(replace(report, costs=()))


def test_several_processes_find_what_one_finds_and_keep_it(
    mixed, mixed_report, corpus, known, report_of, tmp_path
):
    alone = mixed_report
    assert [candidate.name for candidate in alone.studies[0].candidates] == [
        candidate.name for candidate in mixed.candidates[:-1]
    ]
    assert len(alone.studies[0].failures) == 4
    store = tmp_path / "jobs"
    together = report_of(mixed, corpus, known, backend=Backend(n_jobs=2), cache=store)
    assert told(together) == told(alone)
    assert len(together.costs) == len(alone.costs)
    # Two points, a calibration, two points; four tests, each with two parts and a share; columns.
    assert len(list(store.iterdir())) == 2 + 1 + 2 + 4 * 4 + 1
    again = report_of(mixed, corpus, known, cache=store)
    assert to_json(again) == to_json(together)


def test_learners_without_a_name_travel_too(experiment, corpus, learners, report_of):
    class Local:
        def fit(self, X, y, *, n_labels):
            return self

        def predict(self, X):
            return [np.full(x.shape[0], 3) for x in X]

    known = {"local": Local, "made": lambda: Local()}
    chosen = replace(
        experiment, candidates=(Candidate("local"), Candidate("made")), families=("dom",)
    )
    alone, together = (
        report_of(chosen, corpus, known, backend=Backend(n_jobs=n_jobs)) for n_jobs in (1, 2)
    )
    assert together.is_complete
    assert told(together) == told(alone)


def test_a_job_that_ends_its_process_or_cannot_be_sent_is_one_row_and_the_others_go_on(
    experiment, corpus, learners, known, study_of, monkeypatch
):
    base = type("Base", (learners["background"],), {"__module__": "nowhere_at_all"})
    module = ModuleType("nowhere_at_all")
    vars(module)["Base"] = base
    monkeypatch.setitem(sys.modules, module.__name__, module)

    class Rooted(base):
        """Its base stands in a module that no other process can import."""

    deadly = {"label": (4,), "deadly": (4,)}
    candidates = (
        Candidate("mine", {"label": (0, 2)}),
        Candidate("mine", deadly, "doomed"),
        Candidate("rooted"),
        Candidate("inner"),
    )
    chosen = replace(experiment, candidates=candidates, families=("dom",))
    study = study_of(chosen, corpus, {**known, "rooted": Rooted}, backend=Backend(n_jobs=2))
    doomed, rooted = study.failures
    job = "doomed, label = 4, deadly = 4, compass by site, split 1, test"
    assert doomed == FailureRecord("doomed", job, ENDED)
    assert rooted.candidate == "rooted"
    assert rooted.error.startswith("LearnerError: A task has failed to un-serialize")
    assert [candidate.name for candidate in study.candidates] == ["mine", "inner"]
    assert study.candidate("mine").row.trials[0].parameters == {"label": 2}


def test_engines_and_jobs_that_there_are_not_are_refused():
    with pytest.raises(ExperimentError, match="engine 'spark'; expected one of local, ray"):
        Backend("spark")
    for n_jobs in (0, -2):
        with pytest.raises(ExperimentError, match=f"{n_jobs} jobs; expected 1 or more, or -1"):
            Backend(n_jobs=n_jobs)


def test_a_cluster_that_is_not_installed_is_an_error_that_says_what_to_install(
    mixed, corpus, known, report_of, monkeypatch
):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'structce\[ray\]'"):
        report_of(mixed, corpus, known, backend=Backend("ray"))
