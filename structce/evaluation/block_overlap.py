"""Overlap of blocks and of lines: whole pieces of a text that are found or missed.

Debnath et al. count blocks; Gottron (2007) objects that a long block should weigh more than a short
one, so blocks may be weighted by their words. The gold of Yao and Zuo consists of pieces that are
found or missed; here, such a piece is a line of text.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.evaluation.overlap import Overlap, Tokenise, split_lines, words


def block_overlap(
    chosen: Flags, relevant: Flags, weights: Integers | Floats | None = None
) -> Overlap:
    """Return the overlap of the blocks that are chosen and those that are relevant.

    Precision is r / t, with t chosen blocks; recall is r / (r + m), with m relevant blocks that are
    missed.

    Parameters
    ----------
    chosen, relevant : shape (n_blocks,)
    weights : shape (n_blocks,)
        Weight of each block, at least 0, such as its number of words; None for 1.

    References
    ----------
    S. Debnath, P. Mitra, C. L. Giles (2005). Automatic extraction of informative blocks from
    webpages. SAC, section 4.1.
    """
    counts = np.ones(len(chosen)) if weights is None else np.asarray(weights, dtype=np.float64)
    both, predicted, wanted = (
        float(counts[flags].sum()) for flags in (chosen & relevant, chosen, relevant)
    )
    return Overlap.of_counts(both, predicted, wanted)


def line_overlap(prediction: str, gold: str, tokenise: Tokenise = words) -> Overlap:
    """Return the overlap of two texts by lines that are entirely in the other text.

    A line is in a text if its words are a run of the text's words, even across line breaks.
    Precision is the share of such lines in the found text, recall in the gold. Lines without words
    do not count.
    """
    precision, recall = (
        _lines_present(prediction, gold, tokenise),
        _lines_present(gold, prediction, tokenise),
    )
    if not recall:
        return Overlap(float(not precision), 1.0)
    return Overlap(_mean(precision), _mean(recall))


def whole_overlap(prediction: str, gold: str, tokenise: Tokenise = words) -> Overlap:
    """Return whether all lines of each text are in the other: precision and recall are 0 or 1.

    Recall is 1 if all of the gold is present, precision if nothing else is; their means over pages
    are shares of pages.
    """
    lines = line_overlap(prediction, gold, tokenise)
    return Overlap(float(lines.precision == 1), float(lines.recall == 1))


def _lines_present(text: str, other: str, tokenise: Tokenise) -> list[bool]:
    """Return for each line of a text that has words whether it is in another text."""
    whole = _spaced(tokenise(other))
    lines = (tokenise(line) for line in split_lines(text))
    return [_spaced(line) in whole for line in lines if line]


def _spaced(tokens: Sequence[str]) -> str:
    """Return words with a space before, between and after them, so that only whole words match."""
    return f" {' '.join(tokens)} "


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0
