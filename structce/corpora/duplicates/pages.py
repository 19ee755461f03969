"""Pages that tell the same text: copies, earlier versions, stories that several sites print."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from datasketch import MinHash, MinHashLSH
from tqdm import tqdm

from structce.corpora.duplicates.frames import without_common_texts, without_site_frames
from structce.corpora.duplicates.groups import Pair, group_names, sorted_pairs
from structce.corpora.duplicates.shingles import Shingles, jaccard, shingles
from structce.corpus import Corpus, LabelledPage
from structce.corpus.grouping import group_numbers
from structce.errors import CorpusError

DUPLICATE = 0.3
"""Least share of shingles in common: each page has about half of its text from the other, or one
is three times the other and holds it. On the Fundus fixtures and on 846 pages of WCXB pairs that
are no copies, looked at by eye, stay below 0.27, and all of different sites below 0.08; an article
crawled twice, once with as much again in comments of its readers, reaches 0.31."""

LEAST_SHINGLES = 50
"""Shingles, about as many words, that a page must have to be compared: less is a shell, a notice
or a list, and resembles others by chance. Our choice."""

N_PERMUTATIONS = 128
MISSED = 0.02
"""Weight of needless candidates beside missed ones, of sum 1: a pair at the threshold is a
candidate with a probability of 0.98 or more, one that is 0.1 above it always."""

STRICTEST = 0.8
"""Candidates are looked for with this threshold at most; nearer to 1 too many are missed."""


def find_duplicates(corpus: Corpus, *, threshold: float = DUPLICATE) -> list[Pair]:
    """Return the pairs of pages with nearly the same running text, the most alike first.

    Candidates are found by MinHash, so that time grows with the pages and not with their pairs,
    and are then compared shingle by shingle. Text that stands under several headlines of a site,
    or on several pages that are no copies, does not count. Pages without running text, such as
    lists, shops and empty shells, are not compared; neither are short pages.

    Parameters
    ----------
    threshold
        Least Jaccard similarity of two pages' shingles, in (0, 1].

    Raises
    ------
    CorpusError
        If the threshold is out of range.

    References
    ----------
    A. Z. Broder (1997). On the resemblance and containment of documents. Compression and
    Complexity of Sequences.
    """
    if not 0 < threshold <= 1:
        raise CorpusError(f"threshold {threshold}; expected more than 0 and at most 1")
    bar = tqdm(corpus.pages, "texts", unit="page", delay=2, disable=None, file=sys.stderr)
    texts = without_site_frames([shingles(one.page) for one in bar], corpus.pages)
    groups = group_numbers([(i, j) for i, j, _ in _alike(texts, threshold)], len(texts))
    found = _alike(without_common_texts(texts, groups), threshold)
    ids = [page.id for page in corpus]
    return sorted_pairs([Pair(ids[i], ids[j], round(likeness, 4)) for i, j, likeness in found])


def _alike(texts: Sequence[Shingles], threshold: float) -> list[tuple[int, int, float]]:
    """Return numbers and similarity of the pages that reach a threshold."""
    compared = [(i, j, jaccard(texts[i], texts[j])) for i, j in candidates(texts, threshold)]
    return [found for found in compared if found[2] >= threshold]


def candidates(texts: Sequence[Shingles], threshold: float) -> Iterator[tuple[int, int]]:
    """Yield numbers of pages that may reach a threshold, each pair once, the lower one first."""
    index = MinHashLSH(
        threshold=min(threshold, STRICTEST),
        num_perm=N_PERMUTATIONS,
        weights=(MISSED, 1 - MISSED),
    )
    for i, text in enumerate(texts):
        if len(text) >= LEAST_SHINGLES:
            sketch = MinHash(num_perm=N_PERMUTATIONS, hashfunc=int)  # the shingles are hashes
            sketch.update_batch((text >> 32).tolist())
            yield from ((j, i) for j in sorted(index.query(sketch)))
            index.insert(i, sketch)


def without_duplicates(corpus: Corpus, pairs: Sequence[Pair]) -> Corpus:
    """Return the corpus with one page of each group of duplicates.

    The one with the most regions of known label stays; on a tie the first in the corpus. The
    notes tell, as ``duplicates``, which page stands for each one that was left out.
    """
    group = group_names([one.id for one in corpus], [(one.first, one.second) for one in pairs])
    best: dict[str, LabelledPage] = {}
    for page in corpus:
        if group[page.id] not in best or page.n_known > best[group[page.id]].n_known:
            best[group[page.id]] = page
    kept = {page.id for page in best.values()}
    dropped = {one.id: best[group[one.id]].id for one in corpus if one.id not in kept}
    notes = {**corpus.notes, "duplicates": dropped}
    return replace(corpus.subset(kept), notes=notes)
