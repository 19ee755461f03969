"""Frames of text: the tables of a report for a terminal, Markdown, LaTeX and HTML.

The index of such a frame holds the names of its rows; its attributes are ``title``, ``notes``,
``best``, the row of the best number by column, and ``shades``, styles by row and column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tabulate import tabulate

from structce.extras import load_extra

if TYPE_CHECKING:
    import pandas as pd

DASH = "–"  # in place of a missing number
_MARKDOWN_SYNTAX = re.compile(r"([\\`*_\[\]|~<>])")
_LATEX_SYNTAX = re.compile(r"([&%$#_{}])")

Cell = str | int | float | None
TextRow = Mapping[str, Cell]


def percent(share: float, digits: int = 2) -> str:
    """Return a share in per cent with so many decimals: ``81.25``; zero has no sign."""
    return f"{round(100 * share, digits) + 0.0:.{digits}f}"


def percentage_points(difference: float, digits: int = 2) -> str:
    """Return a difference of shares in percentage points with its sign: ``+2.31``."""
    return f"{round(100 * difference, digits) + 0.0:+.{digits}f}"


def p_value(p: float) -> str:
    """Return a p-value with three decimals; ``< 0.001`` below that."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def short(value: float | None, digits: int = 4) -> str:
    """Return a number of any size with some significant digits; a dash for None."""
    return DASH if value is None else f"{value + 0.0:.{digits}g}"


def interval(low: float | None, high: float | None, form: Callable[[float], str] = percent) -> str:
    """Return an interval in brackets; a dash if it is not known."""
    return DASH if low is None or high is None else f"[{form(low)}, {form(high)}]"


def table(
    title: str,
    rows: Sequence[TextRow],
    *,
    n_names: int = 1,
    digits: int = 2,
    highest: Iterable[str] = (),
    notes: Iterable[str] = (),
) -> pd.DataFrame:
    """Return a table of rows, whose floats are shares to be shown in per cent.

    Parameters
    ----------
    n_names
        Number of columns, from the first on, that are the names of a row.
    highest
        Columns whose highest number is the best of the rows, unless several have it.
    """
    pandas = load_extra("pandas", "a report", "experiments")
    names = list(dict.fromkeys(name for row in rows for name in row))

    def text(value: Cell) -> str:
        if isinstance(value, float):
            return percent(value, digits)
        return DASH if value is None else str(value)

    cells = [[text(row.get(name, "" if name == "" else None)) for name in names] for row in rows]
    best = {}
    for column in highest if len(rows) > 1 else ():
        numbers = [row.get(column) for row in rows]
        values = [round(v, digits + 2) if isinstance(v, float) else -1.0 for v in numbers]
        if values.count(max(values)) == 1:
            best[column] = values.index(max(values))
    made = pandas.DataFrame(cells, columns=names)
    made = made.set_index(names[:n_names]) if names else made
    made.attrs = {"title": title, "notes": tuple(notes), "best": best, "shades": {}}
    return made


def to_text(frame: pd.DataFrame) -> str:
    """Return a table for a terminal: title, cells, notes."""
    return "\n".join([frame.attrs["title"], "", _tabulated(frame, "simple"), *frame.attrs["notes"]])


def to_markdown(frame: pd.DataFrame) -> str:
    """Return a table as GitHub writes it; names and messages come from users and are escaped."""
    notes = "\n".join(f"- {markdown_text(note)}" for note in frame.attrs["notes"])
    body = _tabulated(frame, "pipe", markdown_text)
    parts = (f"**{markdown_text(frame.attrs['title'])}**", body, notes)
    return "\n\n".join(part for part in parts if part)


def to_latex(frame: pd.DataFrame, label: str) -> str:
    r"""Return a table as a float for LaTeX with the package booktabs.

    In the label, for ``\ref``, characters except letters, digits and colons become hyphens.
    """
    reference = re.sub(r"[^A-Za-z0-9:]+", "-", f"tab:{label}").strip("-")
    title, *notes = (
        _LATEX_SYNTAX.sub(r"\\\1", " ".join(text.split()).replace("\\", "/"))
        for text in (frame.attrs["title"], *frame.attrs["notes"])
    )
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{title}}}",
            rf"\label{{{reference}}}",
            _tabulated(frame, "latex_booktabs"),
            *(rf"\par\footnotesize {note}" for note in notes),
            r"\end{table}",
            "",
        ]
    )


def _tabulated(frame: pd.DataFrame, form: str, escape: Callable[[str], str] = str) -> str:
    flat = frame.reset_index()
    align = ["left"] * frame.index.nlevels + ["right"] * len(frame.columns)
    cells = [[escape(cell) for cell in row] for row in flat.to_numpy().tolist()]
    headers = [escape(name) for name in flat.columns]
    return tabulate(cells, headers, tablefmt=form, colalign=align, disable_numparse=True)


def markdown_text(text: str) -> str:
    """Return a text on one line with the syntax of Markdown escaped."""
    return _MARKDOWN_SYNTAX.sub(r"\\\1", " ".join(text.split()))


def to_html(frame: pd.DataFrame, key: str) -> str:
    """Return a table as HTML, everything escaped, the best numbers bold; the key begins its ids."""
    best, shades = frame.attrs["best"], frame.attrs["shades"]

    def style(column: pd.Series) -> list[str]:
        return [
            "font-weight: 700" if best.get(column.name) == i else shades.get((i, column.name), "")
            for i in range(len(column))
        ]

    styler = frame.reset_index().style.hide(axis="index").apply(style).format(escape="html")
    styler = styler.format_index(escape="html", axis="columns")
    names = f'class="names{frame.index.nlevels}"'
    return str(styler.set_table_attributes(names).to_html(table_uuid=key))
