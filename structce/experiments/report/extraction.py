"""Report of an extraction experiment: findings, text, Markdown, LaTeX, HTML page and files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean

from structce.experiments.extraction.results import ExtractionReport, PackageResult
from structce.experiments.report.page import PlotDrawer, ReportPage, render_page
from structce.experiments.report.plots.base import Plot
from structce.experiments.report.plots.extraction import (
    f1_plot,
    learning_time_plot,
    page_class_plot,
    parts_plot,
    precision_recall_plot,
    time_plot,
)
from structce.experiments.report.plots.scores import rank_plot
from structce.experiments.report.tables.base import p_words, percent, percentage_points
from structce.experiments.report.tables.extraction import (
    extraction_tables,
    method_names,
    milliseconds,
    package_table,
)
from structce.experiments.report.text import Chapter, Findings, ReportWords
from structce.experiments.results import Ranking
from structce.experiments.significance import is_certain

LEARNING_TABLES = ("page-classes", "folds", "tokens")
"""Tables of the section on learning, by their short names."""

_MOST_RANKS = 14  # methods whose ranks are drawn; those of more are only in the table

_MOST_NAMED = 8
"""Methods that a sentence names; of more it names the three that are the furthest away."""

_MOST_PARTS = 8  # parts of a source that are drawn one by one; more share one figure


def extraction_findings(report: ExtractionReport) -> tuple[Findings, ...]:
    """Return the findings of a report, one sentence each: the best, the reference, time, models."""
    trained = [
        f"The model of {method} was trained on pages of {', '.join(sources)}: its figures there "
        "are not of unseen pages, and flatter."
        for method, sources in report.trained_on.items()
    ]
    sentences = (*_best(report), *_reference(report), *_speed(report), *trained)
    return tuple(Findings("", sentence) for sentence in sentences)


def _best(report: ExtractionReport) -> Iterator[str]:
    measure = report.experiment.measure
    if len(report.wholes) == 1 and (methods := report.wholes[0].methods):
        best = max(methods, key=lambda method: method.measures[measure].f1.mean)
        value, name = percent(best.measures[measure].f1.mean, 1), report.wholes[0].name
        yield f"{best.name} has the highest F1 of {measure} on {name}, {value} per cent."
    if report.ranking:
        (first, rank), *others = sorted(report.ranking.ranks.items(), key=lambda item: item[1])
        test = report.ranking.p_friedman
        said = f" (Friedman's test over all: {p_words(test)})" if test is not None else ""
        behind = f", before {others[0][0]} with {others[0][1]:.2f}" if others else ""
        n = len(report.ranking.studies)
        yield (
            f"{first} has the best mean rank over {n} sources by F1 of {measure}, "
            f"{rank:.2f}{behind}{said}."
        )


def _reference(report: ExtractionReport) -> Iterator[str]:
    """Yield sentences on the methods that the reference is certainly ahead of, or behind."""
    groups: dict[str, list[tuple[float, str]]] = {"ahead of": [], "behind": [], "neither with": []}
    for name in method_names(report):
        pairs = [pair for whole in report.wholes if (pair := whole.pair(name))]
        if pairs:
            sure = [pair.difference for pair in pairs if is_certain(pair)]
            balance = sum(difference < 0 for difference in sure) * 2 - len(sure)
            word = "ahead of" if balance > 0 else "behind" if balance else "neither with"
            groups[word].append((-fmean(pair.difference for pair in pairs), name))
    said = [f"{word} {_names(group)}" for word, group in groups.items() if group]
    if said:
        yield (
            f"{report.experiment.reference_setting}, by what is certain on more of the "
            f"{len(report.wholes)} sources (mean difference in points): {'; '.join(said)}."
        )
    yield from _missing_reference(report)


def _missing_reference(report: ExtractionReport) -> Iterator[str]:
    """Yield a sentence if the reference has no scores on some source, with the reason."""
    experiment = report.experiment
    name = experiment.reference_setting
    names = {s.method.name for s in experiment.settings if s.name == name} | {name}
    if missing := [whole.name for whole in report.wholes if not whole.method(name)]:
        places = "" if len(missing) == len(report.wholes) else f" on {', '.join(missing)}"
        reasons = (failure.error for failure in report.failures if failure.method in names)
        reason = next(reasons, "no page was measured")
        yield f"The reference {name} could not run{places}: {reason}; no differences."


def _names(group: Sequence[tuple[float, str]]) -> str:
    """Return methods with their mean differences in words; of many, those with the largest."""
    is_many = len(group) > _MOST_NAMED
    named = sorted(group, key=lambda pair: -abs(pair[0]))[:3] if is_many else group
    words = ", ".join(f"{name} ({percentage_points(mean, 1)})" for mean, name in named)
    return f"{len(group)} methods, among them {words}" if is_many else words


def _speed(report: ExtractionReport) -> Iterator[str]:
    times: defaultdict[str, list[float]] = defaultdict(list)
    for whole in report.wholes:
        for scores in whole.methods:
            times[scores.name] += [scores.seconds_per_kb.mean] if scores.seconds_per_kb else []
    means = sorted((fmean(values), name) for name, values in times.items() if values)
    if len(means) > 1:
        (least, fastest), (most, slowest) = means[0], means[-1]
        yield (
            f"{fastest} is the fastest, {milliseconds(least)} ms per kB, and {slowest} the "
            f"slowest, {milliseconds(most)} ms per kB."
        )


def extraction_caveats(report: ExtractionReport) -> Iterator[str]:
    """Yield the limits of the results."""
    yield "Tests over pages assume independent pages; those of one site are not."
    yield "Data sets differ in what main content is: some include the headline, some captions."
    experiment = report.experiment
    if experiment.compares_classes:
        yield "Methods of page classes are also measured on pages that they learnt from."
    if experiment.has_folds and not all(source.learn_from for source in experiment.packages):
        n = experiment.n_folds
        yield f"A trained method has {n} models of each source: one per fold, fewer if sites are."
    if most := experiment.pages:
        yield f"At most {most} pages of each package were drawn, unless the file says otherwise."
    for package in report.packages:
        if package.n_lost:
            n = package.n_lost
            yield f"{package.name}: {n} pages could not be read, or have no main content."
    yield "Times are of one machine, and longer if other work ran on it."


def extraction_words(report: ExtractionReport) -> ReportWords:
    """Return a report on extractors in words; a terminal shows the tables over all packages."""
    question, tables = report.experiment.question, extraction_tables(report)
    findings = extraction_findings(report)
    details = frozenset(name for name in tables if name.startswith("package-"))
    chapter = Chapter(tables, details=details)
    return ReportWords(question, findings, (chapter,), (f"Question: {question}",))


def extraction_page(report: ExtractionReport) -> ReportPage:
    """Draw a report as an HTML page; without matplotlib it has only tables, and says so."""
    drawer = PlotDrawer()
    measure, tables = report.experiment.measure, extraction_tables(report)
    learning_plots: list[Plot] = []
    views = [
        _source_values(report, whole, f"source-{number}", drawer)
        for number, whole in enumerate(report.wholes, start=1)
    ]
    overall = _rank_plot(report.ranking, drawer)
    for whole in report.wholes:
        points = [point for point in report.page_classes if point.source == whole.name]
        learning_plots += drawer.draw_each(page_class_plot, [(whole.name, points, measure)])
        learning_plots += drawer.draw_each(learning_time_plot, [(whole.name, points)])
    return render_page(
        "extraction.html",
        report,
        extraction_findings(report),
        tuple(extraction_caveats(report)),
        drawer,
        tables=tables,
        rank_plot=overall,
        views=views,
        learning_tables=[tables[name] for name in LEARNING_TABLES if name in tables],
        learning_plots=learning_plots,
    )


def _rank_plot(ranking: Ranking | None, drawer: PlotDrawer) -> Plot | None:
    """Return the plot of ranks; None for too many methods to be readable."""
    if ranking is None or len(ranking.ranks) > _MOST_RANKS:
        return None
    return drawer.draw(rank_plot, ranking)


def _source_values(
    report: ExtractionReport, whole: PackageResult, id: str, drawer: PlotDrawer
) -> dict[str, object]:
    """Return the values of a source and its parts for the page, whose section has the given id."""
    ranking = report.part_rankings.get(whole.name)
    parts = [part for part in report.packages if part.source == whole.name and not part.is_whole]
    is_few, shared = len(parts) <= _MOST_PARTS, (whole.name, parts, report.experiment.measure)
    return {
        "id": id,
        **_package_values(report, whole, drawer),
        "rank_plot": _rank_plot(ranking, drawer),
        "parts_plot": None if is_few else drawer.draw(parts_plot, *shared),
        "parts": [_package_values(report, part, drawer, has_plots=is_few) for part in parts],
    }


def _package_values(
    report: ExtractionReport, package: PackageResult, drawer: PlotDrawer, *, has_plots: bool = True
) -> dict[str, object]:
    measures = report.experiment.measures
    plots: list[Plot] = []
    if has_plots:
        plots += drawer.draw_each(f1_plot, [(package, measures)])
        plots += drawer.draw_each(precision_recall_plot, [(package, measures[0])])
        plots += drawer.draw_each(time_plot, [(package, measures[0])])
    return {"package": package, "plots": plots, "table": package_table(package, measures)}
