"""Text reduced to what two renderings of the same words have in common; words by language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

_NO_WORD = re.compile(r"[\W_]+")
_WORD = re.compile(r"[^\W\d_]+|\d+", re.UNICODE)
_UNMARKED = re.compile(  # stretches of Unicode without combining marks: most text is of these
    "[\0-\u02ff\u0370-\u0482\u048a-\u0590\u1e00-\u20cf\u2100-\u2bff\u3000-\u3029\u3030-\u3098"
    "\u309b-\u9fff\uac00-\ud7a3\uff00-\uffef]*"
)
_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff01-\uff60]"
)
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
_OLD_CODES = {"no": "nb", "nn": "nb", "iw": "he", "in": "id", "sh": "hr", "bs": "hr"}
_NARROW = frozenset({"ca", "ro", "sw", "vi", "zu"})  # their short words begin names elsewhere
_LONG_WORD = 6  # letters from which a word is hardly another one in another language; our choice
SHARED_LETTERS = "\u052f"
"""Last letter of the alphabets that languages share; a word beyond is of few languages."""

JOINED = "\u2e80"
"""First of the scripts that write without spaces, so that a word need not be a token."""


def normalise(text: str) -> str:
    """Return the letters, digits and marks of a text, case folded, everything else left out.

    Compatibility forms are unified (NFKC), so that ligatures, full-width letters, soft hyphens,
    quotation marks, dashes and white space never tell two texts apart.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    if _UNMARKED.fullmatch(folded):
        return _NO_WORD.sub("", folded)
    return "".join(c for c in folded if c.isalnum() or unicodedata.category(c)[0] == "M")


def display_width(text: str) -> int:
    """Return the number of columns a text takes: two for each wide character, else one.

    A Chinese, Japanese or Korean sentence has about half as many characters as a Latin one, so
    widths can be compared between scripts where lengths cannot.
    """
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def fold_digits(text: str) -> str:
    """Return the text in compatibility form, with the digits of every script as 0 to 9."""
    text = unicodedata.normalize("NFKC", text)
    if text.isascii() or not _OTHER_DIGIT.search(text):
        return text
    return _OTHER_DIGIT.sub(lambda found: str(unicodedata.digit(found[0])), text)


@lru_cache(maxsize=256)
def language_code(tag: str) -> str:
    """Return the language of a language tag in today's code: ``nb`` for ``no-NO``.

    >>> language("de-AT")
    'de'
    """
    code = tag.replace("_", "-").split("-")[0].strip().lower()
    return _OLD_CODES.get(code, code)


def phrases(table: Mapping[str, str], tag: str = "") -> tuple[str, ...]:
    """Return the words of a table by language that count on a page of one language.

    Parameters
    ----------
    table
        Words and phrases of each language, parted by commas.
    tag
        Language tag of the page.

    Returns
    -------
    tuple of str
        All words of the page's language and of English. Of other languages the long ones and
        those in scripts of their own: a short word means something else in the next language.
        Without a known language all of them.

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


@lru_cache(maxsize=16384)
def split_words(text: str) -> tuple[str, ...]:
    """Return the words and numbers of a text, case folded."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))
