"""Tables of an extraction experiment: methods over all sources, packages, pairs, failures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from structce.evaluation import LEVEL
from structce.experiments.extraction.results import (
    ExtractionReport,
    MethodPair,
    MethodScores,
    PackageResult,
)
from structce.experiments.report.evidence import CERTAIN_RULE, is_certain
from structce.experiments.report.tables.base import (
    CERTAIN,
    DASH,
    DIFFERS,
    Table,
    p_words,
    percent,
    percentage_points,
    without_line_breaks,
)
from structce.experiments.report.tables.learning import (
    fold_table,
    page_class_table,
    precision_recall_table,
    presence_table,
    token_table,
)

_SECONDS_NOTE = (
    "Milliseconds per kB: time from the bytes of a page to the text, per thousand bytes, the mean "
    "over pages; it depends on the machine, and on what else runs there."
)
_MS_PER_KB, _MS_PER_PAGE = "ms per kB", "Median ms per page"

_FAILURE_NOTE = "A page that a method fails on counts as if nothing had been extracted."


def overall_table(report: ExtractionReport) -> Table:
    """Return one row per method, the best rank first: means over the sources as wholes."""
    measures = report.experiment.measures
    ranks = report.ranking.ranks if report.ranking else {}
    methods = method_names(report)
    order = sorted(methods, key=lambda name: (ranks.get(name, 0.0), methods.index(name)))
    return Table(
        title=f"Methods over {len(report.wholes)} sources, in per cent",
        headers=(
            "Method",
            "Mean rank",
            *_score_headers(measures),
            f"Deviation of F1 {measures[0]}",
            _MS_PER_KB,
        ),
        rows=tuple(_overall_row(report, name) for name in order),
        notes=(
            "Each source counts once, however many pages it has: means over its pages, then over "
            "the sources. The deviation is that over the pages of a source.",
            _SECONDS_NOTE,
            *_rank_notes(report),
        ),
        highest=_score_headers(measures),
        lowest=("Mean rank", _MS_PER_KB),
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
    """Return the names of the methods that have scores, in the order of the experiment."""
    return [one.name for one in report.packages[0].methods] if report.packages else []


def _overall_row(report: ExtractionReport, name: str) -> tuple[str, ...]:
    found = [one for whole in report.wholes if (one := whole.method(name))]
    main = [one.measures[report.experiment.measure] for one in found]
    deviations = [one.f1.deviation for one in main if one.f1.deviation is not None]
    seconds = [one.seconds_per_kb.mean for one in found if one.seconds_per_kb]
    rank = report.ranking.ranks.get(name) if report.ranking else None
    return (
        name,
        DASH if rank is None else f"{rank:.2f}",
        *(
            percent(fmean(one.measures[measure].f1.mean for one in found), 1)
            for measure in report.experiment.measures
        ),
        percent(fmean(one.precision.mean for one in main), 1),
        percent(fmean(one.recall.mean for one in main), 1),
        percent(fmean(deviations), 1) if deviations else DASH,
        milliseconds(fmean(seconds)) if seconds else DASH,
    )


def milliseconds(seconds: float) -> str:
    """Return seconds as milliseconds with three significant digits."""
    return f"{1_000 * seconds:.3g}"


def package_table(package: PackageResult, measures: Sequence[str]) -> Table:
    """Return one row per method, in the order of the experiment: all scores on a package."""
    return Table(
        title=f"{package.name}, in per cent",
        headers=(
            "Method",
            *_score_headers(measures),
            f"Deviation of F1 {measures[0]}",
            _MS_PER_KB,
            _MS_PER_PAGE,
            "Failures",
        ),
        rows=tuple(_package_row(one, measures) for one in package.methods),
        notes=(package_line(package), _SECONDS_NOTE, _FAILURE_NOTE),
        highest=_score_headers(measures),
        lowest=(_MS_PER_KB, _MS_PER_PAGE),
    )


def package_line(package: PackageResult) -> str:
    """Return what a package holds, in one sentence."""
    sites = "1 site" if package.n_sites == 1 else f"{package.n_sites:,} sites"
    lost = f"; {package.n_lost} pages could not be read or have no main content"
    return (
        f"{package.n_pages:,} pages of {sites}, {package.n_bytes / 1e6:.1f} MB; half of the pages "
        f"have more than {percent(package.link_quota, 0)} per cent of their text in links, and "
        f"more than {percent(package.main_quota, 0)} per cent of it is main content"
        f"{lost if package.n_lost else ''}."
    )


def _package_row(one: MethodScores, measures: Sequence[str]) -> tuple[str, ...]:
    main = one.measures[measures[0]]
    return (
        one.name,
        *(percent(one.measures[measure].f1.mean, 1) for measure in measures),
        percent(main.precision.mean, 1),
        percent(main.recall.mean, 1),
        DASH if main.f1.deviation is None else percent(main.f1.deviation, 1),
        milliseconds(one.seconds_per_kb.mean) if one.seconds_per_kb else DASH,
        DASH if one.median_milliseconds is None else f"{one.median_milliseconds:.3g}",
        str(one.n_failures),
    )


def f1_table(report: ExtractionReport) -> Table:
    """Return one row per package and one column per method: mean F1 by the first measure."""
    measure = report.experiment.measure
    return Table(
        title=f"F1 of {measure} on every package, in per cent",
        headers=("Package", "Pages", "In links", "Main", *method_names(report)),
        rows=tuple(
            (
                package.name,
                str(package.n_pages),
                percent(package.link_quota, 0),
                percent(package.main_quota, 0),
                *(percent(one.measures[measure].f1.mean, 1) for one in package.methods),
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
    is_sure = is_certain(pair.p_holm, pair.interval, pair.difference, pair.effect)
    mark = CERTAIN if is_sure else DIFFERS if pair.p <= LEVEL else ""
    return f"{percentage_points(pair.difference, 1)}{mark}"


def failed_table(report: ExtractionReport) -> Table:
    """Return one row for each method that could not be made, or failed on pages of a package."""
    return Table(
        title="What failed",
        headers=("Method", "Package", "Pages", "Reason on the first page"),
        rows=tuple(
            (
                one.method,
                one.package or DASH,
                str(one.n_pages) if one.package else DASH,
                without_line_breaks(one.error)[:300],
            )
            for one in report.failures
        ),
        n_names=4,
    )


def extraction_tables(report: ExtractionReport) -> dict[str, Table]:
    """Return the tables that have rows, under short names that serve as labels."""
    tables = {
        "overall": overall_table(report),
        "pairs": pair_table(report),
        "f1": f1_table(report),
        "precision": precision_recall_table(report),
        "presence": presence_table(report),
        "page-classes": page_class_table(report),
        "folds": fold_table(report),
        "tokens": token_table(report),
        **_package_tables(report.wholes, report.experiment.measures),
        "failures": failed_table(report),
    }
    return {name: table for name, table in tables.items() if table.rows}


def _package_tables(packages: Iterable[PackageResult], measures: Sequence[str]) -> dict[str, Table]:
    return {f"package-{one.name}": package_table(one, measures) for one in packages}
