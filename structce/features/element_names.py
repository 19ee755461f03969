"""Names of elements: what class names, ids and similar attributes mean, one bit per kind.

Names differ from site to site, but are composed of a few dozen words. ``element_names.toml`` lists
these by kind, and one pass over each distinct value of a page finds them all by a trie: a table
with one row per beginning of a word, and in it the row of each beginning that is one longer.
"""

from __future__ import annotations

from array import array
from functools import cache, lru_cache, reduce
from itertools import product
from operator import or_

import numpy as np

from structce import kernels
from structce.arrays import Flags, Integers, Integers32
from structce.features.dom_tree import NameSet
from structce.features.registry import once_a_page
from structce.features.tables import text_table, word_set
from structce.language import TEXTS, WORDS
from structce.page import Page
from structce.patterns import lazy_pattern

KINDS = {table: (*kinds,) for table, kinds in text_table("element_names").items()}
"""Kinds of words by table: of meanings, surroundings, hints on a byline, and other parts."""

_SHIFTS = {
    "meaning": 0,
    "surroundings": 16,
    "hint": 32,
    "part": 42,
}  # place of the first bit of a table
_MASKS = {table: (1 << len(kinds)) - 1 << _SHIFTS[table] for table, kinds in KINDS.items()}
ADVERTISEMENT, MAYBE_NOTICE, NOTICE = 1 << 48, 1 << 49, 1 << 50
"""Bits of names of advertisements, and of names that may be, or are, those of consent notices."""

_DOUBTFUL = ADVERTISEMENT | MAYBE_NOTICE  # decided by the whole name
_HINTING = _MASKS["meaning"] | _MASKS["hint"]
_ATTRIBUTES = {
    **dict.fromkeys(("class", "id"), -1),
    **dict.fromkeys(("rel", "itemprop", "property", "data-testid"), _HINTING),
    "name": _MASKS["meaning"] | ADVERTISEMENT,
    **dict.fromkeys(("role", "data-component"), _MASKS["meaning"]),
}  # which bits count in each attribute that names an element

# What is beside a word: the edge of the value, a character, or a capital letter in camel case.
_EDGE, _SPACE, _DASH, _COLON, _OTHER, _DIGIT, _CAMEL, _LETTER, _FOREIGN = (1 << n for n in range(9))
_ANYTHING = (1 << 9) - 1
_NAME_END = _EDGE | _SPACE
_WORD_END = _NAME_END | _DASH
_PART_END = _WORD_END | _COLON | _OTHER | _CAMEL
_LETTERS_END = _ANYTHING & ~_LETTER
_DIVIDED = 16  # places by which the mask of what is before a word that camel case divides is higher
_ALPHABET = "abcdefghijklmnopqrstuvwxyz-_"  # columns of the trie, before those of other letters
_SIDES = dict.fromkeys(_ALPHABET, _LETTER) | dict.fromkeys("0123456789", _DIGIT)
_SIDES |= {" ": _SPACE, "_": _DASH, "-": _DASH, ":": _COLON}

_CAMEL_MARK = "\ue000"  # stands before a capital letter in camel case
_CAMEL_CASE = lazy_pattern(r"(?<=[a-z])(?=[A-Z])")
_NAME = lazy_pattern(r"\S+")
_ASCII = lazy_pattern(r"[a-z]{2,}")
_MAX_TOKEN = 20  # letters of a word; longer ones are seldom words
_SEPARATORS = str.maketrans(dict.fromkeys("-_:./#()0123456789", " "))
_GENERATED = lazy_pattern(
    r"[a-z]+\d+[a-wyz][a-z0-9]*"
)  # "ad8anwq" is generated, "ad300x250" is not
_CMP = "cmp"  # consent management platform, or merely a component of the page


