"""What weighs in a model."""

import numpy as np
import pytest

from structce.errors import LabelError
from structce.labelling.explanation import view_model
from structce.labels import LabelSet
from structce.learners import GreedySVM, MulticlassSVM, StructuredSVM

LABELS = LabelSet(("None", "Title", "Date"), "None")
COLUMNS = ("bias", "heading", "digits", "rare")
WEIGHTS = [[1.0, -0.5, -0.5], [-2.0, 2.0, 0.0], [-1.0, -1.0, 2.0], [1e-6, -1e-6, 0.0]]


def fitted(kind, **weights):
    learner = kind()
    learner.n_columns_, learner.classes_, learner.temperature_ = 4, np.arange(3), 1.0
    for key, value in {"emissions_": WEIGHTS, **weights}.items():
        setattr(learner, key, np.array(value))
    return learner


def test_the_strongest_columns_are_those_of_the_largest_weights():
    view = view_model(fitted(MulticlassSVM), COLUMNS, LABELS)
    assert view.columns == {
        "None": {"for": [("bias", 1.0)], "against": [("heading", -2.0), ("digits", -1.0)]},
        "Title": {"for": [("heading", 2.0)], "against": [("digits", -1.0), ("bias", -0.5)]},
        "Date": {"for": [("digits", 2.0)], "against": [("bias", -0.5)]},
    }


def test_one_label_and_few_columns_can_be_chosen():
    view = view_model(fitted(MulticlassSVM), COLUMNS, LABELS, label="Title", n_columns=1)
    assert view.columns == {"Title": {"for": [("heading", 2.0)], "against": [("digits", -1.0)]}}
    with pytest.raises(LabelError, match="unknown label 'Heading'"):
        view_model(fitted(MulticlassSVM), COLUMNS, LABELS, label="Heading")


def test_only_chains_have_transitions():
    learner = fitted(StructuredSVM, transitions_=np.arange(9.0).reshape(3, 3))
    view = view_model(learner, COLUMNS, LABELS)
    assert view.transitions["Title"] == {"None": 3.0, "Title": 4.0, "Date": 5.0}
    assert view.distances == []
    assert view_model(fitted(MulticlassSVM), COLUMNS, LABELS).transitions is None


def test_the_greedy_context_is_summed_by_distance():
    context = np.stack([np.eye(3), -2 * np.eye(3)])
    view = view_model(fitted(GreedySVM, context_weights_=context), COLUMNS, LABELS)
    assert view.transitions["Title"] == {"None": 0.0, "Title": 1.0, "Date": 0.0}
    assert view.distances == [3.0, 6.0]
    blind = fitted(GreedySVM, context_weights_=np.zeros((0, 3, 3)))
    assert view_model(blind, COLUMNS, LABELS).transitions is None
