import numpy as np
import pytest

from structce.errors import LabelError
from structce.evaluation.metrics import LabelScore, Measures, confusion, macro, score, weighted
from structce.labels import LabelSet

LABELS = LabelSet(("Author", "Date", "None", "Title"), background="None")
AUTHOR, DATE, NONE, TITLE = range(4)

# Worked by hand. Author: 2 gold, 1 found, 1 right. None: 4 gold, 5 found, 3 right.
# Title: 2 gold, 2 found, 1 right. Date: nowhere.
GOLD = np.array([AUTHOR, AUTHOR, NONE, NONE, NONE, NONE, TITLE, TITLE])
FOUND = np.array([AUTHOR, NONE, NONE, NONE, NONE, TITLE, TITLE, NONE])


def test_averages_over_all_labels_count_those_that_occur():
    scores = score(GOLD, FOUND, LABELS)
    assert scores.accuracy == scores.micro.f1 == pytest.approx(5 / 8)
    assert scores.micro.precision == scores.micro.recall == scores.micro.f1
    assert scores.macro.f1 == pytest.approx((2 / 3 + 2 / 3 + 1 / 2) / 3)
    assert scores.macro.precision == pytest.approx((1 + 0.6 + 0.5) / 3)
    assert scores.macro.recall == pytest.approx((0.5 + 0.75 + 0.5) / 3)


def test_micro_averages_of_the_paper_are_weighted_by_support():
    """Its Table 3: the rows of nine labels, and the micro and macro averages printed below them."""
    table = """
        12452 6685 90.35 89.35 89.85
        307 221 86.96 63.35 73.30
        127 82 92.00 84.15 87.90
        306 208 73.18 91.83 81.45
        175 123 94.64 86.18 90.21
        61796 39535 97.78 97.33 97.55
        5194 3192 89.72 97.90 93.63
        33 20 80.00 60.00 68.57
        300 204 98.98 95.59 97.26"""
    rows = [[float(cell) for cell in line.split()] for line in table.split("\n") if line]
    labels = [LabelScore("", Measures(*row[2:]), int(row[1]), 1) for row in rows]
    average, printed = weighted(labels), pytest.approx((96.11, 96.06, 96.06), abs=0.01)
    assert (average.precision, average.recall, average.f1) == printed
    assert macro(labels).f1 == pytest.approx(86.64, abs=0.01)


def test_averages_of_nothing_are_zero():
    empty = np.zeros(0, dtype=np.int64)
    nothing = score(empty, empty, LABELS)
    assert nothing.accuracy == nothing.macro.f1 == nothing.micro_foreground.f1 == 0
    assert weighted([]) == weighted([LabelScore("", Measures(0.0, 0.0, 0.0), 0, 3)])
    scores = score(GOLD, FOUND, LABELS)
    assert scores.weighted.recall == pytest.approx(scores.accuracy)
    assert scores.weighted.f1 == pytest.approx((2 * 2 / 3 + 4 * 2 / 3 + 2 * 1 / 2) / 8)


def test_averages_of_the_foreground_leave_out_the_background():
    scores = score(GOLD, FOUND, LABELS)
    # Author and Title: 4 gold, 3 found, 2 right.
    assert scores.micro_foreground.precision == pytest.approx(2 / 3)
    assert scores.micro_foreground.recall == pytest.approx(2 / 4)
    assert scores.micro_foreground.f1 == pytest.approx(4 / 7)
    assert scores.macro_foreground.f1 == pytest.approx((2 / 3 + 1 / 2) / 2)


def test_a_stray_label_is_no_class_of_the_mean():
    """Two labels of gold, one region of a third: it costs its own label's recall, not a third."""
    gold = np.array([AUTHOR] * 50 + [NONE] * 50)
    stray = gold.copy()
    stray[0] = DATE
    scores = score(gold, stray, LABELS)
    author, date = scores.labels[AUTHOR], scores.labels[DATE]
    assert scores.macro.f1 == (author.measures.f1 + 1) / 2 > 0.99
    assert scores.macro_foreground.f1 == author.measures.f1
    assert (date.n_predicted, date.measures.precision) == (1, 0)


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        ([0, 1], [0], "shape"),
        ([0, 4], [0, 1], "gold label index out of range; expected 0 to 3"),
        ([0, 1], [0, -1], "predicted label index out of range"),
    ],
)
def test_labels_that_do_not_fit_are_refused(gold, predicted, message):
    with pytest.raises(LabelError, match=message):
        confusion(np.array(gold), np.array(predicted), 4)


def test_scores_agree_with_an_independent_implementation():
    from sklearn.metrics import precision_recall_fscore_support

    rng = np.random.default_rng(0)
    gold, predicted = rng.integers(4, size=500), rng.integers(4, size=500)
    theirs = precision_recall_fscore_support(gold, predicted, labels=range(4), zero_division=0.0)
    ours = [label.measures for label in score(gold, predicted, LABELS).labels]
    np.testing.assert_allclose([(own.precision, own.recall, own.f1) for own in ours],
                               np.transpose(theirs[:3]))  # fmt: skip
