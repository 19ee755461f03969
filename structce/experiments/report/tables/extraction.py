"""Tables of an extraction experiment: scores, differences, what methods learnt, and failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from structce.evaluation import LEVEL
from structce.experiments.extraction.config import FOLDS_BY
from structce.experiments.extraction.results import (
    ExtractionReport,
    MeasureScores,
    MethodPair,
    MethodScores,
    PackageResult,
)
from structce.experiments.report.tables.base import (
    CERTAIN,
    DASH,
    DIFFERS,
    Table,
    number_range,
    p_words,
    percent,
    percentage_points,
    without_line_breaks,
)
from structce.experiments.significance import CERTAIN_RULE, is_certain

_SECONDS_NOTE = (
    "Milliseconds per kB: time from the bytes of a page to the text, per thousand bytes, the mean "
    "over pages; it depends on the machine, and on what else runs there."
)
_MS_PER_KB, _MS_PER_PAGE = "ms per kB", "Median ms per page"

_FAILURE_NOTE = (
    "A page that a method fails on counts as if nothing had been extracted; a method that fails on "
    "every page is left out."
)


def overall_table(report: ExtractionReport) -> Table:
    """Return one row per method, the best rank first: means over the sources as wholes."""
    measures = report.experiment.measures
    ranks = report.ranking.ranks if report.ranking else {}
    methods = [name for name in method_names(report) if all(w.method(name) for w in report.wholes)]
    order = sorted(methods, key=lambda name: (ranks.get(name, 0.0), methods.index(name)))
    rows = []
    for name in order:
        scores = [method for whole in report.wholes if (method := whole.method(name))]
        _, *cells = _row(name, scores, measures)
        rows.append((name, f"{ranks[name]:.2f}" if name in ranks else DASH, *cells))
    header, *others = _headers(measures)
    return Table(
        title=f"Methods over {len(report.wholes)} sources, in per cent",
        headers=(header, "Mean rank", *others),
        rows=tuple(rows),
        notes=(
            "Each source counts once, however many pages it has: means over its pages, then over "
            "the sources. The deviation is that over the pages of a source.",
            _SECONDS_NOTE,
            *_rank_notes(report),
        ),
        highest=_score_headers(measures),
        lowest=("Mean rank", _MS_PER_KB),
    )


def _headers(measures: Sequence[str]) -> tuple[str, ...]:
    """Return the headers of a row of :func:`_row`."""
    return ("Method", *_score_headers(measures), f"Deviation of F1 {measures[0]}", _MS_PER_KB)


def _row(name: str, scores: Sequence[MethodScores], measures: Sequence[str]) -> tuple[str, ...]:
    """Return the scores of a method and its time, means over one or several packages."""
    main = [method.measures[measures[0]] for method in scores]
    deviations = [method.f1.deviation for method in main if method.f1.deviation is not None]
    seconds = [method.seconds_per_kb.mean for method in scores if method.seconds_per_kb]
    return (
        name,
        *(percent(fmean(method.measures[m].f1.mean for method in scores), 1) for m in measures),
        percent(fmean(method.precision.mean for method in main), 1),
        percent(fmean(method.recall.mean for method in main), 1),
        percent(fmean(deviations), 1) if deviations else DASH,
        milliseconds(fmean(seconds)) if seconds else DASH,
    )


def _score_headers(measures: Sequence[str]) -> tuple[str, ...]:
    """Return the headers of F1 by every measure, and of precision and recall by the first."""
    main = measures[0]
    return (*(f"F1 {measure}" for measure in measures), f"Precision {main}", f"Recall {main}")


def _rank_notes(report: ExtractionReport) -> tuple[str, ...]:
    ranking = report.ranking
    if ranking is None or ranking.p_friedman is None or ranking.critical_difference is None:
        return ()
    return (
        f"Friedman's test of the ranks: {p_words(ranking.p_friedman)}. Two methods differ by "
        f"Nemenyi's test where their mean ranks are {ranking.critical_difference:.2f} apart.",
    )


def method_names(report: ExtractionReport) -> list[str]:
    """Return the names of the methods that have scores on a package, in the order of the rows."""
    every = (method.name for package in report.packages for method in package.methods)
    return list(dict.fromkeys(every))


def milliseconds(seconds: float) -> str:
    """Return seconds as milliseconds with three significant digits."""
    return f"{1_000 * seconds:.3g}"


def package_table(package: PackageResult, measures: Sequence[str]) -> Table:
    """Return one row per method, in the order of the experiment: all scores on a package."""
    return Table(
        title=f"{package.name}, in per cent",
        headers=(*_headers(measures), _MS_PER_PAGE, "Failures"),
        rows=tuple(
            (
                *_row(method.name, [method], measures),
                number_range([method.median_milliseconds]),
                str(method.n_failures),
            )
            for method in package.methods
        ),
        notes=(package_line(package), _SECONDS_NOTE, _FAILURE_NOTE),
        highest=_score_headers(measures),
        lowest=(_MS_PER_KB, _MS_PER_PAGE),
    )


def package_line(package: PackageResult) -> str:
    """Describe the pages of a package in one sentence."""
    sites = "1 site" if package.n_sites == 1 else f"{package.n_sites:,} sites"
    learnt = f"; {package.n_learnt} other pages to learn from" if package.n_learnt else ""
    lost = f"; {package.n_lost} pages could not be read or have no main content"
    return (
        f"{package.n_pages:,} pages of {sites}, {package.n_bytes / 1e6:.1f} MB; half of the pages "
        f"have more than {percent(package.link_quota, 0)} per cent of their text in links, and "
        f"more than {percent(package.main_quota, 0)} per cent of it is main content"
        f"{learnt}{lost if package.n_lost else ''}."
    )


def f1_table(report: ExtractionReport) -> Table:
    """Return one row per package and one column per method: mean F1 by the first measure."""
    measure, names = report.experiment.measure, method_names(report)

    def cell(method: MethodScores | None) -> str:
        return percent(method.measures[measure].f1.mean, 1) if method else DASH

    return Table(
        title=f"F1 of {measure} on every package, in per cent",
        headers=("Package", "Pages", "In links", "Main", *names),
        rows=tuple(
            (
                package.name,
                str(package.n_pages),
                percent(package.link_quota, 0),
                percent(package.main_quota, 0),
                *(cell(package.method(name)) for name in names),
            )
            for package in report.packages
        ),
        notes=(
            "In links: share of a page's text inside links; Main: share of its words that are main "
            "content; both the median over pages.",
        ),
    )


def pair_table(report: ExtractionReport) -> Table:
    """Return one row per method and one column per source: F1 less that of the reference."""
    reference = report.experiment.reference_setting
    names = [name for name in method_names(report) if name != reference]
    columns = [{pair.method: pair for pair in whole.pairs} for whole in report.wholes]
    rows = [(name, *(pair_cell(column.get(name)) for column in columns)) for name in names]
    return Table(
        title=f"F1 of {report.experiment.measure} less that of {reference}, in points",
        headers=("Method", *(whole.name for whole in report.wholes)),
        rows=tuple(rows) if any(columns) else (),
        notes=(
            f"Mean over pages. {DIFFERS} marks p up to {LEVEL} in Wilcoxon's matched-pairs test "
            f"over pages, {CERTAIN} what is {CERTAIN_RULE}. The correction is over the methods of "
            "the column.",
        ),
    )


def pair_cell(pair: MethodPair | None) -> str:
    """Return a difference in points with the mark of its test."""
    if pair is None:
        return DASH
    mark = CERTAIN if is_certain(pair) else DIFFERS if pair.p <= LEVEL else ""
    return f"{percentage_points(pair.difference, 1)}{mark}"


def failed_table(report: ExtractionReport) -> Table:
    """Return one row for each method that could not be made, or failed on pages of a package."""
    return Table.of(
        "What failed",
        report.failures,
        ("Method", lambda failure: failure.method),
        ("Package", lambda failure: failure.package or DASH),
        ("Pages", lambda failure: str(failure.n_pages) if failure.package else DASH),
        ("Reason on the first page", lambda failure: without_line_breaks(failure.error)[:300]),
        n_names=4,
    )


def extraction_tables(report: ExtractionReport) -> dict[str, Table]:
    """Return the tables that have rows, under short names that serve as labels."""
    tables = {
        "overall": overall_table(report),
        "pairs": pair_table(report),
        "f1": f1_table(report),
        "precision": precision_recall_table(report),
        "leaves": leaf_table(report),
        "presence": presence_table(report),
        "page-classes": page_class_table(report),
        "folds": fold_table(report),
        "tokens": token_table(report),
        **{
            f"package-{whole.name}": package_table(whole, report.experiment.measures)
            for whole in report.wholes
        },
        "failures": failed_table(report),
    }
    return {name: table for name, table in tables.items() if table.rows}


_MOST_COLUMNS = 14  # methods that a table of precision and recall has columns for

_PRESENCE = {
    "all-present": ("Pages with all of it", "Pages with nothing else"),
    "lines": ("Lines of the gold found", "Lines found that are gold"),
    "short-lines": ("Short lines of the gold found", "Short lines found that are gold"),
    "long-lines": ("Long lines of the gold found", "Long lines found that are gold"),
    "first-line": ("First line of the gold found", "First line found that is gold"),
    "middle-lines": ("Lines between found", "Lines between that are gold"),
    "last-line": ("Last line of the gold found", "Last line found that is gold"),
}
"""Words for recall and precision of the measures of lines."""

_PARTS = ("precision", "recall", "f1")


def precision_recall_table(report: ExtractionReport) -> Table:
    """Return one row per package, one column per method: precision and recall by the first measure.

    Without rows for more methods than a page is wide for. Table 2 of Debnath et al. (2005).
    """
    measure = report.experiment.measure
    names = method_names(report)

    def cell(method: MethodScores | None) -> str:
        if method is None:
            return DASH
        scores = method.measures[measure]
        return f"{percent(scores.precision.mean, 1)} / {percent(scores.recall.mean, 1)}"

    return Table(
        title=f"Precision and recall of {measure} on every package, in per cent",
        headers=("Package", "Pages", *names),
        rows=tuple(
            (package.name, str(package.n_pages), *(cell(package.method(name)) for name in names))
            for package in report.packages
            if len(names) <= _MOST_COLUMNS
        ),
        notes=("Each cell is precision, then recall: means over the pages of the package.",),
    )


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
                method.name,
                *(
                    percent(share.mean, 1)
                    for name in measures
                    for share in (method.measures[name].recall, method.measures[name].precision)
                ),
            )
            for whole in report.wholes
            for method in whole.methods
            if measures
        ),
        notes=("A line is present where its words are a run of the other text's words.",),
        n_names=2,
    )


def leaf_table(report: ExtractionReport) -> Table:
    """Return one row for each source and method: its text nodes, those of all pages together.

    Without rows unless the experiment has both measures of leaves. Table 1 of Leonhardt et al.
    (2020), where boilerplate is the negative class and content the positive one.
    """
    classes = {"leaf-boilerplate": "boilerplate", "leaf": "content"}
    return Table(
        title="Text nodes of all pages together, in per cent",
        headers=(
            "Source",
            "Method",
            *(f"{part.title()} {name}" for name in classes.values() for part in _PARTS),
        ),
        rows=tuple(
            (
                whole.name,
                method.name,
                *(percent(getattr(method.leaves[m], p), 1) for m in classes for p in _PARTS),
            )
            for whole in report.wholes
            for method in whole.methods
            if method.leaves
        ),
        notes=("A page counts by its number of text nodes, those without a word left out.",),
        n_names=2,
    )


def page_class_table(report: ExtractionReport) -> Table:
    """Return one row for each source, method and number of pages that it learnt from."""
    measure = report.experiment.measure

    def cells(scores: MeasureScores | None) -> list[str]:
        return [percent(getattr(scores, p).mean, 1) if scores else DASH for p in _PARTS]

    return Table(
        title=f"Pages of a class to learn from: {measure}, in per cent",
        headers=(
            *"Source Method Pages Classes".split(),
            *(f"{part.title()}, {pages}" for pages in ("seen", "others") for part in _PARTS),
            "Others",
            "ms to learn",
            "ms to extract",
        ),
        rows=tuple(
            (
                point.source,
                point.method,
                str(point.n_pages),
                str(point.n_classes),
                *cells(point.seen.get(measure)),
                *cells(point.unseen.get(measure)),
                str(point.n_unseen),
                number_range([point.learning_milliseconds]),
                number_range([point.milliseconds]),
            )
            for point in report.page_classes
        ),
        notes=(
            "Seen: pages that the method learnt from, as Debnath et al. (2005) measured; others: "
            "further pages of the same classes. Classes with fewer pages are left out, so that "
            "rows with other numbers of classes are of other pages.",
            "Milliseconds for each page, from its bytes on: to learn from it, the mean over "
            "classes, and to extract from it, the mean over pages.",
        ),
        n_names=2,
    )


def fold_table(report: ExtractionReport) -> Table:
    """Return one row for each trained method and measure: F1 by random folds and by site.

    Without rows unless the experiment draws folds in both ways.
    """
    experiment = report.experiment
    has_both = set(experiment.folds_by) == set(FOLDS_BY)
    names: dict[str, dict[str, str]] = {}  # of the settings, by method and way of drawing folds
    for setting in experiment.settings if has_both else ():
        if setting.folds:
            names.setdefault(setting.method.name, {})[setting.folds] = setting.name

    def cell(whole: PackageResult, own: Mapping[str, str], measure: str) -> str:
        random, by_site = (whole.method(own[by]) for by in FOLDS_BY)
        if not random or not by_site:
            return DASH
        first, second = (scores.measures[measure].f1.mean for scores in (random, by_site))
        difference = percentage_points(first - second, 1)
        return f"{percent(first, 1)}, {percent(second, 1)} ({difference})"

    return Table(
        title="F1 by random folds, by folds that keep sites whole, and their difference",
        headers=("Method", "Measure", *(whole.name for whole in report.wholes)),
        rows=tuple(
            (name, measure, *(cell(whole, own, measure) for whole in report.wholes))
            for name, own in names.items()
            for measure in experiment.measures
        ),
        notes=(
            "Per cent, random then by site, and how many points random folds flatter: pages of a "
            "site share its template, so that a random fold is tested on sites that were learnt "
            "from.",
        ),
        n_names=2,
    )


def token_table(report: ExtractionReport) -> Table:
    """Return one row for each source and trained method that looks for tokens: which, how often."""
    return Table.of(
        "Tokens of id and class that trained methods look for",
        report.tokens,
        ("Source", lambda learnt: learnt.source),
        ("Method", lambda learnt: learnt.setting),
        (
            "Tokens, with the folds that chose each",
            lambda learnt: ", ".join(
                f"{token} {n}/{learnt.n_models}" for token, n in learnt.counts.items()
            ),
        ),
        n_names=3,
    )
