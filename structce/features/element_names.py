"""Names of elements: what class names, ids and similar attributes mean, one bit per kind.

Names differ from site to site, but are composed of a few dozen words. ``element_names.toml`` lists
these by kind, and one pass over each distinct value of a page finds them all by a trie: a table
with one row per beginning of a word, and in it the row of each beginning that is one longer.
"""

from __future__ import annotations

import re
from array import array
from functools import cache, lru_cache
from itertools import product

import numpy as np

from structce import kernels
from structce.arrays import Integers
from structce.features.dom_tree import NameSet
from structce.features.registry import once_a_page
from structce.features.tables import text_table, word_set
from structce.language import TEXTS, WORDS
from structce.page import Page
from structce.patterns import lazy_pattern

KINDS = {table: (*kinds,) for table, kinds in text_table("element_names").items()}
"""Kinds of words by table: surroundings, meanings, hints on a byline, and other parts."""

_KINDS = [(table, kind) for table, kinds in KINDS.items() for kind in kinds]
_BITS = {own: 1 << n for n, own in enumerate(_KINDS)}
ADVERTISEMENT, NOTICE, MAYBE_NOTICE = (1 << len(_KINDS) + n for n in range(3))
"""Bits of names of advertisements, and of names that are, or may be, those of consent notices."""

_DOUBTFUL = ADVERTISEMENT | MAYBE_NOTICE  # decided by the whole name


# What is beside a word: the edge of the value, a character (other white space is as a colon), or a
# capital letter in camel case.
# A small letter at the beginning of a name, or after a colon, has a bit of its own.
_EDGE, _SPACE, _DASH, _COLON, _OTHER, _DIGIT, _CAMEL, _LETTER, _FOREIGN, _START = (
    1 << n for n in range(10)
)
_ANYTHING = (1 << 10) - 1
_NAME_END = _EDGE | _SPACE
_WORD_END = _NAME_END | _DASH
_PART_END = _WORD_END | _COLON | _OTHER | _CAMEL
_LETTERS_END = _ANYTHING & ~_LETTER
_DIVIDED = 16  # places by which the mask of what is before a word that camel case divides is higher
_ALPHABET = "abcdefghijklmnopqrstuvwxyz-_"  # columns of the trie, before those of other letters
_SIDES = dict.fromkeys(_ALPHABET + _ALPHABET.upper(), _LETTER) | dict.fromkeys("0123456789", _DIGIT)
_SIDES |= {" ": _SPACE, "_": _DASH, "-": _DASH} | dict.fromkeys(":\t\n\v\f\r", _COLON)

_CAMEL_CASE = lazy_pattern(r"(?<=[a-z])(?=[A-Z])")
_ASCII = lazy_pattern(r"[a-z]{2,}")
_MAX_TOKEN = 20  # letters of a word; longer ones are seldom words
_SEPARATORS = str.maketrans(dict.fromkeys("-_:./#()0123456789", " "))
# "ad8anwq" is generated, "ad300x250" is not.
_GENERATED = lazy_pattern(r"[a-z]+\d+[a-wyz][a-z0-9]*")


Entry = tuple[int, int, int]
"""What may be before and behind a word, and its bit, complemented if the word takes it away.

What may be before a word that camel case divides is 16 places higher.
"""


class _Trie:
    """Trie of words, with the entries of each.

    ``cells`` has one row per beginning of a word, known by the place of its first cell: for each of
    ``columns``, which are characters, the row of the beginning that is one longer, or 0; and the
    number of its last entry, or 0. An entry is followed by the number of the one before it.
    """

    def __init__(self, words: list[tuple[str, Entry]]) -> None:
        others = {*"".join(word for word, _ in words)} - {*_ALPHABET, "~", "*"}
        columns = [*_ALPHABET, "entries", "none", *sorted(others)]
        self.columns = {character: n for n, character in enumerate(columns)}
        self._empty = array("i", bytes(4 * len(columns)))
        self.cells, self.entries = self._empty[:], [(0, 0, 0, 0)]
        for word, entry in words:
            rows = [0]
            for character in word:
                rows = self._longer(rows, character)
            for row in rows:
                place = row + self.columns["entries"]
                self.entries.append((*entry, self.cells[place]))
                self.cells[place] = len(self.entries) - 1
        cells = np.frombuffer(self.cells, dtype=np.int32)
        self.arrays = cells, np.array(self.entries, dtype=np.int64)

    def _longer(self, rows: list[int], character: str) -> list[int]:
        if character not in "~*":
            return [self._next(row + self.columns[character]) for row in rows]
        hyphens = [self._next(row + self.columns["-"]) for row in rows]
        for row, hyphen in zip(rows, hyphens, strict=True) if character == "*" else ():
            for begin, mark in product((row, hyphen), "-_"):
                self.cells[begin + self.columns[mark]] = hyphen
        return rows + hyphens

    def _next(self, place: int) -> int:
        if not self.cells[place]:
            self.cells[place] = len(self.cells)
            self.cells.extend(self._empty)
        return self.cells[place]


