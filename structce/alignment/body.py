"""Alignment of the main text: each of its pieces on the page, in reading order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np
from rapidfuzz.distance import LCSseq

from structce.alignment.location import NOT_FOUND, Location, find_similar, lines_of_blocks
from structce.arrays import Flags
from structce.gold import EXACT, ORDERED
from structce.labels import UNKNOWN, allowed_names, written_set
from structce.language import display_width, normalise
from structce.page import MIN_COVERAGE, Page, Span, TextIndex

_BLOCK_WEIGHT = 1.5
"""Weight of a match that fills whole blocks, relative to one inside a block, so that a short
paragraph is not found inside a longer one that quotes it."""

_MIN_APART = 20  # characters of a text that may be far from its neighbours; shorter ones recur

# Limits of a word-by-word alignment: the shortest run of words that is not chance, the least share
# of a region's words that belong to the piece, and the least share of the piece's words that are
# found. Below them a region contains another text with the same function words.
_MIN_RUN = 3
_MIN_OWN = 0.7
_MIN_PIECE = 0.6
_MAX_WORDS = 40_000  # of a range that is aligned word by word; bounds the time

_BOLD = 600  # font weight from which text is bold
_SHORT = 120  # display columns of a bold line that may be a heading; longer ones are paragraphs
_RUNNING = frozenset({"Caption", "Paragraph", "Subtitle", "Title"})
_STANDFIRST = re.compile(
    r"(?:^|[^a-z])(?:lead|lede|intro|introduction|teaser|stand-?first|summary|dek|deck|abstract|"
    r"excerpt|sub-?title|sub-?head\w*|description|chapo|chapeau|entradilla|vorspann|anrei(?:ss|ß)er|"
    r"kicker|sapo|ingress|occhiello|sommario)(?:$|[^a-z])",
    re.IGNORECASE,
)
_MOST_STANDFIRST = 12  # regions; a standfirst of several lines with links
_CELL_HEADS = frozenset({"th", "dt"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SENTENCE = re.compile(r"[.!?…:;,。！？]['\"”’»)]*$")
_WORD = re.compile(r"[^\W_]+")
_JOINED = re.compile("[\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\u0e00-\u0e7f]")


@dataclass(frozen=True)
class Window:
    """A run of pieces that were not found, and the range of the page where they should be."""

    pieces: range
    span: Span


def place_body(index: TextIndex, texts: Sequence[str]) -> list[Location]:
    """Return the place of each piece of the main text.

    First, pieces are looked for verbatim and in order; then verbatim elsewhere; then, between the
    neighbours of a missing piece, word by word in the page's order, so that a piece may be
    interrupted by advertisements or lack words that the page has; last, a similar text there.
    """
    occurrences = [index.find(text) for text in texts]
    ordered = in_order(index, occurrences)
    spans = dict(_exact_places(occurrences, texts, ordered))
    covered = _coverage(index, spans.values())
    places = [NOT_FOUND] * len(texts)
    for n, span in spans.items():
        rivals = _rivals(index, occurrences[n], n, ordered) if ordered[n] is span else ()
        places[n] = _place(index, span, covered, rivals)
    for window in windows(index, ordered):
        _fill(index, texts, window, places)
    return places


def _exact_places(
    occurrences: Sequence[Sequence[Span]], texts: Sequence[str], ordered: Sequence[Span | None]
) -> Iterator[tuple[int, Span]]:
    """Yield the place of each text that is on the page verbatim, in order or elsewhere."""
    taken = [span for span in ordered if span is not None]
    for n, span in enumerate(ordered):
        if span is None:
            span = _elsewhere(occurrences[n], texts[n], taken)
            taken += [span] if span else []
        if span is not None:
            yield n, span


def _coverage(index: TextIndex, spans: Iterable[Span]) -> dict[int, float]:
    """Return the share of each region that the texts cover together; it may contain several."""
    covered: dict[int, float] = {}
    for span in spans:
        for i, share in index.overlapping(span):
            covered[i] = covered.get(i, 0.0) + share
    return covered


def _place(
    index: TextIndex, span: Span, covered: Mapping[int, float], rivals: tuple[int, ...]
) -> Location:
    """Return the place of a text that was found verbatim."""
    there = [i for i, _ in index.overlapping(span)]
    own = tuple(i for i in there if covered[i] >= MIN_COVERAGE)
    return Location(own, EXACT, 1.0, rivals, tuple(i for i in there if covered[i] < MIN_COVERAGE))


def windows(index: TextIndex, spans: Sequence[Span | None]) -> Iterator[Window]:
    """Yield the runs of missing pieces, each with the range between its neighbours."""
    for is_missing, run in groupby(range(len(spans)), key=lambda n: spans[n] is None):
        if is_missing:
            pieces = list(run)
            first, after = pieces[0], pieces[-1] + 1
            yield Window(range(first, after), _range_between(index, spans, first, after))


def _range_between(index: TextIndex, spans: Sequence[Span | None], first: int, after: int) -> Span:
    """Return the range of the page between the places found before and after some pieces."""
    above = max((span.end for span in spans[:first] if span is not None), default=0)
    below = (span.start for span in spans[after:] if span is not None)
    return Span(above, max(above, min(below, default=len(index.text))))


def _elsewhere(occurrences: Sequence[Span], text: str, taken: Sequence[Span]) -> Span | None:
    """Return the first free place of a text that is long enough to be recognised anywhere."""
    if len(normalise(text)) < _MIN_APART:
        return None
    free = (
        span
        for span in occurrences
        if all(span.end <= other.start or other.end <= span.start for other in taken)
    )
    return next(free, None)


def _rivals(
    index: TextIndex, occurrences: Sequence[Span], n: int, spans: Sequence[Span | None]
) -> tuple[int, ...]:
    """Return the regions of other places of a text between the same neighbours."""
    if len(occurrences) < 2:
        return ()
    within = _range_between(index, spans, n, n + 1)
    others = [
        s for s in occurrences if s != spans[n] and within.start <= s.start and s.end <= within.end
    ]
    return tuple(i for span in others if index.fills_block(span) for i in index.regions(span))


def _fill(index: TextIndex, texts: Sequence[str], window: Window, places: list[Location]) -> None:
    """Locate the missing pieces of a window word by word, otherwise by similarity."""
    missing = [n for n in window.pieces if places[n] is NOT_FOUND]
    for n, place in _word_by_word(index, texts, missing, window.span):
        places[n] = place
    for n in missing:
        if places[n] is NOT_FOUND:
            places[n] = find_similar(index, texts[n], window.span)


def folded_words(text: str) -> list[str]:
    """Return the case-folded words of a text, or characters in scripts without spaces."""
    words: list[str] = []
    for word in _WORD.findall(text):
        folded = normalise(word)
        words.extend(folded if _JOINED.search(folded) else [folded])
    return words


def _word_by_word(
    index: TextIndex, texts: Sequence[str], missing: Sequence[int], within: Span
) -> Iterator[tuple[int, Location]]:
    """Yield the pieces of which enough is in a range, word by word and in order."""
    wanted = [(word, n) for n in missing for word in folded_words(texts[n])]
    regions = [i for i, share in index.overlapping(within) if share == 1]
    there = [(word, i) for i in regions for word in folded_words(index.page.text[i])]
    if not wanted or not there or max(len(wanted), len(there)) > _MAX_WORDS:
        return
    sizes = Counter(i for _, i in there)
    matched: dict[int, Counter[int]] = {}
    for run in _runs([w for w, _ in wanted], [w for w, _ in there], [i for _, i in there], sizes):
        for a, b in run:
            matched.setdefault(there[b][1], Counter())[wanted[a][1]] += 1
    lengths = Counter(n for _, n in wanted)
    own: dict[int, list[int]] = {}
    for i, pieces in sorted(matched.items()):
        if pieces.total() / sizes[i] >= _MIN_OWN:
            for n in pieces:
                own.setdefault(n, []).append(i)
    for n, regions_of in sorted(own.items()):
        share = sum(matched[i][n] for i in regions_of) / lengths[n]
        if share >= _MIN_PIECE:
            yield n, Location(tuple(regions_of), ORDERED, min(share, 1.0))


def _runs(
    wanted: list[str], there: list[str], regions: list[int], sizes: Counter[int]
) -> Iterator[list[tuple[int, int]]]:
    """Yield runs of words that two texts share in order, without those that may be chance.

    A run has at least three words, or all words of a region.
    """
    for block in LCSseq.opcodes(wanted, there).as_matching_blocks():
        run = [(block.a + k, block.b + k) for k in range(block.size)]
        if len(run) >= _MIN_RUN:
            yield run
            continue
        inside = Counter(regions[b] for _, b in run)
        if kept := [pair for pair in run if inside[regions[pair[1]]] == sizes[regions[pair[1]]]]:
            yield kept


def in_order(index: TextIndex, occurrences: Sequence[Sequence[Span]]) -> list[Span | None]:
    """Return a place for each text such that the places are in the order of the texts.

    Of all ways to place some of the texts in order without overlap, the one that covers the most
    characters is returned; a match that fills whole blocks counts 1.5 times. Texts without a place
    are None. Takes ``n log n`` steps for ``n`` occurrences of all texts.

    References
    ----------
    P. M. Fenwick (1994). A new data structure for cumulative frequency tables. Software: Practice
    and Experience 24(3); maxima in place of sums.
    """
    options = [(i, span) for i, spans in enumerate(occurrences) for span in spans]
    chains = _Chains([span.end for _, span in options])
    before: list[int] = []
    numbered = [(i, n, span) for n, (i, span) in enumerate(options)]
    for _, group in groupby(numbered, key=itemgetter(0)):
        scored = []
        for _, n, span in group:
            reach, previous = chains.best(span.start)
            weight = len(span) * (_BLOCK_WEIGHT if index.fills_block(span) else 1.0)
            before.append(previous)
            scored.append((span.end, reach + weight, n))
        for end, score, n in scored:  # a text follows earlier texts, not itself
            chains.add(end, score, n)
    places: list[Span | None] = [None] * len(occurrences)
    _, n = chains.best(len(index.text))
    while n >= 0:
        i, places[i] = options[n]
        n = before[n]
    return places


class _Chains:
    """Best chains of matches that end at or before a place: a Fenwick tree of maxima."""

    def __init__(self, ends: Sequence[int]) -> None:
        self._ends = sorted(set(ends))
        self._tree = [(0.0, -1)] * (len(self._ends) + 1)

    def best(self, place: int) -> tuple[float, int]:
        """Return the score and last match of the best chain that ends at or before a place."""
        highest = (0.0, -1)
        i = bisect_right(self._ends, place)
        while i > 0:
            highest = max(highest, self._tree[i])
            i -= i & -i
        return highest

    def add(self, end: int, score: float, n: int) -> None:
        """Add the chain that ends with match ``n``."""
        i = bisect_right(self._ends, end)
        while i < len(self._tree):
            self._tree[i] = max(self._tree[i], (score, n))
            i += i & -i


def body_labels(page: Page, possible: Collection[str], captions: Flags) -> list[str]:
    """Return for each region the labels it may have if it is part of the main text.

    They are ``Subtitle`` inside a heading element, otherwise ``Paragraph``. A line that is entirely
    bold and not a sentence, or whose mark-up names a standfirst, may also be ``Subtitle``, and a
    text in a figure ``Caption``.

    ``possible`` are the labels that the data set's main text may contain; ``captions`` says whether
    a region of the text is in a place for captions.
    """
    heading = in_heading(page) if "Subtitle" in possible else np.zeros(len(page), dtype=bool)
    doubtful = _bold_lines(page) | _in_standfirst(page)
    labels = []
    for i in range(len(page)):
        names = {"Subtitle"} if heading[i] else {"Paragraph"}
        if doubtful[i] and not heading[i]:
            names |= {"Subtitle", "Paragraph"}
        if captions[i] and not heading[i]:
            names.add("Caption")
        labels.append(written_set(names & set(possible) or {"Paragraph"}))
    return labels


def _in_standfirst(page: Page) -> Flags:
    """Return whether mark-up near each region names a standfirst."""
    own = [
        any(_STANDFIRST.search(row.get(key, "")) for key in ("class", "id", "itemprop"))
        for row in page.elements.attributes
    ]
    n_below = np.bincount(page.element, minlength=len(own))
    for i in range(len(own) - 1, 0, -1):  # an element with many regions is not a standfirst
        n_below[page.elements.parent[i]] += n_below[i]
    pairs = zip(own, n_below.tolist(), strict=True)
    small = [named and n <= _MOST_STANDFIRST for named, n in pairs]
    return page.elements.lineage(small)[page.element]


def punctuation_labels(page: Page, labels: Mapping[int, str]) -> dict[int, str]:
    """Return the labels of regions without a letter or digit inside running text, by region.

    The full stop after a link is a region of its own, while values are found by their words. It
    gets the label of the words before and after it in its block, if both have the same label of
    running text; it is unknown between running text and something else.
    """
    found_labels: dict[int, str] = {}
    for regions in lines_of_blocks(page, [i for i, text in enumerate(page.text) if text]):
        if any(_is_running(labels.get(i, "")) for i in regions):
            before = _labels_before(page, labels, regions)
            after = _labels_before(page, labels, regions[::-1])
            for i in regions:
                beside = {row[i] for row in (before, after) if i in row}
                if i not in labels and any(map(_is_running, beside)):
                    found_labels[i] = beside.pop() if len(beside) == 1 else UNKNOWN
    return found_labels


def _is_running(label: str) -> bool:
    """Return whether all labels that a region may have are of running text."""
    names = allowed_names(label)
    return bool(names) and names <= _RUNNING


def _labels_before(page: Page, labels: Mapping[int, str], regions: Sequence[int]) -> dict[int, str]:
    """Return, for each region without words, the label of the last words before it, if any."""
    labels_before: dict[int, str] = {}
    last: str | None = None
    for i in regions:
        if normalise(page.text[i]):
            last = labels.get(i, "")
        elif last is not None:
            labels_before[i] = last
    return labels_before


def in_heading(page: Page) -> Flags:
    """Return whether each region is in a heading element, shape (n_regions,)."""
    own = [
        tag in _HEADINGS or attributes.get("role", "").strip().lower() == "heading"
        for tag, attributes in zip(page.elements.tag, page.elements.attributes, strict=True)
    ]
    return page.elements.lineage(own)[page.element]


def _bold_lines(page: Page) -> Flags:
    """Return whether each region's block is short, bold throughout and not a sentence.

    Column headings and glossary terms are excluded: they are bold, but part of what they head.
    """
    weights = np.nan_to_num(page.styles["font-weight"].astype(np.float64))
    own = [tag in _CELL_HEADS for tag in page.elements.tag]
    result = np.zeros(len(page), dtype=bool)
    for regions in lines_of_blocks(page, [i for i, text in enumerate(page.text) if text]):
        line = " ".join(page.text[i] for i in regions)
        if (weights[regions] >= _BOLD).all() and display_width(line) <= _SHORT:
            result[regions] = not _SENTENCE.search(line)
    return result & ~page.elements.lineage(own)[page.element]
