"""Data tables of features: word lists, patterns and the order of features, in TOML files.

Each file is next to the module that uses it, and contains strings by key. ``order.toml`` defines
the order of features: a feature set is stored, and its digest computed, with its features in this
order, so that neither depends on which module is imported first. Features that are not listed
there, such as a user's own, follow in the order of their registration.
"""

from __future__ import annotations

import re
from functools import cache, partial

from structce.language import packaged_table

text_table = partial(packaged_table, __file__)
"""Read the strings of a file by key."""


@cache
def word_set(name: str, key: str) -> frozenset[str]:
    """Return the words of one string of a file."""
    return frozenset(text_table(name)[key].split())


@cache
def pattern(name: str, key: str) -> re.Pattern[str]:
    """Return one string of a file as a regular expression, ignoring its line breaks."""
    return re.compile(text_table(name)[key].replace("\n", ""))


@cache
def ordered_names() -> tuple[str, ...]:
    """Return the names in ``order.toml``; those after ``family:`` belong to it."""
    names, family = [], ""
    for word in text_table("order")["features"].split():
        if word.endswith(":"):
            family = word[:-1]
        else:
            names.append(f"{family}.{word}")
    return tuple(names)
