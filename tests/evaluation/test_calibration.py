import numpy as np
import pytest

from structce.errors import LearnerError
from structce.evaluation.calibration import (
    ReliabilityBin,
    brier_score,
    expected_calibration_error,
    reliability,
)


def test_a_case_worked_by_hand():
    confidence = np.array([0.95, 0.95, 0.55, 0.55])
    right = np.array([True, False, True, True])
    # Bin 0.9 to 1: 0.95 against 0.5; bin 0.5 to 0.6: 0.55 against 1; two regions of four each.
    assert expected_calibration_error(confidence, right) == pytest.approx((0.45 + 0.45) / 2)


def test_bins_have_confidence_and_accuracy():
    confidence = np.array([0.25, 0.75, 1.0, 0.5, 0.0])
    right = np.array([False, True, False, True, False])
    assert reliability(confidence, right, 4) == [
        ReliabilityBin(0.0, 0.25, 1, 0.0, 0.0),
        ReliabilityBin(0.25, 0.5, 1, 0.25, 0.0),
        ReliabilityBin(0.5, 0.75, 1, 0.5, 1.0),
        ReliabilityBin(0.75, 1.0, 2, 0.875, 0.5),
    ]
    nothing = np.zeros(0), np.zeros(0, dtype=bool)
    assert reliability(*nothing) == []
    assert expected_calibration_error(*nothing) == brier_score(*nothing) == 0.0


def test_the_brier_score_as_worked_by_hand():
    confidence, right = np.array([0.9, 0.6]), np.array([True, False])
    assert brier_score(confidence, right) == pytest.approx((0.01 + 0.36) / 2)


@pytest.mark.parametrize("measure", [reliability, expected_calibration_error, brier_score])
def test_what_is_no_confidence_is_refused(measure):
    for wrong in (1.1, -0.1, np.nan):
        with pytest.raises(LearnerError, match="not in"):
            measure(np.array([0.5, wrong]), np.array([True, True]))
    with pytest.raises(LearnerError, match="shape"):
        measure(np.array([0.5, 0.5]), np.array([True]))
