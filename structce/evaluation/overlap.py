"""Overlap of an extracted text with the gold: characters, words, n-grams, lines.

All measures compare two plain texts, so that they apply to any extractor. The four of Gottron
(2007) differ in what counts as an item: ``characters`` and the ``sequence`` of words by longest
common subsequence, words as a ``bag`` by the smaller of two counts, words as a ``set``. Blocks
(Debnath et al. 2005) and lines (Yao and Zuo 2013) are found or missed as a whole. The Levenshtein
ratio over tokens between white space (Bevendorff et al. 2023) is the F1 of
``sequence_overlap(prediction, gold, str.split)``.

If the gold is empty, recall is 1, and precision is 1 if nothing was extracted, otherwise 0. If only
the extracted text is empty, precision and recall are 0.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress
from operator import not_

import numpy as np
from rapidfuzz.distance import LCSseq

from structce.arrays import Flags, Floats, Integers
from structce.language import UNSPACED

SHINGLE = 4
"""Words per shingle, as in the article extraction benchmark (Scrapinghub 2020)."""

_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")

_LATIN = 256  # symbols that rapidfuzz looks up in a table; hashing others is 20 times slower
_MAX_MASK_BITS = 4_000_000_000  # half a gigabyte of masks, one per symbol

FOUR = ("characters", "sequence", "bag", "set")
"""Names of the measures of Gottron (2007), in the order of the paper."""

Tokenise = Callable[[str], list[str]]
_BY_LINE = partial(str.split, sep="\n")  # other characters that break lines are kept


@dataclass(frozen=True)
class Overlap:
    """Precision, recall and F1 of a text, each in [0, 1]."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; 0 if both are 0."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @classmethod
    def of_counts(cls, n_common: float, n_found: float, n_gold: float) -> Overlap:
        """Return the overlap from numbers of items, with the rule for empty texts."""
        if not n_gold:
            return cls(float(not n_found), 1.0)
        return cls(n_common / n_found if n_found else 0.0, n_common / n_gold)


def words(text: str) -> list[str]:
    """Return the words of a text, case folded (NFKC); single characters of unspaced scripts.

    >>> words("A day in 東京")
    ['a', 'day', 'in', '東', '京']
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def fold_space(text: str) -> str:
    """Return a text with each run of white space as one space, and none at the ends."""
    return " ".join(text.split())


def character_overlap(prediction: str, gold: str) -> Overlap:
    """Return the overlap of two texts as sequences of characters, white space folded.

    The items in common are a longest common subsequence. Case and punctuation count, since a text
    copied from the page has both.

    References
    ----------
    T. Gottron (2007). Evaluating content extraction on HTML documents. Proc. Internet Technologies
    and Applications, sections 3 and 4.2.
    """
    return _of_sequences(fold_space(prediction), fold_space(gold))


def sequence_overlap(prediction: str, gold: str, tokenise: Tokenise = words) -> Overlap:
    """Return the overlap of two texts as sequences of words, by longest common subsequence."""
    return _of_sequences(tokenise(prediction), tokenise(gold))


def bag_overlap(prediction: str, gold: str, tokenise: Tokenise = words) -> Overlap:
    """Return the overlap of two texts as bags: a word counts as often as it occurs in both."""
    return _of_bags(tokenise(prediction), tokenise(gold))


def set_overlap(prediction: str, gold: str, tokenise: Tokenise = words) -> Overlap:
    """Return the overlap of two texts as sets of words."""
    return _of_bags(set(tokenise(prediction)), set(tokenise(gold)))


def four_overlaps(prediction: str, gold: str, tokenise: Tokenise = words) -> dict[str, Overlap]:
    """Return the four overlaps of Gottron (2007) by name; each text is split into words once."""
    first, second = tokenise(prediction), tokenise(gold)
    return {
        "characters": character_overlap(prediction, gold),
        "sequence": _of_sequences(first, second),
        "bag": _of_bags(first, second),
        "set": _of_bags(set(first), set(second)),
    }


def _of_sequences(first: Sequence[str], second: Sequence[str]) -> Overlap:
    return Overlap.of_counts(lcs_length(first, second), len(first), len(second))


def _of_bags(first: Iterable[str], second: Iterable[str]) -> Overlap:
    ours, theirs = Counter(first), Counter(second)
    return Overlap.of_counts((ours & theirs).total(), ours.total(), theirs.total())


def lcs_length(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Return the length of a longest common subsequence.

    Symbols that occur in only one sequence are dropped. Up to 256 different symbols are compared by
    rapidfuzz, more by :func:`bit_parallel_lcs`, whose time does not depend on their number, except
    in sequences so long that its masks would fill the memory.
    """
    common = set(first) & set(second)
    short, long = sorted(
        ([symbol for symbol in row if symbol in common] for row in (first, second)), key=len
    )
    if len(common) > _LATIN and len(common) * len(short) <= _MAX_MASK_BITS:
        return bit_parallel_lcs(short, long)
    codes = {symbol: number for number, symbol in enumerate(common)}
    numbers = ([codes[symbol] for symbol in row] for row in (short, long))
    return int(LCSseq.similarity(*numbers))


