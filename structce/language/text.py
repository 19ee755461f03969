"""Text normalisation, word splitting, safe printing and phrases by language."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache

JOINED = "\u2e80"
"""First of the scripts that write without spaces, so that a word need not be a token."""

SHARED_LETTERS = "\u052f"
"""Last letter of the alphabets that many languages share; a word beyond it is of few languages."""

_ASCII_SIGNS = {n: None for n in range(128) if not chr(n).isalnum()}
_SPACED = dict.fromkeys(_ASCII_SIGNS, " ")
_ASCII_DIGIT = re.compile("[0-9]")
_ASCII_WORD = re.compile("[a-z]+|[0-9]+")
# All but ASCII and the marks of printed text: a fixed space, dashes, quotation marks, an ellipsis.
_NO_MARK = re.compile("[^\0-\x7f\xa0\u2013\u2014\u2018\u2019\u201c-\u201e\u2026]")
_NO_WORD = re.compile(r"[\W_]+")
_WORD = re.compile(r"[^\W\d_]+|\d+", re.UNICODE)
_UNMARKED = re.compile(  # stretches of Unicode without combining marks: most text is of these
    "[\0-\u02ff\u0370-\u0482\u048a-\u0590\u1e00-\u20cf\u2100-\u2bff\u3000-\u3029\u3030-\u3098"
    "\u309b-\u9fff\uac00-\ud7a3\uff00-\uffef]*"
)
_MOST_MARKS = 30  # of the combining marks that follow each other
_RARE = 50  # a ligature that stands for a sentence is at most every so manieth character
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_LONG_REFERENCE = re.compile("&#([0-9]{8,}+)")  # more digits than a character's number has
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
_OLD_CODES = {"no": "nb", "nn": "nb", "iw": "he", "in": "id", "sh": "hr", "bs": "hr"}
_NARROW = frozenset({"ca", "ro", "sw", "vi", "zu"})  # their short words begin names elsewhere
_LONG_WORD = 6  # letters; shorter words often mean something else in another language


def normalise(text: str) -> str:
    """Return the letters, digits and combining marks of a text, case folded, for comparison.

    Compatibility forms are unified (NFKC), so that two texts never differ by ligatures,
    full-width letters, soft hyphens, quotation marks, dashes or white space alone.
    """
    if text.isascii():
        return text.lower().translate(_ASCII_SIGNS)
    folded = compatible(text).casefold()
    if _UNMARKED.fullmatch(folded):
        return _NO_WORD.sub("", folded)
    return "".join(c for c in folded if c.isalnum() or unicodedata.category(c)[0] == "M")


def compatible(text: str) -> str:
    """Return a text in compatibility form (NFKC), in time that grows with its length alone.

    Unicode sorts marks that follow each other, which takes the square of their number; beyond 30 in
    a row, more than any language has, the others are left out (Unicode Standard Annex 15, section
    13, Stream-Safe Text Format).
    """
    if len(text) > _MOST_MARKS and not text.isascii() and not _UNMARKED.fullmatch(text):
        if text.count("\ufdfa") > len(text) // _RARE:  # one of which is 18 letters
            text = text.replace("\ufdfa", "")
        text = _mark_runs(_ASTRAL.search(text) is not None).sub(_first_marks, text)
    return unicodedata.normalize("NFKC", text)


def _first_marks(found: re.Match[str]) -> str:
    return found[0][:_MOST_MARKS]


@cache
def _mark_runs(is_astral: bool) -> re.Pattern[str]:
    """Return what finds long runs of marks; it is thirty times as fast without the rare planes."""
    end = 0x1F000 if is_astral else 0x10000
    points = [n for n in range(0x300, end) if unicodedata.category(chr(n))[0] == "M"]
    borders = [a for a, b in zip(points, [0, *points], strict=False) if a != b + 1]
    ends = [a for a, b in zip(points, [*points[1:], 0], strict=True) if a + 1 != b]
    marks = "".join(f"{chr(a)}-{chr(b)}" for a, b in zip(borders, ends, strict=True))
    return re.compile(f"[{marks}][{marks}]{{{_MOST_MARKS},}}+")


def unescape(text: str) -> str:
    """Return a text of HTML with its character references resolved, however long they are.

    Python refuses to read numbers of over 4,300 digits, so those that are longer than any
    character's are cut: they stand for U+FFFD either way.
    """
    return html.unescape(_LONG_REFERENCE.sub(_short_reference, text) if "&#" in text else text)


def _short_reference(found: re.Match[str]) -> str:
    return f"&#{found[1].lstrip('0')[:8] or '0'}"


def display_width(text: str) -> int:
    """Return the number of columns that a text takes on a terminal: two for a wide character.

    A Chinese, Japanese or Korean sentence has about half as many characters as a Latin one, so
    widths can be compared between scripts where lengths cannot.
    """
    return len(text) if text.isascii() else len(text) + len(_wide().findall(text))


@cache
def _wide() -> re.Pattern[str]:  # 2 ms to compile, which few pages need
    return re.compile(
        "[\u1100-\u115f\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff01-\uff60]"
    )


def printable(text: str, columns: int | None = None, *, tail: int = 0) -> str:
    """Return a text in one line, without characters that control a terminal or are invalid in XML.

    Control characters, such as those that begin escape codes, and code points that are no
    characters are replaced; format characters, such as changes of writing direction, are left
    out.

    Parameters
    ----------
    columns
        Cut to at most this many columns, one of which is an ellipsis; wide characters take two.
    tail
        Keep this many characters at the end, below `columns`: a column's value or bin.
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
    """Return a text in compatibility form (NFKC), with the digits of every script as 0 to 9."""
    text = compatible(text)
    if text.isascii() or not _OTHER_DIGIT.search(text):
        return text
    return _OTHER_DIGIT.sub(lambda found: str(unicodedata.digit(found[0])), text)


