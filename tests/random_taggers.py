"""Networks with random weights."""

import numpy as np

from structce.neural import LSTM, BidirectionalLSTM, Tagger


def random_lstm(rng, n_inputs, n_hidden):
    shapes = (4 * n_hidden, n_inputs), (4 * n_hidden, n_hidden), (4 * n_hidden,)
    return LSTM(*(rng.normal(size=shape).astype(np.float32) for shape in shapes))


def random_tagger(n_columns=7, n_dense=5, n_hidden=3, n_layers=2, seed=0):
    rng = np.random.default_rng(seed)
    widths = [n_dense] + [2 * n_hidden] * (n_layers - 1)
    pairs = ((random_lstm(rng, width, n_hidden) for _ in range(2)) for width in widths)
    layers = tuple(BidirectionalLSTM(*pair) for pair in pairs)
    shapes = (n_columns, n_dense), (n_dense,), (2 * n_hidden, 1), (1,)
    dense, bias, output, output_bias = (
        rng.normal(size=shape).astype(np.float32) for shape in shapes
    )
    return Tagger(dense, bias, layers, output, output_bias)
