"""Jobs in other processes: the same numbers, and a process that ends costs one job."""

import sys

import msgspec
import pytest
from joblib.externals.loky import get_reusable_executor

from structce.errors import ExperimentError, MissingExtraError
from structce.experiments.backends import ENDED, Backend
from structce.experiments.config import Candidate
from structce.experiments.report import to_json


def without_costs(report):
    fits = tuple(msgspec.structs.replace(fit, costs={}) for fit in report.fits)
    return to_json(msgspec.structs.replace(report, fits=fits))


@pytest.fixture(scope="module", autouse=True)
def ended_processes():
    """No process outlives the tests of this module."""
    yield
    get_reusable_executor().shutdown(wait=True)


@pytest.fixture
def deadly(experiment, mine, learners):
    """A learner of a user's file, one whose process ends, and the learners that they need."""
    candidates = {
        "mine": Candidate("mine", "mine", {"label": (0, 2)}),
        "doomed": Candidate("doomed", "mine", {"label": (4,), "deadly": (4,)}),
    }
    asked = msgspec.structs.replace(experiment, learner=candidates)
    return asked, {**learners, "mine": mine.Mine}


def test_two_processes_give_the_figures_of_one(experiment, corpus, report, run_quietly, tmp_path):
    journal = tmp_path / "jobs"
    together = run_quietly(experiment, corpus, backend=Backend(n_jobs=2), journal=journal).report
    assert without_costs(together) == without_costs(report)
    assert to_json(run_quietly(experiment, corpus, journal=journal).report) == to_json(together)


def test_a_process_that_ends_costs_its_job(deadly, corpus, run_quietly):
    experiment, known = deadly
    report = run_quietly(experiment, corpus, known, backend=Backend(n_jobs=2)).report
    assert [(failure.subject, failure.error) for failure in report.failures] == [("doomed", ENDED)]
    assert report.subjects == ("mine",)


def test_a_cluster_gives_the_figures_of_one_process(
    deadly, experiment, corpus, report, run_quietly
):
    ray = pytest.importorskip("ray")
    cluster = Backend("ray", 2)
    try:
        together = run_quietly(experiment, corpus, backend=cluster).report
        assert without_costs(together) == without_costs(report)
        asked, known = deadly
        (failure,) = run_quietly(asked, corpus, known, backend=cluster).report.failures
        assert (failure.subject, failure.error[:18]) == ("doomed", "WorkerCrashedError")
    finally:
        ray.shutdown()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (("spark",), "engine 'spark'; expected one of local, ray"),
        (("local", 0), "0 jobs; expected 1 or more, or -1"),
    ],
)
def test_unknown_engines_and_numbers_of_jobs_are_refused(settings, message):
    with pytest.raises(ExperimentError, match=message):
        Backend(*settings)


def test_a_missing_cluster_names_its_extra(experiment, corpus, run_quietly, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'structce\[ray\]'"):
        run_quietly(experiment, corpus, backend=Backend("ray"))
