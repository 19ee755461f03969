"""A report for readers: the answer in short, its HTML page, its tables as text, and its files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import resources
from itertools import count
from typing import TYPE_CHECKING, Any

import tomli_w
from jinja2 import Environment, FunctionLoader, StrictUndefined

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
from structce.visualisation import comparison_css, comparison_legend

if TYPE_CHECKING:
    import pandas as pd

Tables = Mapping[str, "pd.DataFrame"]

_STUDY_SECTIONS = {
    "Which learner is best": ["intervals", "learners"],
    "Is the difference more than chance?": ["pairs"],
    "Which learner finds which region": ["labels", "labels of", "confusion of"],
    "Fewer features, fewer training pages": ["features", "learning", "parts"],
    "How the learners were tuned, and what it took": ["tuning", "grid"],
    "How far confidence can be believed": ["reliability of", "calibration"],
}
"""Sections of a study of learners, with the keys of their plots and tables, without the study. A
key that ends in ``of`` is followed by a learner."""

_FOLDED = ("labels of ", "confusion of ", "grid ")
"""Beginnings of the keys of tables that open on a click."""


_LEAST_USEFUL = dict.fromkeys("context depth min_leaf n_layers".split(), 1)
"""Values below which hyper-parameters have no use; 0 for all others."""

_MAX_FILE_NAME = 80  # characters of a file's name; longer names end in a digest


def report_page(
    report: Report, plots: Mapping[str, Plot], pictures: Mapping[tuple[str, str], str] | None = None
) -> str:
    """Return a report as an HTML page.

    Pictures by study and page are safe mark-up, such as a drawing by
    :func:`structce.visualisation.draw_comparison`, and inserted as it is. All else is escaped.
    """
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    tables = report_tables(report)
    build = _extractor_sections if report.kind == "extractors" else _learner_sections
    sections = [*build(report, tables, plots), _section("What failed", ["failures"], tables, plots)]
    labels = [n for study in report.rows("studies") for n in study.labels if n != study.background]
    numbers = count(1)
    page = environment.get_template("report.html").render(
        report=report,
        studies=report.rows("studies"),
        answer=answer(report),
        sections=[one for one in sections if any(one[key] for key in _CONTENT)],
        toml=tomli_w.dumps(report.experiment),
        style=f"{_source('style.css')}\n{comparison_css()}",
        html=lambda frame: to_html(frame, f"t{next(numbers)}"),
        pictures=pictures or {},
        legend=comparison_legend(list(dict.fromkeys(labels))) if pictures else "",
    )
    return page.strip() + "\n"


_CONTENT = ("facts", "plots", "tables", "folded", "worst", "splits")


def _source(name: str) -> str:
    return resources.files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


def _section(
    title: str, keys: Sequence[str], tables: Tables, plots: Mapping[str, Plot], level: int = 2,
    **content: Any,
) -> dict[str, Any]:  # fmt: skip
    """Return a section with the plots and tables of these keys, as far as there are any."""
    found = [tables[key] for key in keys if key in tables and not key.startswith(_FOLDED)]
    folded = [tables[key] for key in keys if key in tables and key.startswith(_FOLDED)]
    drawn = [plots[key] for key in keys if key in plots]
    given = {"title": title, "level": level, "plots": drawn, "tables": found, "folded": folded}
    return dict.fromkeys(_CONTENT, ()) | given | content


def _learner_sections(
    report: Report, tables: Tables, plots: Mapping[str, Plot]
) -> Iterator[dict[str, Any]]:
    for study in report.rows("studies"):
        splits = report.rows("splits", study=study.name)
        yield _section(study.name, (), tables, plots, facts=_study_facts(study, splits))
        every, end = [*plots, *tables], f" {study.name}"
        for title, keys in _STUDY_SECTIONS.items():
            found = [
                key
                for wanted in keys
                for key in every
                if key == wanted + end
                or (wanted.endswith(" of") and key.startswith(f"{wanted} ") and key.endswith(end))
            ]
            yield _section(title, list(dict.fromkeys(found)), tables, plots, 3)
        worst = report.rows("worst", study=study.name)
        yield _section("The worst pages", (), tables, plots, 3, worst=worst)
        facts = {"Corpus": study.corpus, "Path": study.source, "Digest": study.digest}
        yield _section("Corpus and splits", (), tables, plots, 3, facts=facts, splits=splits)
    if len(report.rows("studies")) > 1:
        keys = ["studies", *(key for key in tables if key.startswith("ranking "))]
        yield _section("All studies together", keys, tables, plots)


def _study_facts(study: Any, splits: Sequence[Any]) -> dict[str, object]:
    sizes = [len(part) for one in splits[:1] for part in (one.train, one.validation, one.test)]
    facts: dict[str, object] = {
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
    return {name: value for name, value in facts.items() if value}


def _extractor_sections(
    report: Report, tables: Tables, plots: Mapping[str, Plot]
) -> Iterator[dict[str, Any]]:
    def ranks(source: str) -> list[str]:
        numbered = enumerate(report.rows("rankings"), start=1)
        return [f"ranking {i}" for i, ranking in numbered if ranking.source == source]

    keys = ["overall", *ranks(""), "pairs", "f1", "leaves"]
    yield _section("All sources together", keys, tables, plots)
    for study in report.rows("studies"):
        if study.name == study.source:
            keys = [f"{kind} {study.name}" for kind in ("f1", "precision", "time", "package")]
            yield _section(study.name, [*keys, *ranks(study.name)], tables, plots)


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
