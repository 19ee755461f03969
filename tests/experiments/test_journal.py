"""The journal of jobs: outcomes kept whole, and keys that change with what they depend on."""

import sqlite3
from functools import partial
from pathlib import Path

import msgspec
import pytest

from structce.errors import ExperimentError
from structce.experiments import journal
from structce.experiments.journal import (
    Journal,
    job_bar,
    source_digest,
)


class Outcome(msgspec.Struct):
    value: float
    error: str = ""


def run(kept, jobs, execute):
    with job_bar(len(jobs), False) as bar:
        return kept.run(
            [(f"key {job}", job) for job in jobs],
            execute,
            Outcome,
            is_final=lambda outcome: not outcome.error,
            bar=bar,
        )


def test_only_missing_jobs_are_run(tmp_path):
    asked = []

    def execute(jobs):
        asked.append(jobs)
        for i, job in reversed(list(enumerate(jobs))):  # in another order
            yield i, Outcome(job, "failed" if job == 3 else "")

    for _ in range(2):
        with Journal(tmp_path / "jobs") as kept:
            values = [outcome.value for outcome in run(kept, [1, 2, 3], execute)]
        assert values == [1, 2, 3]
    assert asked == [[1, 2, 3], [3]]


@pytest.mark.parametrize("damage", [b"", b"no gzip", b'{"value": 1}'])
def test_a_damaged_outcome_counts_as_missing(tmp_path, damage):
    with Journal(tmp_path / "jobs") as kept:
        kept.write("a", Outcome(1.0))
    with sqlite3.connect(tmp_path / "jobs") as database:
        database.execute("UPDATE jobs SET outcome = ?", (damage,))
    database.close()
    with Journal(tmp_path / "jobs") as kept:
        assert kept.read("a", Outcome) is None


def test_a_file_that_is_no_journal_is_an_error(tmp_path):
    path = tmp_path / "jobs"
    path.write_bytes(b"something else" * 100)
    with pytest.raises(ExperimentError, match="not a journal of jobs"):
        Journal(path)


def test_digested_code_exists():
    from structce.experiments import extractors, learners

    for path in (*extractors.CODE_PATHS, *learners.CODE_PATHS):
        assert (Path(journal.PACKAGE) / path).exists(), path


def test_a_users_file_is_digested_and_bound_arguments_count(mine, tmp_path):
    first = source_digest(mine.Mine)
    assert source_digest(partial(mine.Mine, label=1)) != source_digest(partial(mine.Mine, label=2))
    (tmp_path / "learners_of_mine.py").write_text("class Mine:\n    pass\n")
    assert source_digest(mine.Mine) != first
