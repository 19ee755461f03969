"""Text normalisation, word splitting and safe printing."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

from structce import kernels
from structce.patterns import lazy_pattern

JOINED = "\u2e80"
"""First character of the scripts without spaces between words, where a word may not be a token."""

UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Scripts without spaces (Thai, Lao, Burmese, Khmer, kana, Chinese characters), in which each
letter counts as a word; as the content of a character class, for both Python and JavaScript."""

SENTENCE_ENDS = ".!?…。！？"
"""Marks that end a sentence."""

CLOSING_MARKS = "\"”»«“'’)"
"""Marks that may follow the end of a sentence."""

SHARED_LETTERS = "\u052f"
"""Last letter of the alphabets that many languages share; few languages have words beyond it."""

TEXTS = 1_024
"""Entries of a table by a text or the class names of an element: some pages' worth."""

WORDS = 4_096
"""Entries of a table by a word or a part of a class name, which recur on other pages as well."""

_ASCII_SIGNS = bytes(n for n in range(128) if not chr(n).isalnum())
_SPACED = dict.fromkeys(_ASCII_SIGNS, " ")
_ASCII_DIGIT = lazy_pattern("[0-9]")
_ASCII_WORD = lazy_pattern("[a-z]+|[0-9]+")
# All but ASCII and the marks of printed text: a fixed space, dashes, quotation marks, an ellipsis.
_NO_MARK = lazy_pattern("[^\0-\x7f\xa0\u2013\u2014\u2018\u2019\u201c-\u201e\u2026]")
_NO_WORD = lazy_pattern(r"[\W_]+")
_WORD = lazy_pattern(r"[^\W\d_]+|\d+", re.UNICODE)
_EUROPEAN = lazy_pattern("[\0-\u02ff\u0370-\u0482\u048a-\u052f\u2000-\u20cf]*")
_WIDE = lazy_pattern(
    "[\u1100-\u115f\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff01-\uff60]"
)
_JOINED_LETTER = lazy_pattern(  # compiles faster in this form
    f"[^\0-{chr(ord(JOINED) - 1)}\ufff0-\U0010ffff]"
)
_UNMARKED = (  # ranges of Unicode without combining marks, in which most texts are
    "\0-\u02ff\u0370-\u0482\u048a-\u0590\u1e00-\u20cf\u2100-\u2bff\u3000-\u3029\u3030-\u3098"
    "\u309b-\u9fff\uac00-\ud7a3\uff00-\uffef"
)
_ONLY_UNMARKED = lazy_pattern(f"[{_UNMARKED}]*")
_MOST_MARKS = 30  # combining marks in a row
_LONG_RUN = lazy_pattern(f"[^{_UNMARKED}]{{{_MOST_MARKS + 1}}}")  # all of marks, and others
_RARE = 50  # at most one in so many characters may be a ligature that stands for a sentence
_ASTRAL = lazy_pattern("[\U00010000-\U0010ffff]")
_LONG_REFERENCE = lazy_pattern("&#([0-9]{8,}+)")  # more digits than any character's number
_REFERENCE = lazy_pattern(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)")
_LONG_NAME = 40  # characters of a reference that is not kept
_SHORT = 20  # characters of which each is looked at sooner than a pattern of scripts is compiled
_OTHER_DIGIT = lazy_pattern(r"[^\D0-9]")
_OLD_CODES = {"no": "nb", "nn": "nb", "iw": "he", "in": "id", "sh": "hr", "bs": "hr"}


def normalise(text: str) -> str:
    """Return the letters, digits and combining marks of a text, case folded, for comparison.

    Compatibility forms are unified (NFKC), so that two texts never differ only by ligatures,
    full-width letters, soft hyphens, quotation marks, dashes or white space.
    """
    return normalise_texts([text])[0]


def normalise_texts(texts: Sequence[str]) -> list[str]:
    """Return the letters, digits and combining marks of each text, see :func:`normalise`."""
    if kernels.normalise is not None:
        return kernels.normalise([*texts], letters_of)
    return [*map(letters_of, texts)]


def letters_of(text: str) -> str:
    """Return the letters of a text, see :func:`normalise`."""
    if text.isascii():
        return text.lower().encode().translate(None, _ASCII_SIGNS).decode()
    folded = compatible(text).casefold()
    if is_european(folded) or (len(folded) > _SHORT and _is_unmarked(folded)):
        return _NO_WORD.sub("", folded)
    return "".join(c for c in folded if c.isalnum() or unicodedata.category(c)[0] == "M")


def compatible(text: str) -> str:
    """Return a text in compatibility form (NFKC), in linear time.

    Normalisation sorts consecutive marks in quadratic time; marks beyond 30 in a row, more than any
    language has, are therefore left out (Unicode Standard Annex 15, section 13, Stream-Safe Text
    Format).
    """
    if len(text) > _MOST_MARKS and not _is_unmarked(text):
        if text.count("\ufdfa") > len(text) // _RARE:  # each becomes 18 letters
            text = text.replace("\ufdfa", "")
        if _LONG_RUN.search(text):
            runs = _mark_runs(_ASTRAL.search(text) is not None)
            text = runs.sub(lambda marks: marks[0][:_MOST_MARKS], text)
    return unicodedata.normalize("NFKC", text)


