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


LINES = (
    *"lines short-lines long-lines first-line middle-lines last-line".split(),
    "all-present",
)
"""Names of the measures of lines, see :func:`line_overlaps`."""

SHORT_LINE = 12
"""Words from which a line is long; our choice: headings, items and cells have fewer."""


def line_overlaps(prediction: str, gold: str, tokenise: Tokenise = words) -> dict[str, Overlap]:
    """Return the overlaps of two texts by lines that are entirely in the other text, by ``LINES``.

    A line is in a text if its words are a run of the text's words, even across line breaks.
    Precision is the share of such lines in the found text, recall in the gold: all ``lines``, the
    short and the long ones, the first, the last, and those between. ``all-present`` is 1 or 0:
    recall says whether all of the gold is in the found text, so that the page is complete, and
    precision whether nothing else is. Lines without words do not count; of the first and last line
    that a text of one line has, it is both.

    References
    ----------
    J. Yao, X. Zuo (2013). A machine learning approach to webpage content extraction. Technical
    report, section IV.D, which suggests to record whether all of the gold appears.
    """
    found = lines_present(prediction, gold, tokenise)
    wanted = lines_present(gold, prediction, tokenise)
    overlaps = {
        name: Overlap(_mean(found[name]), _mean(wanted[name]))
        if wanted[name]
        else Overlap.of_counts(0, len(found[name]), 0)
        for name in wanted
    }
    whole = overlaps["lines"]
    both = Overlap(float(whole.precision == 1), float(whole.recall == 1))
    return {**overlaps, "all-present": both}


def lines_present(text: str, other: str, tokenise: Tokenise = words) -> dict[str, list[bool]]:
    """Return for each line of a text with words whether another text has it, by group of lines."""
    whole = _spaced(tokenise(other))
    lines = [line for line in map(tokenise, split_lines(text)) if line]
    present = [_spaced(line) in whole for line in lines]
    is_short = [len(line) < SHORT_LINE for line in lines]
    return {
        "lines": present,
        "short-lines": [kept for kept, short in zip(present, is_short, strict=True) if short],
        "long-lines": [kept for kept, short in zip(present, is_short, strict=True) if not short],
        "first-line": present[:1],
        "middle-lines": present[1:-1],
        "last-line": present[-1:],
    }


def _spaced(tokens: Sequence[str]) -> str:
    """Return words with a space before, between and after them, so that only whole words match."""
    return f" {' '.join(tokens)} "


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0
