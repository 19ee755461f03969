"""Body text extraction: the span of a page with the most words and the fewest tags.

Sources: A. Finn, N. Kushmerick and B. Smyth (2001). Fact or fiction: content classification for
digital libraries. DELOS workshop on personalisation and recommender systems. The tokens of the
program by J. Pomikalek (2007), which later studies measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np

from structce.arrays import Flags, Floats
from structce.extraction.base import WordFilter
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import extractor
from structce.extraction.result import Span

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

    The span from token ``i`` to ``j`` maximises the words inside it and the tags outside it. Since
    the number of all tags is constant, that is the span with the largest sum if a word counts 1 and
    a tag -1, found in linear time. The paper does not resolve ties: here the first span wins, and
    of those with the same beginning the shortest, as in Pomikalek's program.

    Parameters
    ----------
    tokens
        ``parsed``: the tags and visible words of the page. ``source``: as Pomikalek's program
        (2007) tokenises the source of ``body``, where a comment is a tag up to its first ``>`` and
        what follows is read like the rest, the options of a form are words, and so is every run of
        letters in a script without spaces. Only visible words are extracted either way.
    """

    tokens: Literal["parsed", "source"] = "parsed"

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in the span."""
        if self.tokens == "source":
            return document.words_in([source_stretch(document.html)])
        tokens = document.tokens
        first, end = maximum_sum_run(np.where(tokens.is_word, 1.0, -1.0))
        token = document.words.token
        return (first <= token) & (token < end)


def maximum_sum_run(scores: Floats) -> tuple[int, int]:
    """Return the run of consecutive scores with the largest sum, in linear time.

    Returns
    -------
    Its first index and the one after its last; (0, 0) if no score is positive. On a tie the first
    beginning wins, then the first end.

    References
    ----------
    J. Bentley (1984). Programming pearls: algorithm design techniques. Comm. ACM 27(9), Kadane's
    algorithm.
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
    places = list(source_tokens(html))
    scores = [-1.0 if html[start] == "<" else 1.0 for start, _ in places]
    first, end = maximum_sum_run(np.array(scores))
    return (places[first][0], places[end - 1][1]) if end else (0, 0)


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
