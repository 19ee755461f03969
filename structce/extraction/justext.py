"""jusText: paragraphs classified by length, links and stop words, and then by their neighbours.

Source: J. Pomikálek (2011). Removing boilerplate and duplicate content from web corpora. Doctoral
thesis, Masaryk University, chapter 3.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.extraction.blocks import Blocks, blocks_between, start_tokens, tag_tokens
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.peers import language_of
from structce.extraction.registry import WordFilter, extractor
from structce.extraction.shown_words import JoinedWords, link_of_words
from structce.language import StopWords, guess_stop_words, stop_words

BAD, SHORT, NEAR_GOOD, GOOD = range(4)
"""Classes of a paragraph."""

USUAL_COVERAGE = 0.5
"""Share of a text's words in the thesis's lists of stop words, for which its bounds were chosen."""

_PARAGRAPH = frozenset(
    "body blockquote caption center col colgroup dd div dl dt fieldset form legend optgroup option "
    "p pre table td textarea tfoot th thead tr ul li h1 h2 h3 h4 h5 h6".split()
)
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_REMOVED = frozenset(
    "applet button embed form iframe input layer object param script style".split()
)
_UNREAD = _REMOVED - {"form"}  # a form is removed, but its content stays
_RIGHTS = ("©", "&copy")
_NO_STOP_WORDS = StopWords(frozenset(), 0.0)


@dataclass(frozen=True)
class Paragraphs:
    """Paragraphs as columns of shape (n_paragraphs,)."""

    length: Integers  # number of characters, with one space between words
    link_density: Floats  # share of the characters in links
    stop_density: Floats  # share of stop words
    has_links: Flags  # whether any character is in a link
    is_heading: Flags  # whether it is in a heading
    has_rights: Flags  # whether it has a copyright sign


@extractor("justext")
@extractor("justext-lenient", length_low=50, stop_low=0.1, stop_high=0.2, heading_distance=-1)
@dataclass(frozen=True)
class JusText(WordFilter):
    """jusText (Pomikálek 2011): long paragraphs with stop words, and short ones among them.

    ``justext-lenient`` has the settings by which later studies measured the library.

    Parameters
    ----------
    words
        Stop words, in lower case; if empty, any long paragraph with few links is good. None: those
        of the language that the page states or, if its words are clearly in another language or it
        states none, of the language of its words; empty if there is no list. Our lists are shorter
        than those of the thesis in highly inflected languages, so the bounds are scaled by the
        share of words that a list covers.
    length_low, length_high
        Bounds of short and of long paragraphs, in characters.
    stop_low, stop_high
        Shares of stop words from which paragraphs may be good.
    heading_distance
        Maximum number of characters between a heading and the good paragraph that it belongs to;
        negative: headings are ordinary paragraphs.
    early_headings
        Also classify short headings before other short paragraphs. Version 3 of the library of the
        same name intends to, but finds no good paragraph at that step.
    """

    words: Set[str] | None = None
    max_link_density: float = 0.2
    length_low: int = 70
    length_high: int = 200
    stop_low: float = 0.30
    stop_high: float = 0.32
    heading_distance: int = 200
    early_headings: bool = True

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in good paragraphs."""
        is_read = ~document.words_within(_UNREAD)
        kept = np.zeros(len(is_read), dtype=bool)
        read = document if is_read.all() else document.restrict(is_read)
        borders, blocks = _cut(read)
        words = JoinedWords.of(read, borders | tag_tokens(read, {"br"}))
        known = self._stop_words(document, words)
        paragraphs = _paragraphs(blocks, words, known.words)
        first = self.first_pass(paragraphs, known.coverage / USUAL_COVERAGE)
        kept[is_read] = blocks.keep(self.second_pass(paragraphs, first) == GOOD)
        return kept

    def _stop_words(self, document: ParsedDocument, words: JoinedWords) -> StopWords:
        """Return the stop words to look for; coverage 0 if none are known."""
        if self.words is not None:
            return StopWords(frozenset(self.words), USUAL_COVERAGE if self.words else 0.0)
        language = language_of(document)
        if language and stop_words(language) is None:
            return _NO_STOP_WORDS
        return guess_stop_words(words.text, language) or _NO_STOP_WORDS

    def first_pass(self, paragraphs: Paragraphs, scale: float = 1.0) -> Integers:
        """Return the class of each paragraph by itself; ``scale`` multiplies stop-word bounds."""
        density, length = paragraphs.stop_density, paragraphs.length
        is_linked = paragraphs.link_density > self.max_link_density
        is_short = length < self.length_low
        return np.select(
            [
                is_linked | paragraphs.has_rights | (is_short & paragraphs.has_links),
                is_short,
                (density >= scale * self.stop_high) & (length > self.length_high),
                density >= scale * self.stop_low,
            ],
            [BAD, SHORT, GOOD, NEAR_GOOD],
            BAD,
        )

    def second_pass(self, paragraphs: Paragraphs, first: Integers) -> Integers:
        """Return the class of each paragraph, good or bad, given those of the first pass."""
        classes = first.copy()
        if self.early_headings:
            classes[(first == SHORT) & self._heads(paragraphs, classes)] = NEAR_GOOD
        classes[classes == SHORT] = _judge_short(classes)[classes == SHORT]
        before, behind = _neighbours(classes, classes != NEAR_GOOD)
        is_among_bad = (before == BAD) & (behind == BAD)
        is_near_good = classes == NEAR_GOOD
        classes[is_near_good] = np.where(is_among_bad, BAD, GOOD)[is_near_good]
        heads = self._heads(paragraphs, classes)
        classes[(classes == BAD) & (first != BAD) & heads] = GOOD
        return classes

    def _heads(self, paragraphs: Paragraphs, classes: Integers) -> Flags:
        """Return the headings followed closely by a good paragraph."""
        is_good = classes == GOOD
        ends = np.cumsum(paragraphs.length)
        begins = np.where(is_good, ends - paragraphs.length, np.iinfo(np.int64).max)
        begin = np.minimum.accumulate(begins[::-1])[::-1]  # of the next good paragraph, or its own
        behind = np.append(begin, np.iinfo(np.int64).max)[1:]
        return paragraphs.is_heading & (behind - ends <= self.heading_distance)


