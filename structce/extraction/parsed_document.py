"""Parsed document: tags and words of an HTML source with their positions, for all extractors.

The source is tokenised once. A token is a tag or a word, as in Finn, Kushmerick and Smyth (2001);
what a browser never shows (scripts, styles, comments, options of a form) contains no words. Time
and memory are linear in the length of the source, whatever its content.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html.entities import html5
from typing import Self, TypeAlias

import numpy as np
from msgspec.structs import replace
from selectolax.lexbor import LexborNode

from structce.arrays import Flags, Integers, Integers32
from structce.kernels import nearest, sums_below
from structce.language import UNSPACED, unescape
from structce.rendering import UNSEEN, Document, Markup, OpenElements, parse, scan_pieces

BLOCK_LEVEL = frozenset(
    "address article aside blockquote body caption center col colgroup dd details dialog dir div "
    "dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr "
    "html legend li listing main menu nav ol optgroup option p plaintext pre search section "
    "summary table tbody td tfoot th thead tr ul xmp".split()
)
"""Elements that begin a line of their own (HTML standard, section 15.3)."""

JOINED, SPACE, LINE = 0, 1, 2
"""What precedes a word: nothing, white space, or the border of a block or a forced line break."""

SEPARATORS = ("", " ", "\n")  # text of what precedes a word, by its level

_NOT_SHOWN = UNSEEN - {"head"}  # its end tag is often omitted; its content has tags of its own
# Each letter of a script without spaces is a word (our choice), as otherwise a line would be one;
# so is each of its punctuation marks.
_UNSPACED = rf"{UNSPACED}\u3001-\u303f"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_ATOM = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[a-zA-Z][a-zA-Z0-9]*;?)|.", re.DOTALL)


@dataclass(frozen=True)
class Tokens:
    """Tags and words in the order of the source, as columns."""

    is_word: Flags
    start: Integers  # first character in the source
    end: Integers  # the character after the last
    element: Integers  # that contains a word, a start tag opens, or is around an end tag; -1: none


@dataclass(frozen=True)
class Words:
    """Words that a page shows, as columns."""

    text: Sequence[str]  # as shown, with entities resolved
    start: Integers  # first character in the source
    end: Integers  # the character after the last
    element: Integers  # index of the element that contains each word; -1 for none
    token: Integers  # index of the word's token
    breaks: Integers  # what precedes each word: `JOINED`, `SPACE` or `LINE`
    is_cut: Flags  # whether something not shown, except tags and comments, precedes the word

    def __len__(self) -> int:
        return len(self.text)

    @cached_property
    def length(self) -> Integers:
        """Number of characters of each word."""
        return np.fromiter(map(len, self.text), dtype=np.int64, count=len(self.text))

    @cached_property
    def block(self) -> Integers:
        """Index of the block of each word, which is a text without a line break."""
        is_first = self.breaks == LINE
        is_first[:1] = False
        return np.cumsum(is_first, dtype=np.int64)


@dataclass(frozen=True)
class ElementSpans:
    """Elements in the order of their start tags, as columns."""

    name: Sequence[str]  # in lower case
    parent: Sequence[int]  # index of the element around each, which is lower; -1 for none
    first_word: Integers  # first word in each element
    end_word: Integers  # the word after the last; equal to the first if there is none
    markup: Markup

    def __len__(self) -> int:
        return len(self.name)

    def attributes(self, i: int) -> dict[str, str]:
        """Return the attributes of an element, names in lower case."""
        return dict(self.markup.attributes(i))

    def named(self, names: Collection[str]) -> Flags:
        """Return which elements have one of these names."""
        return np.array([name in names for name in self.name], dtype=bool)

    @cached_property
    def above(self) -> Integers32:
        """Index of the element around each, as a column; -1 for none."""
        return np.array(self.parent, dtype=np.int32)

    def below(self, flags: Flags) -> Flags:
        """Return which elements are flagged or are inside a flagged one."""
        return self.nearest(flags) >= 0

    def count_below(self, flags: Flags) -> Integers:
        """Return the number of flagged elements in each element, including itself."""
        itself = np.arange(len(self), dtype=np.int32)
        return sums_below(self.above, itself, flags).astype(np.int64)

    def sum_of_words(self, values: Integers) -> Integers:
        """Return the sum of a column of words over the words in each element."""
        sums = np.concatenate(([0], np.cumsum(values)))
        return sums[self.end_word] - sums[self.first_word]

    def nearest(self, flags: Flags) -> Integers:
        """Return the index of the nearest flagged element, including itself; -1 for none."""
        return nearest(self.above, flags)


class ParsedDocument(Document, frozen=True, eq=False):
    """HTML document with its tags and words, and their positions in the source."""

    @classmethod
    def of(cls, document: Document | str) -> Self:
        """Return a document, or an HTML source, as a parsed one; parsed at first use."""
        if isinstance(document, cls):
            return document
        if isinstance(document, str):
            return cls(document)
        return cls(
            document.html, document.url, document.name, document.encoding, document.resources
        )

    @cached_property
    def _scan(self) -> _Scan:
        return _Scan(self.html)

    @cached_property
    def tokens(self) -> Tokens:
        """Tags and words."""
        spans = np.array(self._scan.places, dtype=np.int64).reshape(-1, 3)
        return Tokens(np.array(self._scan.is_word, dtype=bool), *spans.T)

    @cached_property
    def words(self) -> Words:
        """Words that are shown."""
        tokens, scan = self.tokens, self._scan
        chosen = np.flatnonzero(tokens.is_word)
        return Words(
            text=scan.texts,
            start=tokens.start[chosen],
            end=tokens.end[chosen],
            element=tokens.element[chosen],
            token=chosen,
            breaks=np.array(scan.breaks, dtype=np.int64),
            is_cut=np.array(scan.cuts, dtype=bool),
        )

    @cached_property
    def elements(self) -> ElementSpans:
        """Elements, with the words in each."""
        markup = self._scan.markup
        first, end = _word_ranges(markup.above, self.words.element)
        return ElementSpans(markup.names, markup.above, first, end, markup)

    @cached_property
    def tree(self) -> LexborNode:
        """Root element of the tree according to the HTML standard, without source positions.

        Raises RenderError if the tree would be too deep or too large.
        """
        return parse(self)

    def words_within(self, names: Collection[str]) -> Flags:
        """Return which words are in an element of these names, at any depth."""
        return self.of_words(self.elements.below(self.elements.named(names)))

    def of_words(self, values: Flags) -> Flags:
        """Return a column of elements as one of words; false for words in no element."""
        return np.append(values, False)[self.words.element]

    def select(self, kept: Flags) -> Extraction:
        """Return the extraction of some of the words."""
        words, chosen = self.words, np.flatnonzero(kept)
        if not len(chosen):
            return Extraction("")
        breaks = _breaks_between(words.breaks, chosen)
        pieces = [words.text[chosen[0]]]
        for i, level in zip(chosen[1:].tolist(), breaks.tolist(), strict=True):
            pieces += (SEPARATORS[level], words.text[i])
        begins = np.append(True, (np.diff(chosen) > 1) | words.is_cut[chosen[1:]])
        ends = np.append(begins[1:], True)
        starts = words.start[chosen[begins]].tolist()
        spans = zip(starts, words.end[chosen[ends]].tolist(), strict=True)
        return Extraction("".join(pieces), tuple(spans))

    def words_in(self, spans: Iterable[Span]) -> Flags:
        """Return which words are completely inside sorted and disjoint spans of the source."""
        borders = np.array([place for span in spans for place in span], dtype=np.int64)
        before = np.searchsorted(borders, self.words.start, side="right")
        behind = np.searchsorted(borders, self.words.end, side="left")
        return np.asarray((before % 2 == 1) & (before == behind))

    def restrict(self, kept: Flags) -> Self:
        """Return the document with only some of its words; all tags and positions are kept."""
        old, chosen = self.words, np.flatnonzero(kept)
        has_token = np.ones(len(self.tokens.is_word), dtype=bool)
        has_token[np.delete(old.token, chosen)] = False
        tokens = Tokens(*(column[has_token] for column in vars(self.tokens).values()))
        gaps = np.diff(chosen, prepend=-1) > 1
        result = replace(self)
        vars(result)["_scan"], vars(result)["tokens"] = self._scan, tokens
        vars(result)["words"] = Words(
            text=[old.text[i] for i in chosen.tolist()],
            start=old.start[chosen],
            end=old.end[chosen],
            element=old.element[chosen],
            token=np.flatnonzero(tokens.is_word),
            breaks=np.append(old.breaks[chosen[:1]], _breaks_between(old.breaks, chosen)),
            is_cut=old.is_cut[chosen] | gaps,
        )
        return result


class _Scan:
    """One pass over a source: tokens and words in lists, and the elements around them."""

    def __init__(self, html: str) -> None:
        self.markup = Markup(html)
        self.is_word: list[bool] = []
        self.places: list[tuple[int, int, int]] = []  # start, end and element of each token
        self.texts: list[str] = []  # of words, as the next two
        self.breaks: list[int] = []
        self.cuts: list[bool] = []
        self._open = OpenElements(self.markup)
        self._shown: list[bool] = []  # for each element
        self._break, self._cut = JOINED, False  # what is between the last word and the next
        position = 0
        for text, markup, raw_tag, raw, slash, name in scan_pieces(html):
            if text:
                self._read_text(text, position)
                position += len(text)
            if raw:
                self._start(raw.lower(), raw_tag, position)
                self._cut = True
            elif slash and name:
                self._end(name.lower(), position, len(markup))
            elif name:
                self._start(name.lower(), markup, position)
            position += len(markup)

    def _read_text(self, text: str, offset: int) -> None:
        element = self._open.top
        if element >= 0 and not self._shown[element]:
            self._cut = self._cut or not text.isspace()
            return
        position = 0
        for word, start, end in words_of(text):
            level = SPACE if start > position else JOINED
            self.is_word.append(True)
            self.places.append((offset + start, offset + end, element))
            self.texts.append(word)
            self.breaks.append(max(level, self._break))
            self.cuts.append(self._cut)
            self._break, self._cut, position = JOINED, False, end
        if position < len(text):
            self._break = max(self._break, SPACE)

    def _start(self, name: str, tag: str, position: int) -> None:
        number = len(self.markup.names)
        self._open.open(name, tag, position)
        above = self.markup.above[number]
        self._shown.append((above < 0 or self._shown[above]) and name not in _NOT_SHOWN)
        self._add_tag(name, position, len(tag), number)

    def _end(self, name: str, position: int, length: int) -> None:
        self._open.close(name)
        self._add_tag(name, position, length, self._open.top)

    def _add_tag(self, name: str, position: int, length: int, element: int) -> None:
        self.is_word.append(False)
        self.places.append((position, position + length, element))
        if name in BLOCK_LEVEL or name == "br":
            self._break = LINE


def words_of(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words of a text of the source: as shown, and where they begin and end in it.

    A word has no white space, literal or as a reference (``&nbsp;``); each letter of a script
    without spaces, such as Chinese, is a word.
    """
    if "&" not in text:
        for match in _WORD.finditer(text):
            yield match[0], match.start(), match.end()
        return
    for match in re.finditer(r"\S+", text):
        decoded = unescape(match[0])
        if len(_WORD.findall(decoded)) == 1 and not any(map(str.isspace, decoded)):
            yield decoded, match.start(), match.end()
        elif decoded:  # with references to white space or to unspaced letters
            owners = [place for place in _atoms(match[0], match.start()) for _ in place[0]]
            for word in _WORD.finditer("".join(atom for atom, *_ in _atoms(match[0], 0))):
                yield word[0], owners[word.start()][1], owners[word.end() - 1][2]


