"""Extractors on packages: the jobs of all settings, and records of their rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
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
from structce.experiments.packages import SourcePages, draw_folds, order_pages, read_packages
from structce.experiments.report import (
    Failure,
    Learnt,
    Pair,
    Ranking,
    Record,
    Score,
    Study,
    Unit,
)
from structce.experiments.statistics import corrected, paired_test, rank_subjects
from structce.experiments.toml_tables import require
from structce.extraction import (
    LEAVES,
    MEASURES,
    PARTS,
    DocumentRow,
    JobOutcome,
    MeasurementJob,
    ParsedDocument,
    count_leaves,
    digest_of,
    document_cells,
    pooled_leaves,
    run_jobs,
    table,
    training_sets,
)
from structce.requirements import installed_versions

LIBRARIES = tuple(
    """
    structce numpy lxml selectolax trafilatura readability-lxml jusText boilerpy3 resiliparse
    newspaper4k goose3 inscriptis scikit-learn
    """.split()
)
"""Packages that extract, or that extraction is made of; rows of other versions are stale."""

CODE_PATHS = tuple(
    """
    arrays.py article evaluation/overlap.py extraction features labelling labels.py language
    learners page rendering
    """.split()
)
"""Code, below the package, that rows depend on; a change in it makes all of them stale."""

Place = tuple[str, str]  # source and setting
Runs = list[tuple[MeasurementJob, JobOutcome]]
Rows = Mapping[str, DocumentRow]  # rows by page


def extraction_records(
    experiment: ExtractionExperiment, journal: Journal, bar: JobBar, n_jobs: int
) -> tuple[dict[str, Any], str]:
    """Run all settings on all sources; return records by the field of a report, and all rows.

    A method that cannot be made, or fails on every page of a source, is a failure and has no rows
    there. Failures are tried again by the next run, except those of learnt extractors on a page.
    """
    sources = read_packages(experiment)
    failures = list(_unusable(experiment))
    absent = {failure.subject for failure in failures}
    settings = [one for one in experiment.settings if one.method.name not in absent]
    runs = _run(experiment, sources, settings, journal, bar, n_jobs)
    rows: dict[Place, Rows] = {}
    for place, own in runs.items():
        by_page = {row.document: row for _, outcome in own for row in outcome.rows}
        if errors := [row.error for row in by_page.values() if row.error]:
            about = {"study": place[0], "subject": place[1], "error": errors[0]}
            failures.append(Failure(**about, n_units=len(errors)))
        if len(errors) < len(by_page):
            rows[place] = by_page
    records: dict[str, list[Record]] = {
        name: [] for name in "studies scores units pairs rankings learnt".split()
    }
    for source in sources:
        _add_source(
            records, experiment, source, {n: r for (s, n), r in rows.items() if s == source.name}
        )
    records["rankings"] += _rankings(experiment, records)
    for place in rows:
        setting = next(one for one in settings if one.name == place[1])
        for record in _learnt(experiment, setting, place[0], runs[place]):
            records["scores" if isinstance(record, Score) else "learnt"].append(record)
    trained_on: dict[str, tuple[str, ...]] = {}
    for name in dict.fromkeys(name for _, name in rows):
        with suppress(StructceError, KeyError):  # a failure of the method, which is reported
            known = training_sets(experiment.method[name])
            seen = tuple(p.name for p in experiment.packages if p.reader in known)
            trained_on |= {name: seen} if seen else {}
    cells = [document_cells(row) for by_page in rows.values() for row in by_page.values()]
    measures = [name for name in MEASURES if any(f"{name}_f1" in own for own in cells)]
    plain = {name: tuple(own) for name, own in records.items()}
    report = {**plain, "failures": tuple(failures), "trained_on": trained_on}
    return report, table(cells, measures)


def _unusable(experiment: ExtractionExperiment) -> Iterator[Failure]:
    """Yield why methods cannot be made here."""
    for method in experiment.method.values():
        try:
            method.check()
        except StructceError as error:
            yield Failure(subject=method.name, error=str(error), n_units=0)


def setting_jobs(
    experiment: ExtractionExperiment, setting: Setting, source: SourcePages
) -> Iterator[MeasurementJob]:
    """Yield the jobs of a setting on a source: one per page, or per class or fold if it learns.

    A larger set of pages of a class to learn from contains every smaller one.
    """
    measures = tuple(name for name in MEASURES if name in {*FOUR, *experiment.measures})
    job = partial(MeasurementJob, source.name, setting.name, setting.method, measures=measures)
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


def _run(
    experiment: ExtractionExperiment, sources: Sequence[SourcePages], settings: Sequence[Setting],
    journal: Journal, bar: JobBar, n_jobs: int,
) -> dict[Place, Runs]:  # fmt: skip
    """Return the jobs with their outcomes; those that would do the same are run once."""
    planned = {
        (source.name, setting.name): list(setting_jobs(experiment, setting, source))
        for source in sources
        for setting in settings
    }
    bar.total = sum(map(len, planned.values()))
    shared = shared_state()
    digests = {
        (source.name, page.id): digest_of(page)
        for source in sources
        for page in (*source.learnt, *source.pages)
    }
    keyed = {
        place: [(_job_key(job, digests, shared), job) for job in jobs]
        for place, jobs in planned.items()
    }
    different = {key: job for jobs in keyed.values() for key, job in jobs}
    found: dict[Key, JobOutcome] = {}
    for learns in (False, True):  # apart, since a time limit is that of the largest job
        jobs = [(key, job) for key, job in different.items() if bool(job.learnt) == learns]
        outcomes = journal.run(
            jobs,
            lambda missing: enumerate(run_jobs(missing, n_jobs=n_jobs, seconds=experiment.seconds)),
            JobOutcome,
            is_final=lambda one: one.seconds is not None or not any(r.error for r in one.rows),
            bar=bar,
        )
        found |= zip((key for key, _ in jobs), outcomes, strict=True)

    def named(key: Key, job: MeasurementJob) -> JobOutcome:
        rows = (replace(r, package=job.package, system=job.system) for r in found[key].rows)
        return replace(found[key], rows=tuple(rows))

    return {place: [(job, named(key, job)) for key, job in jobs] for place, jobs in keyed.items()}


def shared_state() -> dict[str, object]:
    """Return what the rows of all methods depend on: code, models and versions of libraries."""
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
    pages = {
        name: [[page.id, digests[job.package, page.id]] for page in own]
        for name, own in (("learnt", job.learnt), ("measured", job.measured))
    }
    own = {"method": job.method.extractor, "parameters": dict(job.method.parameters)}
    return digest_of_values({**own, **pages, "measures": list(job.measures), **shared})


def _add_source(
    records: dict[str, list[Record]], experiment: ExtractionExperiment, source: SourcePages,
    rows: Mapping[str, Rows],
) -> None:  # fmt: skip
    """Add the records of a source as a whole, and of its parts in the order of their names."""
    measure, reference = experiment.measure, experiment.reference_setting
    shares = {page.id: page_shares(page) for page in source.pages}
    leaves = {}
    if set(LEAVES) <= set(experiment.measures):
        leaves = {page.id: count_leaves(page) for page in source.pages}
    for name, pages in {source.name: source.pages, **source.classes}.items():
        records["studies"].append(_study(source, name, pages, shares))
        values, sites = {}, [page.site for page in pages]
        for subject, by_page in rows.items():
            own = [by_page[page.id] for page in pages]
            values[subject] = np.array([row.overlaps[measure].f1 for row in own])
            place = {"study": name, "subject": subject}
            records["scores"] += method_scores(experiment.measures, place, own)
            records["scores"] += _leaf_scores(place, own, leaves) if leaves else ()
        pairs: list[Pair] = [
            paired_test(
                "subjects", name, (one, reference), (own, values[reference]), sites, experiment.seed
            )
            for one, own in values.items()
            if reference in values and one != reference
        ]
        records["pairs"] += corrected(pairs)
    for page in source.pages:
        f1 = {subject: own[page.id].overlaps[measure].f1 for subject, own in rows.items()}
        part = source.parts.get(page.id, "")
        records["units"].append(
            Unit(
                study=source.name,
                unit=page.id,
                site=page.site,
                measure=f"{measure}_f1",
                values=f1,
                part=part,
            )
        )


def _study(
    source: SourcePages, name: str, pages: Sequence[GoldPage],
    shares: Mapping[str, tuple[float, float]],
) -> Study:  # fmt: skip
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
    shown, n_main = document.words, len(words(page.gold.text))
    if not len(shown):
        return 0.0, 0.0
    linked = shown.length[document.words_within({"a"})].sum()
    return float(linked / shown.length.sum()), min(1.0, n_main / len(shown))


def method_scores(
    measures: Iterable[str], place: Mapping[str, Any], rows: Sequence[DocumentRow]
) -> Iterator[Score]:
    """Yield the scores of a setting: means over pages with their deviations, times and failures.

    A page on which it failed counts as if nothing had been extracted. The place is study, subject
    and part of the records.
    """

    def mean(measure: str, values: Sequence[float]) -> Score:
        deviation = stdev(values) if len(values) > 1 else None
        return Score(**place, measure=measure, value=fmean(values), deviation=deviation)

    for name in measures:
        for kind in PARTS:
            yield mean(f"{name}_{kind}", [getattr(row.overlaps[name], kind) for row in rows])
    yield Score(**place, measure="n_failures", value=sum(bool(row.error) for row in rows))
    times = [row.seconds for row in rows if row.seconds is not None]
    if times:
        rates = [row.seconds_per_kb for row in rows if row.seconds_per_kb is not None]
        yield mean("seconds_per_kb", rates)
        yield Score(**place, measure="median_milliseconds", value=1_000 * median(times))


def _leaf_scores(
    place: Mapping[str, Any], rows: Sequence[DocumentRow], leaves: Mapping[str, tuple[int, int]]
) -> Iterator[Score]:
    """Yield the scores of the leaves of all pages together, as ``pooled_leaf_f1``."""
    content, others = LEAVES
    recalls = [
        (0.0, 1.0) if row.error else (row.overlaps[content].recall, row.overlaps[others].recall)
        for row in rows
    ]
    for name, overlap in pooled_leaves(recalls, [leaves[row.document] for row in rows]).items():
        for kind in PARTS:
            yield Score(**place, measure=f"pooled_{name}_{kind}", value=getattr(overlap, kind))


def _rankings(
    experiment: ExtractionExperiment, records: Mapping[str, Sequence[Any]]
) -> Iterator[Ranking]:
    """Yield the ranks of all settings by mean F1 over the sources, then over each one's parts."""
    measure = f"{experiment.measure}_f1"
    tables: dict[str, dict[str, dict[str, float]]] = {"": {}}
    for study in records["studies"]:
        values = {
            score.subject: score.value
            for score in records["scores"]
            if (score.study, score.measure) == (study.name, measure)
        }
        tables.setdefault("" if study.is_whole else study.source, {})[study.name] = values
    for source, studies in tables.items():
        if ranking := rank_subjects(measure, studies, source):
            yield ranking


