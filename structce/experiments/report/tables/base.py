"""Table as a value with writers for text, Markdown and LaTeX, and the formats of its cells.

Every number of a report is written by the functions of this module, so that a zero never has a
minus sign.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from tabulate import tabulate

from structce.evaluation import NO_DIFFERENCE, Interval
from structce.experiments.config import Parameters
from structce.experiments.results import LearnerResult
from structce.experiments.toml_tables import written_name

_Item = TypeVar("_Item")

DASH = "–"  # in place of a missing number
UNDEFINED = "†"  # marks a share that is 0 by convention

DIFFERS, CERTAIN = "*", "‡"
"""Mark a difference that a test finds, and one that is certain; see ``evidence``."""

_MARKDOWN_SYNTAX = re.compile(r"([\\`*_\[\]|~])")
"""Characters that mean something in a line or a cell of Markdown, except angle brackets."""

_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?")

_BOLD = "\ue000", "\ue001"
"""Private characters around a cell that LaTeX is to write in bold, once the cell is escaped."""

_MINUS = re.compile(r"(?<!\w)[-\N{MINUS SIGN}](?=\d)|\N{MINUS SIGN}")
"""A minus sign, not a hyphen: LaTeX draws the two differently."""


@dataclass(frozen=True)
class Table:
    """Title, headers, rows and notes of a table, all cells as text.

    Parameters
    ----------
    n_names
        Number of columns, from the first on, that contain names; the others contain numbers.
    highest, lowest
        Headers of the columns whose highest, or lowest, number is the best of the rows.
    """

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    n_names: int = 1
    highest: tuple[str, ...] = ()
    lowest: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        title: str,
        items: Iterable[_Item],
        *columns: tuple[str, Callable[[_Item], str]],
        notes: tuple[str, ...] = (),
        n_names: int = 1,
    ) -> Table:
        """Return a table of one row per item, from the header and the cell of each column."""
        rows = tuple(tuple(cell(item) for _, cell in columns) for item in items)
        return cls(title, tuple(header for header, _ in columns), rows, notes, n_names)

    @property
    def best(self) -> tuple[str, ...]:
        """The best number of each column, as it is written; empty for a column without one.

        Where several rows have it, none is the best. A single row is not the best of anything.
        """
        best = []
        for i, header in enumerate(self.headers):
            numbers = [row[i] for row in self.rows if _NUMBER.fullmatch(row[i])]
            choose = max if header in self.highest else min if header in self.lowest else None
            number = choose(numbers, key=float) if choose and numbers else ""
            is_best = len(self.rows) > 1 and numbers.count(number) == 1
            best.append(number if is_best else "")
        return tuple(best)

    def __str__(self) -> str:
        return "\n".join([self.title, "", self.body("simple"), *self.notes])

    def body(self, style: str) -> str:
        """Return headers and cells in a style of the package tabulate, without title and notes."""
        n_numbers = len(self.headers) - self.n_names
        align = ["left"] * self.n_names + ["right"] * n_numbers
        return tabulate(
            self.rows, self.headers, tablefmt=style, colalign=align, disable_numparse=True
        )


def to_markdown(table: Table) -> str:
    """Return a table as GitHub writes it: title in bold, cells, notes as a list.

    Names and messages come from users, so that everything is escaped.
    """
    rows = tuple(tuple(map(markdown_text, row)) for row in table.rows)
    escaped = Table("", tuple(map(markdown_text, table.headers)), rows, n_names=table.n_names)
    notes = [f"- {markdown_text(note)}" for note in table.notes]
    parts = [f"**{markdown_text(table.title)}**", escaped.body("pipe"), "\n".join(notes)]
    return "\n\n".join(part for part in parts if part) + "\n"


_TO_FIT = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}"
"""Draws a table that is wider than the column smaller, and leaves others as they are."""


def to_latex(table: Table, label: str) -> str:
    r"""Return a table as a float for LaTeX with the packages booktabs and graphicx.

    In the label, for ``\ref``, characters except letters, digits, colons and hyphens become
    hyphens. The number at the start of a title is left out, since LaTeX numbers tables itself. The
    best numbers are bold.
    """
    title = re.sub(r"^Table \d+\. ", "", table.title)
    best = table.best
    rows = tuple(tuple(map(_latex_cell, row, best)) for row in table.rows)
    body = Table("", table.headers, rows, n_names=table.n_names).body("latex_booktabs")
    body = body.replace(_BOLD[0], r"\textbf{").replace(_BOLD[1], "}")
    # LaTeX would take a bracket at the start of a row for an argument of the row break above.
    guarded = re.sub(r"^ ([\[*])", r" {\1}", body, flags=re.MULTILINE)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex_text(title)}}}",
        rf"\label{{{re.sub(r'[^A-Za-z0-9:]+', '-', label).strip('-')}}}",
        rf"{_TO_FIT}{{{_MINUS.sub('$-$', guarded)}}}",
        *[rf"\par\footnotesize {latex_text(note)}" for note in table.notes],
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _latex_cell(cell: str, best: str) -> str:
    line = without_line_breaks(cell)
    for mark in _BOLD:
        line = line.replace(mark, "")
    return f"{_BOLD[0]}{line}{_BOLD[1]}" if best and cell == best else line


def markdown_text(text: str) -> str:
    """Return a text on one line with the syntax of Markdown escaped."""
    line = _MARKDOWN_SYNTAX.sub(r"\\\1", without_line_breaks(text))
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def latex_text(text: str) -> str:
    """Return a text on one line with the syntax of LaTeX escaped."""
    # tabulate escapes the cells of its LaTeX tables; this takes the one cell out of such a table.
    escaped = tabulate([[without_line_breaks(text)]], tablefmt="latex", disable_numparse=True)
    cell = next(line for line in escaped.splitlines() if line.endswith(r"\\"))
    return _MINUS.sub("$-$", cell.removesuffix(r"\\").strip())


def signed_number(value: float, digits: int = 2) -> str:
    """Return a number with its sign and so many decimals; zero is ``+0.00``."""
    return f"{round(value, digits) + 0.0:+.{digits}f}"


def percent(share: float, digits: int = 2) -> str:
    """Return a share in per cent with so many decimals: ``81.25``."""
    return f"{round(100 * share, digits) + 0.0:.{digits}f}"


def percentage_points(difference: float, digits: int = 2) -> str:
    """Return a difference of shares in percentage points with its sign: ``+2.31``."""
    return signed_number(100 * difference, digits)


def percent_interval(interval: Interval | None) -> str:
    """Return an interval of a share in per cent, ``[66.10, 75.90]``; a dash if none is known."""
    if interval is None or not is_known_interval(interval):
        return DASH
    return f"[{percent(interval[0])}, {percent(interval[1])}]"


def interval_words(interval: Interval | None, digits: int = 2) -> str:
    """Return the interval of a share in words, to follow the share; empty without an interval."""
    if interval is None or not is_known_interval(interval):
        return ""
    low, high = (percent(end, digits) for end in interval)
    return f" (95 per cent interval {low} to {high})"


def points_interval(interval: Interval) -> str:
    """Return an interval of a difference in points, ``[-0.40, +4.20]``; a dash if not known."""
    if not is_known_interval(interval):
        return DASH
    return f"[{percentage_points(interval[0])}, {percentage_points(interval[1])}]"


def is_known_interval(interval: Interval) -> bool:
    """Return whether an interval is another one than that of unknown differences, (-1, 1)."""
    return tuple(interval) != NO_DIFFERENCE


def p_value(p: float) -> str:
    """Return a p-value with three decimals; ``< 0.001`` below that."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def p_words(p: float) -> str:
    """Return a p-value as a statement: ``p = 0.034``, ``p < 0.001``."""
    return f"p {p_value(p)}" if p < 0.001 else f"p = {p_value(p)}"