Entry = tuple[int, int, int]
"""What may be before a word and behind it, and its bit.

A negative bit is the complement of one that a longer word takes away. ``before`` also has, 16
places higher, what may be before a word that camel case divides.
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
def _trie_arrays() -> tuple[Integers32, Integers]:
    """Return the cells of the trie, and its entries, shape (n_entries, 4)."""
    return np.frombuffer(_trie().cells, dtype=np.int32), np.array(_trie().entries, dtype=np.int64)


def _listed_words() -> list[tuple[str, Entry]]:
    """Return the words of all kinds, with ``~`` for a hyphen that may be missing."""
    words: list[tuple[str, Entry]] = []
    for table, kinds in text_table("element_names").items():
        for n, listed in enumerate(kinds.values()):
            for word in listed.split():
                words += _entries(word, 1 << _SHIFTS[table] + n, is_meaning=table == "meaning")
    whole = _LETTERS_END, _LETTERS_END
    words += [(word, (*whole, ADVERTISEMENT)) for word in word_set("advertising", "words")]
    return words + [(word, (*whole, MAYBE_NOTICE)) for word in _notice_vocabulary()]


def _entries(word: str, bit: int, *, is_meaning: bool) -> list[tuple[str, Entry]]:
    """Return what a word of a table stands for; camel case divides no word but at its ``/``."""
    bit, word = (~bit, word[1:]) if word[0] == "!" else (bit, word)
    part_end = _PART_END if is_meaning else _WORD_END
    marks = {"^": part_end, "$": part_end, "|": _NAME_END, ":": _NAME_END | _COLON, ">": _EDGE}
    before, behind = marks.get(word[0], _ANYTHING), marks.get(word[-1], _ANYTHING)
    stem = word.strip("^$|:>").replace("-?", "~")
    if "/" in stem:
        dashed = [(stem.replace("/", mark), (before, behind, bit)) for mark in "-_"]
        return [*dashed, (stem.replace("/", ""), (before << _DIVIDED, behind, bit))]
    before |= 0 if is_meaning else before << _DIVIDED
    return [(stem, (before, behind, bit))]


def read_names(names: str) -> tuple[int, NameSet]:
    """Return the bits, and the words, of names that are separated by spaces, camel case split."""
    names = names.removesuffix("\n")
    bits = 0
    for match in _NAME.finditer(names):
        before, behind = (names[match.start() - 1 : match.start()], names[match.end() :][:1])
        sides = (_SIDES.get(c, _OTHER) if c else _EDGE for c in (before, behind))
        bits |= _read_name(match[0], *sides)
    return bits, frozenset(_words(names))


def _words(names: str) -> list[str]:
    return [word for word in _ASCII.findall(_opened(names)) if len(word) <= _MAX_TOKEN]


def _opened(names: str, mark: str = "-") -> str:
    """Return names in lower case, with camel case split."""
    return names if names.islower() else _CAMEL_CASE.sub(mark, names).lower()


@lru_cache(maxsize=WORDS)
def _read_name(name: str, before: int, behind: int) -> int:
    bits = _found_bits(name, before, behind)
    return _settled_bits(name, bits) if bits & _DOUBTFUL else bits


def _found_bits(name: str, before: int, behind: int) -> int:
    """Return the bits of all words in a name, given what is beside it."""
    trie, text, bits = _trie(), _opened(name, _CAMEL_MARK), 0
    sides = [before, *map(_side, text), behind]
    for i in range(len(text)):
        row, own, side = 0, 0, sides[i]
        for j in range(i, len(text)):
            if text[j] == _CAMEL_MARK:
                side = sides[i] << _DIVIDED
                continue
            row = trie.cells[row + trie.columns.get(text[j], trie.columns["none"])]
            if not row:
                break
            number = trie.cells[row + trie.columns["entries"]]
            while number:
                start, end, bit, number = trie.entries[number]
                if start & side and end & sides[j + 2]:
                    own = own | bit if bit >= 0 else own & bit
        bits |= own
    return bits


def _side(c: str) -> int:
    known = _CAMEL if c == _CAMEL_MARK else _SIDES.get(c)
    return known or (_FOREIGN if c.isalnum() else _OTHER)


@lru_cache(maxsize=WORDS)
def _settled_bits(name: str, bits: int) -> int:
    """Return the bits of a name, those decided that depend on more than one of its words."""
    if bits & ADVERTISEMENT and not _has_advertisement_word(name):
        bits &= ~ADVERTISEMENT
    if bits & MAYBE_NOTICE:
        bits = bits & ~MAYBE_NOTICE | _notice_bit(frozenset(_words(name)))
    return bits


def _has_advertisement_word(name: str) -> bool:
    """Return whether a whole word announces an advertisement, as none in "header" does."""
    words = _GENERATED.sub(" ", _opened(name, " ")).translate(_SEPARATORS).split()
    return not word_set("advertising", "words").isdisjoint(words)


def _notice_bit(words: NameSet) -> int:
    """Return whether words of one name are those of a consent notice, or may be."""
    if words & word_set("consent_notice", "not-notice"):
        return 0
    subjects = words & word_set("consent_notice", "subjects")
    parts = words & word_set("consent_notice", "notice-words")
    is_platform = not words.isdisjoint(word_set("consent_notice", "platforms"))
    if is_platform or (subjects and parts) or any(map(words.issuperset, _platform_phrases())):
        return NOTICE
    may_be_platform = _CMP in words and (parts or "container" in words)
    return MAYBE_NOTICE if subjects or may_be_platform else 0


def _notice_vocabulary() -> frozenset[str]:
    """Return the words of which every name of a notice or platform contains at least one."""
    listed = (word_set("consent_notice", key) for key in ("platforms", "subjects"))
    return frozenset({_CMP, *(phrase[0] for phrase in _platform_phrases())}).union(*listed)


@cache
def _platform_phrases() -> list[list[str]]:
    return [*map(str.split, text_table("consent_notice")["platform-phrases"].strip().splitlines())]


@once_a_page
def _elements(page: Page) -> tuple[Integers, list[NameSet]]:
    """Return the bits and the words of each element's own names."""
    return kernels.read_names(
        page.elements.attributes,
        _ATTRIBUTES,
        *_trie_arrays(),
        _DOUBTFUL,
        _settled_bits,
        _read_value,
    )