def bit_parallel_lcs(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Return the length of a longest common subsequence, one row of the table in one integer.

    A zero bit of the row marks that the length increases by one.

    References
    ----------
    M. Crochemore, C. S. Iliopoulos, Y. J. Pinzon, J. F. Reid (2001). A fast and practical
    bit-vector algorithm for the longest common subsequence problem. Information Processing
    Letters 80(6).
    """
    (row,) = deque(_rows(len(first), second, _bit_masks(first)), maxlen=1) or (-1,)
    return len(first) - (row & ((1 << len(first)) - 1)).bit_count()


def _rows(n_first: int, second: Iterable[Hashable], masks: Mapping[Hashable, int]) -> Iterator[int]:
    """Yield a row of the table for each symbol of the second sequence."""
    row = (1 << n_first) - 1
    for symbol in second:
        if matches := row & masks.get(symbol, 0):
            row = (row + matches) | (row - matches)
        yield row


def _bit_masks(sequence: Sequence[Hashable]) -> dict[Hashable, int]:
    """Return for each symbol an integer whose set bits are the places of the symbol."""
    places: dict[Hashable, list[int]] = {}
    for place, symbol in enumerate(sequence):
        places.setdefault(symbol, []).append(place)
    masks: dict[Hashable, int] = {}
    for symbol, own in places.items():
        bits = bytearray(own[-1] // 8 + 1)
        for place in own:
            bits[place // 8] |= 1 << place % 8
        masks[symbol] = int.from_bytes(bits, "little")
    return masks


def rouge_lsum(
    prediction: str, gold: str, tokenise: Tokenise = words,
    split: Tokenise = _BY_LINE,
) -> Overlap:  # fmt: skip
    """Return ROUGE-LSum: the union of longest common subsequences, line by line.

    The words of a gold line count if they are in a longest common subsequence with some line of the
    answer; a word counts at most as often as it occurs in the answer. Of several longest
    subsequences, the same is used as in Google's package *rouge-score*.

    A line is split into words, or tokens, by ``tokenise``, a text into lines, or sentences, by
    ``split``.

    References
    ----------
    C.-Y. Lin (2004). ROUGE: a package for automatic evaluation of summaries. Text summarization
    branches out, ACL workshop, section 3.2.
    """
    lines, gold_lines = (
        [tuple(tokenise(line)) for line in split(text)] for text in (prediction, gold)
    )
    given = Counter(word for line in lines for word in line)
    n_found, n_gold = given.total(), sum(map(len, gold_lines))
    hits = 0
    whole, candidates = set(lines), {line: frozenset(line) for line in lines if line}
    for line in gold_lines:
        common = line if line in whole else _union_of_common(line, candidates)
        for word in common:
            if given[word] > 0:
                given[word] -= 1
                hits += 1
    return Overlap.of_counts(hits, n_found, n_gold)


def shingle_counts(prediction: str, gold: str, n: int = SHINGLE) -> tuple[float, float, float]:
    """Return the shares of shingles that are right, superfluous, and missing; their sum is 1.

    A shingle is a run of ``n`` words; a text of fewer words is one shingle. With shares, a long
    page weighs no more than a short one. (0, 0, 0) for two texts without words.
    """
    first, second = word_runs(words(prediction), n), word_runs(words(gold), n)
    right = (first & second).total()
    total = first.total() + second.total() - right
    if not total:
        return 0.0, 0.0, 0.0
    return right / total, (first.total() - right) / total, (second.total() - right) / total


def shingle_overlap(pages: Iterable[tuple[float, float, float]]) -> Overlap:
    """Return mean precision and mean recall of pages, from their :func:`shingle_counts`.

    Precision is the mean over pages with an answer, recall the mean over pages with a gold text,
    and F1 is computed from these means; it is neither the mean of F1 nor that of pooled shingles.

    References
    ----------
    Scrapinghub (2020). Article extraction benchmark: open-source libraries and commercial
    services. Technical report, section on metrics.
    """
    counts = list(pages)
    precision = [right / (right + many) for right, many, _ in counts if right + many]
    recall = [right / (right + few) for right, _, few in counts if right + few]
    return Overlap(*(float(np.mean(values)) if values else 0.0 for values in (precision, recall)))


def _union_of_common(
    line: tuple[str, ...], others: Mapping[tuple[str, ...], frozenset[str]]
) -> list[str]:
    """Return the words of a line that are in a longest common subsequence with some other line.

    The other lines are given with the sets of their words. Those with most words in common come
    first; a line without any of the missing words is skipped, since it can add nothing.
    """
    own, masks = frozenset(line), _bit_masks(line)
    shared = {other: len(own & given) for other, given in others.items()}
    missing = dict(enumerate(line))
    for other in sorted(filter(shared.get, others), key=lambda other: -shared[other]):
        if not missing:
            break
        if not others[other].isdisjoint(missing.values()):
            for place in _common_places(line, other, masks):
                missing.pop(place, None)
    return [word for place, word in enumerate(line) if place not in missing]


def _common_places(
    first: Sequence[Hashable], second: Sequence[Hashable], masks: Mapping[Hashable, int]
) -> Iterator[int]:
    """Yield the places in the first sequence of a longest common subsequence, the last one first.

    The search goes back from the ends of both sequences. Equal symbols are taken. Otherwise the
    symbol of the first sequence is skipped if that costs nothing, else that of the second.
    """
    rows = list(_rows(len(first), second, masks))
    i, j = len(first) - 1, len(second) - 1
    while i >= 0 and j >= 0:
        if first[i] == second[j]:
            yield i
            i, j = i - 1, j - 1
        elif rows[j] >> i & 1:
            i -= 1
        else:
            j -= 1


def word_runs(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """Return the counts of runs of ``n`` words; fewer words are one run, no words no run."""
    starts = range(max(len(tokens) - n + 1, 1)) if tokens else range(0)
    return Counter(tuple(tokens[start : start + n]) for start in starts)


def block_overlap(
    chosen: Flags, relevant: Flags, weights: Integers | Floats | None = None
) -> Overlap:
    """Return the overlap of the blocks that are chosen and those that are relevant.

    Precision is r / t, with t chosen blocks; recall is r / (r + m), with m relevant blocks that are
    missed. All have the shape (n_blocks,); weights, by default 1, are at least 0, such as the
    numbers of words.

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
    lines = [line for line in map(tokenise, text.split("\n")) if line]
    present = [_spaced(line) in whole for line in lines]
    is_short = [len(line) < SHORT_LINE for line in lines]
    return {
        "lines": present,
        "short-lines": list(compress(present, is_short)),
        "long-lines": list(compress(present, map(not_, is_short))),
        "first-line": present[:1],
        "middle-lines": present[1:-1],
        "last-line": present[-1:],
    }


def _spaced(tokens: Sequence[str]) -> str:
    """Return words with a space before, between and after them, so that only whole words match."""
    return f" {' '.join(tokens)} "


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0
