"""Columns of a byline's tokens: words, shapes, lists, neighbours, and what the page states.

Each column is the name of a property of a token. A chain learns the weight of each for each label;
columns that it has not learnt have no weight. The score of a token is the sum of the weights of its
columns. :func:`columns_of` names them; the compiled kernel sums the weights by numbers and bits of
the same columns.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import reduce
from itertools import accumulate, chain
from operator import or_
from struct import Struct

import msgspec
import numpy as np

from structce import kernels
from structce.arrays import Floats, Integers32
from structce.bylines.tokens import (
    LIST_BITS,
    NO_HINTS,
    Hints,
    bare,
    list_bits,
    lists_of,
    spans_of,
    tokens_of,
)
from structce.language import WORDS, is_european, split_words
from structce.patterns import lazy_pattern

NEAR = (-2, -1, 1, 2)
"""Places of the neighbours that a token sees."""

JOINED_SCRIPTS = frozenset({"han", "hiragana", "katakana", "hangul"})
"""Shapes of tokens in scripts that do not separate all words by spaces."""

_LONG_SEGMENT = 6  # words of the longest part of a byline whose form is a column
_FEW_WORDS = 3  # of the longest part that is a column itself
_MARKS_INSIDE = frozenset("'’´`“”\"„«»‹›-‐‑")
"""Marks that do not separate names."""

_OF_WORD = ("w=", "end=", "long=")  # beginnings of columns that only the nearest neighbours see
_ADDRESS = lazy_pattern(r"@|://|^www\.|\w/|\.[a-z]{2,4}/")
_IN_WORD = str.maketrans("", "", ".'’-")  # marks that do not change a word's form
_INTRODUCING, _BETWEEN = list_bits(("before", "before+")), list_bits(["between"])


class PageNames(msgspec.Struct, frozen=True):
    """Names that a page states, and the words of its title, against which bylines are read."""

    authors: frozenset[str] = frozenset()  # words of the authors that metadata state
    sites: frozenset[str] = frozenset()  # of the names of site and publisher, and of the host
    title: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, authors: Sequence[str] = (), sites: Sequence[str] = (), title: str = ""
    ) -> PageNames:
        """Return the words of the given names."""
        plain = [name for name in authors if not _ADDRESS.search(name)]
        fields = (plain, sites, [title])
        return cls(*(frozenset(chain(*map(split_words, texts))) for texts in fields))


NOTHING_STATED = PageNames()
"""Names stated by a page that states nothing."""


def shape_of(word: str) -> str:
    """Return the form of a token: ``Xx``, ``XX``, ``xx``, ``X.``, ``9``, a script or a mark.

    >>> [shape_of(word) for word in ("Lee", "LEE", "lee", "McLee", "J.", "2026", "·", "李")]
    ['Xx', 'XX', 'xx', 'XxX', 'X.', '9', '·', 'han']
    """
    first, is_word = word[0], word.isalpha()
    if not is_word:
        if _ADDRESS.search(word):
            return "address"
        if first.isdigit():
            return "9"
        if not first.isalpha():
            return first
    if script := _script(first):
        return script
    letters = word if is_word else word.translate(_IN_WORD)
    if len(letters) <= 2 and word.endswith("."):
        return "X." if first.isupper() else "x."
    if letters.islower():
        return "xx"
    if letters.isupper():
        return "X" if len(letters) == 1 else "XX"
    if letters[:1].isupper():
        return "Xx" if letters[1:].islower() or "-" in word or "'" in word else "XxX"
    return "xX"


def _script(letter: str) -> str:
    """Return the script of a letter without upper and lower case, otherwise an empty string."""
    if letter < "\u0590":
        return ""
    name = unicodedata.name(letter, "").split(" ")[0].lower()
    if name == "cjk":
        return "han"
    return name if not (letter.islower() or letter.isupper()) else ""


def columns_of(
    text: str, code: str, names: PageNames, given: Set[str], hints: Sequence[Hints] = ()
) -> list[list[str]]:
    """Return the columns of each token of a byline in a language, given the names of its page.

    ``given`` are known given names, case folded; ``hints`` are those of the mark-up of each line.
    """
    tokens = tokens_of(text)
    lists, apart = lists_of(tokens, code), _set_apart(text, tokens)
    own = [_own_columns(token, bits, given) for token, bits in zip(tokens, lists, strict=True)]
    rows = [
        [*own[i], *_stated_columns(token, lists[i], names), *_columns_near(own, i)]
        for i, token in enumerate(tokens)
    ]
    breaks = [i for i, token in enumerate(tokens) if token == "\n"]
    lines = zip([0, *(i + 1 for i in breaks)], [*breaks, len(tokens)], strict=True)
    beside = NO_HINTS.union(*hints)
    for n, (begin, end) in enumerate(lines):
        of_line = hints[n] if n < len(hints) else NO_HINTS
        line = [f"mark={hint}" for hint in of_line]
        line += [f"beside={hint}" for hint in beside - of_line]
        line.append(f"lines={min(len(breaks) + 1, 3)}")
        line += ["digit-in-line"] * any(shape_of(token) == "9" for token in tokens[begin:end])
        named = begin  # first token after those that introduce a name
        for does_introduce in (False, True):
            while named < end and (lists[named] & _INTRODUCING > 0) is does_introduce:
                named += 1
        for first, last in _parts(tokens, apart, begin, end):
            part = _part_columns(tokens[first:last], lists[first:last], names, given, of_line)
            ends = f"begins-line={first == begin}", f"ends-line={last == end}"
            for i in range(first, last):
                place = f"at={min(i - first, 3)}", f"left={min(last - 1 - i, 3)}"
                by = [*["after-by"] * (i >= named), *["right-after-by"] * (i == named)]
                rows[i] += [*line, *part, *ends, *place, *by]
    for i in breaks:
        rows[i].append("break")
    for i in apart:
        rows[i].append("set-apart")
    return [[*row, f"code={code}", "any"] for row in rows]


def _own_columns(text: str, lists: int, given: Set[str]) -> list[str]:
    """Return the columns of a token in these lists, independent of its place."""
    word = bare(text)
    columns = [f"w={word}", f"shape={shape_of(text)}", *["given"] * (word in given)]
    if length := _length(word):
        columns += [f"end={word[-3:]}", f"long={length}"]
    return columns + [f"in={kind}" for kind, bit in LIST_BITS.items() if lists & bit]


def _length(word: str) -> int:
    """Return the length of a word in threes, at most 4; 0 for short words and others."""
    return min(len(word), 12) // 3 if len(word) > 2 and word.isalpha() else 0


def _columns_near(own: Sequence[Sequence[str]], i: int) -> Iterator[str]:
    """Yield the columns of a token's neighbours, which have their place in front."""
    for step in NEAR:
        if not 0 <= i + step < len(own):
            yield f"{step}:none"
            continue
        for name in own[i + step]:
            if abs(step) == 1 or not name.startswith(_OF_WORD):
                yield f"{step}:{name}"


