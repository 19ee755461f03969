"""The main text on a page: every piece of it, in reading order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from structce.corpora.places.order import in_order
from structce.corpora.places.place import NOWHERE, Place
from structce.gold import EXACT, ORDERED, SIMILAR
from structce.text import normalise
from structce.text_index import SHARE, Span, TextIndex

_WORD = re.compile(r"[^\W_]+")
_JOINED = re.compile("[\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\u0e00-\u0e7f]")
_MIN_APART = 20  # characters of a text that is recognised far from its neighbours; our choice
_RUN = 3  # words in a row that are no chance; our choice
_OWN = 0.7  # least share of a region's words that are of the piece, in order; our choice
_WHOLE = 0.6  # least share of a piece's words that stand on the page, in order; our choice
_MAX_WORDS = 40_000  # of a stretch that is aligned word by word


@dataclass(frozen=True)
class Window:
    """A run of pieces that were not found, and the stretch of the page where they should be."""

    pieces: range
    span: Span


def place_body(index: TextIndex, texts: Sequence[str]) -> list[Place]:
    """Return where each piece of the main text stands.

    First the words of each piece, all pieces in order; then those of pieces that stand elsewhere;
    then, between the neighbours of what is still missing, word by word in the page's order, so
    that a piece may be broken by advertisements, and may lack words that the page has; last a
    similar text there.
    """
    found = [index.find(text) for text in texts]
    ordered = in_order(index, found)
    spans = dict(_placed(found, texts, ordered))
    covered = _covered(index, spans.values())
    places = [NOWHERE] * len(texts)
    for n, span in spans.items():
        rivals = _rivals(index, found[n], n, ordered) if ordered[n] is span else ()
        places[n] = _place(index, span, covered, rivals)
    for window in windows(index, ordered):
        _fill(index, texts, window, places)
    return places


def _placed(
    found: Sequence[Sequence[Span]], texts: Sequence[str], ordered: Sequence[Span | None]
) -> Iterator[tuple[int, Span]]:
    """Yield the place of each text that stands on the page as it is, in order or elsewhere."""
    taken = [span for span in ordered if span is not None]
    for n, span in enumerate(ordered):
        if span is None:
            span = _elsewhere(found[n], texts[n], taken)
            taken += [span] if span else []
        if span is not None:
            yield n, span


def _covered(index: TextIndex, spans: Iterable[Span]) -> dict[int, float]:
    """Return which part of each region the texts take together: a region may hold several."""
    covered: dict[int, float] = {}
    for span in spans:
        for i, share in index.overlapping(span):
            covered[i] = covered.get(i, 0.0) + share
    return covered


def _place(
    index: TextIndex, span: Span, covered: Mapping[int, float], rivals: tuple[int, ...]
) -> Place:
    """Return the place of words that stand there as they are."""
    there = [i for i, _ in index.overlapping(span)]
    own = tuple(i for i in there if covered[i] >= SHARE)
    return Place(own, EXACT, 1.0, rivals, tuple(i for i in there if covered[i] < SHARE))


def windows(index: TextIndex, spans: Sequence[Span | None]) -> Iterator[Window]:
    """Yield the runs of missing pieces, each with the stretch between its neighbours."""
    n = 0
    while n < len(spans):
        if spans[n] is not None:
            n += 1
            continue
        first = n
        while n < len(spans) and spans[n] is None:
            n += 1
        above = max((s.end for s in spans[:first] if s is not None), default=0)
        below = min((s.start for s in spans[n:] if s is not None), default=len(index.text))
        yield Window(range(first, n), Span(above, max(above, below)))


def _elsewhere(found: Sequence[Span], text: str, taken: Sequence[Span]) -> Span | None:
    """Return the first free place of a text that is long enough to be recognised anywhere."""
    if len(normalise(text)) < _MIN_APART:
        return None
    for span in found:
        if all(span.end <= other.start or other.end <= span.start for other in taken):
            return span
    return None


def _rivals(
    index: TextIndex, found: Sequence[Span], n: int, spans: Sequence[Span | None]
) -> tuple[int, ...]:
    """Return the regions of further places of a text between the same neighbours."""
    if len(found) < 2:
        return ()
    above = max((s.end for s in spans[:n] if s is not None), default=0)
    below = min((s.start for s in spans[n + 1 :] if s is not None), default=len(index.text))
    others = [s for s in found if s != spans[n] and above <= s.start and s.end <= below]
    return tuple(i for span in others if index.fills_block(span) for i in index.regions(span))


def _fill(index: TextIndex, texts: Sequence[str], window: Window, places: list[Place]) -> None:
    """Place what is missing in a window word by word, else by likeness."""
    missing = [n for n in window.pieces if places[n] is NOWHERE]
    for n, place in _word_by_word(index, texts, missing, window.span):
        places[n] = place
    for n in missing:
        if places[n] is NOWHERE:
            places[n] = similar(index, texts[n], window.span)


def similar(index: TextIndex, text: str, within: Span) -> Place:
    """Return the most similar stretch inside a span, if it is similar enough."""
    span = index.find_fuzzy(text, within)
    if span is None:
        return NOWHERE
    score = fuzz.ratio(normalise(text), index.text[span.start : span.end]) / 100
    return Place(tuple(index.regions(span)), SIMILAR, score)


def words(text: str) -> list[str]:
    """Return the words of a text, case folded; characters where words are not set apart."""
    found: list[str] = []
    for word in _WORD.findall(text):
        folded = normalise(word)
        found.extend(folded if _JOINED.search(folded) else [folded])
    return found


def _word_by_word(
    index: TextIndex, texts: Sequence[str], missing: Sequence[int], within: Span
) -> Iterator[tuple[int, Place]]:
    """Yield the pieces of which enough stands in a stretch, word by word and in order."""
    wanted = [(word, n) for n in missing for word in words(texts[n])]
    regions = [i for i, share in index.overlapping(within) if share == 1]
    there = [(word, i) for i in regions for word in words(index.page.text[i])]
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
        if pieces.total() / sizes[i] >= _OWN:
            for n in pieces:
                own.setdefault(n, []).append(i)
    for n, regions_of in sorted(own.items()):
        share = sum(matched[i][n] for i in regions_of) / lengths[n]
        if share >= _WHOLE:
            yield n, Place(tuple(regions_of), ORDERED, min(share, 1.0))


def _runs(
    wanted: list[str], there: list[str], regions: list[int], sizes: Counter[int]
) -> Iterator[list[tuple[int, int]]]:
    """Yield runs of words that two texts share in order, those that may be chance left out.

    A run has three words, or all of a region's.
    """
    for block in LCSseq.opcodes(wanted, there).as_matching_blocks():
        run = [(block.a + k, block.b + k) for k in range(block.size)]
        if len(run) >= _RUN:
            yield run
            continue
        inside = Counter(regions[b] for _, b in run)
        if kept := [pair for pair in run if inside[regions[pair[1]]] == sizes[regions[pair[1]]]]:
            yield kept
