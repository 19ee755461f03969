"""Text reduced to what two renderings of the same words have in common."""

from __future__ import annotations

import re
import unicodedata

_NO_WORD = re.compile(r"[\W_]+")
_UNMARKED = re.compile(  # stretches of Unicode without combining marks: most text is of these
    "[\0-\u02ff\u0370-\u0482\u048a-\u0590\u1e00-\u20cf\u2100-\u2bff\u3000-\u3029\u3030-\u3098"
    "\u309b-\u9fff\uac00-\ud7a3\uff00-\uffef]*"
)
_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff01-\uff60]"
)


def normalise(text: str) -> str:
    """Return the letters, digits and marks of a text, case folded, everything else left out.

    Compatibility forms are unified (NFKC), so that ligatures, full-width letters, soft hyphens,
    quotation marks, dashes and white space never tell two texts apart.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    if _UNMARKED.fullmatch(folded):
        return _NO_WORD.sub("", folded)
    return "".join(c for c in folded if c.isalnum() or unicodedata.category(c)[0] == "M")


def width(text: str) -> int:
    """Return the number of columns a text takes: two for each wide character, else one.

    A Chinese, Japanese or Korean sentence has about half as many characters as a Latin one, so
    widths can be compared between scripts where lengths cannot.
    """
    return len(text) if text.isascii() else len(text) + len(_WIDE.findall(text))


def fold_digits(text: str) -> str:
    """Return the text in compatibility form, with the digits of every script as 0 to 9."""
    text = unicodedata.normalize("NFKC", text)
    if text.isascii():
        return text
    return "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in text)