def _words_in(text: str) -> Sequence[str]:
    """Return the words of a token that are compared with those of names; of a mark none."""
    return (bare(text),) if text.isascii() and text.isalpha() else split_words(text)


def _stated_columns(text: str, lists: int, names: PageNames) -> list[str]:
    """Return the columns of a token in these lists about the names that the page states."""
    words = _words_in(text)
    if not words or lists & _BETWEEN:
        return []
    columns = ["states-none"]
    if names.authors:
        columns = ["stated" if names.authors.issuperset(words) else "not-stated"]
    columns += ["site"] * names.sites.issuperset(words)
    return columns + ["in-title"] * names.title.issuperset(words)


def _part_columns(
    tokens: Sequence[str], lists: Sequence[int], names: PageNames, given: Set[str], hints: Hints
) -> list[str]:
    """Return the columns that the tokens of a part of a line share, given the line's mark-up."""
    words, compared = [*map(bare, tokens)], [*map(_words_in, tokens)]
    size = len(tokens)
    form = " ".join(map(shape_of, tokens)) if size <= _LONG_SEGMENT else "long"
    columns = [f"form={form}", f"n={min(size, 8)}", *(f"mark={hint} {form}" for hint in hints)]
    columns += [f"has={kind}" for kind, bit in LIST_BITS.items() if any(bit & own for own in lists)]
    columns += ["has=given"] * (not given.isdisjoint(words))
    if any(compared):
        columns += ["part-stated"] * all(map(names.authors.issuperset, compared))
        columns += ["part-site"] * all(map(names.sites.issuperset, compared))
    return columns + [f"part={' '.join(words)}"] * (size <= _FEW_WORDS)


