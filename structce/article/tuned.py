"""Thresholds that were tuned, by name.

``choice.toml`` has the value of each, what it bounds, the pages on which it was tuned, and the
effect that it was measured to have there.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

_TABLE = Path(__file__).with_name("choice.toml")


@cache
def thresholds() -> dict[str, dict[str, Any]]:
    """Return the rows of the table by name."""
    return tomllib.loads(_TABLE.read_text(encoding="utf-8"))


@cache
def tuned(name: str) -> float:
    """Return the value of a threshold."""
    return float(thresholds()[name]["value"])