@cache
def _trie() -> _Trie:
    return _Trie(_listed_words())


@cache
def _beginnings() -> set[str]:
    """Return the first three characters of all words."""
    return {re.sub("[~*]", mark, word)[:3] for word, _ in _listed_words() for mark in ["", *"-_"]}


def _listed_words() -> list[tuple[str, Entry]]:
    """Return the words of all kinds, with ``~`` for a hyphen that may be missing."""
    words: list[tuple[str, Entry]] = []
    for (table, kind), bit in _BITS.items():
        for word in text_table("element_names")[table][kind].split():
            words += _entries(word, bit, is_meaning=table == "meaning")
    whole = _LETTERS_END, _LETTERS_END
    words += [(word, (*whole, ADVERTISEMENT)) for word in word_set("advertising", "words")]
    return words + [(word, (*whole, MAYBE_NOTICE)) for word in _notice_vocabulary()]


def _entries(word: str, bit: int, *, is_meaning: bool) -> list[tuple[str, Entry]]:
    """Return what a word of a table stands for; camel case divides no word but at its ``/``."""
    bit, word = (~bit, word[1:]) if word[0] == "!" else (bit, word)
    part_end = _PART_END if is_meaning else _WORD_END
    marks = {"^": part_end, "$": part_end, "|": _NAME_END, ":": _START, ">": _EDGE}
    before, behind = marks.get(word[0], _ANYTHING), marks.get(word[-1], _ANYTHING)
    stem = word.strip("^$|:>").replace("-?", "~")
    if "/" in stem:
        dashed = [(stem.replace("/", mark), (before, behind, bit)) for mark in "-_"]
        return [*dashed, (stem.replace("/", ""), (before << _DIVIDED, behind, bit))]
    before |= 0 if is_meaning else before << _DIVIDED
    return [(stem, (before, behind, bit))]


@lru_cache(maxsize=TEXTS)
def read_names(names: str) -> tuple[int, NameSet]:
    """Return the bits, and the words, of names that are separated by spaces, camel case split."""
    names = names.removesuffix("\n")
    sides, bits = [_EDGE, *map(_side, names), _EDGE], 0
    for match in re.finditer(r"\S+", names):
        bits |= _read_name(match[0], sides[match.start()], sides[match.end() + 1])
    return bits, frozenset(_words(names))


def _words(names: str) -> list[str]:
    return [word for word in _ASCII.findall(_opened(names)) if len(word) <= _MAX_TOKEN]


def _opened(names: str, mark: str = "-") -> str:
    """Return names in lower case, with camel case split."""
    return names if names.islower() else _CAMEL_CASE.sub(mark, names).lower()


@lru_cache(maxsize=WORDS)
def _read_name(name: str, before: int, behind: int) -> int:
    """Return the bits of all words in a name, given what is beside it."""
    beginnings, bits = _beginnings(), 0
    text = name.lower() if len(name.lower()) == len(name) else name
    sides = [*map(_side, text), behind]
    for match in _CAMEL_CASE.finditer(name):
        sides[match.start()] = _CAMEL
    for i in range(len(text)):
        if text[i : i + 3] in beginnings or text[i : i + 2] in beginnings:
            side = _CAMEL if sides[i] == _CAMEL else _side(text[i - 1]) if i else before
            side |= _START if side & (_EDGE | _SPACE | _COLON) and name[i] >= "a" else 0
            bits |= _bits_at(text, i, side, sides)
    return _settled_bits(name, bits) if bits & _DOUBTFUL else bits


