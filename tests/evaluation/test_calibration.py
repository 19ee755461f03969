import numpy as np
import pytest

from structce.evaluation import expected_calibration_error


def test_a_case_worked_by_hand() -> None:
    confidence = np.array([0.95, 0.95, 0.55, 0.55])
    right = np.array([True, False, True, True])
    # Bin 0.9 to 1: 0.95 against 0.5; bin 0.5 to 0.6: 0.55 against 1; two regions of four each.
    assert expected_calibration_error(confidence, right) == pytest.approx((0.45 + 0.45) / 2)


def test_who_is_right_as_often_as_said_has_no_error() -> None:
    confidence = np.full(10, 0.7)
    right = np.arange(10) < 7
    assert expected_calibration_error(confidence, right) == pytest.approx(0.0)


def test_certainty_belongs_to_the_last_bin_and_nothing_has_no_error() -> None:
    assert expected_calibration_error(np.array([1.0]), np.array([True])) == 0.0
    assert expected_calibration_error(np.zeros(0), np.zeros(0, dtype=bool)) == 0.0
