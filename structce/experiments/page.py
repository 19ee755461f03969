"""HTML page of a report: its sections of tables and plots, without scripts, loading nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import resources
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from structce.experiments.answer import answer
from structce.experiments.frames import DASH, Scores, percent, to_html
from structce.experiments.plots import Plot, tuned_parameters
from structce.experiments.report import Confusion, Mistake, Report, Study
from structce.experiments.tables import grid_table, report_tables
from structce.experiments.toml_tables import write_toml, written_name
from structce.extras import load_extra
from structce.visualisation import comparison_css, comparison_legend

if TYPE_CHECKING:
    import pandas as pd

Pictures = Mapping[tuple[str, str], str]


class Section(NamedTuple):
    """Section of the page: its title, level of heading, and safe mark-up."""

    title: str
    level: int
    parts: Sequence[Markup]


class _Parts:
    """Tables and plots of a report by their keys, as mark-up; empty for those without data."""

    def __init__(self, report: Report, plots: Mapping[str, Plot]) -> None:
        self.frames, self.plots = report_tables(report), plots
        self._n = 0

    def table(self, key: str) -> Markup:
        """Return a table by its key."""
        return self.frame(self.frames[key]) if key in self.frames else Markup("")

    def frame(self, frame: pd.DataFrame) -> Markup:
        """Return a table with its title and notes."""
        self._n += 1
        notes = Markup("").join(
            Markup('<p class="note">{}</p>').format(n) for n in frame.attrs["notes"]
        )
        caption = Markup('<p class="caption">{}</p>').format(frame.attrs["title"])
        body = Markup(to_html(frame, f"t{self._n}"))
        return Markup('{}<div class="scroll" tabindex="0">{}</div>{}').format(caption, body, notes)

    def plot(self, *keys: str) -> Markup:
        """Return plots by their keys, beside each other where there is room."""
        figures = [
            Markup("<figure><figcaption>{}</figcaption>{}</figure>").format(
                self.plots[key].title, Markup(self.plots[key].svg)
            )
            for key in keys
            if key in self.plots
        ]
        if len(figures) < 2:
            return Markup("").join(figures)
        return Markup('<div class="plots">{}</div>').format(Markup("").join(figures))


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
    parts = _Parts(report, plots)
    worst = environment.get_template("worst.html")

    def worst_pages(study: Study, mistakes: Sequence[Mistake]) -> Markup:
        pages = [(page, list(own)) for page, own in groupby(mistakes, key=lambda one: one.page)]
        drawn = {page: Markup((pictures or {}).get((study.name, page), "")) for page, _ in pages}
        labels = [name for name in study.labels if name != study.background]
        legend = Markup(comparison_legend(labels) if any(drawn.values()) else "")
        return Markup(worst.render(pages=pages, pictures=drawn, legend=legend))

    if report.kind == "extractors":
        sections = list(_extractor_sections(report, parts))
    else:
        sections = [*_learner_sections(report, parts, worst_pages)]
    page = environment.get_template("report.html").render(
        report=report,
        question=report.experiment["question"],
        answer=answer(report),
        sections=sections,
        toml=write_toml(report.experiment),
        style=f"{_source('style.css')}\n{comparison_css()}",
    )
    return page.strip() + "\n"


def _source(name: str) -> str:
    return resources.files(__package__).joinpath("templates", name).read_text(encoding="utf-8")


def _details(summary: str, *parts: Markup, is_open: bool = False) -> Markup:
    body = Markup("").join(parts)
    start = Markup("<details open>" if is_open else "<details>")
    return Markup("{}<summary>{}</summary>{}</details>").format(start, summary, body)


def _facts(facts: Mapping[str, object]) -> Markup:
    rows = [
        Markup("<div><dt>{}</dt><dd>{}</dd></div>").format(
            name, f"{value:,}" if isinstance(value, int) else value
        )
        for name, value in facts.items()
    ]
    return Markup('<dl class="facts">{}</dl>').format(Markup("").join(rows))


def _learner_sections(
    report: Report, parts: _Parts, worst_pages: Callable[[Study, Sequence[Mistake]], Markup]
) -> Iterator[Section]:
    for study in report.studies:
        yield Section(study.name, 2, [_facts(_study_facts(report, study))])
        for title, own in _study_sections(report, study, parts):
            if any(own):
                yield Section(title, 3, own)
        mistakes = [mistake for mistake in report.mistakes if mistake.study == study.name]
        if mistakes:
            yield Section("The worst pages", 3, [worst_pages(study, mistakes)])
        yield Section("Corpus and splits", 3, [_split_facts(report, study)])
    if len(report.studies) > 1:
        across = [parts.table("studies"), parts.plot("contrasts"), parts.table("contrasts")]
        for i in range(1, len(report.rankings) + 1):
            across += [parts.plot(f"ranking {i}"), parts.table(f"ranking {i}")]
        yield Section("All studies together", 2, across)
    if report.failures:
        yield Section("What failed", 2, [parts.table("failures")])


def _study_sections(
    report: Report, study: Study, parts: _Parts
) -> Iterator[tuple[str, list[Markup]]]:
    """Yield the titles of the sections of a study, with their tables and plots."""
    name, fits = study.name, [fit for fit in report.fits if fit.study == study.name]
    learners = list(dict.fromkeys(fit.subject for fit in fits))
    best = [parts.table(f"learners {name}"), parts.plot(f"intervals {name}")]
    yield "Which learner is best", best
    chance = [parts.plot(f"pairs {name}"), parts.table(f"pairs {name}")]
    yield "Is the difference more than chance?", chance
    labels = [parts.plot(f"labels {name}"), parts.frame(_f1_table(report, study))]
    for one in learners:
        matrix = _confusions(report, study, one, parts)
        labels.append(_details(one, parts.table(f"labels of {one} {name}"), *matrix))
    yield "Which learner finds which region", labels
    learning = [parts.plot(f"learning {name}"), parts.table(f"learning {name}")]
    yield "What more training pages would bring", learning
    families = [parts.plot(*(f"features of {one} {name}" for one in learners))]
    families += [parts.table(f"features of {one} {name}") for one in learners]
    yield "What each family of features contributes", families
    tuned = [
        f"{written_name(parameter)} of {one} {name}"
        for one in learners
        for parameter in tuned_parameters(fits, one)
    ]
    tuning = [parts.table(f"tuning {name}"), parts.plot(*tuned), parts.plot(f"convergence {name}")]
    for one in learners:
        grid = grid_table(study, fits, one)
        tuning += [_details(f"Every point of {one}", parts.frame(grid))] if len(grid) else []
    yield "How the learners were tuned", tuning
    reliability = parts.plot(*(f"reliability of {one} {name}" for one in learners))
    yield "How far confidence can be believed", [parts.table(f"calibration {name}"), reliability]
    yield "Time against accuracy", [parts.plot(f"costs {name}")]


def _study_facts(report: Report, study: Study) -> dict[str, object]:
    splits = [split for split in report.splits if split.study == study.name]
    facts: dict[str, object] = {
        "Pages": study.n_pages,
        "Sites": study.n_sites,
        "Regions": sum(study.labels.values()),
        "Splits": f"{len(splits)} by {study.by}",
        "Training, validation, test": ", ".join(
            f"{len(part):,}" for part in (splits[0].train, splits[0].validation, splits[0].test)
        ),
        "Columns": max((split.n_columns for split in splits), default=0),
        "Renderer": study.renderer,
    }
    if study.detectable is not None:
        facts["Detectable difference"] = f"{percent(study.detectable)} points"
    optional = {
        "Regions of unknown label": study.n_unknown,
        "Regions of several labels": study.n_several,
        "Features without layout": study.n_unknown_features,
        "Sites by": study.site_rule,
        "Pages are": "invented" if study.is_invented else "",
    }
    return facts | {name: value for name, value in optional.items() if value}


def _split_facts(report: Report, study: Study) -> Markup:
    rows = []
    for split in (split for split in report.splits if split.study == study.name):
        for part in ("train", "validation", "test"):
            sites = split.sites[part]
            counts = f"Split {split.split + 1}, seed {split.seed}, {part}: "
            counts += f"{len(getattr(split, part))} pages of {len(sites)} sites"
            rows.append(
                Markup('<dt>{}</dt><dd class="sites">{}</dd>').format(counts, ", ".join(sites))
            )
    digest = Markup("<p>Corpus {}, <code>{}</code>, digest <code>{}</code>.</p>").format(
        study.corpus, study.source, study.digest
    )
    return digest + _details(
        "Sites of every part", Markup("<dl>{}</dl>").format(Markup("").join(rows))
    )


def _f1_table(report: Report, study: Study) -> pd.DataFrame:
    """Return the F1 of each label by learner, the stronger the colour, the better."""
    scores = Scores.of(report, study.name)
    names = scores.having("macro_f1")
    rows = []
    for label in study.labels:
        cells: dict[str, tuple[str, float, str]] = {}
        for name in names:
            f1 = scores.value(name, "f1", label)
            cells[name] = (DASH, 0.0, "good") if f1 is None else (percent(f1), f1**3, "good")
        rows.append((label, cells))
    return _shaded("F1 by label, in per cent; the stronger the colour, the better", rows)


def _confusions(report: Report, study: Study, name: str, parts: _Parts) -> Iterator[Markup]:
    """Yield a confusion matrix, each cell shaded by its share of the gold label's regions."""
    for one in report.confusions:
        if (one.study, one.subject) == (study.name, name):
            yield parts.frame(_confusion_table(study, one))