def short_number(value: float | None) -> str:
    """Return a number of any size with four significant digits; a dash for None."""
    return DASH if value is None else f"{value + 0.0:.4g}"


def measure_words(measure: str) -> str:
    """Return the name of a measure in words: ``macro F1 foreground``."""
    return measure.replace("_", " ").replace("f1", "F1")


def parameters_text(parameters: Parameters) -> str:
    """Return hyper-parameters as text: ``lambda = 0.1, context = 10``."""
    pairs = [f"{written_name(name)} = {value}" for name, value in parameters.items()]
    return ", ".join(pairs) or "defaults"


def number_range(values: Iterable[float | None]) -> str:
    """Return the lowest and the highest number, once if they read the same; a dash for none."""
    ordered = sorted(value for value in values if value is not None)
    if not ordered:
        return DASH
    return DASH.join(dict.fromkeys(f"{number + 0.0:.3g}" for number in (ordered[0], ordered[-1])))


def training_warnings(row: LearnerResult) -> tuple[str, ...]:
    """Return the warnings of a learner while training, each once, in the order of the splits."""
    return tuple(dict.fromkeys(text for trial in row.trials for text in trial.warnings))


def without_line_breaks(text: str) -> str:
    """Return a text, such as an error message, without line breaks."""
    return " ".join(text.split())
