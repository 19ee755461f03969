"""How a report writes shares, differences, intervals, p-values and hyper-parameters."""

from __future__ import annotations

from collections.abc import Iterable

from structce.experiments.asking.names import written_name
from structce.experiments.asking.spec import Parameters
from structce.experiments.finding.rows import Interval, Row

NOTHING = "–"
"""What stands where there is no number."""

UNDEFINED = "†"
"""Marks a share that is 0 by convention."""

DIFFERS, STILL_DIFFERS = "*", "‡"
"""Mark a difference that one test finds, and that it still finds after Holm's correction."""

NOT_KNOWN: Interval = (-1.0, 1.0)
"""The interval of a difference of which nothing is known."""


def percent(share: float) -> str:
    """Return a share as a number in per cent with two decimals."""
    return f"{100 * share:.2f}"


def points(difference: float) -> str:
    """Return a difference of shares in points, with its sign: ``+2.31``; none is ``+0.00``."""
    return f"{round(100 * difference, 2) + 0.0:+.2f}"


def between(interval: Interval | None) -> str:
    """Return an interval of a share in per cent: ``[66.10, 75.90]``; a dash if none is known."""
    if not is_known(interval):
        return NOTHING
    return f"[{percent(interval[0])}, {percent(interval[1])}]" if interval else NOTHING


def between_points(interval: Interval | None) -> str:
    """Return an interval of a difference in points: ``[-0.40, +4.20]``; a dash if none is known."""
    if not is_known(interval):
        return NOTHING
    return f"[{points(interval[0])}, {points(interval[1])}]" if interval else NOTHING


def is_known(interval: Interval | None) -> bool:
    """Whether an interval says anything."""
    return interval is not None and tuple(interval) != NOT_KNOWN


def p_value(p: float) -> str:
    """Return a p-value with three decimals; ``< 0.001`` below that."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def p_words(p: float) -> str:
    """Return a p-value as a statement: ``p = 0.034``, ``p < 0.001``."""
    return f"p {p_value(p)}" if p < 0.001 else f"p = {p_value(p)}"


def number(value: float | None) -> str:
    """Return a number of any size in a few digits; a dash if there is none."""
    return NOTHING if value is None else f"{value:.4g}"


def measure_words(measure: str) -> str:
    """Return the name of a measure as text: ``macro F1 foreground``."""
    return measure.replace("_", " ").replace("f1", "F1")


def parameters_text(parameters: Parameters) -> str:
    """Return hyper-parameters as text: ``lambda = 0.1, context = 10``."""
    pairs = [f"{written_name(name)} = {value}" for name, value in parameters.items()]
    return ", ".join(pairs) or "defaults"


def span(values: Iterable[float]) -> str:
    """Return the lowest and the highest of numbers, once if they read the same; a dash for none."""
    found = sorted(values)
    if not found:
        return NOTHING
    return NOTHING.join(dict.fromkeys(f"{one:.3g}" for one in (found[0], found[-1])))


def said_in(row: Row) -> tuple[str, ...]:
    """Return what the learner of a row warned of, each once, in the order of the splits."""
    return tuple(dict.fromkeys(text for trial in row.trials for text in trial.warnings))


def one_line(text: str) -> str:
    """Return a text, such as a message of an error, without its line breaks."""
    return " ".join(text.split())
