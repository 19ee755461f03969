"""What weighs in a model."""

import json

import numpy as np
import pytest

from structce.errors import LabelError
from structce.labelling.model_weights import Weight, view_model
from structce.labels import LabelSet
from structce.learners import GreedySVM, Learner, MulticlassSVM, StructuredSVM

LABELS = LabelSet(("None", "Title", "Date"), "None")
COLUMNS = ("bias", "heading", "digits", "rare")
WEIGHTS = [[1.0, -0.5, -0.5], [-2.0, 2.0, 0.0], [-1.0, -1.0, 2.0], [1e-6, -1e-6, 0.0]]


def fitted(kind: type[Learner], **weights: object) -> Learner:
    learner = kind()
    learner.n_columns_, learner.classes_, learner.temperature_ = 4, np.arange(3), 1.0
    for key, value in {"emissions_": WEIGHTS, **weights}.items():
        setattr(learner, key, np.array(value))
    return learner


def test_the_strongest_columns_are_those_of_the_largest_weights():
    view = view_model(fitted(MulticlassSVM), COLUMNS, LABELS, counts={"Title": 7})
    assert [label.label for label in view.labels] == ["None", "Title", "Date"]
    assert [label.n_regions for label in view.labels] == [None, 7, None]
    none, title, date = view.labels
    assert none.supporting == (Weight("bias", 1.0),)
    assert none.opposing == (Weight("heading", -2.0), Weight("digits", -1.0))
    assert title.supporting == (Weight("heading", 2.0),)
    assert title.opposing == (Weight("digits", -1.0), Weight("bias", -0.5))
    assert date.opposing == (Weight("bias", -0.5),)


def test_one_label_and_few_columns_can_be_chosen():
    view = view_model(fitted(MulticlassSVM), COLUMNS, LABELS, label="Title", n_columns=1)
    (title,) = view.labels
    assert title.opposing == (Weight("digits", -1.0),)
    assert view_model(fitted(MulticlassSVM), COLUMNS, LABELS, n_columns=0).labels[0].opposing == ()
    with pytest.raises(LabelError, match="unknown label 'Heading'"):
        view_model(fitted(MulticlassSVM), COLUMNS, LABELS, label="Heading")


def test_only_chains_have_transitions():
    transitions = np.arange(9.0).reshape(3, 3)
    view = view_model(fitted(StructuredSVM, transitions_=transitions), COLUMNS, LABELS)
    assert view.transitions is not None
    assert np.array_equal(view.transitions, transitions)
    assert view.distances == ()
    assert view_model(fitted(MulticlassSVM), COLUMNS, LABELS).transitions is None


def test_the_greedy_context_is_summed_by_distance():
    context = np.stack([np.eye(3), -2 * np.eye(3)])
    view = view_model(fitted(GreedySVM, context_weights_=context), COLUMNS, LABELS)
    assert view.transitions is not None
    assert np.array_equal(view.transitions, np.eye(3))
    assert view.distances == (3.0, 6.0)
    blind = fitted(GreedySVM, context_weights_=np.zeros((0, 3, 3)))
    assert view_model(blind, COLUMNS, LABELS).transitions is None


def test_a_view_is_written_as_json():
    learner = fitted(StructuredSVM, transitions_=np.arange(9.0).reshape(3, 3))
    back = json.loads(json.dumps(view_model(learner, COLUMNS, LABELS).as_dict()))
    assert back["columns"]["Title"]["for"] == [["heading", 2.0]]
    assert back["transitions"]["Title"]["Date"] == 5.0
