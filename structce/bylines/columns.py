"""Columns of a byline's tokens: words, shapes, lists, neighbours, and what the page states.

Each column is the name of a property of a token. A chain learns the weight of each for each label;
columns that it has not learnt have no weight. The score of a token is the sum of the weights of its
columns. Words and groups of columns recur, so the rows of their weights are kept.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any, NamedTuple

import numpy as np

from structce import kernels
from structce.arrays import Floats
from structce.bylines.tokens import NO_HINTS, Hints, Token, bare, lists_of
from structce.language import TEXTS, WORDS, split_words
from structce.patterns import lazy_pattern

Rows = tuple[int, ...]
"""Rows of the weights of some columns, counted from 1."""

Columns = tuple[str, ...]
"""Names of columns that tokens often have together."""

NEAR = (-2, -1, 1, 2)
"""Places of the neighbours that a token sees."""

_PLACE_OF_STEP = {str(step): place for place, step in enumerate(NEAR, 1)}
_LONG_SEGMENT = 6  # words of the longest part of a byline whose form is a column
_MARKS_INSIDE = frozenset("'’´`“”\"„«»‹›-‐‑")
"""Marks that do not separate names."""
JOINED_SCRIPTS = frozenset({"han", "hiragana", "katakana", "hangul"})
"""Shapes of tokens in scripts that do not separate all words by spaces."""

_NO_LISTS = frozenset[str]()
_OF_WORD = ("w=", "end=", "long=")  # beginnings of columns that only the nearest neighbours see
_BETWEEN = (Token("\n", 0, 0),) * max(NEAR)
_APART: Columns = ("set-apart",)
_BREAK: Columns = ("break",)  # columns of a line break, which is in no part of a line
_FIRST_JOINED = "\u1100"  # first letter of ``JOINED_SCRIPTS``
_ADDRESS = lazy_pattern(r"@|://|^www\.|\w/|\.[a-z]{2,4}/")
_IN_WORD = str.maketrans("", "", ".'’-")  # marks that do not change a word's form


@dataclass(frozen=True)
class PageNames:
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
    tokens: Sequence[Token],
    code: str,
    names: PageNames,
    given: Set[str],
    hints: Sequence[Hints] = (),
) -> list[list[str]]:
    """Return the columns of each token, given the names of the page and hints of its mark-up.

    ``given`` are known given names, case folded.
    """
    lists = lists_of(tokens, code)
    own = [
        own_columns(token.text, kinds, given) for token, kinds in zip(tokens, lists, strict=True)
    ]
    beyond: list[list[str] | None] = [None] * max(NEAR)
    padded = [*beyond, *own, *beyond]
    rows = []
    parts, apart = parts_of(tokens, lists, names, given, [(0, len(tokens), hints)])
    of_lines: list[Columns] = [_BREAK] * len(tokens)
    for first, last, n_before, groups in parts:
        places = place_columns(last - first, n_before)
        of_lines[first:last] = [(*chain(*groups), *place) for place in places]
    for i, line in enumerate(of_lines):
        near = (neighbour_columns(step, padded[i + step + len(beyond)]) for step in NEAR)
        of_page = stated_columns(tokens[i].text, lists[i], names)
        line = (*line, *_APART) if i in apart else line
        rows.append([*own[i], *of_page, *line, *chain(*near), *text_columns(code)])
    return rows


def text_columns(code: str) -> Columns:
    """Return the columns that all tokens of a text in a language share."""
    return f"code={code}", "any"


def own_columns(text: str, kinds: frozenset[str], given: Set[str]) -> list[str]:
    """Return the columns of a token in these lists, independent of its place."""
    form = _form_of(text)
    return [*_word_columns(form.bare), *_kind_columns(*_kind_of(form, kinds, given))]


def _word_columns(word: str) -> Columns:
    return (f"w={word}", f"end={word[-3:]}") if len(word) > 2 and word.isalpha() else (f"w={word}",)


def _kind_of(
    form: _Form, kinds: frozenset[str], given: Set[str]
) -> tuple[str, frozenset[str], bool, int]:
    """Return what many words share: shape, lists, whether a given name, and length in threes."""
    word = form.bare
    length = min(len(word), 12) // 3 if len(word) > 2 and word.isalpha() else -1
    return form.shape, kinds, word in given, length


def _kind_columns(shape: str, kinds: frozenset[str], is_given: bool, length: int) -> Columns:
    columns = [f"shape={shape}", *(f"in={kind}" for kind in sorted(kinds))]
    return (*columns, *["given"] * is_given, *[f"long={length}"] * (length >= 0))


def neighbour_columns(step: int, token_columns: Sequence[str] | None) -> list[str]:
    """Return the columns of a token's neighbour ``step`` places on; None is beyond the text."""
    if token_columns is None:
        return [f"{step}:none"]
    near = abs(step) == 1
    return [f"{step}:{name}" for name in token_columns if near or not name.startswith(_OF_WORD)]