def _confusion_table(study: Study, confusion: Confusion) -> pd.DataFrame:
    rows = []
    for gold, counts in zip(study.labels, confusion.counts, strict=True):
        total = max(sum(counts), 1)
        cells = {
            predicted: (str(n) if n else "", n / total, "good" if predicted == gold else "bad")
            for predicted, n in zip(study.labels, counts, strict=True)
        }
        rows.append((gold, cells))
    return _shaded("Confusion: gold labels in rows, predicted ones in columns", rows)


def _shaded(
    title: str, rows: Sequence[tuple[str, Mapping[str, tuple[str, float, str]]]]
) -> pd.DataFrame:
    """Return a table whose cells have a colour, ``good`` or ``bad``, of a strength in [0, 1]."""
    pandas = load_extra("pandas", "a report", "experiments")
    values = [
        {"Label": name, **{key: cell[0] for key, cell in cells.items()}} for name, cells in rows
    ]
    frame = pandas.DataFrame(values, columns=None if values else ["Label"]).set_index("Label")
    shades = {
        (i, key): f"background: rgba(var(--{kind}-rgb), {0.06 + 0.56 * shade:.2f})"
        for i, (_, cells) in enumerate(rows)
        for key, (_, shade, kind) in cells.items()
        if shade
    }
    frame.attrs = {"title": title, "notes": (), "best": {}, "shades": shades}
    return frame


