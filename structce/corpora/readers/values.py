"""Names, days and texts as data sets write them, read by several readers."""

from __future__ import annotations

import html
import re
import unicodedata
import zlib
from collections.abc import Sequence
from datetime import date, datetime
from zipfile import BadZipFile

from structce.bylines import without_by

BROKEN = (OSError, EOFError, KeyError, TypeError, ValueError, BadZipFile, zlib.error)
"""What reading a page that is absent, cut off or of another form raises."""

_BETWEEN = re.compile(r"\s*,\s+(?:(?:und|and)\s+)?|\s*&\s*|\s+(?:und|and|et|y)\s+")
_MAX_WORDS = 5  # of a person's name; "Dr Marna van der Merwe"
_NO_PERSON = re.compile(  # what stands behind a name and a comma
    r"\b(?:CEO|Director|Editor|Educator|Expert|Founder|Manager|Officer|Specialist|University)\b"
    r"|\bM\.D\.|\bPh\.?D\b|[()]"
)
_ADDRESS = re.compile(r"@|://|^www\.")
_ADDRESS_ASIDE = re.compile(r"\s*\([^()]*(?:@|://)[^()]*\)")


def texts_of(stated: object) -> tuple[str, ...]:
    """Return the texts of a value or of a list of values, entities read, empty ones left out."""
    several = stated if isinstance(stated, list) else [stated]
    texts = (" ".join(html.unescape(str(one)).split()) for one in several if one is not None)
    return tuple(text for text in texts if text)


def day_of(stated: object) -> date | None:
    """Return the day, or the moment, that an ISO 8601 text stands for; None of any other value."""
    text = str(stated or "").strip()
    try:
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    except ValueError:
        return None


def names_of(stated: object, lang: str) -> tuple[str, ...]:
    """Return the names of a byline or of a list of names; addresses are none.

    Only what is a list beyond doubt is taken apart: by semicolons, and by commas and "and" between
    what looks like full names. Titles, places and publishers stay with the name.

    Parameters
    ----------
    lang
        Language in which a "By" in front is left out.

    >>> names_of("Von Ann Lee und Tom Rost; Mira Okafor, London", "de")
    ('Ann Lee', 'Tom Rost', 'Mira Okafor, London')
    """
    parts: Sequence[str] = [part for value in texts_of(stated) for part in value.split(";")]
    names: dict[str, None] = {}
    for part in parts:
        line = without_by(_ADDRESS_ASIDE.sub("", part).strip(), lang)
        pieces = _BETWEEN.split(line)
        names |= dict.fromkeys(pieces if all(map(_is_full_name, pieces)) else [line])
    return tuple(name for name in names if name and not _ADDRESS.search(name))


def _is_full_name(text: str) -> bool:
    words = text.split()
    has_capitals = bool(words) and words[0][0].isupper() and words[-1][0].isupper()
    is_long_enough = 1 < len(words) <= _MAX_WORDS
    return has_capitals and is_long_enough and not _NO_PERSON.search(text)


def id_of(file: str, taken: set[str]) -> str:
    """Return a file's name without ending as a page's id, and add it to those taken.

    What is no Latin letter becomes a hyphen, and a number sets apart what is alike but for case.
    """
    stem = unicodedata.normalize("NFKD", file.removesuffix(".html"))
    letters = "".join(c for c in stem if not unicodedata.combining(c))
    name = re.sub(r"[^A-Za-z0-9._]+", "-", letters).strip("-.") or "page"
    free, n = name, 1
    while free.casefold() in taken:
        n += 1
        free = f"{name}-{n}"
    taken.add(free.casefold())
    return free