def stated_columns(text: str, kinds: Collection[str], names: PageNames) -> Columns:
    """Return the columns of a token in these lists about the names that the page states."""
    words = _form_of(text).compared
    if not words or "between" in kinds:
        return ()
    if not names.authors:
        is_author = "states-none"
    else:
        is_author = "stated" if words <= names.authors else "not-stated"
    of_site = ("site",) if words <= names.sites else ()
    return (is_author, *of_site, "in-title") if words <= names.title else (is_author, *of_site)


class _Form(NamedTuple):
    """Token without its place: case folded, its shape, its words as in names, whether a mark."""

    bare: str
    shape: str
    compared: frozenset[str]
    is_mark: bool  # that separates names


@lru_cache(maxsize=WORDS)
def _form_of(text: str) -> _Form:
    is_word, word = text.isascii() and text.isalpha(), bare(text)
    is_mark = not is_word and not text[0].isalnum() and text not in _MARKS_INSIDE
    compared = frozenset((word,) if is_word else split_words(text))
    return _Form(word, shape_of(text), compared, is_mark)


class LinePart(NamedTuple):
    """Part of a line of tokens between marks, with the columns that its tokens share."""

    first: int
    last: int  # the one after its last token
    n_before_name: int  # tokens before the first that is introduced; -1 if that is before the part
    groups: tuple[Columns, ...]  # the last is that of its words, which seldom recur


def parts_of(
    tokens: Sequence[Token],
    lists: Sequence[Set[str]],
    names: PageNames,
    given: Set[str],
    texts: Iterable[tuple[int, int, Sequence[Hints]]],
) -> tuple[list[LinePart], Set[int]]:
    """Return the parts of the lines of tokens, and the tokens that are set apart.

    ``texts`` are begin and end of the texts among the tokens, each with the hints of its lines.
    Line breaks are in no part.
    """
    parts: list[LinePart] = []
    if not tokens:
        return parts, frozenset()
    words, shapes, compared, marks = zip(*[_form_of(token.text) for token in tokens], strict=True)
    apart = _set_apart(tokens, shapes)
    for start, stop, hints in texts:
        breaks = [i for i in range(start, stop) if words[i] == "\n"]
        beside, n_lines = NO_HINTS.union(*hints), min(len(breaks) + 1, 3)
        for n, (begin, end) in enumerate(
            zip([start, *(i + 1 for i in breaks)], [*breaks, stop], strict=True)
        ):
            of_line = hints[n] if n < len(hints) else NO_HINTS
            has_digit = "9" in shapes[begin:end]
            first_named = begin + _introduced(lists[begin:end])
            of_marks = _mark_columns(of_line, beside)
            for first, last in _segments(marks, apart, begin, end):
                size, inside = last - first, slice(first, last)
                form = " ".join(shapes[inside]) if size <= _LONG_SEGMENT else "long"
                kinds = lists[first] if size == 1 else _NO_LISTS.union(*lists[inside])
                has_given = not given.isdisjoint(words[inside])
                is_author = bool(names.authors) and _are_all(compared[inside], names.authors)
                is_site = bool(names.sites) and _are_all(compared[inside], names.sites)
                groups = (
                    of_marks,
                    _form_columns(form, of_line),
                    _list_columns(frozenset(kinds), has_given, is_author, is_site),
                    _size_columns(min(size, 8), n_lines, first == begin, last == end, has_digit),
                    (f"part={' '.join(words[inside])}",) if size <= 3 else (),
                )
                n_before = min(max(first_named - first, -1), size)
                parts.append(LinePart(first, last, n_before, groups))
    return parts, apart


def _are_all(words: Sequence[Set[str]], names: frozenset[str]) -> bool:
    """Return whether there are words of tokens, and all are among names."""
    return all(map(names.issuperset, words)) and any(words)


