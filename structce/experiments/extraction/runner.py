"""Runner of extractors: rows of pages and settings, stored as soon as they are measured."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from joblib import effective_n_jobs

from structce.datasets import GoldPage
from structce.errors import StructceError
from structce.evaluation import FOUR
from structce.experiments.cache import (
    PACKAGE,
    Cache,
    CacheKey,
    JobBar,
    cache_key,
    code_digest,
    job_bar,
    run_missing,
    source_digest,
)
from structce.experiments.extraction.config import (
    ExtractionExperiment,
    Setting,
    class_tasks,
    draw_folds,
    fold_tasks,
    known_extractors,
    list_settings,
)
from structce.experiments.extraction.packages import SourcePages, read_packages
from structce.experiments.extraction.results import ExtractionReport, MethodFailure
from structce.experiments.extraction.statistics import (
    LearningRuns,
    learnt_tokens,
    package_results,
    page_class_points,
    rank_methods,
    row_failures,
)
from structce.experiments.runner import ExperimentResult
from structce.experiments.toml_tables import require
from structce.extraction import (
    MEASURES,
    DocumentRow,
    LearningOutcome,
    LearningTask,
    MeasurementTask,
    Method,
    ResultFile,
    digest_of,
    measure_tasks,
    run_learning_tasks,
    summarise,
    table,
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

TABLE_FILE = "results.tsv"  # path of the table of all rows, beside the report


def run_extraction(
    experiment: ExtractionExperiment,
    *,
    n_jobs: int = 1,
    cache: Path | None = None,
    progress: bool = True,
    command: str = "",
) -> ExperimentResult[ExtractionReport]:
    """Run an experiment with extractors.

    Each method reads every page from its bytes, independently of the others; its time is measured
    up to the text. A page on which a method fails counts as if nothing had been extracted. A method
    of page classes learns from pages of each part of a source, and a trainable one from all folds
    except one, or from the split that the source names; the time to learn is reported separately.

    Parameters
    ----------
    n_jobs
        Number of processes; -1 for one per processor. With one, everything is done in this process,
        without a time limit per page. Times are longer if processes share the machine.
    cache
        Folder of rows, which are not measured again unless the page, its main content, the method,
        what it learns from or the code has changed. Failures are tried again, except those of
        learnt extractors on a page. None keeps nothing.
    progress, command
        As for :func:`structce.experiments.run`.

    Returns
    -------
    :
        Report and table. A method that cannot be made, or fails on every page of a source, is a
        failure and has no scores there; the others continue.

    Raises
    ------
    CorpusError
        If a source of pages cannot be read.
    ExperimentError
        If a source contains no page with main content.
    """
    methods, failures = _usable(experiment.methods)
    settings = list_settings(methods, experiment.class_pages, experiment.folds_by)
    sources = read_packages(experiment)
    with TemporaryDirectory() as temporary:
        measured = sources, methods, settings, effective_n_jobs(n_jobs), cache or Path(temporary)
        rows, runs = _measure_all(experiment, *measured, progress)
    ordered = [
        rows[source.name, setting.name, page.id, digest_of(page)]
        for source in sources
        for setting in settings
        for page in source.pages
    ]
    failures += row_failures(ordered)
    ran = {(row.package, row.system) for row in ordered if not row.error}
    ordered = [row for row in ordered if (row.package, row.system) in ran]
    runs = {place: own for place, own in runs.items() if place in ran}
    report = _report(experiment, sources, ordered, runs, failures, command)
    rows_table = table(ordered, summarise(ordered), row_measures(experiment))
    return ExperimentResult(report, {TABLE_FILE: rows_table})


def _measure_all(
    experiment: ExtractionExperiment,
    sources: Sequence[SourcePages],
    methods: Sequence[Method],
    settings: Sequence[Setting],
    n_jobs: int,
    folder: Path,
    progress: bool,
) -> tuple[dict[tuple[str, str, str, str], DocumentRow], LearningRuns]:
    """Return the rows of all pages and settings by their keys, and the tasks of learning ones."""
    shared, measures = shared_state(), row_measures(experiment)
    extractors = [method for method in methods if method.kind == "extractor"]
    tasks = [
        MeasurementTask(source.name, page, extractor.name, measures)
        for source in sources
        for page in source.pages
        for extractor in extractors
    ]
    planned = _learning_tasks(experiment, settings, sources, shared)
    different = {key: task for own in planned.values() for key, task in own}
    measure = partial(measure_tasks, extractors, n_jobs=n_jobs, seconds=experiment.seconds)
    learn = partial(run_learning_tasks, n_jobs=n_jobs, seconds=experiment.seconds)
    files = {
        method.name: folder / f"{method_key(method, shared, measures)}.tsv" for method in extractors
    }
    with job_bar(len(tasks) + len(different), progress) as bar:
        rows = {row.key: row for row in _measured(tasks, measure, files, measures, bar)}
        outcomes = _learnt(different, learn, Cache(folder), bar)
    runs: LearningRuns = {
        place: [(task, _renamed(outcomes[key], task)) for key, task in own]
        for place, own in planned.items()
    }
    rows |= {row.key: row for own in runs.values() for _, method in own for row in method.rows}
    return rows, runs


def _measured(
    tasks: Sequence[MeasurementTask],
    measure: Callable[[list[MeasurementTask]], Iterator[DocumentRow]],
    paths: Mapping[str, Path],
    measures: tuple[str, ...],
    bar: JobBar,
) -> list[DocumentRow]:
    """Return the row of each task; stored rows, unless they failed, are not measured again."""
    with ExitStack() as stack:
        files = {
            name: stack.enter_context(ResultFile(path, measures)) for name, path in paths.items()
        }
        return run_missing(
            tasks,
            lambda missing: enumerate(measure(missing)),
            read=lambda task: files[task.method].known.get(task.key),
            write=lambda task, row: files[task.method].add(row),
            bar=bar,
        )


def _learnt(
    tasks: Mapping[CacheKey, LearningTask],
    learn: Callable[[list[LearningTask]], Iterator[LearningOutcome]],
    cache: Cache,
    bar: JobBar,
) -> dict[CacheKey, LearningOutcome]:
    """Return the outcome of each task; those that learnt nothing are not stored."""

    def write(key: CacheKey, outcome: LearningOutcome) -> None:
        if outcome.seconds is not None:
            cache.write(key, outcome)

    outcomes = run_missing(
        list(tasks),
        lambda missing: enumerate(learn([tasks[key] for key in missing])),
        read=lambda key: cache.read(key, LearningOutcome),
        write=write,
        bar=bar,
    )
    return dict(zip(tasks, outcomes, strict=True))


def _usable(methods: Sequence[Method]) -> tuple[list[Method], list[MethodFailure]]:
    """Return the methods that can be made here, and why others cannot."""
    usable, failures = [], []
    for method in methods:
        try:
            method.check()
            usable.append(method)
        except StructceError as error:
            failures.append(MethodFailure(method.name, "", 0, str(error)))
    return usable, failures


def method_key(method: Method, shared: Mapping[str, object], measures: Sequence[str]) -> str:
    """Return the digest of everything except the page that the rows of a method depend on."""
    own = {"name": method.name, "extractor": method.extractor}
    more = [name for name in measures if name not in FOUR]
    further = {"measures": more} if more else {}
    return cache_key({**own, "parameters": dict(method.parameters), **further, **shared})


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


def _report(
    experiment: ExtractionExperiment,
    sources: Sequence[SourcePages],
    rows: Sequence[DocumentRow],
    runs: LearningRuns,
    failures: Sequence[MethodFailure],
    command: str,
) -> ExtractionReport:
    by_source: dict[str, dict[str, dict[str, DocumentRow]]] = {
        source.name: {} for source in sources
    }
    for row in rows:
        by_source[row.package].setdefault(row.system, {})[row.document] = row
    every = [package_results(experiment, source, by_source[source.name]) for source in sources]
    parts = {results[0].name: rank_methods(results[1:], experiment.measure) for results in every}
    return ExtractionReport(
        experiment=experiment,
        command=command,
        versions=installed_versions(LIBRARIES),
        packages=tuple(package for results in every for package in results),
        failures=tuple(failures),
        ranking=rank_methods([results[0] for results in every], experiment.measure),
        part_rankings={name: ranking for name, ranking in parts.items() if ranking},
        page_classes=tuple(page_class_points(experiment, runs)),
        tokens=tuple(learnt_tokens(runs)),
        trained_on=_trained_on(experiment, {row.system for row in rows}),
    )


def _trained_on(
    experiment: ExtractionExperiment, names: Collection[str]
) -> dict[str, tuple[str, ...]]:
    sources: dict[str, tuple[str, ...]] = {}
    for method in (method for method in experiment.methods if method.name in names):
        with suppress(StructceError):  # a failure of the method, which is reported
            known = training_sets(method)
            own = tuple(package.name for package in experiment.packages if package.reader in known)
            sources |= {method.name: own} if own else {}
    return sources


def row_measures(experiment: ExtractionExperiment) -> tuple[str, ...]:
    """Return the measures that rows have: the four, and others that the experiment names."""
    return tuple(name for name in MEASURES if name in {*FOUR, *experiment.measures})


def _learning_tasks(
    experiment: ExtractionExperiment,
    settings: Sequence[Setting],
    sources: Sequence[SourcePages],
    shared: Mapping[str, object],
) -> dict[tuple[str, str], list[tuple[CacheKey, LearningTask]]]:
    """Return the tasks of learning settings with their keys, by the names of source and setting.

    Settings that would learn from the same pages, because a class has fewer than they ask for, have
    tasks of the same key.
    """
    digests = {
        (source.name, page.id): digest_of(page)
        for source in sources
        for page in (*source.learnt, *source.pages)
    }
    return {
        (source.name, setting.name): [
            (_task_key(task, digests, shared), task)
            for task in _tasks_of(experiment, setting, source)
        ]
        for source in sources
        for setting in settings
        if setting.is_learnt
    }


def _tasks_of(
    experiment: ExtractionExperiment, setting: Setting, source: SourcePages
) -> Iterator[LearningTask]:
    measures, seed = row_measures(experiment), experiment.seed
    if setting.n_pages:
        classes = source.classes.values()
        yield from class_tasks(setting, source.name, classes, seed=seed, measures=measures)
        return
    if source.learnt:
        pages = source.learnt, source.pages
        yield LearningTask(source.name, setting.name, setting.method, *pages, measures)
        return
    folds = draw_folds(source.pages, experiment.n_folds, setting.folds, seed)
    message = f"folds by {setting.folds} need two; the pages are of one"
    require(len(folds) >= 2, message, "package", source.name)
    yield from fold_tasks(setting, source.name, folds, measures=measures)


def _task_key(
    task: LearningTask, digests: Mapping[tuple[str, str], str], shared: Mapping[str, object]
) -> CacheKey:
    """Return the digest of everything that a task's outcome depends on, except names."""

    def named(pages: Sequence[GoldPage]) -> list[list[str]]:
        return [[page.id, digests[task.package, page.id]] for page in pages]

    own = {"method": task.method.extractor, "parameters": dict(task.method.parameters)}
    pages = {"learnt": named(task.learnt), "measured": named(task.measured)}
    return cache_key({**own, **pages, "measures": list(task.measures), **shared})


def _renamed(outcome: LearningOutcome, task: LearningTask) -> LearningOutcome:
    rows = (replace(row, package=task.package, system=task.system) for row in outcome.rows)
    return replace(outcome, rows=tuple(rows))
