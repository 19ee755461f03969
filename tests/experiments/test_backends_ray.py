"""Jobs on a Ray cluster: the same numbers, and what dies is one row."""

from dataclasses import replace

import pytest

from structce.experiments.backends import Backend
from structce.experiments.config import Candidate
from structce.experiments.report.files import to_json

ray = pytest.importorskip("ray")

CLUSTER = Backend("ray", 2)


@pytest.fixture(scope="module", autouse=True)
def ended_cluster():
    """No cluster outlives the tests of this module."""
    yield
    ray.shutdown()


def test_a_cluster_finds_what_one_process_finds(mixed, mixed_report, corpus, known, report_of):
    together = report_of(mixed, corpus, known, backend=CLUSTER)
    assert to_json(replace(together, costs=())) == to_json(replace(mixed_report, costs=()))
    assert ray.is_initialized()


def test_a_job_that_ends_its_process_is_one_row_and_the_others_go_on(
    experiment, corpus, known, study_of
):
    deadly = {"label": (4,), "deadly": (4,)}
    candidates = (
        Candidate("mine", {"label": (0, 2)}),
        Candidate("mine", deadly, "doomed"),
        Candidate("inner"),
    )
    chosen = replace(experiment, candidates=candidates, families=("dom",))
    study = study_of(chosen, corpus, known, backend=CLUSTER)
    (failure,) = study.failures
    assert failure.candidate == "doomed"
    assert failure.error.startswith("WorkerCrashedError: ")
    assert "\n" not in failure.error
    assert [candidate.name for candidate in study.candidates] == ["mine", "inner"]