def _extractor_sections(report: Report, parts: _Parts) -> Iterator[Section]:
    ranks = [f"ranking {i}" for i, one in enumerate(report.rankings, 1) if not one.source]
    overall = [parts.table("overall"), parts.plot(*ranks)]
    overall += [parts.table(key) for key in ("pairs", "f1", "leaves", "presence")]
    yield Section("All sources together", 2, overall)
    for study in (study for study in report.studies if study.is_whole):
        own = [
            f"ranking {i}" for i, one in enumerate(report.rankings, 1) if one.source == study.name
        ]
        plots = [f"{kind} {study.name}" for kind in ("f1", "precision", "time", "parts")]
        body = [parts.plot(*plots), parts.table(f"package {study.name}"), parts.plot(*own)]
        for part in report.studies:
            if part.source == study.name and not part.is_whole:
                figures = parts.plot(
                    *(f"{kind} {part.name}" for kind in ("f1", "precision", "time"))
                )
                body.append(_details(part.name, figures, parts.table(f"package {part.name}")))
        yield Section(study.name, 2, body)
    learnt = [parts.table(key) for key in ("page classes", "folds", "tokens")]
    learnt.append(
        parts.plot(*(key for key in parts.plots if key.startswith(("page cl", "learning "))))
    )
    if any(learnt):
        yield Section("What was learnt", 2, learnt)
    if report.failures:
        yield Section("What failed", 2, [parts.table("failures")])
