"""Data tables of features: word lists, patterns and the order of features, in TOML files.

Each file is next to the module that uses it, and contains strings by key. ``order.toml`` defines
the order of features, windows and strengths: a feature set is stored, and its digest computed, with
its features in this order, so that neither depends on which module is imported first. Features that
are not listed there, such as a user's own, follow in the order of their registration.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


@cache
def text_table(name: str) -> Mapping[str, str]:
    """Return the strings of a file by key."""
    file = Path(__file__).with_name(f"{name}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def word_set(name: str, key: str) -> frozenset[str]:
    """Return the words of one string of a file."""
    return frozenset(text_table(name)[key].split())


@cache
def pattern(name: str, key: str) -> re.Pattern[str]:
    """Return one string of a file as a regular expression, ignoring its line breaks."""
    return re.compile(text_table(name)[key].replace("\n", ""))


@cache
def ordered_names(key: str) -> tuple[str, ...]:
    """Return the names in a list of ``order.toml``; those after ``family:`` belong to it."""
    names, family = [], ""
    for word in text_table("order")[key].split():
        if word.endswith(":"):
            family = word[:-1]
        else:
            names.append(f"{family}.{word}")
    return tuple(names)


def sorted_by(values: Mapping[str, T], order: Sequence[str]) -> dict[str, T]:
    """Return a mapping with the names in ``order`` first; the others follow in present order."""
    return {name: values[name] for name in (*order, *values) if name in values}
