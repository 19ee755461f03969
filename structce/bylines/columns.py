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
_FIRST_JOINED = "\u1100"  # first letter of ``JOINED_SCRIPTS``
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
    is_word = word.isalpha()
    if not is_word and _ADDRESS.search(word):
        return "address"
    first = word[0]
    if is_word and first < "֐":
        if word.istitle():
            return "X" if len(word) == 1 else "Xx"
        if word.islower():
            return "xx"
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
        named = begin + _introduced(lists[begin:end])
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
    if _is_long(word):
        columns += [f"end={word[-3:]}", f"long={_length(word)}"]
    return columns + [f"in={kind}" for kind, bit in LIST_BITS.items() if lists & bit]


def _is_long(word: str) -> bool:
    return len(word) > 2 and word.isalpha()


def _length(word: str) -> int:
    """Return the length of a long word in threes, at most 4."""
    return min(len(word), 12) // 3


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


def _introduced(lists: Sequence[int]) -> int:
    """Return the first token after those that introduce a name, or the number of tokens."""
    introduces = [bits & _INTRODUCING > 0 for bits in lists]
    if True in introduces and False in introduces[(first := introduces.index(True)) :]:
        return introduces.index(False, first)
    return len(lists)


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
        if tokens[i] >= _FIRST_JOINED
        and spans[i - 1][1] != spans[i][0]
        and is_joined[i - 1]
        and is_joined[i]
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
            return tokens, self._textbook_scores(texts, code, names, hints)
        all_tokens, lengths = [*chain(*tokens)], [*map(len, tokens)]
        ends = [*accumulate(lengths)]
        records.make_room()
        of_tokens = bytearray().join([*map(records.__getitem__, all_tokens)])
        lists = lists_of(all_tokens, code, ends)
        if not is_european("".join(texts)):
            for text, own, end in zip(texts, tokens, ends, strict=True):
                for i in _set_apart(text, own):
                    lists[end - len(own) + i] |= _SET_APART
        lines = []
        for own, of_text in zip(tokens, hints, strict=True):
            marks = records.hint_bits(of_text) if of_text else []
            lines.append([reduce(or_, marks, 0), 2 << min(own.count("\n"), 2), *marks])
        scores = score_tokens(
            of_tokens,
            lists,
            records.stated(all_tokens, names),
            lengths,
            lines,
            (_INTRODUCING, _BETWEEN),
            *(records.near, records.bits, records.forms, records.parts),
            self._padded,
        )
        if code not in self._shared:
            rows = [self._columns.get(name, -1) + 1 for name in (f"code={code}", "any")]
            self._shared[code] = self._padded[rows].sum(axis=0)
        scores += self._shared[code]
        return tokens, scores

    def _textbook_scores(
        self,
        texts: Sequence[str],
        code: str,
        names: PageNames,
        hints: Sequence[Sequence[Hints]],
    ) -> Floats:
        rows, firsts = list[int](), list[int]()
        for text, of_text in zip(texts, hints, strict=True):
            for columns in columns_of(text, code, names, self._given, of_text):
                firsts.append(len(rows))
                rows += (self._columns.get(name, -1) + 1 for name in columns)
        if not firsts:
            return self._padded[:0]
        scores: Floats = np.add.reduceat(self._padded[rows], firsts)
        return scores


def _numbered(names: Iterable[str], first: int = 0) -> dict[str, int]:
    return {name: first + n for n, name in enumerate(names)}


_AFTER_LISTS = 48  # number of the first bit that is not that of a list
_OWN_BITS = {
    **_numbered(f"in={kind}" for kind in LIST_BITS),
    **_numbered(
        """
        given long=1 long=2 long=3 long=4 none break set-apart
        states-none stated not-stated site in-title
        """.split(),
        _AFTER_LISTS,
    ),
}
"""Bits of the columns of a token; ``none`` is beyond the text."""

_PART_BITS = {
    **_numbered(f"has={kind}" for kind in LIST_BITS),
    **_numbered(
        """
        has=given part-stated part-site begins-line=True begins-line=False ends-line=True
        ends-line=False n=1 n=2 n=3 n=4 n=5 n=6 n=7 n=8
        """.split(),
        _AFTER_LISTS,
    ),
}
"""Bits of the columns that the tokens of a part of a line share."""

_PLACE_BITS = _numbered(
    """
    digit-in-line lines=1 lines=2 lines=3 at=0 at=1 at=2 at=3 left=0 left=1 left=2 left=3
    after-by right-after-by
    """.split()
)
"""Bits of the columns of a line, and of a token's place in it."""

_BREAK, _SET_APART = (1 << _OWN_BITS[name] for name in ("break", "set-apart"))
_STATES_NONE, _STATED, _NOT_STATED, _SITE, _IN_TITLE = (1 << n for n in range(5))
_RECORD = Struct("8q")
_N_BITS = 64
_NO_COLUMN = _N_BITS - 1
_HINTS, _BESIDE, _PART, _PLACE, _FORMS = range(5)  # rows of the table of bits
_SHAPE, _WORD = 10, 20  # bits of a shape among six, and of a word among three, of a part of a line
_ANY_SHAPE, _ANY_WORD = (1 << _SHAPE) - 1, (1 << _WORD) - 1
_MARK, _DIGIT, _LINE_BREAK = 1, 2, 3  # kinds of tokens