def place_columns(n: int, n_before_name: int) -> list[Columns]:
    """Return the columns of the places of ``n`` tokens in their part; see :class:`LinePart`."""
    return [
        _PLACES[min(i, 3)][min(n - 1 - i, 3)][min(max(i - n_before_name, -1), 1)] for i in range(n)
    ]


@lru_cache(maxsize=TEXTS)
def _mark_columns(marks_of_line: Hints, beside: Hints) -> Columns:
    """Return the columns of the mark-up of a line, and of the lines beside it."""
    others = (f"beside={hint}" for hint in sorted(beside - marks_of_line))
    return (*(f"mark={hint}" for hint in sorted(marks_of_line)), *others)


@lru_cache(maxsize=WORDS)
def _form_columns(form: str, marks_of_line: Hints) -> Columns:
    """Return the columns of the form of a part of a line, and of the line's mark-up with it."""
    return (f"form={form}", *(f"mark={hint} {form}" for hint in marks_of_line))


@lru_cache(maxsize=TEXTS)
def _list_columns(
    kinds: frozenset[str], has_given: bool, is_author: bool, is_site: bool
) -> Columns:
    """Return the columns of the lists that words of a part are in, and of what the page states."""
    stated = {"has=given": has_given, "part-stated": is_author, "part-site": is_site}
    return (*(f"has={kind}" for kind in sorted(kinds)), *(name for name in stated if stated[name]))


@lru_cache(maxsize=TEXTS)
def _size_columns(
    n_words: int, n_lines: int, begins_line: bool, ends_line: bool, has_digit: bool
) -> Columns:
    """Return the columns of the size of a part, and of the line that it is in."""
    lines = f"lines={n_lines}", f"begins-line={begins_line}", f"ends-line={ends_line}"
    return (f"n={n_words}", *lines, *(("digit-in-line",) if has_digit else ()))


_PLACES = [
    [
        [(*place, "after-by", "right-after-by"), (*place, "after-by"), place]  # 0, 1 and -1
        for place in ((f"at={at}", f"left={left}") for left in range(4))
    ]
    for at in range(4)
]
"""Columns of a token's place in its part of a line: words before it and behind it, at most 3, and
words since those that introduce a name, 0, at least 1, or -1 for none."""


def _introduced(lists: Sequence[Set[str]]) -> int:
    """Return the first token after those that introduce a name, or the number of tokens."""
    introduces = ["before" in kinds or "before+" in kinds for kinds in lists]
    if True in introduces and False in introduces[(first := introduces.index(True)) :]:
        return introduces.index(False, first)
    return len(lists)


def _set_apart(tokens: Sequence[Token], shapes: Sequence[str]) -> Set[int]:
    """Return the tokens after a space in a script that otherwise has no spaces."""
    if JOINED_SCRIPTS.isdisjoint(shapes):
        return frozenset()
    return {
        i
        for i in range(1, len(tokens))
        if tokens[i].text >= _FIRST_JOINED
        and tokens[i - 1].end != tokens[i].start
        and JOINED_SCRIPTS.issuperset(shapes[i - 1 : i + 1])
    }


