"""Labels of blocks and of texts from a gold text: which of them are main content.

Data sets state the main content of a page as a text. Methods that learn from blocks or texts, and
measures that count them, need to know which of them it consists of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from structce.arrays import Flags, Floats
from structce.errors import ExtractionError
from structce.evaluation import words
from structce.extraction.blocks import Blocks
from structce.extraction.parsed_document import ParsedDocument

RUN_LENGTH = 4  # words in the runs that are compared
MIN_SHARE = 0.5
"""Smallest share of a block's runs of words that must occur in the text; our choice, as most blocks
have nearly all or none."""

_MIN_ALIGNED = 2 / 3  # share of a text's characters in the gold, of Vogels et al. (2018)


def block_labels(blocks: Blocks, text: str) -> Flags:
    """Return which blocks are main content, by the presence of their words in a gold text.

    Yao and Zuo (2013) call a block content if it appears in the gold text. We apply that rule to
    words, folded as by :func:`structce.evaluation.words`. A block of four words or more is content
    if at least `MIN_SHARE` of its runs of four words occur in the text. A shorter one, such as a
    menu entry, would be found in any long text: all of its words must occur there as a run which is
    a line of the text or continues with the word next to the block on the page.
    """
    gold = words(text)
    lines = {tuple(words(line)) for line in text.split("\n")}
    gold_runs = {n: set(_runs(gold, n)) for n in range(2, RUN_LENGTH + 1)}
    tokens = [words(blocks.text(i)) for i in range(len(blocks))]
    is_content = np.zeros(len(blocks), dtype=bool)
    with_words = [i for i, block in enumerate(tokens) if block]
    for n, i in enumerate(with_words):
        block = tokens[i]
        if len(block) >= RUN_LENGTH:
            runs = _runs(block, RUN_LENGTH)
            n_shared = sum(run in gold_runs[RUN_LENGTH] for run in runs)
            is_content[i] = n_shared >= MIN_SHARE * len(runs)
        else:
            beside = [(*tokens[j][-1:], *block) for j in with_words[:n][-1:]]
            beside += [(*block, *tokens[j][:1]) for j in with_words[n + 1 : n + 2]]
            is_shared = any(run in gold_runs[len(run)] for run in beside)
            is_content[i] = tuple(block) in lines or is_shared
    return is_content


def _runs(tokens: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Return the runs of ``n`` consecutive words."""
    return list(zip(*(tokens[start:] for start in range(n)), strict=False))


def labelled_rows(
    documents: Iterable[ParsedDocument],
    texts: Sequence[str],
    blocks_of: Callable[[ParsedDocument], Blocks],
    rows_of: Callable[[Blocks], Floats],
) -> tuple[Floats, Flags]:
    """Return the features and the labels of the blocks of pages; ExtractionError without pages."""
    rows, labels = [], []
    for document, text in zip(documents, texts, strict=True):
        blocks = blocks_of(document)
        rows.append(rows_of(blocks))
        labels.append(block_labels(blocks, text))
    if not rows:
        raise ExtractionError("expected pages to learn from, got none")
    return np.concatenate(rows), np.concatenate(labels)


def text_labels(texts: Sequence[str], gold: str, *, min_run: int = 1) -> Flags:
    """Return which texts of a page are main content, by alignment of the page with a gold text.

    Both are compared as sequences of folded words, in order. A text is content if two thirds of the
    characters of its words are aligned. A text without a word, such as a bullet, is content if it
    is between two texts that are. A run of fewer than ``min_run`` words, which may be coincidental,
    only counts for texts that it covers completely.
    """
    from structce.alignment import common_runs  # late: takes 0.1 s, and few extractors need it

    blocks = [words(text) for text in texts]
    every = [word for tokens in blocks for word in tokens]
    n_words = np.array([len(tokens) for tokens in blocks], dtype=np.int64)
    owner, end = np.repeat(np.arange(len(blocks)), n_words), np.cumsum(n_words)
    aligned = np.zeros(len(owner), dtype=bool)
    for run in common_runs(every, words(gold)):
        first, last = run.first, run.first + run.length
        touched = owner[first:last]
        fills = (end[touched] - n_words[touched] >= first) & (end[touched] <= last)
        aligned[first:last] = fills | (run.length >= min_run)
    lengths = np.array([len(word) for word in every], dtype=np.int64)
    covered = np.bincount(owner, lengths * aligned, minlength=len(blocks))
    total = np.bincount(owner, lengths, minlength=len(blocks))
    # Texts with words at 1, 2, ..., between two that are not content; the others lie between them.
    is_content = np.concatenate(([False], (covered >= _MIN_ALIGNED * total)[total > 0], [False]))
    before = np.cumsum(total > 0)
    return np.asarray(is_content[before] & is_content[before + (total == 0)])


def check_kinds(is_content: Flags) -> None:
    """Raise ExtractionError unless some blocks are content, and others not."""
    if is_content.all() or not is_content.any():
        raise ExtractionError("expected blocks of both kinds, content and others, to learn from")
