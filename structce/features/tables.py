"""Data tables of features: word lists, patterns and the order of features, in TOML files.

Each file stands beside the module that it is for, and holds texts by key. ``order.toml`` says how
features, windows and strengths are listed and stored: a feature set is stored, and its digest
taken, with its features in this order, so that neither hangs on which module is imported first.
What is not listed there, such as a feature of one's own, comes after the others in the order of
its registration.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TypeVar

T = TypeVar("T")


@cache
def text_table(name: str) -> Mapping[str, str]:
    """Return the texts of a file by key."""
    file = resources.files(__package__) / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def word_set(name: str, key: str) -> frozenset[str]:
    """Return the words of one text of a file."""
    return frozenset(text_table(name)[key].split())


@cache
def pattern(name: str, key: str) -> re.Pattern[str]:
    """Return one text of a file as a regular expression; its line breaks do not count."""
    return re.compile(text_table(name)[key].replace("\n", ""))


@cache
def ordered_names(key: str) -> tuple[str, ...]:
    """Return names of ``order.toml``: those behind ``family:`` belong to it."""
    names, family = [], ""
    for word in text_table("order")[key].split():
        if word.endswith(":"):
            family = word[:-1]
        else:
            names.append(f"{family}.{word}")
    return tuple(names)


def sorted_by(values: Mapping[str, T], order: Sequence[str]) -> dict[str, T]:
    """Return a mapping with the names of an order first; the others keep theirs behind them."""
    return {name: values[name] for name in (*order, *values) if name in values}