def _learnt(
    experiment: ExtractionExperiment, setting: Setting, source: str, runs: Runs
) -> Iterator[Learnt | Score]:
    """Yield what a method learnt on a source, with scores on seen and on other pages.

    Classes with fewer pages than a method of page classes is to learn from are left out.
    """
    place: dict[str, Any] = {"study": source, "subject": setting.name}
    about = {**place, "method": setting.method.name, "n_pages": setting.n_pages}
    if not setting.n_pages:
        tokens = Counter(token for _, outcome in runs for token in outcome.tokens)
        ordered = dict(sorted(tokens.items(), key=lambda item: (-item[1], item[0])))
        if ordered:
            yield Learnt(**about, n_classes=len(runs), tokens=ordered)
        return
    runs = [run for run in runs if len(run[0].learnt) == setting.n_pages]
    if not runs:
        return
    pages: dict[str, list[DocumentRow]] = {"seen": [], "unseen": []}
    for job, outcome in runs:
        learnt = {page.id for page in job.learnt}
        for row in outcome.rows:
            pages["seen" if row.document in learnt else "unseen"].append(row)
    for part, rows in pages.items():
        if rows:
            yield from method_scores(experiment.measures, {**place, "part": part}, rows)
    times = [one.seconds / max(one.n_learnt, 1) for _, one in runs if one.seconds is not None]
    spent = [row.seconds for own in pages.values() for row in own if row.seconds is not None]
    yield Learnt(
        **about,
        n_classes=len(runs),
        n_unseen=len(pages["unseen"]),
        learning_milliseconds=1_000 * fmean(times) if times else None,
        milliseconds=1_000 * fmean(spent) if spent else None,
    )
