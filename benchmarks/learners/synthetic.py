"""Pages drawn at random that cost a learner what News600's pages cost.

News600 has 604 pages of 274 regions on average, 1,255 at most, 106,436 columns and nine labels
(Spengler, Bordes and Gallinari 2010, RIAO, section 4.1). The paper reports no more, so
the rest of the recipe is invented to cost as much:

- **Lengths** are log-normal with mean 274, cut to 20..1255.
- **Labels** follow the Markov chain `CHAIN`: long runs of the background and of paragraphs, a
  title, author and date in this order, captions after pictures.
- **Cues**: each region indicates a label. With probability `NOISE` it is a label other than its
  own, drawn uniformly, so that no learner can do well without the neighbours.
- **Columns**: a region draws some `N_DRAWS` columns, log-uniform by rank, so that the frequency
  falls like 1/rank (Zipf). Ranks come in groups of nine, one of each label. Some of the draws, a
  share that is `CUES` on average and differs much between regions, are moved to the indicated
  label's column of their group. A column drawn twice counts once; all values are 1.
- Columns are shuffled, so that frequent ones do not lie together in memory.

Page ``i`` of a part depends on seed, part and ``i`` alone: a larger problem contains the smaller.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from benchmarks.learners.problems import Part, Problem
from structce.arrays import Floats, Labels
from structce.labels import NEWS
from structce.learners.inputs import Features

MEAN_LENGTH, SPREAD, SHORTEST, LONGEST = 274, 0.6, 20, 1255
N_DRAWS = 175
FLATTENING = 10.0  # the first ranks are about equally frequent, as in Zipf-Mandelbrot's law
NOISE = 0.06
CUES = 0.6

CHAIN: Mapping[str, Mapping[str, float]] = {
    "None": {"None": 97.2, "Paragraph": 0.8, "Multimedia": 0.5, "Title": 0.4, "Advertisement": 0.4,
             "Date": 0.2, "Author": 0.2, "Subtitle": 0.2, "Caption": 0.1},
    "Title": {"Title": 15, "Author": 30, "Date": 20, "Subtitle": 10, "Paragraph": 10, "None": 10,
              "Multimedia": 5},
    "Author": {"Author": 30, "Date": 35, "Paragraph": 15, "None": 15, "Multimedia": 5},
    "Date": {"Date": 20, "Paragraph": 35, "None": 30, "Multimedia": 10, "Author": 5},
    "Paragraph": {"Paragraph": 88, "None": 5, "Subtitle": 2, "Multimedia": 2, "Advertisement": 2,
                  "Author": 0.5, "Date": 0.5},
    "Multimedia": {"Multimedia": 15, "Caption": 50, "None": 20, "Paragraph": 15},
    "Caption": {"Caption": 50, "Paragraph": 30, "None": 20},
    "Subtitle": {"Subtitle": 20, "Paragraph": 70, "None": 10},
    "Advertisement": {"Advertisement": 60, "None": 30, "Paragraph": 10},
}  # fmt: skip
"""Per cent of the labels that follow each label; a page starts as if after the background."""


def make_problem(n_pages: int, n_columns: int, seed: int) -> Problem:
    """Return ``n_pages`` training pages, and a third as many for validation and for test each."""
    order = np.random.default_rng(seed).permutation(n_columns)
    n_others = max(1, n_pages // 3)
    train, validation, test = (
        _part(size, order, (seed, stream))
        for stream, size in enumerate((n_pages, n_others, n_others))
    )
    return Problem(train, validation, test, NEWS, f"synthetic, seed {seed}")


def transition_matrix() -> Floats:
    """Return `CHAIN` as probabilities in the order of the label set, shape (9, 9)."""
    rows = [[CHAIN[previous].get(label, 0.0) for label in NEWS.names] for previous in NEWS.names]
    return np.array(rows) / 100


def _part(n_pages: int, order: Labels, seed: tuple[int, int]) -> Part:
    X, y = [], []
    for i in range(n_pages):
        random = np.random.default_rng((*seed, i))
        labels = _labels(_length(random), random)
        is_wrong = random.random(len(labels)) < NOISE
        told = np.where(is_wrong, random.integers(len(NEWS), size=len(labels)), labels)
        X.append(_rows(told, order, random))
        y.append(labels)
    return Part(X, y)


def _length(random: np.random.Generator) -> int:
    drawn = random.lognormal(np.log(MEAN_LENGTH) - SPREAD**2 / 2, SPREAD)
    return int(np.clip(drawn, SHORTEST, LONGEST))


def _labels(length: int, random: np.random.Generator) -> Labels:
    bounds = transition_matrix().cumsum(axis=1)
    bounds[:, -1] = 1.0  # whatever rounding left
    y = np.empty(length, dtype=np.int64)
    label = NEWS.index(NEWS.background)
    for i, draw in enumerate(random.random(length)):
        label = y[i] = np.searchsorted(bounds[label], draw, side="right")
    return y


def _rows(told: Labels, order: Labels, random: np.random.Generator) -> Features:
    """Return a page whose regions indicate these labels; ``order`` gives the columns by rank."""
    n_columns = len(order)
    region = np.repeat(np.arange(len(told)), random.poisson(N_DRAWS, size=len(told)))
    steepness = np.log(n_columns / FLATTENING + 1)
    rank = (FLATTENING * np.expm1(steepness * random.random(len(region)))).astype(np.int64)
    share = CUES * random.gamma(2.0, 0.5, size=len(told))  # mean CUES
    is_cue = random.random(len(region)) < share[region]
    rank = np.where(is_cue, rank - rank % len(NEWS) + told[region], rank)
    keys: NDArray[np.int64] = np.unique(region * n_columns + order[np.minimum(rank, n_columns - 1)])
    indptr = np.searchsorted(keys, np.arange(len(told) + 1) * n_columns)
    shape = (len(told), n_columns)
    return sparse.csr_matrix((np.ones(len(keys)), keys % n_columns, indptr), shape=shape)
