"""Columns of a byline's tokens: words, shapes, lists, neighbours, and what the page states.

Every column is the name of something that holds of a token. A chain learns how much each speaks for
each label; names that it has not learnt say nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from structce.bylines.surroundings import NO_HINTS, Hints
from structce.bylines.tokens import Token, bare, lines_between, lists_of, words_of

_NEAR = (-2, -1, 1, 2)
_LONG_SEGMENT = 6  # words of the longest part of a byline whose form is told
_MARKS_INSIDE = frozenset("'’´`“”\"„«»‹›-‐‑")
"""Marks that do not part names."""
JOINED_SCRIPTS = frozenset({"han", "hiragana", "katakana", "hangul"})
"""Shapes of tokens of languages that set no words apart, or not all."""

_ADDRESS = re.compile(r"@|://|^www\.|\w/|\.[a-z]{2,4}/")


@dataclass(frozen=True)
class PageNames:
    """Names that a page states, and the words of its title, against which bylines are read.

    Parameters
    ----------
    authors
        Words of the authors that metadata state; empty where they state none.
    sites
        Words of the names of site and publisher, and parts of the host's name.
    title
        Words of the title.
    """

    authors: frozenset[str] = frozenset()
    sites: frozenset[str] = frozenset()
    title: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, authors: Sequence[str] = (), sites: Sequence[str] = (), title: str = ""
    ) -> PageNames:
        """Return the words of some names."""
        plain = [name for name in authors if not _ADDRESS.search(name)]
        return cls(words_of(plain), words_of(sites), words_of([title]))


NOTHING_STATED = PageNames()
"""Names stated by a page that states nothing."""


@lru_cache(maxsize=4096)
def shape_of(word: str) -> str:
    """Return the form of a token: ``Xx``, ``XX``, ``xx``, ``X.``, ``9``, a script or a mark.

    >>> [shape_of(word) for word in ("Lee", "LEE", "lee", "McLee", "J.", "2026", "·", "李")]
    ['Xx', 'XX', 'xx', 'XxX', 'X.', '9', '·', 'han']
    """
    if _ADDRESS.search(word):
        return "address"
    first = word[0]
    if first.isdigit():
        return "9"
    if not first.isalpha():
        return first
    if script := _script(first):
        return script
    letters = word.replace(".", "").replace("'", "").replace("’", "").replace("-", "")
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
    """Return the script of a letter of languages that know no capitals, else an empty string."""
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
    given: Collection[str],
    hints: Sequence[Hints] = (),
) -> list[list[str]]:
    """Return the names of what holds of each token.

    Parameters
    ----------
    code
        Language of the page.
    names
        What the page states.
    given
        Given names that are known, case folded.
    hints
        What mark-up says of each line; none where there is no page.
    """
    lists = lists_of(tokens, code)
    own = [_own_columns(token, kinds, given) for token, kinds in zip(tokens, lists, strict=True)]
    stated = [
        [] if "between" in kinds else _stated_columns(token, names)
        for token, kinds in zip(tokens, lists, strict=True)
    ]
    around = _line_columns(tokens, lists, names, given, hints)
    return [
        [
            *own[i],
            *stated[i],
            *around[i],
            *_neighbours(own, i),
            *(["set-apart"] if is_set_apart(tokens, i) else []),
            f"code={code}",
            "any",
        ]
        for i in range(len(tokens))
    ]


def _own_columns(token: Token, kinds: Iterable[str], given: Collection[str]) -> list[str]:
    word, shape = bare(token.text), shape_of(token.text)
    columns = [f"w={word}", f"shape={shape}", *(f"in={kind}" for kind in sorted(kinds))]
    if word in given:
        columns.append("given")
    if word.isalpha() and len(word) > 2:
        columns += [f"end={word[-3:]}", f"long={min(len(word), 12) // 3}"]
    return columns


def _neighbours(own: Sequence[list[str]], i: int) -> list[str]:
    found = []
    for step in _NEAR:
        j = i + step
        if not 0 <= j < len(own):
            found.append(f"{step}:none")
            continue
        near = abs(step) == 1
        found += [
            f"{step}:{name}"
            for name in own[j]
            if near or not name.startswith(("w=", "end=", "long="))
        ]
    return found


def _stated_columns(token: Token, names: PageNames) -> list[str]:
    words = words_of([token.text])
    if not words:
        return []
    found = ["states-none"] if not names.authors else []
    if names.authors:
        found.append("stated" if words <= names.authors else "not-stated")
    if words <= names.sites:
        found.append("site")
    if words <= names.title:
        found.append("in-title")
    return found


def _line_columns(
    tokens: Sequence[Token],
    lists: Sequence[Set[str]],
    names: PageNames,
    given: Collection[str],
    hints: Sequence[Hints],
) -> list[list[str]]:
    """Return for each token what its line and its part of the line, between marks, are like."""
    found: list[list[str]] = [["break"] for _ in tokens]
    n_lines = sum(token.is_break for token in tokens) + 1
    beside = frozenset[str]().union(*hints)
    for n, (begin, end) in enumerate(lines_between(tokens)):
        own = hints[n] if n < len(hints) else NO_HINTS
        marked = [f"mark={hint}" for hint in sorted(own)]
        marked += [f"beside={hint}" for hint in sorted(beside - own)]
        shapes = [shape_of(token.text) for token in tokens[begin:end]]
        has_digit = "9" in shapes
        introduced = _introduced(lists[begin:end])
        for first, last in _segments(tokens, begin, end):
            form = _form_of(tokens[first:last])
            common = [
                *marked,
                *(f"{mark} {form}" for mark in marked if mark.startswith("mark=")),
                f"form={form}",
                *_segment_columns(tokens[first:last], lists[first:last], names, given),
                f"lines={min(n_lines, 3)}",
                f"begins-line={first == begin}",
                f"ends-line={last == end}",
            ]
            if has_digit:
                common.append("digit-in-line")
            for i in range(first, last):
                found[i] = [*common, f"at={min(i - first, 3)}", f"left={min(last - 1 - i, 3)}"]
                if introduced is not None and begin + introduced <= i:
                    found[i].append("after-by")
                    if begin + introduced == i:
                        found[i].append("right-after-by")
    return found


def _introduced(lists: Sequence[Set[str]]) -> int | None:
    """Return the place behind the first phrase that introduces a name; None without one."""
    for i, kinds in enumerate(lists):
        if kinds & {"before", "before+"}:
            while i < len(lists) and lists[i] & {"before", "before+"}:
                i += 1
            return i
    return None


def is_set_apart(tokens: Sequence[Token], i: int) -> bool:
    """Return whether a space parts two tokens of a script that sets no words apart."""
    if i == 0 or tokens[i - 1].end == tokens[i].start:
        return False
    return all(shape_of(one.text) in JOINED_SCRIPTS for one in tokens[i - 1 : i + 1])


def _segments(tokens: Sequence[Token], begin: int, end: int) -> list[tuple[int, int]]:
    """Return begin and end of the parts of a line between marks, each mark a part of its own."""
    found: list[tuple[int, int]] = []
    first = begin
    for i in range(begin, end):
        text = tokens[i].text
        if i > first and is_set_apart(tokens, i):
            found.append((first, i))
            first = i
        if not text[0].isalnum() and text not in _MARKS_INSIDE:
            found += [(first, i)] if i > first else []
            found.append((i, i + 1))
            first = i + 1
    return [*found, *([(first, end)] if end > first else [])]


def _form_of(tokens: Sequence[Token]) -> str:
    """Return the shapes of the words of a part of a line."""
    shapes = [shape_of(token.text) for token in tokens]
    return " ".join(shapes) if len(shapes) <= _LONG_SEGMENT else "long"


def _segment_columns(
    tokens: Sequence[Token],
    lists: Sequence[Collection[str]],
    names: PageNames,
    given: Collection[str],
) -> list[str]:
    words = [bare(token.text) for token in tokens]
    columns = [f"n={min(len(words), 8)}"]
    if len(words) <= 3:
        columns.append(f"part={' '.join(words)}")
    columns += sorted({f"has={kind}" for kinds in lists for kind in kinds})
    if any(word in given for word in words):
        columns.append("has=given")
    whole = words_of([token.text for token in tokens])
    if whole and whole <= names.authors:
        columns.append("part-stated")
    if whole and whole <= names.sites:
        columns.append("part-site")
    return columns
