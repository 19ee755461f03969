"""Quality of a text, the probability that it was read well, and the risk of keeping its page.

Trees estimate the quality from the features of the page and the certainty of the choice of its
body. A page is kept at a risk if the quality of its text reaches a threshold: of the pages kept at
most this share is wrong (Y. Geifman, R. El-Yaniv (2017). Selective classification for deep neural
networks. NeurIPS). The thresholds of the shipped models are in ``risk.toml``, those of a model of
your own in its card, under ``risk``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from structce import kernels
from structce.arrays import Floats
from structce.article.evidence import Evidence, named_columns
from structce.article.page_type import PAGE_COLUMNS
from structce.article.tuned import read_table, tuned
from structce.language import is_european, word_pattern
from structce.learners import BoostedTrees
from structce.patterns import lazy_pattern

RISKS = (0.05, 0.1, 0.15, 0.2, 0.3)
"""Risks that have a threshold of quality."""

WELL_READ = 0.9
"""Least F1 of a text that is well read, in bags of words or in characters of blocks; our choice."""

RiskTable = Mapping[str, Mapping[str, float]]
"""Least quality by kind of page (``article``, ``other``) and by risk (``"0.05"``)."""

_SPACED_WORD = lazy_pattern(r"\w+")
_WEB_ADDRESS = lazy_pattern(r"https?://\S+")
_FEWEST_WORDS, _HEAPS_WORDS = 30, 60  # of a text; of one in which words recur
_LEAST_LETTERS = 0.7  # of the characters that are no space
_HEAPS = (0.7, 0.96)  # exponents of a natural vocabulary; our choices
_UNDOUBTED = (0.1, 0.9)  # probabilities below and above which a block is beyond doubt

QUALITY_COLUMNS = (
    *PAGE_COLUMNS,
    *"doubt chars_inside sure_share mean_inside mean_outside n_runs".split(),
)
"""Columns of a page from which the quality of its body is estimated."""


def certainty_features(chars: Floats, p: Floats) -> Floats:
    """Return the features that describe how certain the choice of a body is.

    ``doubt`` is the share of characters that are likely in the wrong place, ``sure_share`` that of
    blocks beyond doubt, ``n_runs`` the number of runs of blocks in the body, less one if the page
    begins with it. ``p`` contains the probability that each block is part of the body, (n_blocks,).

    Returns
    -------
    shape (6,)
        In the order of the last ``QUALITY_COLUMNS``.
    """
    inside = p >= 0.5
    is_sure = (p < _UNDOUBTED[0]) | (p > _UNDOUBTED[1])
    likely, doubtful = chars * p, chars * np.minimum(p, 1 - p)
    n_all, n_inside = float(chars.sum()), float(chars[inside].sum())
    total, body = max(n_all, 1.0), max(n_inside, 1.0)
    features = (
        doubtful.sum() / body,
        math.log1p(n_inside),
        chars[is_sure].sum() / total,
        likely[inside].sum() / body,
        likely[~inside].sum() / max(total - body, 1.0),
        np.count_nonzero(inside[1:] & ~inside[:-1]),
    )
    return np.array(features, dtype=np.float64)


def page_quality(
    evidence: Evidence, p: Floats, page: Floats, text: str, trees: BoostedTrees | None
) -> float | None:
    """Return the probability that a page's body was read well, in [0, 1]; None without trees.

    It is 0 without a text, and at most ``implausible-text`` for a text that is not prose. ``p``
    contains the probability that each block is part of the body, (n_blocks,), ``page`` the
    features of the page.
    """
    if trees is None:
        return None
    if not text.strip():
        return 0.0
    features = np.concatenate([page, certainty_features(evidence.block_chars, p)])
    row = named_columns(features[None], QUALITY_COLUMNS, trees.names)
    quality = float(trees.probability(row)[0])
    highest = tuned("implausible-text")
    return quality if quality <= highest or is_plausible(text) else highest


def is_plausible(text: str) -> bool:
    """Return whether a text may be an article, by its length, its letters and its vocabulary.

    A message about an error is short, numbers and addresses have few letters, and a vocabulary
    grows with a power of the length of a text (Heaps' law), much faster than that of repeated
    lines, and slower than that of letters at random.
    """
    if "http" in text:
        text = _WEB_ADDRESS.sub("", text)
    n_words, n_distinct, n_letters, n_signs = text_counts(text)
    if n_words < _FEWEST_WORDS or n_letters < _LEAST_LETTERS * n_signs:
        return False
    is_rich = n_distinct >= n_words ** _HEAPS[0]
    return is_rich and (n_words < _HEAPS_WORDS or n_distinct <= n_words ** _HEAPS[1])


def text_counts(text: str) -> tuple[int, int, int, int]:
    """Return the words of a text, distinct words, letters, and characters but white space."""
    counts = kernels.count_latin(text) if kernels.count_latin is not None else None
    if counts is not None:
        return counts
    folded = text.lower()
    words = (_SPACED_WORD if is_european(folded) else word_pattern()).findall(folded)
    letters = [len(word) if word.isalpha() else sum(map(str.isalpha, word)) for word in words]
    return len(words), len(set(words)), sum(letters), sum(map(len, text.split()))


def risk_table(card: Mapping[str, object]) -> RiskTable:
    """Return the table of risks of the model with a card; empty if it has none."""
    own = card.get("risk")
    if isinstance(own, Mapping):
        return own
    digest = card.get("corpus_digest")
    return next((row for row in read_table("risk").values() if row["corpus"] == digest), {})


def risk_of(quality: float | None, page_type: str, table: RiskTable) -> float | None:
    """Return the least risk at which a page of this quality is kept; None if at none."""
    bounds = table.get("article" if page_type == "article" else "other", {})
    kept = (risk for risk in RISKS if (quality or 0.0) >= bounds.get(str(risk), math.inf))
    return next(kept, None)
