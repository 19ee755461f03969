"""ContentExtractor: blocks that other pages of the site also have are not content.

Sources: S. Debnath, P. Mitra and C. L. Giles (2005). Automatic extraction of informative blocks
from webpages. SAC 2005, section 3.1 and Algorithm 1. S. Chaudhuri, V. Ganti and R. Kaushik (2006).
A primitive operator for similarity joins in data cleaning. ICDE 2006.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress, pairwise
from typing import TYPE_CHECKING, Annotated, NamedTuple, Self

import msgspec
import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.errors import ExtractionError
from structce.evaluation import words
from structce.extraction.blocks import BLOCK_TAGS, FEATURES, BlockFilter, Blocks, block_set
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import Positive, listed_names, page_class_method
from structce.extraction.trained import ExtractorState, stored_extractor

if TYPE_CHECKING:
    from scipy.sparse import csr_array

EPSILON = 0.9
"""Cosine above which two blocks are the same (the paper's)."""

METHOD = "content-extractor"
SLACK = 1e-9
"""Cosines this close to the threshold count as equal to it, regardless of rounding."""

_COMPARED = 4_000_000  # pairs of blocks that are multiplied at once: about 50 MB
_MAX_PRODUCTS = 2_000_000  # products of values in one matrix multiplication: about 100 MB
_MAX_PAIRS = 20_000  # pairs that are compared at once


class CountedBlock(NamedTuple):
    """Properties of a block by which it is compared with others."""

    text: str
    counts: tuple[int, ...]  # number of words, then of elements of each feature class

    @property
    def terms(self) -> frozenset[str]:
        """Distinct words, case folded."""
        return frozenset(words(self.text))


def read_blocks(blocks: Blocks) -> list[CountedBlock]:
    """Return the properties of the blocks of a page in the order of the source."""
    columns = blocks.features()
    counts = np.stack([columns[name] for name in FEATURES], axis=1).tolist()
    texts = (blocks.text(i).encode("utf-8", "replace").decode("utf-8") for i in range(len(blocks)))
    return [CountedBlock(text, tuple(row)) for text, row in zip(texts, counts, strict=True)]


def scale_of(blocks: Iterable[CountedBlock]) -> Floats:
    """Return the factor of the counts of each feature, 1 / the highest; shape (n_features,)."""
    rows = np.array([block.counts for block in blocks], dtype=float).reshape(-1, len(FEATURES))
    return np.asarray(1.0 / rows.max(axis=0, initial=1.0))


@dataclass(frozen=True)
class StoredBlock:
    """Block that is stored once, with the pages that contain it."""

    text: str
    counts: tuple[int, ...]
    pages: tuple[tuple[int, int], ...]  # ranges: the first page, and the one after the last
    frequency: int  # number of pages with the block, or a similar one

    @property
    def block(self) -> CountedBlock:
        """The block itself."""
        return CountedBlock(self.text, self.counts)


@page_class_method(METHOD)
@dataclass(frozen=True)
class ContentExtractor:
    """ContentExtractor (Debnath, Mitra and Giles 2005): blocks that few pages of a site have.

    Two blocks of different pages are the same if the cosine of their vectors exceeds `epsilon`: a
    count of each feature (words, images, links, ...) and one bit for each term. The inverse block
    document frequency of a block is 1 / n if n pages have the same block; blocks for which it is
    above a threshold, that is n is at most `max_df`, are content.

    The paper specifies neither the threshold, here the highest n (1: found on one page only), nor
    whether counts are scaled: here they are divided by the highest count of the class, as by
    FeatureExtractor in the same paper. Repeated pages count once, pages that show nothing do not.
    `max_df` may also be a share of all pages, which always allows one page. Blocks are split at the
    borders of `tags`.
    """

    epsilon: Annotated[float, msgspec.Meta(gt=0, lt=1)] = EPSILON
    max_df: Positive | Annotated[float, msgspec.Meta(gt=0, le=1)] = 1
    tags: str = ",".join(BLOCK_TAGS)

    def learn(self, documents: Iterable[ParsedDocument]) -> ContentTemplate:
        """Return the template of a class, from the blocks of its pages.

        Documents are read one by one and not kept. Raises ExtractionError if fewer than two
        distinct pages show anything.
        """
        return _template(self, {}, {}, documents)


def _template(
    learner: ContentExtractor,
    digests: dict[str, None],
    pages_of: dict[CountedBlock, list[int]],
    documents: Iterable[ParsedDocument],
) -> ContentTemplate:
    """Return the template of known pages, and the pages of each of their blocks, and others.

    Both are extended; pages that are known are left out.
    """
    for document in documents:
        blocks = dict.fromkeys(read_blocks(block_set(document, listed_names(learner.tags))))
        digest = hashlib.blake2b("".join(map(repr, blocks)).encode(), digest_size=16).hexdigest()
        if blocks and digest not in digests:
            for block in blocks:
                pages_of.setdefault(block, []).append(len(digests))
            digests[digest] = None
    if len(digests) < 2:
        raise ExtractionError(
            f"{METHOD} compares pages of one site, and needs at least two that differ and show "
            f"something; got {len(digests)}"
        )
    matrix = block_matrix(list(pages_of), scale_of(pages_of))
    frequencies = _frequencies(matrix, list(pages_of.values()), learner.epsilon)
    stored = (
        StoredBlock(block.text, block.counts, tuple(_runs(pages)), frequency)
        for (block, pages), frequency in zip(pages_of.items(), frequencies, strict=True)
    )
    return ContentTemplate(learner, tuple(digests), tuple(stored))


def _runs(pages: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Yield the runs of consecutive numbers, each as its first and the number after its last."""
    borders = [i for i, (page, after) in enumerate(pairwise(pages), start=1) if after != page + 1]
    for start, end in pairwise((0, *borders, len(pages))):
        yield pages[start], pages[end - 1] + 1


def block_matrix(
    blocks: Sequence[CountedBlock], scale: Floats, vocabulary: dict[str, int] | None = None
) -> csr_array:
    """Return the vectors of blocks: scaled counts, then a bit for each term.

    ``vocabulary`` is the column of each term; new terms are added to it.
    """
    from scipy.sparse import csr_array  # late: other methods do not need it

    columns = {} if vocabulary is None else vocabulary
    n_features = len(scale)
    indices: list[int] = []
    starts = [0]
    for block in blocks:
        indices.extend(range(n_features))
        indices += (columns.setdefault(term, n_features + len(columns)) for term in block.terms)
        starts.append(len(indices))
    data = np.ones(len(indices))
    cells = np.array(starts[:-1], dtype=np.int64)[:, None] + np.arange(n_features)
    counts = np.array([block.counts for block in blocks], dtype=float).reshape(-1, n_features)
    data[cells] = counts * scale
    shape = (len(blocks), n_features + len(columns))
    matrix = csr_array((data, np.array(indices, dtype=np.int64), starts), shape=shape)
    matrix.eliminate_zeros()
    return matrix


def _frequencies(
    matrix: csr_array, pages: Sequence[Sequence[int]], epsilon: float
) -> Iterable[int]:
    """Yield the number of pages with each distinct block, or a similar one: Algorithm 1.

    A set of pages is an integer with one bit per page.
    """
    sets = [sum(1 << page for page in numbers) for numbers in pages]
    every = list(sets)
    for first, second in similar_pairs(matrix, epsilon):
        for i, j in zip(first.tolist(), second.tolist(), strict=True):
            every[i] |= sets[j]
            every[j] |= sets[i]
    return map(int.bit_count, every)


def normalise(matrix: csr_array) -> csr_array:
    """Return a matrix whose rows have length 1; rows of zeros are unchanged."""
    length = np.sqrt(matrix.multiply(matrix).sum(axis=1))
    factor = np.divide(1.0, length, out=np.zeros(len(length)), where=length > 0)
    data = matrix.data * np.repeat(factor, np.diff(matrix.indptr))
    return type(matrix)((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def similar_pairs(matrix: csr_array, epsilon: float) -> Iterator[tuple[Integers, Integers]]:
    """Yield the pairs of rows whose cosine exceeds a threshold, each pair once, in no order.

    Values of the matrix are not negative; the threshold is in (0, 1). Time and memory depend on the
    pairs that share a rare column, not on all pairs: columns are ordered by their number of rows,
    and what is left of a row after its *prefix* is so short that no other row reaches the threshold
    there. So rows are compared only if their prefixes share a column, and no pair is missed.
    """
    rows = _rare_columns_first(normalise(matrix))
    prefixes = _prefixes(rows, epsilon)
    columns = prefixes.T.tocsr()
    for start, end in _batches(prefixes, np.diff(columns.indptr)):
        shared = (prefixes[start:end] @ columns).tocoo()
        first, second = shared.row.astype(np.int64) + start, shared.col.astype(np.int64)
        first, second = first[first > second], second[first > second]
        for begin in range(0, len(first), _MAX_PAIRS):
            i, j = first[begin : begin + _MAX_PAIRS], second[begin : begin + _MAX_PAIRS]
            is_similar = rows[i].multiply(rows[j]).sum(axis=1) > epsilon + SLACK
            yield i[is_similar], j[is_similar]


def _rare_columns_first(matrix: csr_array) -> csr_array:
    """Return a matrix with its columns in ascending order of the number of rows with a value."""
    n_rows = np.bincount(matrix.indices, minlength=matrix.shape[1])
    rank = np.empty(matrix.shape[1], dtype=np.int64)
    rank[np.argsort(n_rows, kind="stable")] = np.arange(matrix.shape[1])
    ordered = type(matrix)((matrix.data, rank[matrix.indices], matrix.indptr), shape=matrix.shape)
    ordered.sort_indices()
    return ordered


def _prefixes(rows: csr_array, epsilon: float) -> csr_array:
    """Return rows without the values after which they are no longer than the threshold."""
    sums = np.concatenate(([0.0], np.cumsum(rows.data**2)))
    behind = np.repeat(sums[rows.indptr[1:]], np.diff(rows.indptr)) - sums[:-1]
    is_kept = np.sqrt(np.maximum(behind, 0.0) + SLACK) > epsilon - SLACK
    starts = np.concatenate(([0], np.cumsum(is_kept)))[rows.indptr]
    return type(rows)((rows.data[is_kept], rows.indices[is_kept], starts), shape=rows.shape)


def _batches(prefixes: csr_array, n_rows: Integers) -> Iterator[tuple[int, int]]:
    """Yield ranges of rows with a limited number of products; ``n_rows`` is that of each column."""
    products = np.concatenate(([0], np.cumsum(n_rows[prefixes.indices])))
    before, start = products[prefixes.indptr], 0
    while start < prefixes.shape[0]:
        end = int(np.searchsorted(before, before[start] + _MAX_PRODUCTS, side="right")) - 1
        end = min(max(end, start + 1), prefixes.shape[0])
        yield start, end
        start = end


@stored_extractor(METHOD)
@dataclass(frozen=True)
class ContentTemplate(BlockFilter):
    """Blocks of the pages of a class; those repeated, or similar to a repeated one, are left out.

    ``pages`` are the digests of the pages; ``stored`` has each distinct block once.
    """

    learner: ContentExtractor
    pages: tuple[str, ...]
    stored: tuple[StoredBlock, ...] = field(repr=False)

    def __post_init__(self) -> None:
        n_pages = len(self.pages)
        for block in self.stored:
            borders = [0, *(border for run in block.pages for border in run), n_pages]
            is_sorted = all(start <= end for start, end in pairwise(borders))
            is_counted = len(block.counts) == len(FEATURES)
            if not is_sorted or not 1 <= block.frequency <= n_pages or not is_counted:
                raise ExtractionError(f"block {block.text[:40]!r} has inconsistent numbers")

    @property
    def method(self) -> str:
        """Name of the method that learnt it."""
        return METHOD

    @property
    def n_pages(self) -> int:
        """Number of pages that it was learnt from."""
        return len(self.pages)

    @property
    def limit(self) -> int:
        """Maximum number of pages with a block of content."""
        most = self.learner.max_df
        return most if isinstance(most, int) else max(1, math.floor(most * self.n_pages + SLACK))

    @cached_property
    def repeated(self) -> tuple[StoredBlock, ...]:
        """Blocks that are not content."""
        return tuple(block for block in self.stored if block.frequency > self.limit)

    def blocks(self, document: ParsedDocument) -> Blocks:
        """Return the blocks of a page."""
        return block_set(document, listed_names(self.learner.tags))

    def choose(self, blocks: Blocks) -> Flags:
        """Return which blocks of a page are content; shape (n_blocks,)."""
        described, known = read_blocks(blocks), self._frequencies
        unknown = [block for block in dict.fromkeys(described) if block not in known]
        left_out = set(compress(unknown, self._resemble(unknown)))
        left_out |= {block for block in described if known.get(block, 0) > self.limit}
        return np.array([block not in left_out for block in described], dtype=bool)

    @cached_property
    def _frequencies(self) -> Mapping[CountedBlock, int]:
        return {stored.block: stored.frequency for stored in self.stored}

    @cached_property
    def _index(self) -> tuple[Floats, Mapping[str, int], csr_array]:
        """Scale, columns of terms, and the vectors of repeated blocks as columns of length 1."""
        scale, vocabulary = scale_of(self._frequencies), dict[str, int]()
        matrix = block_matrix([stored.block for stored in self.repeated], scale, vocabulary)
        return scale, vocabulary, normalise(matrix).T.tocsr()

    def _resemble(self, blocks: Sequence[CountedBlock]) -> Flags:
        """Return which blocks are similar to a repeated one."""
        is_similar = np.zeros(len(blocks), dtype=bool)
        if not self.repeated:
            return is_similar
        scale, vocabulary, repeated = self._index
        matrix = normalise(block_matrix(blocks, scale, dict(vocabulary)))
        step = max(_COMPARED // repeated.shape[1], 1)
        for i in range(0, len(blocks), step):
            cosines = matrix[i : i + step, : repeated.shape[0]] @ repeated
            highest = cosines.max(axis=1).toarray().ravel()
            is_similar[i : i + step] = highest > self.learner.epsilon + SLACK
        return is_similar

    def update(self, documents: Iterable[ParsedDocument]) -> ContentTemplate:
        """Return the template of the old pages and these, as if learnt from all at once."""
        pages_of = {
            stored.block: [page for start, end in stored.pages for page in range(start, end)]
            for stored in self.stored
        }
        return _template(self.learner, dict.fromkeys(self.pages), pages_of, documents)

    def rows(self) -> list[dict[str, object]]:
        """Return the repeated blocks, those of most pages first: pages, content and text."""
        names, rows = ("words", *FEATURES[1:]), []
        for block in sorted(self.repeated, key=lambda block: -block.frequency):
            counts = zip(names, block.counts, strict=True)
            holds = ", ".join(f"{name} {count}" for name, count in counts if count)
            rows.append({"pages": block.frequency, "holds": holds, "text": block.text})
        return rows

    def state(self) -> ExtractorState:
        """Return the blocks and pages as JSON, and the names of features."""
        return ExtractorState({"features": list(FEATURES)}, {}, msgspec.json.encode(self))

    @classmethod
    def from_state(cls, state: ExtractorState) -> Self:
        """Restore the template; ValueError for other features."""
        if state.settings["features"] != list(FEATURES):
            raise ValueError(f"features {state.settings['features']}; expected {list(FEATURES)}")
        return msgspec.json.decode(state.text, type=cls)
