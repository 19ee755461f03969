"""Methods on the sequence of tokens: body text extraction, slope curve, content code blurring.

Sources: A. Finn, N. Kushmerick and B. Smyth (2001). Fact or fiction: content classification for
digital libraries. DELOS workshop on personalisation and recommender systems. The tokens of the
program by J. Pomikalek (2007), which later studies measured. D. Pinto, M. Branstein, R. Coleman, W.
B. Croft, M. King, W. Li and X. Wei (2002). QuASM: a system for question answering using semi-
structured data. JCDL 2002. T. Gottron (2007). Evaluating content extraction on HTML documents. ITA
2007, section 5.3, which extracts the areas of the curve. T. Gottron (2008). Content code blurring:
a new approach to content extraction. DEXA 2008 workshop on text-based information retrieval.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Literal

import msgspec
import numpy as np

from structce.arrays import Flags, Floats
from structce.extraction.parsed_document import ParsedDocument, Span
from structce.extraction.registry import Positive, Share, WordFilter, extractor

_BODY = re.compile(r"<body(?=[\s>])", re.IGNORECASE)
_BODY_END = re.compile(r"</body>", re.IGNORECASE)
_RAW = re.compile(r"<(script|style)(?=[\s>])", re.IGNORECASE)
_RAW_END = {name: re.compile(f"</{name}>", re.IGNORECASE) for name in ("script", "style")}
_BLANK = "&nbsp;"  # the only reference that is recognised; not a token
_WORD = re.compile(rf"{_BLANK}|(?:(?!{_BLANK})[^\s<])+")
_TAG_OR_WORD = re.compile(f"<[^>]+>|{_WORD.pattern}")


@extractor("bte")
@extractor("bte-2007", tokens="source")
@dataclass(frozen=True)
class BodyTextExtraction(WordFilter):
    """Body text extraction (Finn, Kushmerick and Smyth 2001): one span of many words, few tags.

    The span maximises the words inside it and the tags outside it. Since the number of all tags is
    constant, that is the span with the largest sum if a word counts 1 and a tag -1. The paper does
    not resolve ties: here the first span wins, and of those with the same beginning the shortest,
    as in Pomikalek's program.

    Tokens are ``parsed``, the tags and visible words of the page, or those of the ``source`` of
    ``body`` as in Pomikalek's program (2007), where a comment is a tag up to its first ``>`` and
    what follows is read like the rest, the options of a form are words, and so is every run of
    letters in a script without spaces. Only visible words are extracted either way.
    """

    tokens: Literal["parsed", "source"] = "parsed"

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in the span."""
        if self.tokens == "source":
            return document.words_in([source_stretch(document.html)])
        first, end = maximum_sum_run(np.where(document.tokens.is_word, 1.0, -1.0))
        token = document.words.token
        return (first <= token) & (token < end)


def maximum_sum_run(scores: Floats) -> tuple[int, int]:
    """Return the run of consecutive scores with the largest sum: its first index, and its end.

    (0, 0) if no score is positive. On a tie the first beginning wins, then the first end. Kadane's
    algorithm (J. Bentley 1984, Programming pearls. Comm. ACM 27(9)).
    """
    sums = np.concatenate(([0.0], np.cumsum(scores)))
    lowest = np.minimum.accumulate(sums)
    gains = sums - lowest
    best = gains.max()
    if best <= 0:
        return 0, 0
    ends = np.flatnonzero(gains == best)
    firsts = np.searchsorted(-lowest, -lowest[ends], side="left")
    first = int(firsts.min())
    return first, int(ends[firsts == first].min())


def source_stretch(html: str) -> Span:
    """Return the span of a source according to Pomikalek's tokens; (0, 0) for none."""
    spans = list(source_tokens(html))
    scores = [-1.0 if html[start] == "<" else 1.0 for start, _ in spans]
    first, end = maximum_sum_run(np.array(scores))
    return (spans[first][0], spans[end - 1][1]) if end else (0, 0)


def source_tokens(html: str) -> Iterator[Span]:
    """Yield the positions of tags and words in the body of a source, outside scripts and styles."""
    opening = max((match.end() for match in _BODY.finditer(html)), default=0)
    start = html.find(">", opening) + 1 if opening else 0
    closing = _BODY_END.search(html, start)
    end = closing.start() if closing else len(html)
    for first, last in _without_raw(html, start, end):
        tags_end = max(first, html.rfind(">", first, last) + 1)  # after it no "<" begins a tag
        for token in chain(
            _TAG_OR_WORD.finditer(html, first, tags_end), _WORD.finditer(html, tags_end, last)
        ):
            if token[0] != _BLANK:
                yield token.span()


def _without_raw(html: str, start: int, end: int) -> Iterator[Span]:
    """Yield the spans of a source between the contents of scripts and styles."""
    while raw := _RAW.search(html, start, end):
        inside = html.find(">", raw.end(), end) + 1
        closing = _RAW_END[raw[1].lower()].search(html, inside, end) if inside else None
        if closing is None:
            break
        yield start, inside
        start = closing.start()
    yield start, end


