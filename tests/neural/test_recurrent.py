"""The sequence tagger in NumPy, which is the referee of the faster ones."""

import numpy as np
import pytest
from random_taggers import random_lstm

from structce.neural import LSTM, BidirectionalLSTM


def test_a_memory_of_one_unit_follows_its_equations():
    # Only the cell's gate and the forget gate see something: by hand, step by step.
    lstm = LSTM(
        np.array([[0.0], [0.0], [1.0], [0.0]], dtype=np.float32),
        np.array([[0.0], [0.0], [0.5], [0.0]], dtype=np.float32),
        np.array([0.0, np.log(3), 0.0, 0.0], dtype=np.float32),  # forgets a quarter
    )
    states = lstm.run(np.array([[1.0], [-2.0]], dtype=np.float32))
    first_cell = 0.5 * np.tanh(1.0)
    first = 0.5 * np.tanh(first_cell)
    second_cell = 0.75 * first_cell + 0.5 * np.tanh(-2.0 + 0.5 * first)
    assert states.ravel() == pytest.approx([first, 0.5 * np.tanh(second_cell)], abs=1e-6)


def test_the_backward_direction_reads_from_the_last_row():
    lstm = random_lstm(np.random.default_rng(1), 4, 3)
    rows = np.random.default_rng(2).normal(size=(6, 4)).astype(np.float32)
    both = BidirectionalLSTM(lstm, lstm).run(rows)
    mirrored = BidirectionalLSTM(lstm, lstm).run(rows[::-1])
    assert np.allclose(both[:, :3], mirrored[::-1, 3:])
    assert not np.allclose(both[:, :3], both[:, 3:])
