import numpy as np
import pytest

from structce.errors import LearnerError
from structce.learners.classes import check_label_weights, resolve_weights

LABELS = [np.array([0, 0, 0, 1]), np.array([0, 2, -1, 0, 0, 0])]  # 7, 1, 1 of three labels


def test_balanced_weights_give_labels_the_same_sum():
    weights = resolve_weights("balanced", LABELS, 4)
    assert np.allclose(weights[:3] * [7, 1, 1], 3)  # nine known regions, three labels
    assert weights[3] == 1
    assert resolve_weights(None, LABELS, 3).tolist() == [1, 1, 1]
    assert resolve_weights("balanced", [np.array([-1, -1])], 2).tolist() == [1, 1]


def test_square_roots_lie_between_and_have_mean_one():
    weights = resolve_weights("sqrt", LABELS, 3)
    assert weights[1] == weights[2]
    assert weights[1] / weights[0] == pytest.approx(np.sqrt(7))
    assert (weights * [7, 1, 1]).sum() == pytest.approx(9)


def test_numbers_must_be_as_many_as_labels():
    assert resolve_weights([1, 2.5, 3], LABELS, 3).tolist() == [1, 2.5, 3]
    with pytest.raises(LearnerError, match="2 numbers; expected one for each of the 3 labels"):
        resolve_weights([1, 2], LABELS, 3)


@pytest.mark.parametrize("bad", ["even", 3, -1, [], [1, 0], [1, "2"], [1, np.nan], [True]])
def test_what_is_no_weight_is_refused(bad):
    with pytest.raises(LearnerError, match="label_weights"):
        check_label_weights(bad)
