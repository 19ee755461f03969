"""What is done is not done again, and what is done again comes out the same."""

import shutil
from dataclasses import replace
from functools import wraps
from pathlib import Path

import pytest

from structce.experiments import schedule
from structce.experiments.config import Candidate, Splits
from structce.experiments.report.files import to_json
from structce.learners.base import Learner
from structce.learners.registry import LEARNERS

SVM = {"lambda_": (0.1, 1.0), "max_epochs": (1,)}

# Of each of two splits: two points, a test, two parts and a share.
N_UNITS = 2 * (2 + 1 + 2 + 1)


@pytest.fixture(scope="module")
def asked(experiment):
    """A real learner, an ablation and a learning curve, on two splits."""
    candidates = (Candidate("multiclass-svm", SVM),)
    splits = Splits(repeats=2)
    return replace(
        experiment,
        candidates=candidates,
        splits=splits,
        ablation=("text",),
        learning_curve=(0.5, 1.0),
    )


@pytest.fixture
def fits(monkeypatch):
    """What is fitted from here on, by name of the learner."""
    fitted = []

    @wraps(Learner.fit)
    def fit(self, *arguments, **options):
        fitted.append(self.name)
        return real(self, *arguments, **options)

    real = Learner.fit
    monkeypatch.setattr(Learner, "fit", fit)
    return fitted


@pytest.fixture
def encodings(monkeypatch):
    """The splits that are encoded from here on."""
    encoded = []

    def encode(*arguments):
        encoded.append(arguments)
        return real(*arguments)

    real = schedule.encode_split
    monkeypatch.setattr(schedule, "encode_split", encode)
    return encoded


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Where a run that nobody interrupted keeps its jobs."""
    return tmp_path_factory.mktemp("uninterrupted")


@pytest.fixture(scope="module")
def uninterrupted(asked, corpus, report_of, kept):
    return report_of(asked, corpus, LEARNERS, cache=kept)


@pytest.fixture
def store(uninterrupted, kept, tmp_path):
    """Return a folder of all jobs, which a test may spoil."""
    return Path(shutil.copytree(kept, tmp_path / "jobs"))


def told(report):
    return to_json(replace(report, costs=()))


def test_a_run_without_a_cache_finds_the_same(asked, corpus, report_of, uninterrupted, fits):
    assert told(report_of(asked, corpus, LEARNERS)) == told(uninterrupted)
    assert len(fits) == N_UNITS


def test_a_second_run_fits_nothing_and_encodes_nothing(
    asked, corpus, report_of, uninterrupted, store, fits, encodings
):
    assert len(list(store.iterdir())) == N_UNITS + 2  # and the columns of each split
    second = report_of(asked, corpus, LEARNERS, cache=store)
    assert (fits, encodings) == ([], [])
    assert to_json(second) == to_json(uninterrupted)  # even the costs are those of the first time


@pytest.mark.parametrize("n_done", [4, N_UNITS - 1])
def test_a_run_that_was_killed_goes_on_where_it_stopped(
    asked, corpus, report_of, uninterrupted, tmp_path, fits, monkeypatch, n_done
):
    counted = Learner.fit

    @wraps(counted)
    def fit(self, *arguments, **options):
        if len(fits) == n_done:
            raise KeyboardInterrupt
        return counted(self, *arguments, **options)

    with monkeypatch.context() as killing:
        killing.setattr(Learner, "fit", fit)
        with pytest.raises(KeyboardInterrupt):
            report_of(asked, corpus, LEARNERS, cache=tmp_path)
    assert len(fits) == n_done
    report = report_of(asked, corpus, LEARNERS, cache=tmp_path)
    assert len(fits) == N_UNITS
    assert told(report) == told(uninterrupted)


def test_a_damaged_job_is_done_again(
    asked, corpus, report_of, uninterrupted, store, fits, encodings
):
    files = sorted(store.iterdir())
    lost = [i for i in range(len(files)) if i % 4 < 2]
    for i in lost:
        if i % 4 == 0:
            files[i].write_bytes(files[i].read_bytes()[: -(i + 10)])
        else:
            files[i].unlink()
    report = report_of(asked, corpus, LEARNERS, cache=store)
    assert len(lost) - 2 <= len(fits) <= len(lost)  # the columns of splits may be among them
    assert told(report) == told(uninterrupted)
    fits.clear()
    encodings.clear()
    report_of(asked, corpus, LEARNERS, cache=store)
    assert (fits, encodings) == ([], [])


def test_a_job_that_raised_is_tried_again_and_the_others_are_not(
    experiment, corpus, learners, study_of, tmp_path
):
    seen, broken = [], [True]

    class Unlucky(learners["centroids"]):
        def fit(self, X, y, *, n_labels):
            seen.append(self.lambda_)
            if broken and self.lambda_ == 2:
                raise MemoryError("too many others on this machine")
            return super().fit(X, y, n_labels=n_labels)

    chosen = replace(experiment, candidates=(Candidate("unlucky", {"lambda_": (2.0, 1.0)}),))
    first = study_of(chosen, corpus, {"unlucky": Unlucky}, cache=tmp_path)
    assert [failure.error.split(":")[0] for failure in first.failures] == ["MemoryError"]
    assert seen == [2.0, 1.0, 1.0]
    broken.clear()
    second = study_of(chosen, corpus, {"unlucky": Unlucky}, cache=tmp_path)
    # Once more to be tuned, and as the first of equals it is the one that is tested now.
    assert seen == [2.0, 1.0, 1.0, 2.0, 2.0]
    assert second.failures == ()
    study_of(chosen, corpus, {"unlucky": Unlucky}, cache=tmp_path)
    assert len(seen) == 5
