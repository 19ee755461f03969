"""Features of text blocks: words, links, position and class names.

Sources: J. Yao and X. Zuo (2013). A machine learning approach to webpage content extraction. CS229,
Stanford University, section III-B. C. Kohlschütter, P. Fankhauser and W. Nejdl (2010). Boilerplate
detection using shallow text features. WSDM 2010, section 3.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.extraction.blocks import Blocks
from structce.extraction.parsed_document import JOINED
from structce.language import SENTENCE_ENDS

_LINE_WIDTH = 80  # characters per line (Kohlschütter et al. 2010; Yao and Zuo 2013)
_SENTENCE_END = re.compile(rf"[{SENTENCE_ENDS}][\"'”’»)\]]*$")

AttributeTokens = Sequence[tuple[str, ...]]
"""Tokens of ``id`` and ``class`` around each block, as returned by `Blocks.attribute_tokens`."""


def n_sentences(blocks: Blocks) -> Integers:
    """Return the number of sentences of each block, counting words after the last sentence end.

    A word ends a sentence if it ends with a full stop, question mark, exclamation mark or ellipsis,
    possibly followed by a quotation mark or bracket; so do abbreviations (our choice).
    """
    words = blocks.document.words.text
    is_end = np.array([_SENTENCE_END.search(word) is not None for word in words], dtype=bool)
    last = np.maximum(blocks.end_word - 1, 0)
    is_open = (blocks.n_words > 0) & ~np.append(is_end, True)[last]
    return np.asarray(blocks.sum_of_words(is_end) + is_open)


def n_lines(blocks: Blocks) -> Integers:
    """Return the number of lines of each block: characters with single spaces / 80, rounded up."""
    words = blocks.document.words
    is_spaced = (words.breaks != JOINED).astype(np.int64)
    first = np.append(is_spaced, 0)[blocks.first_word] * (blocks.n_words > 0)
    n_characters = blocks.sum_of_words(words.length + is_spaced) - first
    return np.asarray(-(-n_characters // _LINE_WIDTH))


def text_features(blocks: Blocks) -> dict[str, Floats]:
    """Return the seven text features of Yao and Zuo (2013) by name, each of shape (n_blocks,).

    A previous value below 1 counts as 1 in a quotient, and so does that of the first block, whose
    quotient is its own value (our choice).
    """
    n_words = blocks.n_words.astype(np.float64)
    measured = {
        "words": n_words,
        "sentence length": n_words / np.maximum(n_sentences(blocks), 1),
        "text density": n_words / np.maximum(n_lines(blocks), 1),
    }
    features = {}
    for name, values in measured.items():
        previous = np.concatenate((np.ones(1), values[:-1]))[: len(values)]
        features[name] = values
        features[f"{name} quotient"] = values / np.maximum(previous, 1.0)
    features["link density"] = link_density(blocks)
    return features


def link_density(blocks: Blocks) -> Floats:
    """Return the share of each block's words that are in links; 0 without words."""
    return blocks.n_link_words / np.maximum(blocks.n_words, 1)


def relative_position(n_blocks: int, n_positions: int) -> Floats:
    """Return ``floor(n / N * M)`` of each of N blocks, n counted from 1; in [0, M]."""
    ends = np.arange(1, n_blocks + 1) * n_positions // max(n_blocks, 1)
    return ends.astype(np.float64)


def token_flags(tokens: AttributeTokens, chosen: Sequence[str]) -> Floats:
    """Return 1 if a block has a token, else 0; shape (n_blocks, n_tokens)."""
    flags = np.zeros((len(tokens), len(chosen)))
    column = {token: i for i, token in enumerate(chosen)}
    for row, block in enumerate(tokens):
        flags[row, [column[token] for token in set(block) if token in column]] = 1.0
    return flags


def token_scores(tokens: AttributeTokens, is_content: Flags) -> dict[str, float]:
    """Return how strongly each token indicates that a block is not content, weighted by its blocks.

    The log of the quotient of its probabilities in other blocks and in content, by the multinomial
    event model with Laplace smoothing, times the number of blocks with the token: the three
    equations of section III-B of Yao and Zuo (2013).
    """
    counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    with_token: Counter[str] = Counter()
    for block, label in zip(tokens, is_content.tolist(), strict=True):
        counts[label].update(block)
        with_token.update(set(block))
    totals = [count.total() + len(with_token) for count in counts]
    return {
        token: n_blocks
        * float(
            np.log((counts[0][token] + 1) / totals[0]) - np.log((counts[1][token] + 1) / totals[1])
        )
        for token, n_blocks in with_token.items()
    }


def best_tokens(scores: dict[str, float], n: int, excluded: Collection[str] = ()) -> list[str]:
    """Return the tokens with the highest scores above 0; ties are in alphabetical order."""
    ranked = sorted((-score, token) for token, score in scores.items() if score > 0)
    return [token for _, token in ranked if token not in excluded][:n]
