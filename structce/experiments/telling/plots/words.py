"""How the plots and their descriptions write numbers and names."""

from __future__ import annotations

import textwrap

from structce.experiments.finding.rows import Interval, Row


def percent(share: float) -> str:
    """Return a share as a number in per cent: ``81.2``."""
    return f"{100 * share:.1f}"


def points(difference: float) -> str:
    """Return a difference of shares in percentage points, with its sign: ``+2.5``."""
    return f"{100 * difference:+.1f}"


def between(interval: Interval | None) -> str:
    """Return an interval of a share in words, to stand after a number; empty if there is none."""
    if interval is None:
        return ""
    return f" (95 per cent interval {percent(interval[0])} to {percent(interval[1])})"


def macro_f1(row: Row) -> str:
    """Return the macro F1 of a row with its interval, in words."""
    return percent(row.scores.macro_f1) + between(row.intervals.get("macro_f1"))


def count(number: int, noun: str) -> str:
    """Return a number of things: ``1 page``, ``1,200 pages``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def lines(name: str, width: int = 18) -> list[str]:
    """Return a name cut into lines of at most so many letters, after hyphens where it can be."""
    return textwrap.wrap(name, width) or [""]