def _segments(
    marks: Sequence[bool], apart: Set[int], begin: int, end: int
) -> list[tuple[int, int]]:
    """Return begin and end of the parts of a line between marks; each mark is a part itself."""
    if not apart and True not in marks[begin:end]:
        return [(begin, end)] if end > begin else []
    segments: list[tuple[int, int]] = []
    first = begin
    for i in range(begin, end):
        if i > first and (marks[i] or i in apart):
            segments.append((first, i))
            first = i
        if marks[i]:
            segments.append((i, i + 1))
            first = i + 1
    return [*segments, *([(first, end)] if end > first else [])]


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
        self.weights, self._given = weights, given
        self._padded = np.concatenate([np.zeros((1, weights.shape[1])), weights])
        self._row_of = {name: row + 1 for name, row in columns.items()}
        # Rows of a column of the token itself, then of its neighbours; 0 for those without.
        self._rows_near: dict[str, list[int]] = {}
        for name, row in self._row_of.items():
            step, _, own = name.partition(":")
            place = _PLACE_OF_STEP.get(step, 0) if own else 0
            self._rows_near.setdefault(own if place else name, [0] * (1 + len(NEAR)))[place] = row
        self._rows_of = lru_cache(maxsize=WORDS)(self._rows)
        self._rows_of_places = lru_cache(maxsize=TEXTS)(
            lambda n, n_before: [self._rows(place) for place in place_columns(n, n_before)]
        )
        self._rows_of_word = lru_cache(maxsize=WORDS)(self._own_and_near)
        self._rows_of_kind = lru_cache(maxsize=TEXTS)(self._kind_and_near)

    def scores(
        self,
        texts: Sequence[Sequence[Token]],
        code: str,
        names: PageNames,
        hints: Sequence[Sequence[Hints]],
    ) -> list[Floats]:
        """Return the scores of the labels at the tokens of each text, (n_tokens, n_labels) each.

        The parameters are those of :func:`columns_of`, for several texts.
        """
        beyond = (self._rows_of(tuple(neighbour_columns(step, None))) for step in NEAR)
        apart = ((), *beyond)  # what is between the texts, of which none sees another's words
        tokens, spans = [*_BETWEEN], []
        for text in texts:
            spans.append((len(tokens), len(tokens) + len(text)))
            tokens += (*text, *_BETWEEN)
        lists = lists_of(tokens, code)
        words = [*zip([token.text for token in tokens], lists, strict=True)]
        of_page = {word: self._rows_of(stated_columns(*word, names)) for word in {*words}}
        of_words = [self._rows_of_word(*word) for word in words]
        for end in (0, *(end for _, end in spans)):
            of_words[end : end + len(_BETWEEN)] = [apart] * len(_BETWEEN)
        marks = [(*span, of_text) for span, of_text in zip(spans, hints, strict=True)]
        of_parts, of_places = self._rows_of_lines(tokens, lists, names, marks)
        shared = self._rows_of(text_columns(code))
        groups = [
            (
                *(shared, of_parts[i], of_places[i], of_page[words[i]], of_words[i][0]),
                *(of_words[i - 2][1], of_words[i - 1][2]),
                *(of_words[i + 1][3], of_words[i + 2][4]),
            )
            for begin, end in spans
            for i in range(begin, end)
        ]
        scores, ends = kernels.sum_groups(groups, self._padded), accumulate(map(len, texts))
        return [scores[end - len(text) : end] for text, end in zip(texts, ends, strict=True)]

    def _rows_of_lines(
        self,
        tokens: Sequence[Token],
        lists: Sequence[frozenset[str]],
        names: PageNames,
        texts: Iterable[tuple[int, int, Sequence[Hints]]],
    ) -> tuple[list[Rows], list[Rows]]:
        """Return the rows of each token's part of its line, and of its place in it."""
        parts, apart = parts_of(tokens, lists, names, self._given, texts)
        of_parts = [self._rows_of(_BREAK)] * len(tokens)
        of_places: list[Rows] = [()] * len(tokens)
        rows_of = self._rows_of
        for first, last, n_before, (marks, form, kinds, size, of_words) in parts:
            of_form = rows_of(marks) + rows_of(form) + rows_of(kinds)
            rows = of_form + rows_of(size) + self._rows(of_words)
            of_parts[first:last] = [rows] * (last - first)
            of_places[first:last] = self._rows_of_places(last - first, n_before)
        for i in apart:
            of_places[i] = (*rows_of(_APART), *of_places[i])
        return of_parts, of_places

    def _rows(self, names: Iterable[str]) -> Rows:
        return tuple(filter(None, map(self._row_of.get, names)))

    def _own_and_near(self, text: str, kinds: frozenset[str]) -> tuple[Rows, ...]:
        """Return the rows of a word for itself, and for its neighbours at places of ``NEAR``."""
        form = _form_of(text)
        rows = self._rows_of_kind(*_kind_of(form, kinds, self._given))
        for near in filter(None, map(self._rows_near.get, _word_columns(form.bare))):
            pairs = zip(rows, near, strict=True)
            rows = tuple([(*others, row) if row else others for others, row in pairs])
        return rows

    def _kind_and_near(self, *kind: Any) -> tuple[Rows, ...]:
        """Return the rows of columns that words share, which are many words' only ones."""
        known = filter(None, map(self._rows_near.get, _kind_columns(*kind)))
        rows = [tuple(filter(None, column)) for column in zip(*known, strict=True)]
        return tuple(rows) or ((),) * (1 + len(NEAR))
