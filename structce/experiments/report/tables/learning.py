"""Tables of methods that must see pages first: pages of a class, folds, tokens, blocks by site."""

from __future__ import annotations

from structce.experiments.extraction.results import (
    ExtractionReport,
    MeasureScores,
    PackageResult,
    PageClassPoint,
)
from structce.experiments.extraction.settings import FOLDS_BY
from structce.experiments.report.tables.base import DASH, Table, percent, percentage_points

_MOST_COLUMNS = 14
"""Methods that a table of precision and recall has columns for."""

_PRESENCE = {
    "all-present": ("Pages with all of it", "Pages with nothing else"),
    "lines": ("Lines of the gold found", "Lines found that are gold"),
}
"""Words for recall and precision of the measures of lines."""

_PARTS = ("precision", "recall", "f1")


def precision_recall_table(report: ExtractionReport) -> Table:
    """Return one row per package, one column per method: precision and recall by the first measure.

    Without rows for more methods than a page is wide for. Table 2 of Debnath et al. (2005).
    """
    measure = report.experiment.measure
    names = [one.name for one in report.packages[0].methods] if report.packages else []
    rows = report.packages if len(names) <= _MOST_COLUMNS else ()
    return Table(
        title=f"Precision and recall of {measure} on every package, in per cent",
        headers=("Package", "Pages", *names),
        rows=tuple(_precision_row(package, measure) for package in rows),
        notes=("Each cell is precision, then recall: means over the pages of the package.",),
    )


def _precision_row(package: PackageResult, measure: str) -> tuple[str, ...]:
    scores = [one.measures[measure] for one in package.methods]
    return (package.name, str(package.n_pages), *(_two(one) for one in scores))


def _two(scores: MeasureScores) -> str:
    return f"{percent(scores.precision.mean, 1)} / {percent(scores.recall.mean, 1)}"


def presence_table(report: ExtractionReport) -> Table:
    """Return one row for each source and method: which pages and lines are there as a whole.

    Without rows unless the experiment measures lines, or whether all of them are present.
    """
    measures = [name for name in _PRESENCE if name in report.experiment.measures]
    return Table(
        title="Text of the gold that is present, and other text, in per cent",
        headers=("Source", "Method", *(words for name in measures for words in _PRESENCE[name])),
        rows=tuple(
            (
                whole.name,
                one.name,
                *(
                    percent(share.mean, 1)
                    for name in measures
                    for share in (one.measures[name].recall, one.measures[name].precision)
                ),
            )
            for whole in report.wholes
            for one in whole.methods
            if measures
        ),
        notes=("A line is present where its words are a run of the other text's words.",),
        n_names=2,
    )


def page_class_table(report: ExtractionReport) -> Table:
    """Return one row for each source, method and number of pages that it learnt from."""
    measure = report.experiment.measure
    return Table(
        title=f"Pages of a class to learn from: {measure}, in per cent",
        headers=(
            *"Source Method Pages Classes".split(),
            *(f"{part.title()}, seen" for part in _PARTS),
            *(f"{part.title()}, others" for part in _PARTS),
            "Others",
            "ms to learn",
            "ms to extract",
        ),
        rows=tuple(_page_class_row(point, measure) for point in report.page_classes),
        notes=(
            "Seen: pages that the method learnt from, as Debnath et al. (2005) measured; others: "
            "further pages of the same classes. Classes with fewer pages are left out, so that "
            "rows with other numbers of classes are of other pages.",
            "Milliseconds for each page, from its bytes on: to learn from it, the mean over "
            "classes, and to extract from it, the mean over pages.",
        ),
        n_names=2,
    )


def _page_class_row(point: PageClassPoint, measure: str) -> tuple[str, ...]:
    times = (point.learning_milliseconds, point.milliseconds)
    return (
        point.source,
        point.method,
        str(point.n_pages),
        str(point.n_classes),
        *_part_cells(point.seen.get(measure)),
        *_part_cells(point.unseen.get(measure)),
        str(point.n_unseen),
        *(DASH if time is None else f"{time:.3g}" for time in times),
    )


def _part_cells(scores: MeasureScores | None) -> tuple[str, ...]:
    if scores is None:
        return (DASH,) * len(_PARTS)
    return tuple(percent(getattr(scores, part).mean, 1) for part in _PARTS)


def fold_table(report: ExtractionReport) -> Table:
    """Return one row for each trained method and measure: F1 by random folds and by site.

    Without rows unless the experiment draws folds in both ways.
    """
    experiment = report.experiment
    names = {
        method.name: [one.name for one in experiment.settings if one.method == method]
        for method in experiment.methods
        if method.kind == "trainable"
    }
    has_both = set(experiment.folds_by) == set(FOLDS_BY)
    order = [experiment.folds_by.index(by) for by in FOLDS_BY] if has_both else []
    return Table(
        title="F1 by random folds, by folds that keep sites whole, and their difference",
        headers=("Method", "Measure", *(whole.name for whole in report.wholes)),
        rows=tuple(
            (name, measure, *(_fold_cell(whole, own, order, measure) for whole in report.wholes))
            for name, own in names.items()
            if has_both
            for measure in experiment.measures
        ),
        notes=(
            "Per cent, random then by site, and how many points random folds flatter: pages of a "
            "site share its template, so that a random fold is tested on sites that were learnt "
            "from.",
        ),
        n_names=2,
    )


def _fold_cell(whole: PackageResult, names: list[str], order: list[int], measure: str) -> str:
    found = [whole.method(names[place]) for place in order]
    values = [one.measures[measure].f1.mean for one in found if one]
    if len(values) < len(order):
        return DASH
    random, by_site = values
    words = f"{percent(random, 1)}, {percent(by_site, 1)}"
    return f"{words} ({percentage_points(random - by_site, 1)})"


def token_table(report: ExtractionReport) -> Table:
    """Return one row for each source and trained method that looks for tokens: which, how often."""
    return Table(
        title="Tokens of id and class that trained methods look for",
        headers=("Source", "Method", "Tokens, with the folds that chose each"),
        rows=tuple(
            (
                one.source,
                one.setting,
                ", ".join(f"{token} {n}/{one.n_models}" for token, n in one.counts.items()),
            )
            for one in report.tokens
        ),
        n_names=3,
    )