_LOW_SLOPE = 0.5  # share of the slope of the page below which a window is low
_ALIKE = 3  # consecutive low windows that open an area, or others that close it


@extractor("dsc")
@dataclass(frozen=True)
class DocumentSlopeCurve(WordFilter):
    """Document slope curve (Pinto et al. 2002, Gottron 2007): areas where tags are rare.

    The curve counts the tags up to each token. A window moves over it in steps of half its length,
    and is low if its slope, in tags per token, is below a share of the whole page's. A number of
    consecutive low windows opens an area, a number of consecutive others closes it. Our choices: an
    area extends from the first token of the first low window to the first token of the first window
    that closes it; a page with too few windows is left to body text extraction.
    """

    # In tokens; Gottron does not state it, 50 is usually reported for QuASM.
    window: Annotated[int, msgspec.Meta(ge=2)] = 50

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in a low area."""
        is_tag = ~document.tokens.is_word
        curve = np.concatenate(([0], np.cumsum(is_tag)))
        starts = np.arange(0, len(is_tag) - self.window + 1, self.window // 2)
        if len(starts) < _ALIKE:
            return BodyTextExtraction().keep(document)
        slopes = (curve[starts + self.window] - curve[starts]) / self.window
        is_low = slopes < _LOW_SLOPE * is_tag.mean()
        kept = np.zeros(len(is_tag), dtype=bool)
        for first, end in low_areas(is_low):
            kept[starts[first] : starts[end] if end < len(starts) else None] = True
        return kept[document.words.token]


def low_areas(is_low: Flags) -> Iterator[tuple[int, int]]:
    """Yield the areas of low windows: the first window of each, and the one that it ends before."""
    n_alike, first = 0, -1  # consecutive windows against the current state; -1: no open area
    for i, low in enumerate(is_low.tolist()):
        n_alike = n_alike + 1 if low == (first < 0) else 0
        if n_alike == _ALIKE and first < 0:
            first, n_alike = i - _ALIKE + 1, 0
        elif n_alike == _ALIKE:
            yield first, i - _ALIKE + 1
            first, n_alike = -1, 0
    if first >= 0:
        yield first, len(is_low)


# Content code blurring

SMALL_CHANGE = 0.25 / 256
"""Mean change of the values at which blurring stops: a quarter of a grey level in an image."""

_ROUNDS = 2
_LINK_TAG = re.compile(r"</?a(?=[\s/>])", re.IGNORECASE)


@extractor("ccb")
@extractor("accb", skips_links=True)
@extractor("tccb", unit="token", radius=25)
@extractor("tccb-18", unit="token", radius=18)
@dataclass(frozen=True)
class ContentCodeBlurring(WordFilter):
    """Content code blurring (Gottron 2008): words around which content outweighs code.

    A vector has 1 for each atom of content and 0 for each atom of code. Each value is repeatedly
    replaced by the mean of its neighbourhood, weighted by a Gaussian, until little changes. A word
    is kept if its mean value, in [0, 1], is above the threshold.

    An atom is a ``character`` of a tag or word, or a ``token``. Our choices: white space, comments
    and the content of scripts are not atoms; the page is continued at both ends by its first and
    last value; half the radius is one standard deviation. There are two rounds.
    """

    unit: Literal["character", "token"] = "character"
    radius: Positive = 40  # atoms on each side that have a weight
    threshold: Share = 0.75
    skips_links: bool = False  # leave out tags of links (adapted, ACCB), for links in the text

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are surrounded by content."""
        tokens, words = document.tokens, document.words
        if not len(words):
            return np.zeros(0, dtype=bool)
        ones = np.ones_like(tokens.end)
        lengths = tokens.end - tokens.start if self.unit == "character" else ones
        if self.skips_links:
            starts = enumerate(tokens.start.tolist())
            links = [i for i, start in starts if _LINK_TAG.match(document.html, start)]
            lengths = lengths.copy()
            lengths[links] = 0
        vector = np.repeat(tokens.is_word.astype(np.float64), lengths)
        sums = np.append(0.0, np.cumsum(blur(vector, self.radius, _ROUNDS)))
        ends = np.cumsum(lengths)
        means = (sums[ends] - sums[ends - lengths]) / np.maximum(lengths, 1)
        return np.asarray(means[words.token] > self.threshold)


def blur(vector: Floats, radius: int, max_rounds: int) -> Floats:
    """Return a vector blurred by a Gaussian until it hardly changes, at most ``max_rounds`` times.

    The Gaussian covers ``radius`` neighbours on each side, two standard deviations.
    """
    for _ in range(max_rounds):
        blurred = smooth(vector, radius, radius / 2)
        change = np.abs(blurred - vector).mean()
        vector = blurred
        if change < SMALL_CHANGE:
            break
    return vector


def smooth(values: Floats, radius: int, deviation: float) -> Floats:
    """Return values smoothed by a Gaussian over neighbours."""
    offsets = np.arange(-radius, radius + 1)
    weights = np.exp(-(offsets**2) / (2 * deviation**2))
    padded = np.pad(values, radius, mode="edge")
    return np.convolve(padded, weights / weights.sum(), mode="valid")
