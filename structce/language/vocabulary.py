"""Word lists by language: what pages write around bylines, dates, pictures, links and notices.

The words are in ``vocabulary.toml``, one table per language; to add a language, only this file is
edited. Names from the CLDR, such as months, are in :mod:`structce.language.calendars`.

================= ================================================================
kind of phrase    meaning
================= ================================================================
``before``        phrases before the name of an author
``between``       conjunctions between two names
``role``          roles of persons in bylines
``others``        contributors without a name, in place of an author or beside one
``agency``        news agencies, all in the English table
``published``     words beside a date of publication
``updated``       words beside a date of the last change
``clock``         words beside a time of day
``picture``       words before the name of the photographer or owner of a picture
``archive``       picture agencies and archives, all in the English table
``advertisement`` words that announce an advertisement
``comment``       words for comments of readers
``rights``        copyright notices, as in footers
``work``          words for what someone wrote or posted, before "by" or beside a date
``about``         words before a name in a note about the person
``position``      words of positions, beside a role, after a name
``account``       names of accounts and placeholders that are not a person's
``group``         words in names of departments and organisations
``more``          words before a link to another page
``next``          words of a link to the next page
``nobody``        words of buttons and templates that stand where a name may
``receipt``       words beside the day on which a paper was received or accepted
``subscribers``   words on a page whose text is only for subscribers
``family``        frequent family names in scripts that write them first, without a space
================= ================================================================
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType


@cache
def word_list(kind: str) -> Mapping[str, str]:
    """Return the phrases of one kind by language code, in lower case, separated by commas.

    The result is empty for an unknown kind.
    """
    tables = _tables().items()
    return MappingProxyType({code: kinds[kind] for code, kinds in tables if kind in kinds})


def has_words(code: str) -> bool:
    """Return whether there are words of any kind in a language."""
    return code in _tables()


@cache
def agencies() -> frozenset[str]:
    """Return the names of news agencies, in lower case."""
    return frozenset(word_list("agency")["en"].split(", "))


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    file = Path(__file__).with_name("vocabulary.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
