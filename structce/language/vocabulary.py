"""Word lists by language: what pages write around bylines, dates, pictures, links and notices.

The words stand in ``vocabulary.toml``, a table for each language; a language is added there alone.
Names that the CLDR has, of months and the like, are in :mod:`structce.language.calendars`.

================= ================================================================
kind of phrase    what it is
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
``about``         words before a name in a note on its bearer
``position``      words of positions, beside a role, in what follows a name
``account``       names of accounts and placeholders that are no person's
``group``         words in names of departments and organisations
``more``          words in front of a link to another page
``family``        frequent family names where they stand first and are not set apart
================= ================================================================
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType


@cache
def word_list(kind: str) -> Mapping[str, str]:
    """Return the phrases of one kind by language code, in lower case, separated by commas.

    Empty for a kind that no language has.
    """
    tables = _tables().items()
    return MappingProxyType({code: kinds[kind] for code, kinds in tables if kind in kinds})


@cache
def agencies() -> frozenset[str]:
    """Return the names of news agencies, in lower case."""
    return frozenset(word_list("agency")["en"].split(", "))


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    file = resources.files(__package__) / "vocabulary.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