def is_european(text: str) -> bool:
    """Return whether a text has only Latin, Greek and Cyrillic letters, digits and common signs.

    It then has no combining mark, no wide character, and no script without spaces between words.
    Patterns of these have ranges of many characters and take milliseconds to compile, but few pages
    need them.
    """
    return text.isascii() or _EUROPEAN.fullmatch(text) is not None


def has_joined(text: str) -> bool:
    """Return whether a text has a character of the scripts that begin with ``JOINED``."""
    return not is_european(text) and _JOINED_LETTER.search(text) is not None


def _is_unmarked(text: str) -> bool:
    return is_european(text) or _ONLY_UNMARKED.fullmatch(text) is not None


@cache
def _mark_runs(is_astral: bool) -> re.Pattern[str]:
    """Return a pattern of long runs of marks, thirty times as fast without the rare planes."""
    end = 0x1F000 if is_astral else 0x10000
    points = [n for n in range(0x300, end) if unicodedata.category(chr(n))[0] == "M"]
    borders = [a for a, b in zip(points, [0, *points], strict=False) if a != b + 1]
    ends = [a for a, b in zip(points, [*points[1:], 0], strict=True) if a + 1 != b]
    marks = "".join(f"{chr(a)}-{chr(b)}" for a, b in zip(borders, ends, strict=True))
    return re.compile(f"[{marks}][{marks}]{{{_MOST_MARKS},}}+")


@cache
def word_pattern() -> re.Pattern[str]:
    """Return a pattern of words; each letter of the scripts without spaces is one."""
    return re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")


def unescape(text: str) -> str:
    """Return an HTML text with its character references resolved, however long they are.

    Python converts no number of over 4,300 digits; those of more digits than any character's are
    cut, since they mean U+FFFD either way.
    """
    if "&" not in text:
        return text
    if "&#" in text:
        text = _LONG_REFERENCE.sub(lambda match: f"&#{match[1].lstrip('0')[:8] or '0'}", text)
    return _REFERENCE.sub(_referred, text)


_unescape = lru_cache(maxsize=WORDS)(html.unescape)


def _referred(match: re.Match[str]) -> str:
    reference = match[0]
    return (_unescape if len(reference) <= _LONG_NAME else html.unescape)(reference)


def display_width(text: str) -> int:
    """Return the number of columns that a text takes on a terminal: two for a wide character.

    A Chinese, Japanese or Korean sentence has about half as many characters as a Latin one, so
    widths are comparable between scripts while lengths are not.
    """
    return len(text) if is_european(text) else len(text) + len(_WIDE.findall(text))


def printable(text: str, columns: int | None = None, *, tail: int = 0) -> str:
    """Return a text in one line, without characters that control a terminal or are invalid in XML.

    Parameters
    ----------
    columns
        Greatest number of columns; a longer text is cut and ends in an ellipsis, which takes one.
        Wide characters take two.
    tail
        Number of characters kept at the end of a cut text, less than `columns`.
    """
    line = "".join(map(_printable_character, text))
    if columns is None or display_width(line) <= columns:
        return line
    end = line[len(line) - tail :]
    start = line[:columns]
    while start and display_width(start + end) > columns - 1:
        start = start[:-1]
    return f"{start.rstrip()}…{end.lstrip()}"


def _printable_character(character: str) -> str:
    category = unicodedata.category(character)
    if category[0] == "Z" or character in "\t\n\r":
        return " "
    if category == "Cf":
        return ""
    return "\N{REPLACEMENT CHARACTER}" if category[0] == "C" else character


def fold_digits(text: str) -> str:
    """Return a text in compatibility form (NFKC), with the digits of all scripts as 0 to 9."""
    if text.isascii():
        return text
    text = compatible(text)
    if text.isascii() or not _OTHER_DIGIT.search(text):
        return text
    return _OTHER_DIGIT.sub(lambda digit: str(unicodedata.digit(digit[0])), text)


@lru_cache(maxsize=256)
def language_code(tag: str) -> str:
    """Return the current ISO 639 code of a language tag: ``nb`` for ``no-NO``.

    >>> language_code("de-AT")
    'de'
    """
    code = tag.replace("_", "-").split("-")[0].strip().lower()
    return _OLD_CODES.get(code, code)


@lru_cache(maxsize=2 * TEXTS)
def split_words(text: str) -> tuple[str, ...]:
    """Return the words and the numbers of a text, case folded (NFKC)."""
    return split_texts([text])[0]


def split_texts(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the words and the numbers of each text, see :func:`split_words`."""
    if kernels.split_words is not None:
        return kernels.split_words([*texts], words_of)
    words = {text: words_of(text) for text in dict.fromkeys(texts)}
    return [words[text] for text in texts]


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text; ASCII letters, digits and marks need no Unicode tables."""
    if not text.isascii():
        if _NO_MARK.search(text):
            return tuple(_WORD.findall(compatible(text).casefold()))
        text = text.encode("ascii", "replace").decode("ascii")
    text = text.lower()
    if _ASCII_DIGIT.search(text):
        return tuple(_ASCII_WORD.findall(text))
    return tuple(text.translate(_SPACED).split())