class _Records(dict[str, bytes]):
    """Record of each token as the kernel reads it, and the tables of columns by their numbers.

    A record has the bits of a token's own columns except its lists, the numbers of the columns of
    its word, ending and shape, the numbers of its shape and word in parts of lines, and its kind.

    Attributes
    ----------
    near : shape (n_columns, 5)
        Row of each column's weights, counted from 1, at the token itself and at the places of
        ``NEAR``; 0 for none.
    bits : shape (4 + n_forms, 64)
        Rows of the weights of bits: hints of a line, those beside it, columns of a part, columns of
        a place; then of each form of a part, alone and with each hint.
    forms, parts
        Row of ``bits`` by the shapes of a part, and row of the weights by its words.
    """

    def __init__(self, columns: Mapping[str, int], given: Set[str]) -> None:
        self._given, self._compared = given, dict[str, str]()  # words, separated by spaces
        self._words, self._endings, self._shapes = (
            dict[str, int](),
            dict[str, int](),
            dict[str, int](),
        )
        self._part_words, self._part_shapes = dict[str, int](), {"long": 1}
        self._hints, self.forms, self.parts = dict[str, int](), dict[int, int](), dict[int, int]()
        near, bits = dict[int, int](), dict[int, int]()  # rows by place in the table
        families = {"w": self._words, "end": self._endings, "shape": self._shapes}
        steps = {str(step): place for place, step in enumerate(NEAR, 1)}
        width, n_columns = 1 + len(NEAR), _N_BITS
        for name, index in columns.items():
            row = index + 1
            step, _, own = name.partition(":")
            place = steps.get(step, 0) if own else 0
            own = own if place else name
            family, _, value = own.partition("=")
            if family in families:
                number = families[family].setdefault(value, n_columns)
                n_columns = max(n_columns, number + 1)
                near[number * width + place] = row
            elif own in _OWN_BITS:
                near[_OWN_BITS[own] * width + place] = row
            elif own in _PART_BITS:
                bits[_PART * _N_BITS + _PART_BITS[own]] = row
            elif own in _PLACE_BITS:
                bits[_PLACE * _N_BITS + _PLACE_BITS[own]] = row
            else:
                self._add_part(own, row, bits)
        self.near = _table(near, n_columns, width)
        self.bits = _table(bits, _FORMS + len(self.forms), _N_BITS)

    def _add_part(self, name: str, row: int, bits: dict[int, int]) -> None:
        """Add a column of a part: of its words, its form, a hint of its line, or form and hint."""
        kind, _, value = name.partition("=")
        if kind == "part":
            self.parts[_key(self._part_words, value, _WORD)] = row
        elif kind == "form":
            bits[self._form(value)] = row
        elif kind in ("mark", "beside"):
            hint, _, form = value.partition(" ")
            number = self._hints.setdefault(hint, len(self._hints))
            table = (_BESIDE if kind == "beside" else _HINTS) * _N_BITS
            bits[self._form(form) + 1 + number if form else table + number] = row

    def _form(self, form: str) -> int:
        """Return the place of a form's rows in the table of bits."""
        key = _key(self._part_shapes, form, _SHAPE)
        return self.forms.setdefault(key, _FORMS + len(self.forms)) * _N_BITS

    def __missing__(self, text: str) -> bytes:
        word, shape, compared = bare(text), shape_of(text), _words_in(text)
        own, ending, is_break = (word in self._given) << _AFTER_LISTS, _NO_COLUMN, text == "\n"
        if _is_long(word):
            own |= 1 << _AFTER_LISTS + _length(word)
            ending = self._endings.get(word[-3:], _NO_COLUMN)
        self._compared[text] = compared[0] if len(compared) == 1 else " ".join(compared)
        record = self[text] = _RECORD.pack(
            own | _BREAK * is_break,
            self._words.get(word, _NO_COLUMN),
            ending,
            self._shapes.get(shape, _NO_COLUMN),
            self._part_shapes.get(shape, _ANY_SHAPE),
            self._part_words.get(word, _ANY_WORD),
            _LINE_BREAK if is_break else _DIGIT if shape == "9" else _is_mark(text),
            0,
        )
        return record

    def make_room(self) -> None:
        """Forget all tokens if there are many."""
        if len(self) >= WORDS:
            self.clear()
            self._compared.clear()

    def hint_bits(self, hints: Sequence[Hints]) -> list[int]:
        """Return the bits of the hints on each line of a text."""
        numbers = self._hints
        return [sum([1 << numbers[hint] for hint in own if hint in numbers]) for own in hints]

    def stated(self, tokens: Sequence[str], names: PageNames) -> list[int]:
        """Return the bits of what a page states of tokens that have a record."""
        compared = [self._compared[token] for token in tokens]
        if names == NOTHING_STATED:
            return [_STATES_NONE if words else 0 for words in compared]
        authors, sites, title = names.authors, names.sites, names.title
        unstated = _NOT_STATED if authors else _STATES_NONE
        stated = []
        for words in compared:
            bits = 0
            if " " in words:
                several = words.split(" ")
                bits = _SITE * sites.issuperset(several) | _IN_TITLE * title.issuperset(several)
                bits |= _STATED if authors.issuperset(several) else unstated
            elif words:
                bits = _STATED if words in authors else unstated
                if words in sites:
                    bits |= _SITE
                if words in title:
                    bits |= _IN_TITLE
            stated.append(bits)
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