def _set_apart(text: str, tokens: Sequence[str]) -> Set[int]:
    """Return the tokens after a space in a script that otherwise has no spaces."""
    if is_european(text):
        return frozenset()
    spans, is_joined = (
        spans_of(text, tokens),
        [shape_of(token) in JOINED_SCRIPTS for token in tokens],
    )
    return {
        i
        for i in range(1, len(tokens))
        if is_joined[i - 1] and is_joined[i] and spans[i - 1][1] != spans[i][0]
    }


def _is_mark(text: str) -> bool:
    """Return whether a token separates names."""
    return not text[0].isalnum() and text not in _MARKS_INSIDE


def _parts(
    tokens: Sequence[str], apart: Set[int], begin: int, end: int
) -> Iterator[tuple[int, int]]:
    """Yield begin and end of the parts of a line between marks; each mark is a part itself."""
    first = begin
    while first < end:
        last = first + 1
        if not _is_mark(tokens[first]):
            while last < end and not _is_mark(tokens[last]) and last not in apart:
                last += 1
        yield first, last
        first = last


class ColumnSums:
    """Scorer of tokens by the sums of their columns' weights.

    Parameters
    ----------
    weights : shape (n_columns, n_labels)
        Weights of the chain; they must not change while the scorer is in use.
    columns
        Row of each column in the weights; other columns have no weight.
    given
        Known given names, case folded.
    """

    def __init__(self, weights: Floats, columns: Mapping[str, int], given: Set[str]) -> None:
        self.weights, self._columns, self._given = weights, columns, given
        self._padded = np.concatenate([np.zeros((1, weights.shape[1])), weights])
        self._shared: dict[str, Floats] = {}  # scores of all tokens by language
        self._records = _Records(columns, given) if kernels.score_tokens is not None else None

    def scores(
        self,
        texts: Sequence[str],
        code: str,
        names: PageNames = NOTHING_STATED,
        hints: Sequence[Sequence[Hints]] = (),
    ) -> tuple[list[list[str]], Floats]:
        """Return the tokens of each text, and the scores of the labels at the tokens of all.

        The parameters are those of :func:`columns_of`, for several texts; the scores have shape
        (n_tokens, n_labels).
        """
        tokens, hints = [*map(tokens_of, texts)], hints or [()] * len(texts)
        score_tokens, records = kernels.score_tokens, self._records
        if score_tokens is None or records is None:
            rows = [
                self._rows_of(names_of_columns)
                for text, own in zip(texts, hints, strict=True)
                for names_of_columns in columns_of(text, code, names, self._given, own)
            ]
            firsts = np.array([*accumulate(map(len, rows), initial=0)][:-1], dtype=np.int64)
            return tokens, np.add.reduceat(self._padded[[*chain(*rows), 0]], firsts)
        all_tokens, lengths = [*chain(*tokens)], [*map(len, tokens)]
        ends = [*accumulate(lengths)]
        of_tokens, lists = records.join(all_tokens), lists_of(all_tokens, code, ends)
        if not is_european("".join(texts)):
            for text, own, end in zip(texts, tokens, ends, strict=True):
                for i in _set_apart(text, own):
                    lists[end - len(own) + i] |= _SET_APART
        scores = score_tokens(
            of_tokens,
            lists,
            records.stated(all_tokens, names),
            lengths,
            [*map(records.line_bits, tokens, hints)],
            (_INTRODUCING, _BETWEEN),
            *(records.near, records.bits, records.forms, records.parts),
            self._padded,
        )
        if code not in self._shared:
            self._shared[code] = self._padded[self._rows_of([f"code={code}", "any"])].sum(axis=0)
        scores += self._shared[code]
        return tokens, scores

    def _rows_of(self, columns: Sequence[str]) -> list[int]:
        """Return the rows of the padded weights for columns, 0 for those without weights."""
        return [self._columns.get(name, -1) + 1 for name in columns]


