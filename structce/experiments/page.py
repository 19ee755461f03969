"""A report for readers: the answer in short, its HTML page, its tables as text, and its files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from itertools import count
from typing import TYPE_CHECKING, Any

import tomli_w
from jinja2 import Environment, PackageLoader, StrictUndefined

from structce.experiments.frames import (
    markdown_text,
    percent,
    to_html,
    to_latex,
    to_markdown,
    to_text,
)
from structce.experiments.plots import Plot, report_plots
from structce.experiments.report import Report, to_json
from structce.experiments.statistics import is_certain
from structce.experiments.tables import report_tables
from structce.experiments.toml_tables import written_name

if TYPE_CHECKING:
    import pandas as pd

_STUDY_SECTIONS = {
    "Which learner is best": ["intervals", "learners"],
    "Is the difference more than chance?": ["pairs"],
    "Which learner finds which region": ["labels", "labels of .*", "confusion of .*"],
    "Fewer features, fewer training pages": ["features", "learning", "parts"],
    "How the learners were tuned, and what it took": ["tuning"],
    "How far confidence can be believed": ["reliability of .*", "calibration"],
}
"""Sections of a study of learners, with patterns of the keys of their plots and tables, without the
study."""

_FOLDED = ("labels of ", "confusion of ")
"""Beginnings of the keys of tables that open on a click."""

_LEAST_USEFUL = dict.fromkeys("context depth min_leaf n_layers".split(), 1)
"""Values below which hyper-parameters have no use; 0 for all others."""

_MAX_FILE_NAME = 80  # characters of a file's name after its number

_Section = dict[str, Any]  # values of a section in the template ``report.html``


def report_page(report: Report, plots: Mapping[str, Plot]) -> str:
    """Return a report as an HTML page, in which everything is escaped."""
    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    tables, numbers = report_tables(report), count(1)
    page = environment.get_template("report.html").render(
        report=report,
        studies=report.rows("studies"),
        answer=answer(report),
        sections=[one for one in _sections(report, tables, plots) if any(list(one.values())[2:])],
        toml=tomli_w.dumps(report.experiment),
        style=resources.files(__package__).joinpath("templates", "style.css").read_text("utf-8"),
        html=lambda frame: to_html(frame, f"t{next(numbers)}"),
    )
    return page.strip() + "\n"


def _sections(
    report: Report, tables: Mapping[str, pd.DataFrame], plots: Mapping[str, Plot]
) -> Iterator[_Section]:
    """Yield the sections of the page: a title and a level, then what the template shows."""
    ranks = {f"ranking {i}": one.source for i, one in enumerate(report.rows("rankings"), start=1)}
    studies = report.rows("studies")

    def section(
        title: str, keys: Sequence[str], level: int = 2, facts: Mapping[str, object] | None = None
    ) -> _Section:
        found = [key for key in keys if key in tables]
        return {
            "title": title,
            "level": level,
            "plots": [plots[key] for key in keys if key in plots],
            "tables": [tables[key] for key in found if not key.startswith(_FOLDED)],
            "folded": [tables[key] for key in found if key.startswith(_FOLDED)],
            "facts": {name: value for name, value in (facts or {}).items() if value},
        }

    if report.kind == "extractors":
        shared = [key for key, source in ranks.items() if not source]
        yield section("All sources together", ["overall", *shared, "pairs", "f1", "leaves"])
        for study in studies:
            if study.name == study.source:
                keys = [f"{kind} {study.name}" for kind in "f1 precision time package".split()]
                keys += [key for key, source in ranks.items() if source == study.name]
                yield section(study.name, keys)
    for study in studies if report.kind == "learners" else ():
        yield section(study.name, (), facts=_study_facts(report, study))
        for title, kinds in _STUDY_SECTIONS.items():
            keys = [
                key
                for kind in kinds
                for key in {**plots, **tables}
                if re.fullmatch(f"{kind} {re.escape(study.name)}", key, re.DOTALL)
            ]
            yield section(title, keys, 3)
    if report.kind == "learners" and len(studies) > 1:
        yield section("All studies together", ["studies", *ranks])
    yield section("What failed", ["failures"])


def _study_facts(report: Report, study: Any) -> dict[str, object]:
    splits = report.rows("splits", study=study.name)
    sizes = [len(part) for one in splits[:1] for part in (one.train, one.validation, one.test)]
    return {
        "Corpus": study.corpus,
        "Digest": study.digest[:12],
        "Pages": study.n_pages,
        "Sites": study.n_sites,
        "Regions": sum(study.labels.values()),
        "Splits": f"{len(splits)} by {study.by}",
        "Training, validation, test": ", ".join(f"{size:,}" for size in sizes),
        "Columns": max((split.n_columns for split in splits), default=0),
        "Renderer": study.renderer,
        "Regions of unknown label": study.n_unknown,
        "Regions of several labels": study.n_several,
        "Features without layout": study.n_unknown_features,
        "Sites by": study.site_rule,
        "Pages are": "invented" if study.is_invented else "",
    }


def answer(report: Report) -> list[str]:
    """Return the answer in short, one paragraph per study; parts of a source have none."""
    studies = report.rows("studies")
    if report.kind == "extractors":
        studies = [study for study in studies if study.name == study.source]
    return [
        (f"{study.name}: " if len(studies) > 1 else "") + " ".join(_sentences(report, study))
        for study in studies
    ]


def _sentences(report: Report, study: Any) -> Iterator[str]:
    values = {name: report.value(study.name, name) or 0.0 for name in report.having(study.name)}
    if not values:
        yield "Nothing could be measured: everything failed."
        return
    best, *others = sorted(values, key=lambda name: -values[name])
    measure = report.measure.replace("_", " ").replace("f1", "F1")
    score, interval = report.score(study.name, best), ""
    if score and score.low is not None:
        interval = f" (95 per cent interval {percent(score.low)} to {percent(score.high)})"
    yield f"{best} has the highest {measure}, {percent(values[best])} per cent{interval}."
    rival = others[0] if others else ""
    if report.kind == "extractors" and best != study.reference in values:
        rival = study.reference
    pairs = report.rows("pairs", study=study.name, subject="")
    pairs = [pair for pair in pairs if {pair.first, pair.second} == {best, rival}]
    if rival and (pairs or report.kind == "learners"):
        is_lead = any(is_certain(p) and (p.difference > 0) == (p.first == best) for p in pairs)
        words = "certain" if is_lead else "not certain"
        lead = percent(values[best] - values[rival])
        yield f"Its lead of {lead} points over {rival} is {words}."
    fits = report.rows("fits", study=study.name, part="")
    for name in values:
        yield from _grid_ends(name, [fit for fit in fits if fit.subject == name])


def _grid_ends(name: str, fits: list[Any]) -> Iterator[str]:
    """Yield the numbers of which most splits chose the end of the grid, except at a bound."""
    tests = [fit for fit in fits if fit.step == "test"]
    chosen: Counter[tuple[str, float, str]] = Counter()
    for test in tests:
        points = [fit.parameters for fit in fits if (fit.split, fit.step) == (test.split, "tuning")]
        for parameter, value in test.parameters.items():
            tried = {point[parameter] for point in points}
            numbers = [n for n in tried if isinstance(n, int | float) and not isinstance(n, bool)]
            if isinstance(value, int | float) and len(tried) == len(numbers) > 1:
                if value == max(numbers):
                    chosen[parameter, value, "largest"] += 1
                elif value == min(numbers) > _LEAST_USEFUL.get(parameter, 0):
                    chosen[parameter, value, "smallest"] += 1
    for (parameter, value, end), n in chosen.items():
        if 2 * n > len(tests):
            yield (
                f"For {name} {written_name(parameter)} = {value} was chosen, the {end} of its "
                "grid: the best value may lie beyond."
            )


def report_text(report: Report, form: str = "table") -> str:
    """Return a report as text: a ``table`` for a terminal, ``markdown``, ``latex`` or ``json``."""
    if form == "json":
        return to_json(report).decode("utf-8")
    tables, question = report_tables(report), str(report.experiment["question"])
    if form == "latex":
        comment = " ".join(question.split())
        parts = [f"% {comment}\n% Needs \\usepackage{{booktabs}}."]
        return "\n".join([*parts, *(to_latex(frame, name) for name, frame in tables.items())])
    if form == "markdown":
        parts = [f"# {markdown_text(question)}", *map(markdown_text, answer(report))]
        return "\n\n".join([*parts, *map(to_markdown, tables.values())]) + "\n"
    shown = [to_text(tables[name]) for name in tables if not name.startswith("package ")]
    return "\n\n".join([" ".join(question.split()), *answer(report), *shown]) + "\n"


def report_files(report: Report) -> dict[str, bytes]:
    """Return what is written beside ``report.json``, by path: page, tables, units and figures.

    Each plot is an SVG and a PDF file: ``figures/01-intervals-news-by-site.pdf``.
    """
    plots = report_plots(report)
    files = {
        "report.html": report_page(report, plots).encode(),
        "tables.md": report_text(report, "markdown").encode(),
        "tables.tex": report_text(report, "latex").encode(),
        "units.tsv": report.tables["units"].to_csv(sep="\t", index=False).encode(),
    }
    for number, (name, plot) in enumerate(plots.items(), start=1):
        words = re.sub(r"[^a-z0-9.]+", "-", name.lower())[:_MAX_FILE_NAME].strip("-.")
        stem = f"figures/{number:02}-{words}"
        files |= {f"{stem}.svg": plot.svg.encode(), f"{stem}.pdf": plot.pdf}
    return files