def words_of_shown(text: str) -> list[str]:
    """Return the words of a text with resolved references, as `words_of` does."""
    return _WORD.findall(text)


def _atoms(raw: str, offset: int) -> Iterator[tuple[str, int, int]]:
    """Yield the characters of a text with references resolved, and the place of each."""
    position = 0
    while position < len(raw):
        match = _ATOM.match(raw, position)
        atom = match[0] if match else raw[position]
        if len(atom) > 1 and atom[1] != "#" and atom[1:] not in html5:
            lengths = (n for n in range(min(len(atom), 33) - 1, 2, -1) if atom[1:n] in html5)
            atom = atom[: next(lengths, 1)]
        start, position = position, position + len(atom)
        yield unescape(atom) if len(atom) > 1 else atom, offset + start, offset + position


def _breaks_between(breaks: Integers, chosen: Integers) -> Integers:
    """Return what is between chosen words; at least white space where others are left out."""
    if len(chosen) < 2:
        return np.zeros(0, dtype=np.int64)
    highest = np.maximum.reduceat(breaks[: chosen[-1] + 1], chosen[:-1] + 1)
    return np.maximum(highest, np.diff(chosen) > 1)


def _word_ranges(parents: Sequence[int], element: Integers) -> tuple[Integers, Integers]:
    """Return the range of words of each element, including those of nested elements."""
    first, end = [len(element)] * len(parents), [0] * len(parents)
    for i, owner in enumerate(element.tolist()):
        if owner >= 0:
            first[owner], end[owner] = min(first[owner], i), i + 1
    for i in range(len(parents) - 1, -1, -1):
        if (parent := parents[i]) >= 0:
            first[parent] = min(first[parent], first[i])
            end[parent] = max(end[parent], end[i])
    starts, ends = np.array(first, dtype=np.int64), np.array(end, dtype=np.int64)
    return np.minimum(starts, ends), ends


Span: TypeAlias = tuple[int, int]
"""First character of a span of the source, and the one after the last."""


@dataclass(frozen=True)
class Extraction:
    """Main content of a document.

    The text has line breaks between blocks, and is empty for a page without main content. The spans
    are positions in the source: sorted, disjoint, including tags and comments; there are none for a
    system that returns only a text.
    """

    text: str
    spans: tuple[Span, ...] = ()
