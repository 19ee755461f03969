"""Alignment of the main text: each of its pieces on the page, in reading order."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np
from rapidfuzz.distance import LCSseq

from structce.alignment.location import (
    NOT_FOUND,
    Location,
    find_similar,
    inside,
    lines_of_blocks,
)
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
_HEADING_ROLE = re.compile(r"^\s*heading\s*$", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?…:;,。！？]['\"”’»)]*$")
_WORD = re.compile(r"[^\W_]+")
_JOINED = re.compile("[\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\u0e00-\u0e7f]")


def place_body(index: TextIndex, texts: Sequence[str]) -> list[Location]:
    """Return the place of each piece of the main text.

    First, pieces are looked for verbatim and in order; then verbatim elsewhere; then, between the
    neighbours of a missing piece, word by word in the page's order, so that a piece may be
    interrupted by advertisements or lack words that the page has; last, a similar text there.
    """
    # Verbatim, in order or elsewhere.
    occurrences = [index.find(text) for text in texts]
    ordered = in_order(index, occurrences)
    spans: dict[int, Span] = {}
    taken = [span for span in ordered if span is not None]
    for n, span in enumerate(ordered):
        if span is None and len(normalise(texts[n])) >= _MIN_APART:  # recognised anywhere
            free = (
                own
                for own in occurrences[n]
                if not any(own.start < s.end and s.start < own.end for s in taken)
            )
            span = next(free, None)
            taken += [span] if span is not None else []
        if span is not None:
            spans[n] = span
    covered: dict[int, float] = {}  # share of each region that the texts cover together
    for span in spans.values():
        for i, share in index.overlapping(span):
            covered[i] = covered.get(i, 0.0) + share
    locations = [NOT_FOUND] * len(texts)
    for n, span in spans.items():
        rivals = _rivals(index, occurrences[n], n, ordered) if ordered[n] is span else ()
        overlapping = [i for i, _ in index.overlapping(span)]
        regions = tuple(i for i in overlapping if covered[i] >= MIN_COVERAGE)
        touched = tuple(i for i in overlapping if covered[i] < MIN_COVERAGE)
        locations[n] = Location(regions, EXACT, 1.0, rivals, touched)
    # Word by word, then by similarity, where the missing pieces should be.
    for is_missing, run in groupby(range(len(ordered)), key=lambda n: ordered[n] is None):
        if is_missing:
            pieces = list(run)
            window = _range_between(index, ordered, pieces[0], pieces[-1] + 1)
            missing = [n for n in pieces if locations[n] is NOT_FOUND]
            by_words = dict(_word_by_word(index, texts, missing, window))
            for n in missing:
                locations[n] = by_words.get(n) or find_similar(index, texts[n], window)
    return locations


def _range_between(index: TextIndex, spans: Sequence[Span | None], first: int, after: int) -> Span:
    """Return the range of the page between the places found before and after some pieces."""
    above = max((span.end for span in spans[:first] if span is not None), default=0)
    below = (span.start for span in spans[after:] if span is not None)
    return Span(above, max(above, min(below, default=len(index.text))))


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


def _folded_words(text: str) -> list[str]:
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
    wanted = [(word, n) for n in missing for word in _folded_words(texts[n])]
    regions = [i for i, share in index.overlapping(within) if share == 1]
    there = [(word, i) for i in regions for word in _folded_words(index.page.text[i])]
    if not wanted or not there or max(len(wanted), len(there)) > _MAX_WORDS:
        return
    sizes = Counter(i for _, i in there)
    matched: dict[int, Counter[int]] = {}  # words by region and piece
    words = [word for word, _ in wanted], [word for word, _ in there]
    for block in LCSseq.opcodes(*words).as_matching_blocks():
        inside = Counter(i for _, i in there[block.b : block.b + block.size])
        for k in range(block.size):
            i = there[block.b + k][1]
            if block.size >= _MIN_RUN or inside[i] == sizes[i]:  # fewer words may be chance
                matched.setdefault(i, Counter())[wanted[block.a + k][1]] += 1
    lengths = Counter(n for _, n in wanted)
    regions_of: dict[int, list[int]] = {}
    for i, pieces in sorted(matched.items()):
        if pieces.total() / sizes[i] >= _MIN_OWN:
            for n in pieces:
                regions_of.setdefault(n, []).append(i)
    for n, members in sorted(regions_of.items()):
        share = sum(matched[i][n] for i in members) / lengths[n]
        if share >= _MIN_PIECE:
            yield n, Location(tuple(members), ORDERED, min(share, 1.0))


def in_order(index: TextIndex, occurrences: Sequence[Sequence[Span]]) -> list[Span | None]:
    """Return a place for each text such that the places are in the order of the texts.

    The places do not overlap and cover as many characters as possible; a match that fills whole
    blocks counts 1.5 times. Texts without a place are None.
    """
    options = [(i, span) for i, spans in enumerate(occurrences) for span in spans]
    # Best chains, by the end of their last match, both increasing: score and number of that match.
    ends: list[int] = []
    chains: list[tuple[float, int]] = []
    before: list[int] = []
    numbered = [(i, n, span) for n, (i, span) in enumerate(options)]
    for _, group in groupby(numbered, key=itemgetter(0)):
        scored = []
        for _, n, span in group:
            shorter = bisect_right(ends, span.start)
            reach, previous = chains[shorter - 1] if shorter else (0.0, -1)
            weight = len(span) * (_BLOCK_WEIGHT if index.fills_block(span) else 1.0)
            before.append(previous)
            scored.append((span.end, reach + weight, n))
        for end, score, n in scored:  # a text follows earlier texts, not itself
            k = bisect_right(ends, end)
            if k and chains[k - 1] >= (score, n):
                continue
            k -= bool(k and ends[k - 1] == end)
            worse = k
            while worse < len(ends) and chains[worse] <= (score, n):
                worse += 1
            ends[k:worse], chains[k:worse] = [end], [(score, n)]
    chosen: list[Span | None] = [None] * len(occurrences)
    n = chains[-1][1] if chains else -1
    while n >= 0:
        i, chosen[i] = options[n]
        n = before[n]
    return chosen


def body_labels(page: Page, possible: Collection[str], captions: Flags) -> list[str]:
    """Return for each region the labels it may have if it is part of the main text.

    They are ``Subtitle`` inside a heading element, otherwise ``Paragraph``. A line that is entirely
    bold and not a sentence, or whose mark-up names a standfirst, may also be ``Subtitle``, and a
    text in a place for ``captions`` a ``Caption``. ``possible`` are the labels that the data set's
    main text may contain.
    """
    heading = in_heading(page) & ("Subtitle" in possible)
    doubtful = _bold_lines(page) | _in_standfirst(page)
    labels = []
    for is_heading, is_doubtful, is_caption in zip(heading, doubtful, captions, strict=True):
        names = {"Subtitle"} if is_heading else {"Paragraph"}
        if is_doubtful:
            names.add("Subtitle")
        if is_caption and not is_heading:
            names.add("Caption")
        labels.append(written_set(names & set(possible) or {"Paragraph"}))
    return labels


def _in_standfirst(page: Page) -> Flags:
    """Return whether mark-up near each region names a standfirst."""
    is_standfirst = [
        any(_STANDFIRST.search(row.get(key, "")) for key in ("class", "id", "itemprop"))
        for row in page.elements.attributes
    ]
    n_below = np.bincount(page.element, minlength=len(is_standfirst))
    for i in range(len(is_standfirst) - 1, 0, -1):  # one with many regions is no standfirst
        n_below[page.elements.parent[i]] += n_below[i]
    pairs = zip(is_standfirst, n_below.tolist(), strict=True)
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
            words = [i for i in regions if normalise(page.text[i])]
            for i in set(regions) - set(words) - labels.keys():
                k = bisect_left(words, i)
                nearest = [*words[max(0, k - 1) : k], *words[k : k + 1]]
                beside = {labels.get(word, "") for word in nearest}
                if any(map(_is_running, beside)):
                    found_labels[i] = beside.pop() if len(beside) == 1 else UNKNOWN
    return found_labels


def _is_running(label: str) -> bool:
    """Return whether all labels that a region may have are of running text."""
    return bool(names := allowed_names(label)) and names <= _RUNNING


def in_heading(page: Page) -> Flags:
    """Return whether each region is in a heading element, shape (n_regions,)."""
    return inside(page, _HEADINGS, _HEADING_ROLE, keys=("role",))


def _bold_lines(page: Page) -> Flags:
    """Return whether each region's block is short, bold throughout and not a sentence.

    Column headings and glossary terms are excluded: they are bold, but part of what they head.
    """
    weights = np.nan_to_num(page.styles["font-weight"].astype(np.float64))
    result = np.zeros(len(page), dtype=bool)
    for regions in lines_of_blocks(page, [i for i, text in enumerate(page.text) if text]):
        line = " ".join(page.text[i] for i in regions)
        if (weights[regions] >= _BOLD).all() and display_width(line) <= _SHORT:
            result[regions] = not _SENTENCE.search(line)
    return result & ~inside(page, _CELL_HEADS)
