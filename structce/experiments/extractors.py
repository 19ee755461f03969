"""Extractors on packages: the jobs of all settings, and records of their rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean, median, stdev
from typing import Any

import numpy as np

from structce.datasets import GoldPage
from structce.errors import StructceError
from structce.evaluation import FOUR, words
from structce.experiments.config import ExtractionExperiment, Setting
from structce.experiments.config_toml import known_extractors
from structce.experiments.journal import (
    PACKAGE,
    JobBar,
    Journal,
    Key,
    code_digest,
    digest_of_values,
    source_digest,
)
from structce.experiments.packages import SourcePages, draw_folds, order_pages
from structce.experiments.report import Failure, Learnt, Pair, Ranking, Score, Study, Unit
from structce.experiments.statistics import corrected, paired_test, rank_subjects
from structce.experiments.toml_tables import require
from structce.extraction import (
    LEAVES,
    MEASURES,
    PARTS,
    DocumentRow,
    JobOutcome,
    MeasurementJob,
    Method,
    ParsedDocument,
    count_leaves,
    digest_of,
    pooled_leaves,
    run_jobs,
    training_sets,
)
from structce.extras import installed_versions

LIBRARIES = tuple(
    """
    structce numpy lxml selectolax trafilatura readability-lxml jusText boilerpy3 resiliparse
    newspaper4k goose3 inscriptis scikit-learn
    """.split()
)
"""Packages that extract, or that extraction is made of; rows of other versions are stale."""

CODE_PATHS = tuple(
    """
    arrays.py article evaluation/block_overlap.py evaluation/overlap.py extraction features
    labelling labels.py language learners page rendering
    """.split()
)
"""Code, below the package, that rows depend on; a change in it makes all of them stale."""

Runs = list[tuple[MeasurementJob, JobOutcome]]


@dataclass(frozen=True)
class Measurements:
    """Rows of the settings that ran, by source and setting, with their jobs; and what failed.

    ``rows`` has the row of every page of a source; ``runs`` the jobs of settings that learn.
    """

    rows: Mapping[tuple[str, str], Mapping[str, DocumentRow]]
    runs: Mapping[tuple[str, str], Runs]
    failures: Sequence[Failure]


def measure_all(
    experiment: ExtractionExperiment,
    sources: Sequence[SourcePages],
    journal: Journal,
    bar: JobBar,
    n_jobs: int,
) -> Measurements:
    """Run all settings on all sources.

    A method that cannot be made, or fails on every page of a source, is a failure and has no rows
    there. Failures are tried again by the next run, except those of learnt extractors on a page.
    """
    usable, failures = _usable(experiment.method.values())
    settings = [setting for setting in experiment.settings if setting.method.name in usable]
    planned = {
        (source.name, setting.name): list(setting_jobs(experiment, setting, source))
        for source in sources
        for setting in settings
    }
    bar.total = sum(map(len, planned.values()))
    outcomes = _outcomes(experiment, sources, planned, journal, bar, n_jobs)
    rows: dict[tuple[str, str], dict[str, DocumentRow]] = {}
    for place, runs in outcomes.items():
        own = {row.document: row for _, outcome in runs for row in outcome.rows}
        errors = [row.error for row in own.values() if row.error]
        if errors:
            study, subject = place
            about = {"study": study, "subject": subject, "error": errors[0]}
            failures.append(Failure(**about, n_units=len(errors)))
        if len(errors) < len(own):
            rows[place] = own
    learning = {
        place: runs for place, runs in outcomes.items() if place in rows and runs[0][0].learnt
    }
    return Measurements(rows, learning, failures)


def _usable(methods: Iterable[Method]) -> tuple[set[str], list[Failure]]:
    """Return the names of the methods that can be made here, and why others cannot."""
    usable, failures = set(), []
    for method in methods:
        try:
            method.check()
            usable.add(method.name)
        except StructceError as error:
            failures.append(Failure(subject=method.name, error=str(error), n_units=0))
    return usable, failures


def setting_jobs(
    experiment: ExtractionExperiment, setting: Setting, source: SourcePages
) -> Iterator[MeasurementJob]:
    """Yield the jobs of a setting on a source: one per page, or per class or fold if it learns.

    A larger set of pages of a class to learn from contains every smaller one.
    """
    job = partial(
        MeasurementJob,
        source.name,
        setting.name,
        setting.method,
        measures=tuple(name for name in MEASURES if name in {*FOUR, *experiment.measures}),
    )
    if setting.n_pages:
        for pages in source.classes.values():
            learnt = order_pages(pages, experiment.seed)[: setting.n_pages]
            yield job(measured=pages, learnt=tuple(learnt))
    elif setting.folds and source.learnt:
        yield job(measured=source.pages, learnt=source.learnt)
    elif setting.folds:
        folds = draw_folds(source.pages, experiment.folds.n, setting.folds, experiment.seed)
        message = f"folds by {setting.folds} need two; the pages are of one"
        require(len(folds) >= 2, message, "package", source.name)
        for held in folds:
            learnt = [page for fold in folds if fold is not held for page in fold]
            yield job(measured=held, learnt=tuple(learnt))
    else:
        for page in source.pages:
            yield job(measured=(page,))


def _outcomes(
    experiment: ExtractionExperiment,
    sources: Sequence[SourcePages],
    planned: Mapping[tuple[str, str], Sequence[MeasurementJob]],
    journal: Journal,
    bar: JobBar,
    n_jobs: int,
) -> dict[tuple[str, str], Runs]:
    """Return the jobs with their outcomes; those that would do the same are run once."""
    shared = shared_state()
    digests = {
        (source.name, page.id): digest_of(page)
        for source in sources
        for page in (*source.learnt, *source.pages)
    }
    keys = {
        place: [_job_key(job, digests, shared) for job in jobs] for place, jobs in planned.items()
    }
    different = {
        key: job for place in planned for key, job in zip(keys[place], planned[place], strict=True)
    }
    found: dict[Key, JobOutcome] = {}
    for learns in (False, True):  # apart, since a time limit is that of the largest job
        jobs = [(key, job) for key, job in different.items() if bool(job.learnt) == learns]
        outcomes = journal.run(
            jobs,
            lambda missing: enumerate(run_jobs(missing, n_jobs=n_jobs, seconds=experiment.seconds)),
            JobOutcome,
            is_final=_is_final,
            bar=bar,
        )
        found |= zip((key for key, _ in jobs), outcomes, strict=True)
    return {
        place: [
            (job, _renamed(found[key], job)) for key, job in zip(keys[place], jobs, strict=True)
        ]
        for place, jobs in planned.items()
    }


def _is_final(outcome: JobOutcome) -> bool:
    return outcome.seconds is not None or not any(row.error for row in outcome.rows)


def _renamed(outcome: JobOutcome, job: MeasurementJob) -> JobOutcome:
    rows = (replace(row, package=job.package, system=job.system) for row in outcome.rows)
    return replace(outcome, rows=tuple(rows))


def shared_state() -> dict[str, object]:
    """Return what the rows of all methods depend on: code, models and versions of libraries.

    A combination may use any registered extractor, also one from a user's file.
    """
    manifests = sorted((PACKAGE / "models").glob("*/manifest.json"))
    return {
        "code": code_digest(CODE_PATHS),
        "models": [path.read_text("utf-8") for path in manifests],
        "versions": installed_versions(LIBRARIES),
        "extractors": {name: source_digest(make) for name, make in known_extractors().items()},
    }


def _job_key(
    job: MeasurementJob, digests: Mapping[tuple[str, str], str], shared: Mapping[str, object]
) -> Key:
    """Return the digest of everything that a job's outcome depends on, except names."""

    def named(pages: Sequence[GoldPage]) -> list[list[str]]:
        return [[page.id, digests[job.package, page.id]] for page in pages]

    own = {"method": job.method.extractor, "parameters": dict(job.method.parameters)}
    pages = {"learnt": named(job.learnt), "measured": named(job.measured)}
    return digest_of_values({**own, **pages, "measures": list(job.measures), **shared})


