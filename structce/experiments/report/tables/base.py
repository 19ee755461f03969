"""A table as a value, and as text, Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tabulate import tabulate

from structce.experiments.config import Parameters
from structce.experiments.results import Interval, LearnerResult
from structce.experiments.toml_tables import written_name

_MARKDOWN_SYNTAX = re.compile(r"([\\`*_\[\]|~])")
"""What may mean something in a line or a cell of Markdown, but for the angle brackets."""

_MINUS = re.compile(r"(?<!\w)[-\N{MINUS SIGN}](?=\d)|\N{MINUS SIGN}")
"""A minus, not a hyphen: LaTeX draws the two apart."""


@dataclass(frozen=True)
class Table:
    """A table as text.

    Parameters
    ----------
    rows
        Each as long as the headers.
    n_names
        How many columns, from the first on, hold names; the others hold numbers.
    """

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    n_names: int = 1

    def __str__(self) -> str:
        return "\n".join([self.title, "", self.body("simple"), *self.notes])

    def body(self, style: str) -> str:
        """Return the cells alone in a style of the package tabulate."""
        n_numbers = len(self.headers) - self.n_names
        align = ["left"] * self.n_names + ["right"] * n_numbers
        return tabulate(
            self.rows, self.headers, tablefmt=style, colalign=align, disable_numparse=True
        )


def to_markdown(table: Table) -> str:
    """Return a table as GitHub writes it: title in bold, cells, notes as a list.

    What others wrote is escaped, so that it shows as it is and is no markup.
    """
    rows = tuple(tuple(map(markdown_text, row)) for row in table.rows)
    escaped = Table("", tuple(map(markdown_text, table.headers)), rows, n_names=table.n_names)
    notes = [f"- {markdown_text(note)}" for note in table.notes]
    return _paragraphs(
        [f"**{markdown_text(table.title)}**", escaped.body("pipe"), "\n".join(notes)]
    )


def to_latex(table: Table, label: str) -> str:
    r"""Return a table as a float for LaTeX with the package booktabs.

    Parameters
    ----------
    label
        For ``\ref``; what is no letter, digit, colon or hyphen becomes a hyphen. The number that
        a title begins with is left to LaTeX.
    """
    title = re.sub(r"^Table \d+\. ", "", table.title)
    rows = tuple(tuple(" ".join(cell.split()) for cell in row) for row in table.rows)
    body = Table("", table.headers, rows, n_names=table.n_names).body("latex_booktabs")
    # A row that begins with a bracket would be taken for the space after the row above.
    guarded = re.sub(r"^ ([\[*])", r" {\1}", body, flags=re.MULTILINE)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex_text(title)}}}",
        rf"\label{{{re.sub(r'[^A-Za-z0-9:]+', '-', label).strip('-')}}}",
        _MINUS.sub("$-$", guarded),
        *[rf"\par\footnotesize {latex_text(note)}" for note in table.notes],
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def markdown_text(text: str) -> str:
    """Return a text on one line with everything escaped that means something to Markdown."""
    line = _MARKDOWN_SYNTAX.sub(r"\\\1", " ".join(text.split()))
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def latex_text(text: str) -> str:
    """Return a text on one line with everything escaped that means something to LaTeX."""
    # tabulate knows how; the plain style around it is two lines that are not wanted.
    escaped = tabulate([[" ".join(text.split())]], tablefmt="latex", disable_numparse=True)
    cell = next(line for line in escaped.splitlines() if line.endswith(r"\\"))
    return _MINUS.sub("$-$", cell.removesuffix(r"\\").strip())


def _paragraphs(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"


DASH = "–"
"""What stands where there is no number."""

UNDEFINED = "†"
"""Marks a share that is 0 by convention."""

DIFFERS, STILL_DIFFERS = "*", "‡"
"""Mark a difference that one test finds, and that it still finds after Holm's correction."""

UNKNOWN_INTERVAL: Interval = (-1.0, 1.0)
"""The interval of a difference of which nothing is known."""


def percent(share: float) -> str:
    """Return a share as a number in per cent with two decimals."""
    return f"{100 * share:.2f}"


def percentage_points(difference: float) -> str:
    """Return a difference of shares in points, with its sign: ``+2.31``; none is ``+0.00``."""
    return f"{round(100 * difference, 2) + 0.0:+.2f}"


def percent_interval(interval: Interval | None) -> str:
    """Return an interval of a share in per cent: ``[66.10, 75.90]``; a dash if none is known."""
    if not is_known_interval(interval):
        return DASH
    return f"[{percent(interval[0])}, {percent(interval[1])}]" if interval else DASH


def points_interval(interval: Interval | None) -> str:
    """Return an interval of a difference in points: ``[-0.40, +4.20]``; a dash if none is known."""
    if not is_known_interval(interval):
        return DASH
    return (
        f"[{percentage_points(interval[0])}, {percentage_points(interval[1])}]"
        if interval
        else DASH
    )


def is_known_interval(interval: Interval | None) -> bool:
    """Whether an interval says anything."""
    return interval is not None and tuple(interval) != UNKNOWN_INTERVAL


def p_value(p: float) -> str:
    """Return a p-value with three decimals; ``< 0.001`` below that."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def p_words(p: float) -> str:
    """Return a p-value as a statement: ``p = 0.034``, ``p < 0.001``."""
    return f"p {p_value(p)}" if p < 0.001 else f"p = {p_value(p)}"


def short_number(value: float | None) -> str:
    """Return a number of any size in a few digits; a dash if there is none."""
    return DASH if value is None else f"{value:.4g}"


def measure_words(measure: str) -> str:
    """Return the name of a measure as text: ``macro F1 foreground``."""
    return measure.replace("_", " ").replace("f1", "F1")


def parameters_text(parameters: Parameters) -> str:
    """Return hyper-parameters as text: ``lambda = 0.1, context = 10``."""
    pairs = [f"{written_name(name)} = {value}" for name, value in parameters.items()]
    return ", ".join(pairs) or "defaults"


def number_range(values: Iterable[float]) -> str:
    """Return the lowest and the highest of numbers, once if they read the same; a dash for none."""
    found = sorted(values)
    if not found:
        return DASH
    return DASH.join(dict.fromkeys(f"{one:.3g}" for one in (found[0], found[-1])))


def training_warnings(row: LearnerResult) -> tuple[str, ...]:
    """Return what the learner of a row warned of, each once, in the order of the splits."""
    return tuple(dict.fromkeys(text for trial in row.trials for text in trial.warnings))


def single_line(text: str) -> str:
    """Return a text, such as a message of an error, without its line breaks."""
    return " ".join(text.split())
