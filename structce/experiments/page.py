"""HTML page of a report: its sections of tables and plots, without scripts, loading nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import resources
from itertools import count, groupby
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined

from structce.experiments.answer import answer
from structce.experiments.frames import percent, table, to_html
from structce.experiments.plots import Plot, tuned_parameters
from structce.experiments.report import Report, Study
from structce.experiments.tables import report_tables
from structce.experiments.toml_tables import write_toml, written_name
from structce.visualisation import comparison_css, comparison_legend

if TYPE_CHECKING:
    import pandas as pd

Pictures = Mapping[tuple[str, str], str]


class Part(NamedTuple):
    """Part of a section, which the template shows by its kind; one without a value is left out."""

    kind: Literal["table", "plots", "details", "facts", "sites", "worst"]
    value: Any
    title: str = ""


Section = tuple[str, int, list[Part]]  # title, level of heading, parts


def report_page(report: Report, plots: Mapping[str, Plot], pictures: Pictures | None = None) -> str:
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
    build = _extractor_sections if report.kind == "extractors" else _learner_sections
    sections = [
        {"title": title, "level": level, "parts": kept}
        for title, level, parts in build(report, report_tables(report), plots)
        if (kept := [part for part in parts if part.kind == "sites" or len(part.value)])
    ]
    if report.failures:
        parts = [Part("table", report_tables(report)["failures"])]
        sections.append({"title": "What failed", "level": 2, "parts": parts})
    labels = [name for study in report.studies for name in study.labels if name != study.background]
    numbers = count(1)
    page = environment.get_template("report.html").render(
        report=report,
        question=report.experiment["question"],
        answer=answer(report),
        sections=sections,
        toml=write_toml(report.experiment),
        style=f"{_source('style.css')}\n{comparison_css()}",
        html=lambda frame: to_html(frame, f"t{next(numbers)}"),
        pictures=pictures or {},
        legend=comparison_legend(list(dict.fromkeys(labels))) if pictures else "",
    )
    return page.strip() + "\n"


def _source(name: str) -> str:
    return resources.files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


def _learner_sections(
    report: Report, frames: Mapping[str, pd.DataFrame], plots: Mapping[str, Plot]
) -> Iterator[Section]:
    for study in report.studies:
        yield study.name, 2, [Part("facts", _study_facts(report, study))]
        for title, parts in _study_sections(report, study, frames, plots):
            yield title, 3, parts
        mistakes = [one for one in report.mistakes if one.study == study.name]
        worst = [(page, list(own)) for page, own in groupby(mistakes, key=lambda one: one.page)]
        yield "The worst pages", 3, [Part("worst", worst)]
        yield "Corpus and splits", 3, [Part("sites", study)]
    if len(report.studies) > 1:
        across = [*_frames(frames, "studies"), *_plots(plots, "contrasts")]
        across += _frames(frames, "contrasts")
        for i in range(1, len(report.rankings) + 1):
            across += [*_plots(plots, f"ranking {i}"), *_frames(frames, f"ranking {i}")]
        yield "All studies together", 2, across


def _frames(frames: Mapping[str, pd.DataFrame], *keys: str) -> list[Part]:
    return [Part("table", frames[key]) for key in keys if key in frames]


def _plots(plots: Mapping[str, Plot], *keys: str) -> list[Part]:
    return [Part("plots", [plots[key] for key in keys if key in plots])]


def _study_sections(
    report: Report, study: Study, frames: Mapping[str, pd.DataFrame], plots: Mapping[str, Plot]
) -> Iterator[tuple[str, list[Part]]]:
    """Yield the titles of the sections of a study, with their tables and plots."""
    name, fits = study.name, [fit for fit in report.fits if fit.study == study.name]
    learners = list(dict.fromkeys(fit.subject for fit in fits))

    def tables(*keys: str) -> list[Part]:
        return _frames(frames, *(f"{key} {name}" for key in keys))

    def drawn(*keys: str) -> list[Part]:
        return _plots(plots, *(f"{key} {name}" for key in keys))

    yield "Which learner is best", [*tables("learners"), *drawn("intervals")]
    yield "Is the difference more than chance?", [*drawn("pairs"), *tables("pairs")]
    labels = [*drawn("labels"), Part("table", _f1_table(report, study))]
    for one in learners:
        inner = [*tables(f"labels of {one}"), *_confusion_table(report, study, one)]
        labels.append(Part("details", inner, one))
    yield "Which learner finds which region", labels
    yield "What more training pages would bring", [*drawn("learning"), *tables("learning")]
    parts = [f"features of {one}" for one in learners]
    yield "What each family of features contributes", [*drawn(*parts), *tables(*parts)]
    tuned = [
        f"{written_name(parameter)} of {one}"
        for one in learners
        for parameter in tuned_parameters(fits, one)
    ]
    tuning = [*tables("tuning"), *drawn(*tuned), *drawn("convergence")]
    tuning.append(Part("details", tables("grid"), "Every point that was tried"))
    yield "How the learners were tuned", tuning
    reliability = drawn(*(f"reliability of {one}" for one in learners))
    yield "How far confidence can be believed", [*tables("calibration"), *reliability]
    yield "Time against accuracy", drawn("costs")


def _study_facts(report: Report, study: Study) -> dict[str, object]:
    splits = [split for split in report.splits if split.study == study.name]
    sizes = [(one.train, one.validation, one.test) for one in splits[:1]]
    facts: dict[str, object] = {
        "Pages": study.n_pages,
        "Sites": study.n_sites,
        "Regions": sum(study.labels.values()),
        "Splits": f"{len(splits)} by {study.by}",
        "Training, validation, test": ", ".join(f"{len(p):,}" for size in sizes for p in size),
        "Columns": max((split.n_columns for split in splits), default=0),
        "Renderer": study.renderer,
        "Detectable difference": f"{percent(study.detectable)} points" if study.detectable else "",
        "Regions of unknown label": study.n_unknown,
        "Regions of several labels": study.n_several,
        "Features without layout": study.n_unknown_features,
        "Sites by": study.site_rule,
        "Pages are": "invented" if study.is_invented else "",
    }
    return {name: value for name, value in facts.items() if value}


def _f1_table(report: Report, study: Study) -> pd.DataFrame:
    """Return the F1 of each label by learner, the stronger the colour, the better."""
    names = report.having(study.name)
    f1 = [[report.value(study.name, name, "f1", label) for name in names] for label in study.labels]
    rows = [
        {"Label": label, **dict(zip(names, row, strict=True))}
        for label, row in zip(study.labels, f1, strict=True)
    ]
    frame = table("F1 by label, in per cent; the stronger the colour, the better", rows)
    for i, row in enumerate(f1):
        for name, value in zip(names, row, strict=True):
            frame.attrs["shades"][i, name] = _shade("good", (value or 0.0) ** 3)
    return frame


def _confusion_table(report: Report, study: Study, name: str) -> Iterator[Part]:
    """Yield a confusion matrix, each cell shaded by its share of the gold label's regions."""
    for one in report.confusions:
        if (one.study, one.subject) == (study.name, name):
            rows, shades = [], {}
            for i, (gold, counts) in enumerate(zip(study.labels, one.counts, strict=True)):
                cells = dict(zip(study.labels, counts, strict=True))
                rows.append({"Label": gold, **{label: n or "" for label, n in cells.items()}})
                for label, n in cells.items():
                    kind = "good" if label == gold else "bad"
                    shades[i, label] = _shade(kind, n / max(sum(counts), 1))
            title = "Confusion: gold labels in rows, predicted ones in columns"
            frame = table(title, rows)
            frame.attrs["shades"] = shades
            yield Part("table", frame)