_read_value = lru_cache(maxsize=TEXTS)(read_names)


def element_tokens(page: Page) -> list[NameSet]:
    """Return the words in each element's own names, one set per element."""
    return _elements(page)[1]


def elements_named(page: Page, bits: int) -> Flags:
    """Return which elements have a name with any of some bits, shape (n_elements,)."""
    named: Flags = _elements(page)[0] & bits != 0
    return named


@once_a_page
def element_meanings(page: Page) -> Integers:
    """Return the meanings of each element's own names, one bit per kind, shape (n_elements,)."""
    return element_kinds(page, "meaning")


@once_a_page
def element_hints(page: Page) -> list[int]:
    """Return the hints on bylines that each element's names give, one bit per kind."""
    hints: list[int] = element_kinds(page, "hint").tolist()
    return hints


def element_kinds(page: Page, table: str) -> Integers:
    """Return the kinds of a table that each element's names have, one bit each, (n_elements,)."""
    return _elements(page)[0] >> _SHIFTS[table] & (1 << len(KINDS[table])) - 1


def elements_of(page: Page, table: str, kind: str) -> Flags:
    """Return which elements have a name of a kind, shape (n_elements,)."""
    return elements_named(page, kind_bits(table, kind) << _SHIFTS[table])


def kind_bits(table: str, *kinds: str) -> int:
    """Return the bits of kinds of a table."""
    return reduce(or_, (1 << KINDS[table].index(kind) for kind in kinds), 0)


@lru_cache(maxsize=WORDS)
def kind_names(table: str, bits: int) -> NameSet:
    """Return the kinds of a table whose bits are given."""
    return frozenset(kind for n, kind in enumerate(KINDS[table]) if bits >> n & 1)
