"""Ticks, names and places that several plots share."""

import pytest

from structce.experiments.report.plots.base import count_words, log_ticks, row_heights, wrap_name
from structce.experiments.report.plots.scores import short_count


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.9, 12, [1, 2, 5, 10]),
        (3, 130, [5, 10, 20, 50, 100]),
        (0.0008, 1.2, [0.001, 0.01, 0.1, 1]),
        (1e-11, 1, [1e-11, 1e-9, 1e-7, 1e-5, 1e-3, 0.1]),
        (2.5, 7.5, [3, 4, 5, 6, 7]),
        (0.041, 0.049, [0.042, 0.044, 0.046, 0.048]),
    ],
)
def test_ticks_of_a_logarithmic_axis_are_round_and_few(low, high, ticks):
    assert log_ticks(low, high) == ticks


def test_an_axis_with_little_room_has_fewer_ticks():
    assert log_ticks(0.01, 1000, 4) == [0.01, 1, 100]
    assert len(log_ticks(0.01, 1000)) == 6


def test_rows_are_as_high_as_their_longest_name():
    assert row_heights(["short", "one"], 0.3) == pytest.approx(0.6)
    assert row_heights(["linear-chain-crf without neighbours"], 0.3) > 0.3


def test_long_names_break_after_hyphens():
    assert wrap_name("structured-svm − linear-chain-crf", 18) == [
        "structured-svm −",
        "linear-chain-crf",
    ]
    assert wrap_name("") == [""]


def test_a_count_agrees_with_its_noun():
    assert (count_words(1, "page"), count_words(1200, "page")) == ("1 page", "1,200 pages")


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (1234, "1.2k"), (9949, "9.9k"), (9950, "10k"), (123456, "123k")],
)
def test_counts_above_bars_are_short(number, text):
    assert short_count(number) == text