def _shade(kind: str, strength: float) -> str:
    """Return the style of a cell of a strength in [0, 1]."""
    return f"background: rgba(var(--{kind}-rgb), {0.06 + 0.56 * strength:.2f})" if strength else ""


def _extractor_sections(
    report: Report, frames: Mapping[str, pd.DataFrame], plots: Mapping[str, Plot]
) -> Iterator[Section]:
    def ranks(source: str) -> list[str]:
        numbered = enumerate(report.rankings, start=1)
        return [f"ranking {i}" for i, ranking in numbered if ranking.source == source]

    overall = [*_frames(frames, "overall", *ranks("")), *_plots(plots, *ranks(""))]
    overall += _frames(frames, "pairs", "f1", "leaves", "presence")
    yield "All sources together", 2, overall
    for study in (study for study in report.studies if study.is_whole):
        keys = [f"{kind} {study.name}" for kind in ("f1", "precision", "time", "parts")]
        body = [*_plots(plots, *keys), *_frames(frames, f"package {study.name}")]
        body += [*_plots(plots, *ranks(study.name)), *_frames(frames, *ranks(study.name))]
        for part in report.studies:
            if part.source == study.name and not part.is_whole:
                own = [f"{kind} {part.name}" for kind in ("f1", "precision", "time")]
                inner = [*_plots(plots, *own), *_frames(frames, f"package {part.name}")]
                body.append(Part("details", inner, part.name))
        yield study.name, 2, body
    curves = [key for key in plots if key.startswith(("page classes ", "learning time "))]
    yield "What was learnt", 2, [*_frames(frames, "learnt"), *_plots(plots, *curves)]