@lru_cache(maxsize=256)
def language_code(tag: str) -> str:
    """Return the current ISO 639 code of a language tag: ``nb`` for ``no-NO``.

    >>> language_code("de-AT")
    'de'
    """
    code = tag.replace("_", "-").split("-")[0].strip().lower()
    return _OLD_CODES.get(code, code)


def phrases(table: Mapping[str, str], tag: str = "") -> tuple[str, ...]:
    """Return the phrases of a word list that apply to a page of one language.

    Parameters
    ----------
    table
        Words and phrases of each language, separated by commas.
    tag
        Language tag of the page.

    Returns
    -------
    tuple of str
        All phrases of the page's language and of English. Of other languages the long ones and
        those in a script of their own, as a short word may mean something else elsewhere. All
        phrases if the page's language is unknown.

    >>> phrases({"en": "by", "de": "von, verfasst von", "it": "da"}, "de-CH")
    ('by', 'von', 'verfasst von')
    """
    own = language_code(tag)
    found: dict[str, None] = {}
    for code, line in table.items():
        whole = code in (own, "en") or (own not in table and code not in _NARROW)
        for phrase in line.split(", "):
            if phrase and (whole or len(phrase) >= _LONG_WORD or phrase[0] > SHARED_LETTERS):
                found[phrase] = None
    return tuple(found)


@lru_cache(maxsize=4096)
def split_words(text: str) -> tuple[str, ...]:
    """Return the words and the numbers of a text, case folded (NFKC).

    Text of ASCII letters, digits and marks needs no tables of Unicode, and takes half the time.
    """
    if not text.isascii():
        if _NO_MARK.search(text):
            return tuple(_WORD.findall(compatible(text).casefold()))
        text = text.encode("ascii", "replace").decode("ascii")
    text = text.lower()
    if _ASCII_DIGIT.search(text):
        return tuple(_ASCII_WORD.findall(text))
    return tuple(text.translate(_SPACED).split())
