"""InfoDiscoverer: blocks of a site with terms that few pages share, by the entropy of terms.

Sources: S.-H. Lin and J.-M. Ho (2002). Discovering informative content blocks from web documents.
KDD 2002. H.-Y. Kao, S.-H. Lin, J.-M. Ho and M.-S. Chen (2004). Mining web informative structures
and contents based on entropy analysis. IEEE TKDE 16(1). Debnath, Mitra and Giles (2005) call it LH.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import msgspec
import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.errors import ExtractionError
from structce.evaluation import words
from structce.extraction.blocks import BLOCK_TAGS, BlockFilter, Blocks, block_set
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import listed_names, page_class_method
from structce.extraction.trained import ExtractorState, stored_extractor

METHOD = "entropy"

STEPS = tuple(step / 10 for step in range(1, 11))
"""Thresholds that are tried, in this order."""

_MIN_NEW_TERMS = 0.05  # share of new terms that a higher threshold must add; our choice
STOP_SHARE = 0.1  # smallest share of long blocks with a stop word
_LONG_BLOCK = 20  # words from which a block is expected to contain stop words of its language
_FEWEST = 3  # long blocks in which a stop word must occur, for sites with few long blocks
_SLACK = 1e-9  # tolerance for entropies that are equal to a threshold


@page_class_method(METHOD)
@page_class_method("entropy-tables", tags="table")
@dataclass(frozen=True)
class InfoDiscoverer:
    """InfoDiscoverer (Lin and Ho 2002), or LH: blocks of low entropy over the pages of a site.

    The entropy of a term is that of its distribution over the pages, to the base of their number: 0
    for a term of one page, 1 for one that is equally common on all. The entropy of a block is the
    mean over its distinct terms; blocks up to a threshold are the main content. The threshold is
    increased by 0.1 until the blocks of the next threshold would add less than 5 % new terms.

    Our choices. The paper's blocks are the contents of tables: ``entropy-tables``. Today's pages
    have hardly any tables; ``entropy`` splits at the tags of `block_set`. Stop words are those of
    the site: terms in a tenth of all blocks of 20 words or more. Words are not stemmed.

    """

    tags: str = ",".join(BLOCK_TAGS)  # at which to split

    def learn(self, documents: Iterable[ParsedDocument]) -> EntropyTemplate:
        """Return the extractor of a site; pages with the same source count once.

        Raises ExtractionError if fewer than two pages show words.
        """
        tags, seen = listed_names(self.tags), set[bytes]()
        numbers: dict[str, int] = {}  # of terms
        pages: list[list[list[int]]] = []  # terms of the blocks of each page
        for document in documents:
            digest = hashlib.sha256(document.html.encode(errors="replace")).digest()
            if digest not in seen:
                seen.add(digest)
                blocks = block_set(document, tags)
                texts = (words(blocks.text(i)) for i in range(len(blocks)))
                rows = [[numbers.setdefault(t, len(numbers)) for t in text] for text in texts]
                pages += [[row for row in rows if row]] if any(rows) else []
        if len(pages) < 2:
            raise ExtractionError(
                f"{METHOD} compares pages of one site, and needs at least two that differ and show "
                f"words; got {len(pages)}"
            )
        block_terms = [row for page in pages for row in page]
        page = np.repeat(np.arange(len(pages)), [len(rows) for rows in pages])
        entropies = term_entropies(block_terms, page, len(numbers))
        distinct = [np.unique(row) for row in block_terms]
        long_blocks = [distinct[i] for i, row in enumerate(block_terms) if len(row) >= _LONG_BLOCK]
        n_long = np.bincount(np.concatenate([[], *long_blocks]).astype(int), minlength=len(numbers))
        is_stop = n_long >= max(_FEWEST, STOP_SHARE * len(long_blocks))
        threshold = greedy_threshold(numbers_of_new_terms(distinct, entropies, is_stop))
        values = list(zip(numbers, entropies.tolist(), is_stop.tolist(), strict=True))
        kept = {name: entropy for name, entropy, stops in values if entropy > 0 and not stops}
        stop_words = sorted(name for name, _, stops in values if stops)
        return EntropyTemplate(len(pages), threshold, tags, kept, tuple(stop_words))


def term_entropies(block_terms: Sequence[Sequence[int]], page: Integers, n_terms: int) -> Floats:
    """Return the entropy of each term over the pages, in [0, 1]; each block is on a ``page``.

    The entropy of a term with counts n over the pages and their sum N is log N minus the sum of
    n log n over N.
    """
    n_pages = int(page[-1]) + 1
    lengths = [len(row) for row in block_terms]
    cells = np.concatenate(block_terms) * n_pages + np.repeat(page, lengths)
    pairs, counts = np.unique(cells, return_counts=True)  # of terms and pages
    totals = np.bincount(pairs // n_pages, counts, n_terms)
    n_log_n = np.bincount(pairs // n_pages, counts * np.log(counts), n_terms)
    nats = np.log(totals) - n_log_n / totals
    entropies: Floats = np.clip(nats / math.log(n_pages), 0.0, 1.0)
    entropies[np.isclose(entropies, 0.0, atol=_SLACK)] = 0.0  # a term of one page
    return entropies


@stored_extractor(METHOD)
@dataclass(frozen=True, eq=False)
class EntropyTemplate(BlockFilter):
    """Entropies of the terms of a site, by which blocks of its pages are chosen.

    Terms of only one page, and unknown terms, have 0. Blocks between ``tags`` with an entropy of at
    most ``threshold`` are main content. A block with nothing but stop words is not content.
    """

    n_pages: int
    threshold: float
    tags: tuple[str, ...]
    entropies: dict[str, float]
    stop_words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.n_pages < 2 or not 0 <= self.threshold <= 1:
            raise ExtractionError(f"{self.n_pages} pages, threshold {self.threshold}")
        for term, entropy in self.entropies.items():
            if not 0 <= entropy <= 1:
                raise ExtractionError(f"term {term!r} has the entropy {entropy}; expected 0 to 1")

    @property
    def method(self) -> str:
        """Name of the method."""
        return METHOD

    def blocks(self, document: ParsedDocument) -> Blocks:
        """Return the blocks between tags."""
        return block_set(document, self.tags)

    def choose(self, blocks: Blocks) -> Flags:
        """Return which blocks have an entropy up to the threshold."""
        return self.block_entropies(blocks) <= self.threshold + _SLACK

    def block_entropies(self, blocks: Blocks) -> Floats:
        """Return the mean entropy of the distinct terms of each block; infinite without terms."""
        means = np.full(len(blocks), np.inf)
        for i in range(len(blocks)):
            terms = set(words(blocks.text(i))).difference(self.stop_words)
            if terms:
                means[i] = math.fsum(self.entropies.get(term, 0.0) for term in terms) / len(terms)
        return means

    def rows(self) -> list[dict[str, object]]:
        """Return the terms and their entropies, the highest first, then in alphabetical order."""
        ordered = sorted(self.entropies.items(), key=lambda item: (-item[1], item[0]))
        return [{"term": term, "entropy": round(entropy, 4)} for term, entropy in ordered]

    def state(self) -> ExtractorState:
        """Return the template as JSON."""
        return ExtractorState({}, {}, msgspec.json.encode(self))

    @classmethod
    def from_state(cls, state: ExtractorState) -> Self:
        """Restore the template."""
        return msgspec.json.decode(state.text, type=cls)


def numbers_of_new_terms(
    block_terms: Sequence[Integers], entropies: Floats, is_stop: Flags
) -> list[int]:
    """Return how many terms first occur in a block of main content at each threshold."""
    terms, n_blocks = np.concatenate(block_terms), len(block_terms)
    block = np.repeat(np.arange(n_blocks), [len(row) for row in block_terms])
    terms, block = terms[~is_stop[terms]], block[~is_stop[terms]]
    sums = np.bincount(block, entropies[terms], n_blocks)
    means = sums / np.maximum(np.bincount(block, minlength=n_blocks), 1)
    lowest = np.full(len(entropies), np.inf)  # lowest entropy of the blocks with a term
    np.minimum.at(lowest, terms, means[block])
    step = np.searchsorted(np.array(STEPS) + _SLACK, lowest)
    numbers: list[int] = np.bincount(step, minlength=len(STEPS) + 1)[: len(STEPS)].tolist()
    return numbers


def greedy_threshold(n_new: Sequence[int]) -> float:
    """Return the first threshold with terms after which too few new ones are added."""
    n_terms = 0
    for i, threshold in enumerate(STEPS[:-1]):
        n_terms += n_new[i]
        if n_terms and n_new[i + 1] < _MIN_NEW_TERMS * n_terms:
            return threshold
    return STEPS[-1]
