"""Statistics of an extraction experiment: summaries of packages, paired tests, ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from statistics import fmean, median

import numpy as np

from structce.datasets import GoldPage
from structce.errors import StructceError
from structce.evaluation import Overlap, words
from structce.experiments.extraction.config import ExtractionExperiment, Setting
from structce.experiments.extraction.packages import SourcePages
from structce.experiments.extraction.results import (
    LearntTokens,
    MeanDeviation,
    MeasureScores,
    MethodFailure,
    MethodPair,
    MethodScores,
    PackageResult,
    PageClassPoint,
)
from structce.experiments.results import Ranking
from structce.experiments.significance import corrected, paired_test, rank_rivals
from structce.extraction import (
    LEAVES,
    DocumentRow,
    LearningOutcome,
    LearningTask,
    ParsedDocument,
    count_leaves,
    pooled_leaves,
    summarise,
)

Rows = Mapping[str, Mapping[str, DocumentRow]]  # rows of one source by method and page

LearningRuns = Mapping[tuple[str, str], Sequence[tuple[LearningTask, LearningOutcome]]]
"""Tasks of learning settings with their outcomes, by the names of source and setting."""


def package_results(
    experiment: ExtractionExperiment, source: SourcePages, rows: Rows
) -> list[PackageResult]:
    """Return the results on a source as a whole, and on its parts in the order of their names."""
    shares = {page.id: page_shares(page) for page in source.pages}
    counts = {}
    if set(LEAVES) <= set(experiment.measures):
        counts = {page.id: count_leaves(page) for page in source.pages}
    groups = {source.name: source.pages, **source.classes}
    return [
        _package_result(experiment, source, rows, name, pages, shares, counts)
        for name, pages in groups.items()
    ]


def _package_result(
    experiment: ExtractionExperiment,
    source: SourcePages,
    rows: Rows,
    name: str,
    pages: Sequence[GoldPage],
    shares: Mapping[str, tuple[float, float]],
    leaves: Mapping[str, tuple[int, int]],
) -> PackageResult:
    own = {method: [by_page[page.id] for page in pages] for method, by_page in rows.items()}
    links, mains = zip(*(shares[page.id] for page in pages), strict=True)
    return PackageResult(
        name=name,
        source=source.name,
        digest=source.digest,
        n_pages=len(pages),
        n_sites=len({page.site for page in pages}),
        n_bytes=sum(len(page.data) for page in pages),
        n_lost=len(source.lost) if name == source.name else 0,
        link_quota=median(links),
        main_quota=median(mains),
        methods=tuple(
            _method_scores(experiment, method, page_rows, leaves)
            for method, page_rows in own.items()
        ),
        pairs=_pairs(experiment, own, [page.site for page in pages]),
        n_learnt=len(source.learnt),
    )


def page_shares(page: GoldPage) -> tuple[float, float]:
    """Return the share of a page's text inside links, and that of its words in the main content.

    Both in [0, 1]; 0 for a page without text, or one that cannot be read.
    """
    try:
        document = ParsedDocument.of(page.document())
    except StructceError:
        return 0.0, 0.0
    shown = document.words
    sizes, n_main = shown.length, len(words(page.gold.text))
    linked = sizes[document.words_within({"a"})].sum()
    links = float(linked / sizes.sum()) if len(shown) else 0.0
    return links, min(1.0, n_main / len(shown)) if len(shown) else 0.0


def _method_scores(
    experiment: ExtractionExperiment,
    name: str,
    rows: Sequence[DocumentRow],
    leaves: Mapping[str, tuple[int, int]] | None = None,
) -> MethodScores:
    (summary,) = summarise(replace(row, package="", system=name) for row in rows)
    times = [1_000 * row.seconds for row in rows if row.seconds is not None]
    return MethodScores(
        name=name,
        n_pages=summary.n_documents,
        n_failures=summary.n_failures,
        seconds_per_kb=MeanDeviation.of(summary.seconds_per_kb),
        median_milliseconds=median(times) if times else None,
        measures={
            measure: MeasureScores(
                **{
                    part: MeanDeviation.of(spread) or MeanDeviation(0.0, None)
                    for part, spread in summary.spreads[measure].items()
                }
            )
            for measure in experiment.measures
        },
        leaves=_pooled(rows, leaves) if leaves else {},
    )


def _pooled(
    rows: Sequence[DocumentRow], leaves: Mapping[str, tuple[int, int]]
) -> dict[str, Overlap]:
    """Return the overlaps of the leaves of all pages; from a failed page nothing is extracted."""
    content, others = LEAVES
    recalls = [
        (0.0, 1.0) if row.error else (row.overlaps[content].recall, row.overlaps[others].recall)
        for row in rows
    ]
    return pooled_leaves(recalls, [leaves[row.document] for row in rows])


def _pairs(
    experiment: ExtractionExperiment,
    rows: Mapping[str, Sequence[DocumentRow]],
    sites: Sequence[str],
) -> tuple[MethodPair, ...]:
    """Return the comparisons of all methods with the reference; none if it has no rows.

    Their p-values are corrected.
    """
    values = {
        name: np.array([row.overlaps[experiment.measure].f1 for row in page_rows])
        for name, page_rows in rows.items()
    }
    if (reference := values.pop(experiment.reference_setting, None)) is None:
        return ()
    pairs = []
    for name, own in values.items():
        test = asdict(paired_test(own, reference, sites, experiment.seed))
        pairs.append(MethodPair(**test, method=name, reference=experiment.reference_setting))
    return corrected(pairs)


def rank_methods(packages: Sequence[PackageResult], measure: str) -> Ranking | None:
    """Rank methods over packages by mean F1; None for fewer than two of either."""

    def scores(package: PackageResult) -> dict[str, float]:
        return {method.name: method.measures[measure].f1.mean for method in package.methods}

    return rank_rivals(f"{measure} f1", [(package.name, scores(package)) for package in packages])


def row_failures(rows: Iterable[DocumentRow]) -> list[MethodFailure]:
    """Return the methods that failed on pages, one row per method and package."""
    errors: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.error:
            errors.setdefault((row.system, row.package), []).append(row.error)
    return [MethodFailure(*place, len(failed), failed[0]) for place, failed in errors.items()]


def page_class_points(
    experiment: ExtractionExperiment, runs: LearningRuns
) -> Iterator[PageClassPoint]:
    """Yield the scores of methods of page classes, by source and number of learnt pages."""
    for (source, name), own in runs.items():
        setting = next(chosen for chosen in experiment.settings if chosen.name == name)
        large = [run for run in own if len(run[0].learnt) == setting.n_pages]
        if large:
            yield _page_class_point(experiment, source, setting, large)


def _page_class_point(
    experiment: ExtractionExperiment,
    source: str,
    setting: Setting,
    runs: Sequence[tuple[LearningTask, LearningOutcome]],
) -> PageClassPoint:
    seen: list[DocumentRow] = []
    unseen: list[DocumentRow] = []
    for task, outcome in runs:
        learnt = {page.id for page in task.learnt}
        for row in outcome.rows:
            (seen if row.document in learnt else unseen).append(row)
    times = [
        1_000 * outcome.seconds / max(outcome.n_learnt, 1)
        for _, outcome in runs
        if outcome.seconds is not None
    ]
    spent = [1_000 * row.seconds for row in (*seen, *unseen) if row.seconds is not None]
    return PageClassPoint(
        source=source,
        method=setting.method.name,
        setting=setting.name,
        n_pages=setting.n_pages,
        n_classes=len(runs),
        n_seen=len(seen),
        n_unseen=len(unseen),
        seen=_method_scores(experiment, "", seen).measures if seen else {},
        unseen=_method_scores(experiment, "", unseen).measures if unseen else {},
        learning_milliseconds=fmean(times) if times else None,
        milliseconds=fmean(spent) if spent else None,
    )


def learnt_tokens(runs: LearningRuns) -> Iterator[LearntTokens]:
    """Yield the tokens that trained methods look for, by source and setting."""
    for (source, name), own in runs.items():
        counts = Counter(token for _, outcome in own for token in outcome.tokens)
        if counts:
            order = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
            yield LearntTokens(source, name, len(own), order)
