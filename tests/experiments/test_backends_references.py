"""How another process comes by a learner that a file defines."""

import sys
from functools import partial
from types import ModuleType

import pytest

from structce.experiments.backends import LearnerReference
from structce.experiments.job import Failure, Job, encode_split
from structce.features.feature_set import FeatureSet
from structce.learners.multiclass_svm import MulticlassSVM

NAME = "learners_of_mine"


@pytest.fixture(scope="module")
def data(corpus):
    parts = (corpus.subset(page.id for page in corpus.pages[i::3]) for i in range(3))
    return encode_split(FeatureSet(("dom",), min_count=1), *parts)


@pytest.fixture
def job():
    return Job(
        study="compass by site",
        split=0,
        candidate="mine",
        learner="mine",
        parameters={},
        step="test",
        seed=0,
        measure="macro_f1",
    )


@pytest.fixture
def elsewhere(monkeypatch):
    """Return a function that forgets the module of a file, as if this were another process."""
    return lambda: monkeypatch.delitem(sys.modules, NAME)


def test_a_class_of_a_file_is_loaded_from_it(mine, job, data, elsewhere):
    references = [LearnerReference.of(mine.Mine), LearnerReference.of(mine.Mine.Inner)]
    assert [(reference.factory, reference.module, reference.name) for reference in references] == [
        (None, NAME, "Mine"),
        (None, NAME, "Mine.Inner"),
    ]
    elsewhere()
    for reference, label in zip(references, (2, 3), strict=True):
        outcome = reference.run(job, data)
        assert {label for page in outcome.predictions for label in page} == {label}
    loaded = sys.modules[NAME]
    assert loaded is not mine
    references[0].run(job, data)
    assert sys.modules[NAME] is loaded


def test_what_can_be_sent_itself_is():
    class Local:
        pass

    typed = type("Typed", (), {"__module__": "__main__"})
    unknown = type("Unknown", (), {"__module__": "a_module_that_nobody_imported"})
    for make in (MulticlassSVM, Local, typed, unknown, lambda: Local(), partial(MulticlassSVM)):
        assert LearnerReference.of(make) == LearnerReference(make)


def test_a_class_of_a_module_without_a_file_is_a_failure_elsewhere(job, data, monkeypatch):
    module = ModuleType("made_by_hand")
    module.Mine = type("Mine", (), {"__module__": "made_by_hand"})
    monkeypatch.setitem(sys.modules, "made_by_hand", module)
    reference = LearnerReference.of(module.Mine)
    assert reference == LearnerReference(None, "made_by_hand", "Mine", "")
    monkeypatch.delitem(sys.modules, "made_by_hand")
    error = reference.run(job, data).error
    assert error.startswith(
        "LearnerError: made_by_hand.Mine cannot be loaded: ModuleNotFoundError: "
    )


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("class Other:\n    pass\n", "AttributeError: module 'learners_of_mine' has no attribute"),
        (
            "Mine = 3\n",
            "LearnerError: it is not callable; expected a class or function that makes learners",
        ),
        ("class Mine(:\n", "SyntaxError: "),
        ("import no_module_of_this_name\n", "ModuleNotFoundError: No module named"),
        ("raise KeyError('here')\n", "KeyError: 'here'"),
        (None, "FileNotFoundError: "),
    ],
)
def test_a_file_that_is_another_one_there_is_a_failure(
    mine, job, data, elsewhere, tmp_path, text, error
):
    reference = LearnerReference.of(mine.Mine)
    elsewhere()
    path = tmp_path / f"{NAME}.py"
    path.unlink()
    if text is not None:
        path.write_text(text, encoding="utf-8")
    for _ in range(2):  # a half of a module is not taken for one the next time
        outcome = reference.run(job, data)
        assert isinstance(outcome, Failure)
        assert outcome.error.startswith(f"LearnerError: {NAME}.Mine cannot be loaded: {error}")


def test_what_the_learner_raises_is_a_failure_as_it_is(learners, job, data):
    assert LearnerReference(learners["raising"]).run(job, data) == Failure(
        "ArithmeticError: <b>no</b> minimum"
    )
