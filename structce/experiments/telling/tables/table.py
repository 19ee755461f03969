"""A table as a value, and as text, Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tabulate import tabulate

MARKDOWN = re.compile(r"([\\`*_\[\]|~])")
"""What may mean something in a line or a cell of Markdown, but for the angle brackets."""

MINUS = re.compile(r"(?<!\w)[-\N{MINUS SIGN}](?=\d)|\N{MINUS SIGN}")
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
        MINUS.sub("$-$", guarded),
        *[rf"\par\footnotesize {latex_text(note)}" for note in table.notes],
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def markdown_text(text: str) -> str:
    """Return a text on one line with everything escaped that means something to Markdown."""
    line = MARKDOWN.sub(r"\\\1", " ".join(text.split()))
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def latex_text(text: str) -> str:
    """Return a text on one line with everything escaped that means something to LaTeX."""
    # tabulate knows how; the plain style around it is two lines that are not wanted.
    escaped = tabulate([[" ".join(text.split())]], tablefmt="latex", disable_numparse=True)
    cell = next(line for line in escaped.splitlines() if line.endswith(r"\\"))
    return MINUS.sub("$-$", cell.removesuffix(r"\\").strip())


def _paragraphs(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
