"""Features of how a text is written: case, marks and script, whatever its words."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structce.features.characters import PLANES, code_points
from structce.features.registry import feature
from structce.page import Page

_SENTENCE_END = tuple(".!?…。！？\"”»«“'’)")
_START = 60  # characters that a shape is made of
_LONGEST = 12  # characters of a shape


@feature("text")
def shape(page: Page) -> list[str | None]:
    """Case and punctuation of the text's beginning: ``Xx Xx`` for a name, ``9.9.9`` for a date."""
    return [_shape(text[:_START]) if text else None for text in page.text]


@lru_cache(maxsize=16384)
def _shape(text: str) -> str:
    """Return a text's shape: letters as x or X, digits as 9, runs of one kind shortened."""
    kinds = text.translate(_shape_letters())
    for kind in "xX9":
        while kind * 2 in kinds:
            kinds = kinds.replace(kind * 4, kind).replace(kind * 2, kind)
    shape = ""
    last = ""
    for letter in kinds:
        if letter != last:
            shape += letter
            last = letter
            if len(shape) == _LONGEST:
                break
    return shape


@lru_cache(maxsize=1)
def _shape_letters() -> str:
    """Return what stands for each code point of the first two planes in a shape."""
    tests = [str.isdecimal, str.isupper, str.isalpha, str.isspace]
    letters = np.select(
        [code_points(test) for test in tests],
        [np.uint32(ord(letter)) for letter in "9Xx "],
        np.arange(PLANES, dtype=np.uint32),
    )
    return letters.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


@feature("text", source="Spengler et al. (2010)")
def all_capitals(page: Page) -> NDArray[np.bool_]:
    """Every letter is a capital, as in kickers and section names."""
    return np.array([text.isupper() for text in page.text], dtype=bool)


@feature("text", aliases=["all-capitals-firstword"], source="Spengler et al. (2010)")
def first_word_capitals(page: Page) -> NDArray[np.bool_]:
    """First word in capitals, as in datelines."""
    return np.array([_begins_with_capitals(text) for text in page.text], dtype=bool)


def _begins_with_capitals(text: str) -> bool:
    start = text[:2]
    if start.islower() or start[1:].islower():  # most texts, told by two letters
        return False
    firsts = text.split(maxsplit=1)[:1]
    return bool(firsts) and len(firsts[0]) > 1 and firsts[0].isupper()


@feature("text")
def ends_sentence(page: Page) -> NDArray[np.bool_]:
    """Text ends as a sentence does; headlines and links rarely do."""
    return np.array([text.endswith(_SENTENCE_END) for text in page.text], dtype=bool)


@feature("text")
def last_character(page: Page) -> list[str | None]:
    """Last character if it is no letter: a colon announces, a question mark asks."""
    return [_last_mark(text[-1:]) for text in page.text]


def _last_mark(last: str) -> str | None:
    if not last or last.isalpha():
        return None
    return "9" if last.isdigit() else last


@feature("text")
def script(page: Page) -> list[str | None]:
    """Writing system of the first letter, as Unicode names it: LATIN, CYRILLIC, CJK."""
    return [_script(next(filter(str.isalpha, text), "")) for text in page.text]


@lru_cache(maxsize=16384)
def _script(letter: str) -> str | None:
    return unicodedata.name(letter, "?").split()[0] if letter else None
