"""Simulated bulk runs: bounded by the workers, then by the reader, and by slow pages."""

import pytest

from structce.bulk import SampleCosts, simulate_rate


def costs(*work_seconds: float, reading_seconds: float) -> SampleCosts:
    return SampleCosts(len(work_seconds), 0, work_seconds, reading_seconds, 1, 1, 1.0)


def test_workers_add_up_until_the_reader_is_busy():
    equal = costs(0.1, 0.1, reading_seconds=0.01)
    assert simulate_rate(equal, 1) == pytest.approx(10, rel=0.01)
    assert simulate_rate(equal, 4) == pytest.approx(40, rel=0.01)
    assert simulate_rate(equal, 20) == pytest.approx(100, rel=0.01)


def test_slow_pages_delay_the_others_in_order():
    uneven = costs(*[0.01] * 99, 10.0, reading_seconds=0.0)
    mean = sum(uneven.work_seconds) / 100
    assert simulate_rate(uneven, 1) == pytest.approx(1 / mean, rel=0.2)
    assert simulate_rate(uneven, 8) < 0.5 * 8 / mean