def trained_on(
    experiment: ExtractionExperiment, names: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    """Return the sources whose data sets the shipped models of methods were trained on."""
    sources: dict[str, tuple[str, ...]] = {}
    for name in names:
        with suppress(StructceError, KeyError):  # a failure of the method, which is reported
            known = training_sets(experiment.method[name])
            own = tuple(package.name for package in experiment.packages if package.reader in known)
            sources |= {name: own} if own else {}
    return sources


@dataclass(frozen=True)
class SourceResult:
    """Records of a source as a whole, followed by its parts."""

    studies: list[Study]
    scores: list[Score]
    units: list[Unit]
    pairs: list[Pair]


def source_result(
    experiment: ExtractionExperiment, source: SourcePages, measured: Measurements
) -> SourceResult:
    """Return the results on a source as a whole, and on its parts in the order of their names."""
    rows = {name: own for (place, name), own in measured.rows.items() if place == source.name}
    shares = {page.id: page_shares(page) for page in source.pages}
    leaves = {}
    if set(LEAVES) <= set(experiment.measures):
        leaves = {page.id: count_leaves(page) for page in source.pages}
    result = SourceResult([], [], [], [])
    for name, pages in {source.name: source.pages, **source.classes}.items():
        result.studies.append(_study(source, name, pages, shares))
        for subject, by_page in rows.items():
            own = [by_page[page.id] for page in pages]
            result.scores.extend(method_scores(experiment.measures, name, subject, own))
            result.scores.extend(_leaf_scores(name, subject, own, leaves) if leaves else ())
        result.pairs.extend(_pairs(experiment, name, rows, pages))
    measure = experiment.measure
    for page in source.pages:
        values = {
            subject: by_page[page.id].overlaps[measure].f1 for subject, by_page in rows.items()
        }
        result.units.append(
            Unit(
                study=source.name,
                unit=page.id,
                site=page.site,
                measure=f"{measure}_f1",
                values=values,
                part=source.parts.get(page.id, ""),
            )
        )
    return result


def _study(
    source: SourcePages,
    name: str,
    pages: Sequence[GoldPage],
    shares: Mapping[str, tuple[float, float]],
) -> Study:
    links, mains = zip(*(shares[page.id] for page in pages), strict=True)
    return Study(
        name=name,
        source=source.name,
        digest=source.digest,
        n_pages=len(pages),
        n_sites=len({page.site for page in pages}),
        n_bytes=sum(len(page.data) for page in pages),
        n_lost=len(source.lost) if name == source.name else 0,
        n_learnt=len(source.learnt),
        link_quota=median(links),
        main_quota=median(mains),
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


def method_scores(
    measures: Iterable[str], study: str, subject: str, rows: Sequence[DocumentRow], part: str = ""
) -> Iterator[Score]:
    """Yield the scores of a setting: means over pages with their deviations, times and failures.

    A page on which it failed counts as if nothing had been extracted.
    """
    place: dict[str, Any] = {"study": study, "subject": subject, "part": part}

    def mean(measure: str, values: Sequence[float]) -> Score:
        deviation = stdev(values) if len(values) > 1 else None
        return Score(**place, measure=measure, value=fmean(values), deviation=deviation)

    for name in measures:
        for kind in PARTS:
            values = [getattr(row.overlaps[name], kind) for row in rows]
            yield mean(f"{name}_{kind}", values)
    yield Score(**place, measure="n_failures", value=sum(bool(row.error) for row in rows))
    times = [row.seconds for row in rows if row.seconds is not None]
    if times:
        rates = [row.seconds_per_kb for row in rows if row.seconds_per_kb is not None]
        yield mean("seconds_per_kb", rates)
        yield Score(**place, measure="median_milliseconds", value=1_000 * median(times))


def _leaf_scores(
    study: str, subject: str, rows: Sequence[DocumentRow], leaves: Mapping[str, tuple[int, int]]
) -> Iterator[Score]:
    """Yield the scores of the leaves of all pages together, as ``pooled_leaf_f1``."""
    content, others = LEAVES
    recalls = [
        (0.0, 1.0) if row.error else (row.overlaps[content].recall, row.overlaps[others].recall)
        for row in rows
    ]
    pooled = pooled_leaves(recalls, [leaves[row.document] for row in rows])
    for name, overlap in pooled.items():
        for kind in PARTS:
            value = getattr(overlap, kind)
            yield Score(study=study, subject=subject, measure=f"pooled_{name}_{kind}", value=value)


def _pairs(
    experiment: ExtractionExperiment,
    study: str,
    rows: Mapping[str, Mapping[str, DocumentRow]],
    pages: Sequence[GoldPage],
) -> list[Pair]:
    """Return the comparisons of all settings with the reference; none if it has no rows."""
    reference, sites = experiment.reference_setting, [page.site for page in pages]
    values = {
        name: np.array([by_page[page.id].overlaps[experiment.measure].f1 for page in pages])
        for name, by_page in rows.items()
    }
    return corrected(
        [
            paired_test(
                "subjects", study, (name, reference), (own, values[reference]), sites,
                experiment.seed,
            )
            for name, own in values.items()
            if reference in values and name != reference
        ]
    )  # fmt: skip


def rank_methods(
    experiment: ExtractionExperiment, results: Sequence[SourceResult]
) -> Iterator[Ranking]:
    """Yield the ranks of all settings by mean F1 over the sources, then over each one's parts."""
    measure = f"{experiment.measure}_f1"
    tables: dict[str, dict[str, dict[str, float]]] = {"": {}}
    for result in results:
        for study in result.studies:
            source = "" if study.is_whole else study.source
            tables.setdefault(source, {})[study.name] = {
                score.subject: score.value
                for score in result.scores
                if (score.study, score.measure) == (study.name, measure)
            }
    for source, studies in tables.items():
        if ranking := rank_subjects(measure, studies, source):
            yield ranking


def learning_records(
    experiment: ExtractionExperiment, measured: Measurements
) -> Iterator[Learnt | Score]:
    """Yield what methods learnt on each source, with scores on seen and on other pages.

    Classes with fewer pages than a method of page classes is to learn from are left out.
    """
    settings = {setting.name: setting for setting in experiment.settings}
    for (source, name), runs in measured.runs.items():
        setting = settings[name]
        tokens = Counter(token for _, outcome in runs for token in outcome.tokens)
        ordered = dict(sorted(tokens.items(), key=lambda item: (-item[1], item[0])))
        if setting.n_pages:
            large = [run for run in runs if len(run[0].learnt) == setting.n_pages]
            yield from _class_records(experiment, setting, source, large) if large else ()
        elif ordered:
            yield Learnt(
                study=source,
                subject=name,
                method=setting.method.name,
                n_pages=0,
                n_classes=len(runs),
                tokens=ordered,
            )


def _class_records(
    experiment: ExtractionExperiment, setting: Setting, source: str, runs: Runs
) -> Iterator[Learnt | Score]:
    pages: dict[str, list[DocumentRow]] = {"seen": [], "unseen": []}
    for job, outcome in runs:
        learnt = {page.id for page in job.learnt}
        for row in outcome.rows:
            pages["seen" if row.document in learnt else "unseen"].append(row)
    for part, rows in pages.items():
        if rows:
            scores: Any = method_scores(experiment.measures, source, setting.name, rows, part)
            yield from scores
    times = [
        1_000 * outcome.seconds / max(outcome.n_learnt, 1)
        for _, outcome in runs
        if outcome.seconds is not None
    ]
    spent = [
        1_000 * row.seconds for own in pages.values() for row in own if row.seconds is not None
    ]
    yield Learnt(
        study=source,
        subject=setting.name,
        method=setting.method.name,
        n_pages=setting.n_pages,
        n_classes=len(runs),
        n_unseen=len(pages["unseen"]),
        learning_milliseconds=fmean(times) if times else None,
        milliseconds=fmean(spent) if spent else None,
    )
