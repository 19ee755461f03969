"""Tables of the article reader: thresholds that were tuned, and regular expressions, by name.

``choice.toml`` has the value of each threshold, what it bounds, the pages that it was tuned on, and
the effect that it was measured to have there. ``patterns.toml`` has expressions for class names,
addresses and words.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial

from structce.language import packaged_table

read_table = partial(packaged_table, __file__)
"""Read a table that comes with the package, by its name."""


@lru_cache(maxsize=64)  # there are fewer
def tuned(name: str) -> float:
    """Return the value of a threshold."""
    return float(read_table("choice")[name]["value"])


def patterns(name: str) -> Mapping[str, str]:
    """Return the expressions of one part of the table, by name."""
    expressions: Mapping[str, str] = read_table("patterns")[name]
    return expressions
