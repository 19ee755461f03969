"""Frames of cells: tables of a report, and their forms for a terminal, Markdown, LaTeX and HTML.

A table is a frame of text whose index holds the names of its rows; its attributes are ``title``,
``notes``, and ``best``, the row of the best number by column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tabulate import tabulate

from structce.experiments.report import Report, Score
from structce.extras import load_extra

if TYPE_CHECKING:
    import pandas as pd

DASH = "–"  # in place of a missing number
_MARKDOWN_SYNTAX = re.compile(r"([\\`*_\[\]|~<>])")

_TO_FIT = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{\begin{tabular}"
"""Draws a table that is wider than the column smaller, and leaves others as they are."""

Cell = str | int | float | None
Row = Mapping[str, Cell]


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


class Scores(dict[tuple[str, str, str, str], Score]):
    """Scores of a study by subject, measure, label and part."""

    @classmethod
    def of(cls, report: Report, study: str) -> Scores:
        """Return the scores of a study of a report."""
        own = (score for score in report.scores if score.study == study)
        return cls({(one.subject, one.measure, one.label, one.part): one for one in own})

    def value(self, subject: str, measure: str, label: str = "", part: str = "") -> float | None:
        """Return a score; None if it was not measured."""
        score = self.get((subject, measure, label, part))
        return score.value if score else None

    def between(self, subject: str, measure: str, label: str = "", part: str = "") -> str:
        """Return the interval of a score; a dash if it has no interval."""
        score = self.get((subject, measure, label, part))
        return interval(score.low, score.high) if score else DASH

    def cells(self, subject: str, measures: Mapping[str, str], part: str = "") -> dict[str, Cell]:
        """Return the scores by measures, which are given by their headers."""
        return {header: self.value(subject, name, part=part) for header, name in measures.items()}

    def having(self, measure: str) -> list[str]:
        """Return the subjects that have a score over all labels and parts, in their order."""
        return [name for name, *rest in self if rest == [measure, "", ""]]


def table(
    title: str,
    rows: Sequence[Row],
    *,
    n_names: int = 1,
    digits: int = 2,
    highest: Iterable[str] = (),
    lowest: Iterable[str] = (),
    notes: Iterable[str] = (),
) -> pd.DataFrame:
    """Return a table of rows, whose floats are shares to be shown in per cent.

    Parameters
    ----------
    n_names
        Number of columns, from the first on, that are the names of a row.
    highest, lowest
        Columns whose highest, or lowest, number is the best of the rows, unless several have it.
    """
    pandas = load_extra("pandas", "a report", "experiments")
    raw = pandas.DataFrame(list(rows))

    def text(value: object) -> str:
        if value is None or (isinstance(value, float) and value != value):
            return DASH
        return percent(value, digits) if isinstance(value, float) else str(value)

    cells = pandas.DataFrame(
        [[text(row.get(name, "" if name == "" else None)) for name in raw.columns] for row in rows],
        columns=raw.columns,
    )
    best = {}
    for column, sign in [*((name, 1) for name in highest), *((name, -1) for name in lowest)]:
        values = sign * pandas.to_numeric(raw[column], errors="coerce").round(digits + 2)
        if len(values) > 1 and (values == values.max()).sum() == 1:
            best[column] = int(values.argmax())
    frame = cells.set_index(list(cells.columns[:n_names])) if len(cells) else cells
    frame.attrs = {"title": title, "notes": tuple(notes), "best": best}
    return frame


def to_text(frame: pd.DataFrame) -> str:
    """Return a table for a terminal: title, cells, notes."""
    names = list(frame.index.names)
    align = ["left"] * len(names) + ["right"] * len(frame.columns)
    body = tabulate(
        frame.reset_index().to_numpy().tolist(),
        [*names, *frame.columns],
        tablefmt="simple",
        colalign=align,
        disable_numparse=True,
    )
    return "\n".join([frame.attrs["title"], "", body, *frame.attrs["notes"]])


def to_markdown(frame: pd.DataFrame) -> str:
    """Return a table as GitHub writes it; names and messages come from users and are escaped."""
    escaped = frame.reset_index().map(markdown_text)
    escaped.columns = [markdown_text(name) for name in escaped.columns]
    align = ["left"] * frame.index.nlevels + ["right"] * len(frame.columns)
    body = escaped.to_markdown(index=False, disable_numparse=True, colalign=align)
    notes = "\n".join(f"- {markdown_text(note)}" for note in frame.attrs["notes"])
    parts = (f"**{markdown_text(frame.attrs['title'])}**", body, notes)
    return "\n\n".join(part for part in parts if part)


def markdown_text(text: str) -> str:
    """Return a text on one line with the syntax of Markdown escaped."""
    return _MARKDOWN_SYNTAX.sub(r"\\\1", " ".join(text.split()))


def _styled(frame: pd.DataFrame, form: str, bold: str) -> Any:
    """Return the styler of a table: cells escaped, the best numbers bold."""
    best, shades = frame.attrs["best"], frame.attrs.get("shades", {})

    def style(column: pd.Series) -> list[str]:
        return [
            bold if best.get(column.name) == i else shades.get((i, column.name), "")
            for i in range(len(column))
        ]

    flat = frame.reset_index()
    styler = flat.style.hide(axis="index").apply(style).format(escape=form)
    return styler.format_index(escape=form, axis="columns")


def to_latex(frame: pd.DataFrame, label: str) -> str:
    r"""Return a table as a float for LaTeX with the packages booktabs and graphicx.

    In the label, for ``\ref``, characters except letters, digits and colons become hyphens.
    """
    name = re.sub(r"[^A-Za-z0-9:]+", "-", f"tab:{label}").strip("-")
    n_names = frame.index.nlevels
    body = _styled(frame, "latex", "textbf:--rwrap;").to_latex(
        hrules=True,
        position_float="centering",
        column_format="l" * n_names + "r" * len(frame.columns),
        caption=_latex_text(frame.attrs["title"]),
        label=name,
    )
    notes = "".join(f"\\par\\footnotesize {_latex_text(n)}\n" for n in frame.attrs["notes"])
    body = body.replace(r"\begin{tabular}", _TO_FIT).replace(
        "\\end{tabular}\n", f"\\end{{tabular}}}}\n{notes}"
    )
    return str(body.replace("\N{MINUS SIGN}", "$-$"))


def _latex_text(text: str) -> str:
    pandas = load_extra("pandas", "a report", "experiments")
    styler = pandas.DataFrame([[" ".join(text.split())]]).style.format(escape="latex")
    lines = styler.hide(axis="index").hide(axis="columns").to_latex().splitlines()
    return str(lines[1][:-3].strip())


def to_html(frame: pd.DataFrame, key: str) -> str:
    """Return a table as HTML, everything escaped; the key begins all its ids."""
    names = f"names{frame.index.nlevels}"
    styler = _styled(frame, "html", "font-weight: 700")
    return str(styler.set_table_attributes(f'class="{names}"').to_html(table_uuid=key))
