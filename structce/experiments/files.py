"""Files of a report beside ``report.json``: its page, tables and figures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256

from structce.experiments.answer import answer
from structce.experiments.frames import markdown_text, to_latex, to_markdown, to_text
from structce.experiments.page import report_page
from structce.experiments.plots import Plot, report_plots
from structce.experiments.report import Report, to_json
from structce.experiments.tables import report_tables

_MAX_FILE_NAME = 80  # characters of a file's name; longer names end in a digest


def file_stem(name: str) -> str:
    """Return a file's name without suffix for a name of any letters: ``news-by-site``.

    Long names, and those without a letter from a to z or a digit, end in a digest.
    """
    words = re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.")
    if words and len(words) <= _MAX_FILE_NAME:
        return words
    digest = sha256(name.encode()).hexdigest()[:8]
    return f"{words[: _MAX_FILE_NAME - 9]}-{digest}".lstrip("-")


def report_text(report: Report, form: str = "table") -> str:
    """Return a report as text: a ``table`` for a terminal, ``markdown``, ``latex`` or ``json``."""
    if form == "json":
        return to_json(report).decode("utf-8")
    tables, question = report_tables(report), str(report.experiment["question"])
    if form == "latex":
        comment = " ".join(question.split())
        parts = [f"% {comment}\n% Needs \\usepackage{{booktabs,graphicx}}."]
        return "\n".join([*parts, *(to_latex(frame, name) for name, frame in tables.items())])
    if form == "markdown":
        parts = [f"# {markdown_text(question)}", *map(markdown_text, answer(report))]
        return "\n\n".join([*parts, *map(to_markdown, tables.values())]) + "\n"
    shown = [
        to_text(frame)
        for name, frame in tables.items()
        if not name.startswith(("package ", "grid "))
    ]
    return "\n\n".join([" ".join(question.split()), *answer(report), *shown]) + "\n"


def report_files(
    report: Report,
    pictures: Mapping[tuple[str, str], str] | None = None,
    tables: Mapping[str, str] | None = None,
) -> dict[str, bytes]:
    """Return what is written beside ``report.json``, by path: page, figures and tables.

    Pictures and further tables are those of :class:`structce.experiments.Result`.
    """
    plots = report_plots(report)
    texts = {
        "report.html": report_page(report, plots, pictures or {}),
        "tables.md": report_text(report, "markdown"),
        "tables.tex": report_text(report, "latex"),
        **(tables or {}),
    }
    return {name: text.encode("utf-8") for name, text in texts.items()} | figure_files(plots)


def figure_files(plots: Mapping[str, Plot]) -> dict[str, bytes]:
    """Return every plot as an SVG and a PDF file, by path: ``figures/costs-news-by-site.pdf``."""
    files: dict[str, bytes] = {}
    for name, plot in plots.items():
        stem = f"figures/{file_stem(name)}"
        files |= {f"{stem}.svg": plot.svg.encode("utf-8"), f"{stem}.pdf": plot.pdf}
    return files