def _numbered(names: Iterable[str], first: int = 0) -> dict[str, int]:
    return {name: first + n for n, name in enumerate(names)}


_AFTER_LISTS = 48  # first bit that is not that of a list
_N_BITS = 64
_HINTS, _BESIDE, _PART, _PLACE, _FORMS = range(5)  # rows of the table of bits

_OWN_BITS = _numbered(f"in={kind}" for kind in LIST_BITS) | _numbered(
    """
    given long=1 long=2 long=3 long=4 none break set-apart
    states-none stated not-stated site in-title
    """.split(),
    _AFTER_LISTS,
)
"""Bits of the columns of a token; ``none`` is beyond the text."""

_SHARED_BITS = {
    **_numbered((f"has={kind}" for kind in LIST_BITS), _PART * _N_BITS),
    **_numbered(
        """
        has=given part-stated part-site begins-line=True begins-line=False ends-line=True
        ends-line=False n=1 n=2 n=3 n=4 n=5 n=6 n=7 n=8
        """.split(),
        _PART * _N_BITS + _AFTER_LISTS,
    ),
    **_numbered(
        """
        digit-in-line lines=1 lines=2 lines=3 at=0 at=1 at=2 at=3 left=0 left=1 left=2 left=3
        after-by right-after-by
        """.split(),
        _PLACE * _N_BITS,
    ),
}
"""Bits, in the table of bits, of the columns of a part of a line, and of the place in it."""

_BREAK, _SET_APART = (1 << _OWN_BITS[name] for name in ("break", "set-apart"))
_STATES_NONE, _STATED, _NOT_STATED, _SITE, _IN_TITLE = (1 << n for n in range(5))
_RECORD = Struct("8q")
_NO_COLUMN = _N_BITS - 1
_SHAPE, _WORD = 10, 20  # bits of a shape among six, and of a word among three, of a part of a line
_ANY_SHAPE, _ANY_WORD = (1 << _SHAPE) - 1, (1 << _WORD) - 1
_MARK, _DIGIT, _LINE_BREAK = 1, 2, 3  # kinds of tokens