def _bits_at(text: str, i: int, before: int, sides: list[int]) -> int:
    """Return the bits of all words that begin at a place of a name."""
    trie, row, bits = _trie(), 0, 0
    for j in range(i, len(text)):
        if j > i and sides[j] == _CAMEL and before < 1 << _DIVIDED:
            before <<= _DIVIDED
        row = trie.cells[row + trie.columns.get(text[j], trie.columns["none"])]
        if not row:
            break
        number = trie.cells[row + trie.columns["entries"]]
        while number:
            start, end, bit, number = trie.entries[number]
            if start & before and end & sides[j + 1]:
                bits = bits | bit if bit >= 0 else bits & bit
    return bits


def _side(c: str) -> int:
    return _SIDES.get(c) or (_FOREIGN if c.isalnum() else _OTHER)


@lru_cache(maxsize=WORDS)
def _settled_bits(name: str, bits: int) -> int:
    """Return the bits of a name, those decided that depend on more than one of its words."""
    if bits & ADVERTISEMENT:  # only by a whole word
        words = _GENERATED.sub(" ", _opened(name, " ")).translate(_SEPARATORS).split()
        if word_set("advertising", "words").isdisjoint(words):
            bits &= ~ADVERTISEMENT
    if bits & MAYBE_NOTICE:
        bits = bits & ~MAYBE_NOTICE | _notice_bit(frozenset(_words(name)))
    return bits


def _notice_bit(words: NameSet) -> int:
    """Return whether words of one name are those of a consent notice, or may be."""
    if words & word_set("consent_notice", "not-notice"):
        return 0
    subjects = words & word_set("consent_notice", "subjects")
    parts = words & word_set("consent_notice", "notice-words")
    is_platform = not words.isdisjoint(word_set("consent_notice", "platforms"))
    if is_platform or (subjects and parts) or any(map(words.issuperset, _platform_phrases())):
        return NOTICE
    may_be_platform = "cmp" in words and (parts or "container" in words)  # or a component
    return MAYBE_NOTICE if subjects or may_be_platform else 0


def _notice_vocabulary() -> frozenset[str]:
    """Return the words of which every name of a notice or platform contains at least one."""
    listed = (word_set("consent_notice", key) for key in ("platforms", "subjects"))
    return frozenset({"cmp", *(phrase[0] for phrase in _platform_phrases())}).union(*listed)


@cache
def _platform_phrases() -> list[list[str]]:
    return [*map(str.split, text_table("consent_notice")["platform-phrases"].strip().splitlines())]


@cache
def kind_bits(table: str, *kinds: str) -> int:
    """Return the bits of kinds of a table; of all if none is given."""
    return sum(_BITS[table, kind] for kind in kinds or KINDS[table])


@lru_cache(maxsize=WORDS)
def kind_names(table: str, bits: int) -> NameSet:
    """Return the kinds of a table whose bits are given."""
    return frozenset(kind for kind in KINDS[table] if bits & _BITS[table, kind])


_ANY_MEANING = kind_bits("meaning")
_ATTRIBUTES = dict.fromkeys(("role", "data-component"), _ANY_MEANING)
for _name in ("rel", "itemprop", "property", "data-testid"):
    _ATTRIBUTES[_name] = _ANY_MEANING | kind_bits("hint")
_ATTRIBUTES |= {"class": -1, "id": -1, "name": _ANY_MEANING | ADVERTISEMENT}
"""Which bits count in each attribute that names an element."""


@once_a_page
def _elements(page: Page) -> tuple[Integers, list[NameSet]]:
    (cells, entries), rows = _trie().arrays, page.elements.attributes
    return kernels.read_names(
        rows, _ATTRIBUTES, cells, entries, _DOUBTFUL, _settled_bits, read_names
    )


def element_bits(page: Page) -> Integers:
    """Return the bits of each element's own names, shape (n_elements,)."""
    return _elements(page)[0]


def element_tokens(page: Page) -> list[NameSet]:
    """Return the words in each element's own names, one set per element."""
    return _elements(page)[1]
