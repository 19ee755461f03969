"""Jobs: kept whole in a journal, the same figures in other processes, a death seconds one job."""

import json
from functools import partial
from pathlib import Path

import msgspec
import pytest

from structce.errors import BulkError, ExperimentError
from structce.experiments import jobs
from structce.experiments.config import Candidate
from structce.experiments.jobs import open_run, source_digest
from structce.experiments.report import to_json


class Outcome(msgspec.Struct):
    value: float
    error: str = ""


def finish(run, numbers, execute):
    run.expect(len(numbers))
    keyed = [(f"key {number}", number) for number in numbers]
    return run.finish(keyed, execute, Outcome, lambda outcome: not outcome.error)


def backwards(numbers):
    for i, number in reversed(list(enumerate(numbers))):
        yield i, Outcome(number, "failed" if number == 3 else "")


def test_only_missing_jobs_are_run(tmp_path):
    asked = []

    def execute(numbers):
        asked.append(numbers)
        return backwards(numbers)

    for _ in range(2):
        with open_run(1, tmp_path / "jobs", False) as run:
            values = [outcome.value for outcome in finish(run, [1, 2, 3], execute)]
        assert values == [1, 2, 3]
    assert asked == [[1, 2, 3], [3]]


@pytest.mark.parametrize("damage", ["", "no gzip", "{}"])
def test_a_damaged_outcome_counts_as_missing(tmp_path, damage):
    lines = [{"options": {"format": "structce-jobs"}}, {"key": "key 1", "value": damage}]
    (tmp_path / "jobs").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with open_run(1, tmp_path / "jobs", False) as run:
        assert [outcome.value for outcome in finish(run, [1], backwards)] == [1]


def test_a_file_that_is_no_journal_is_an_error(tmp_path):
    path = tmp_path / "jobs"
    path.write_bytes(b"something else\n" * 100)
    with pytest.raises(BulkError, match="not a journal of a run"), open_run(1, path, False):
        pass


def test_without_a_terminal_each_job_is_a_line(capsys):
    for is_shown in (True, False):
        with open_run(1, None, is_shown) as run:
            finish(run, [1, 3], backwards)
    assert capsys.readouterr().err.splitlines() == ["1/2 3: failed", "2/2 1"]


def test_digested_code_exists():
    from structce.experiments import extractors, learners

    for path in (*extractors.CODE_PATHS, *learners.CODE_PATHS):
        assert (Path(jobs.PACKAGE) / path).exists(), path


def test_a_users_file_is_digested_and_bound_arguments_count(mine, tmp_path):
    first = source_digest(mine.Mine)
    assert source_digest(partial(mine.Mine, label=1)) != source_digest(partial(mine.Mine, label=2))
    (tmp_path / "learners_of_mine.py").write_text("class Mine:\n    pass\n")
    assert source_digest(mine.Mine) != first


def without_seconds(report):
    plain = json.loads(to_json(report))
    return plain | {"fits": [fit | {"seconds": {}} for fit in plain["fits"]]}


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
    together = run_quietly(experiment, corpus, n_jobs=2, journal=journal)
    assert without_seconds(together) == without_seconds(report)
    assert to_json(run_quietly(experiment, corpus, journal=journal)) == to_json(together)


def test_a_process_that_ends_seconds_its_job(deadly, corpus, run_quietly):
    experiment, known = deadly
    report = run_quietly(experiment, corpus, known, n_jobs=2)
    (failure,) = report.rows("failures")
    assert failure.subject == "doomed"
    assert "died" in failure.error
    assert report.subjects == ("mine",)


def test_no_jobs_at_once_are_refused(experiment, corpus, run_quietly):
    with pytest.raises(ExperimentError, match="0 jobs; expected 1 or more, or -1"):
        run_quietly(experiment, corpus, n_jobs=0)