def _judge_short(classes: Integers) -> Integers:
    """Return the class that each paragraph would have if it were short: good or bad.

    If the nearest good or bad paragraphs on both sides differ, a near-good one before the bad one
    makes it good.
    """
    is_long = classes != SHORT
    before, behind = _neighbours(classes, is_long & (classes != NEAR_GOOD))
    near_before, near_behind = _neighbours(classes, is_long)
    is_good_before = (before == GOOD) | (near_before == NEAR_GOOD)
    is_good_behind = (behind == GOOD) | (near_behind == NEAR_GOOD)
    is_bad = (before == BAD) & (behind == BAD)
    return np.where(is_good_before & is_good_behind & ~is_bad, GOOD, BAD)


def _neighbours(classes: Integers, counts: Flags) -> tuple[Integers, Integers]:
    """Return the classes of the nearest paragraphs that count, before and after each one.

    The ends of a page count as bad.
    """
    return _before(classes, counts), _before(classes[::-1], counts[::-1])[::-1]


def _before(classes: Integers, counts: Flags) -> Integers:
    places = np.where(counts, np.arange(1, len(classes) + 1), 0)
    nearest = np.maximum.accumulate(np.concatenate(([0], places)))[:-1]
    return np.concatenate(([BAD], classes))[nearest]


def _cut(document: ParsedDocument) -> tuple[Flags, Blocks]:
    """Return the tokens at which paragraphs end, and the paragraphs."""
    borders = tag_tokens(document, _PARAGRAPH - _REMOVED) | _repeated_breaks(document)
    return borders, blocks_between(document, borders)


def _repeated_breaks(document: ParsedDocument) -> Flags:
    """Return which tokens are forced breaks after another, without word or element in between."""
    is_start = start_tokens(document)
    names = document.elements.named
    is_break = np.zeros(len(is_start), dtype=bool)
    is_break[is_start] = names({"br"})
    counts = document.tokens.is_word.copy()
    counts[is_start] = ~names(_PARAGRAPH | _REMOVED)
    events = np.flatnonzero(counts)
    is_again = np.zeros(len(is_start), dtype=bool)
    is_again[events[1:]] = is_break[events[1:]] & is_break[events[:-1]]
    return is_again


def _paragraphs(blocks: Blocks, words: JoinedWords, stops: Set[str]) -> Paragraphs:
    """Return the properties of paragraphs for the first pass."""
    document = blocks.document
    shown = document.words
    owner = blocks.of_word[words.first]
    number = np.bincount(owner, minlength=len(blocks))
    is_stop = np.array([word.lower() in stops for word in words.text], dtype=bool)
    n_stops = np.bincount(owner[is_stop], minlength=len(blocks))
    length = blocks.sum_of_words(shown.length) + number - 1
    linked = blocks.sum_of_words(_linked_characters(document, words))
    has_sign = [any(sign in word for sign in _RIGHTS) for word in shown.text]
    return Paragraphs(
        length=length,
        link_density=linked / length,
        stop_density=n_stops / number,
        has_links=linked > 0,
        is_heading=document.words_within(_HEADINGS)[blocks.first_word],
        has_rights=blocks.sum_of_words(np.array(has_sign, dtype=bool)) > 0,
    )


def _linked_characters(document: ParsedDocument, words: JoinedWords) -> Integers:
    """Return the linked characters of each word, including the space before it if also linked."""
    shown, link = document.words, link_of_words(document)
    has_space = np.zeros(len(shown), dtype=bool)
    has_space[words.first] = True
    has_space &= link == np.concatenate(([-1], link))[:-1]
    return np.where(link >= 0, shown.length + has_space, 0)
