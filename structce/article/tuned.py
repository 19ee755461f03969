"""Thresholds that were tuned, by name.

``choice.toml`` has the value of each, what it bounds, the pages on which it was tuned, and the
effect that it was measured to have there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources


@lru_cache(maxsize=1)
def thresholds() -> Mapping[str, Mapping[str, object]]:
    """Return the rows of ``choice.toml`` by name."""
    text = (resources.files(__package__) / "choice.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def tuned(name: str) -> float:
    """Return the value of a threshold."""
    value = thresholds()[name]["value"]
    assert isinstance(value, int | float)
    return float(value)