class _Records(dict[str, bytes]):
    """Record of each token as the kernel reads it, and the tables of columns by their numbers.

    A record has the bits of a token's own columns except its lists, the numbers of the columns of
    its word, ending and shape, the numbers of its shape and word in parts of lines, and its kind.

    ``near``, (n_columns, 5), are the rows of each column's weights, counted from 1, at the token
    and at the places of ``NEAR``; ``bits``, (4 + n_forms, 64), those of bits: hints of a line,
    hints beside it, columns of a part, columns of a place, and each form of a part, alone and with
    each hint. ``forms`` and ``parts`` are rows of ``bits`` by the shapes of a part, and of the
    weights by its words.
    """

    def __init__(self, columns: Mapping[str, int], given: Set[str]) -> None:
        self._given, self._compared = given, dict[str, str]()  # words, separated by spaces
        self._numbers: dict[str, dict[str, int]] = {"w": {}, "end": {}, "shape": {}}
        self._hints, forms, parts = dict[str, int](), dict[str, int](), dict[str, int]()
        near, bits = dict[int, int](), dict[int, int]()  # rows by place in the table
        steps = {str(step): place for place, step in enumerate(NEAR, 1)}
        width, n_columns = 1 + len(NEAR), _N_BITS
        for name, index in columns.items():
            own, place = name, 0
            if ":" in name:
                step, _, beside = name.partition(":")
                if beside and step in steps:
                    own, place = beside, steps[step]
            family, _, value = own.partition("=")
            if (numbers := self._numbers.get(family)) is not None:
                if (number := numbers.get(value)) is None:
                    number = numbers[value] = n_columns
                    n_columns += 1
                near[number * width + place] = index + 1
            elif own in _OWN_BITS:
                near[_OWN_BITS[own] * width + place] = index + 1
            elif own in _SHARED_BITS:
                bits[_SHARED_BITS[own]] = index + 1
            elif family == "part":
                parts[value] = index + 1
            elif family in ("form", "mark", "beside"):
                hint, _, form = ("", "", value) if family == "form" else value.partition(" ")
                bit = self._hints.setdefault(hint, len(self._hints)) if hint else -1
                if form:
                    bit += 1 + _N_BITS * forms.setdefault(form, _FORMS + len(forms))
                else:
                    bit += _N_BITS * (_BESIDE if family == "beside" else _HINTS)
                bits[bit] = index + 1
        self._shapes, self._words = {"long": 1}, dict[str, int]()
        self.forms = {_key(self._shapes, form, _SHAPE): n for form, n in forms.items()}
        self.parts = {_key(self._words, words, _WORD): row for words, row in parts.items()}
        self.near = _table(near, n_columns, width)
        self.bits = _table(bits, _FORMS + len(forms), _N_BITS)

    def __missing__(self, text: str) -> bytes:
        word, shape, compared = bare(text), shape_of(text), _words_in(text)
        own, ending, is_break = (word in self._given) << _AFTER_LISTS, "", text == "\n"
        if length := _length(word):
            own, ending = own | 1 << _AFTER_LISTS + length, word[-3:]
        self._compared[text] = " ".join(compared)
        record = self[text] = _RECORD.pack(
            own | _BREAK * is_break,
            self._numbers["w"].get(word, _NO_COLUMN),
            self._numbers["end"].get(ending, _NO_COLUMN),
            self._numbers["shape"].get(shape, _NO_COLUMN),
            self._shapes.get(shape, _ANY_SHAPE),
            self._words.get(word, _ANY_WORD),
            _LINE_BREAK if is_break else _DIGIT if shape == "9" else _is_mark(text),
            0,
        )
        return record

    def join(self, tokens: Sequence[str]) -> bytearray:
        """Return the records of tokens, joined; if many are known, others are forgotten."""
        if len(self) >= WORDS:
            self.clear()
            self._compared.clear()
        return bytearray().join([*map(self.__getitem__, tokens)])

    def line_bits(self, tokens: Sequence[str], hints: Sequence[Hints]) -> list[int]:
        """Return the bits of a text's hints, of its number of lines, and of the hints of each."""
        numbers = self._hints
        lines = [sum([1 << numbers[hint] for hint in own if hint in numbers]) for own in hints]
        return [reduce(or_, lines, 0), 2 << min(tokens.count("\n"), 2), *lines]

    def stated(self, tokens: Sequence[str], names: PageNames) -> list[int]:
        """Return the bits of what a page states of tokens that have a record."""
        compared = [self._compared[token] for token in tokens]
        if names == NOTHING_STATED:
            return [_STATES_NONE if words else 0 for words in compared]
        unstated = _NOT_STATED if names.authors else _STATES_NONE
        stated = []
        for words in compared:
            several = words.split(" ")
            bits = _STATED if names.authors.issuperset(several) else unstated
            bits |= _SITE * names.sites.issuperset(several)
            bits |= _IN_TITLE * names.title.issuperset(several)
            stated.append(bits if words else 0)
        return stated


def _key(numbers: dict[str, int], words: str, n_bits: int) -> int:
    """Return words, separated by spaces, as one integer of their numbers, which are given here."""
    key = 0
    for place, word in enumerate(words.split(" ")):
        key |= numbers.setdefault(word, len(numbers) + 1) << n_bits * place
    return key


def _table(rows: Mapping[int, int], n_rows: int, width: int) -> Integers32:
    table = np.zeros((n_rows, width), dtype=np.int32)
    table.put(np.fromiter(rows.keys(), np.int64), np.fromiter(rows.values(), np.int32))
    return table
