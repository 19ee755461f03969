"""Runner of an extraction experiment: rows of pages and settings, kept once they are measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from joblib import effective_n_jobs

from structce.errors import StructceError
from structce.evaluation import FOUR
from structce.experiments.cache import PACKAGE, Cache, cache_key, code_digest
from structce.experiments.extraction.config import (
    ExtractionExperiment,
    Setting,
    class_tasks,
    draw_folds,
    fold_tasks,
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
from structce.rendering import with_bar

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


@dataclass(frozen=True)
class ExtractionResult:
    """The report of an extraction experiment, and the table of all rows."""

    report: ExtractionReport
    table: str


def run_extraction(
    experiment: ExtractionExperiment,
    *,
    n_jobs: int = 1,
    cache: Path | None = None,
    progress: bool = True,
    command: str = "",
) -> ExtractionResult:
    """Run an extraction experiment.

    Each method reads every page from its bytes, independently of the others; its time is measured
    up to the text. A page on which a method fails counts as if nothing had been extracted. A method
    of page classes learns from pages of each part of a source, and a trainable one from all folds
    except one; the time to learn is reported separately.

    Parameters
    ----------
    n_jobs
        Number of processes; -1 for one per processor. With one, everything is done in this process,
        without a time limit per page. Times are longer if processes share the machine.
    cache
        Folder of rows, which are not measured again unless the page, its main content, the method,
        what it learns from or the code has changed. Failures are tried again, except those of
        learnt extractors on a page. None keeps nothing.
    progress
        Whether to show a bar on standard error, if that is a terminal.
    command
        Command line that repeats the run, for the report.

    Returns
    -------
    :
        Report and table. A method that cannot be made is a failure; the others continue.

    Raises
    ------
    CorpusError
        If a source of pages cannot be read.
    ExperimentError
        If a source has no page with a main content.
    """
    methods, failures = _usable(experiment.methods)
    settings = list_settings(methods, experiment.class_pages, experiment.folds_by)
    sources = read_packages(experiment)
    jobs = Jobs(effective_n_jobs(n_jobs), experiment.seconds, None if progress else True)
    shared, measures = shared_state(), row_measures(experiment)
    with ExitStack() as stack:
        folder = cache or Path(stack.enter_context(TemporaryDirectory()))
        files = {
            method.name: stack.enter_context(
                ResultFile(folder / f"{method_key(method, shared, measures)}.tsv", measures)
            )
            for method in methods
            if method.kind == "extractor"
        }
        rows = _rows(methods, sources, files, measures, jobs)
        runs = run_settings(experiment, settings, sources, Cache(folder), shared, jobs)
    rows |= {row.key: row for own in runs.values() for _, method in own for row in method.rows}
    ordered = [row for source in sources for row in _ordered(source, settings, rows)]
    failures += row_failures(ordered)
    report = _report(experiment, sources, ordered, runs, failures, command)
    return ExtractionResult(report, table(ordered, summarise(ordered), measures))


def _ordered(
    source: SourcePages,
    settings: Sequence[Setting],
    rows: Mapping[tuple[str, str, str, str], DocumentRow],
) -> Iterator[DocumentRow]:
    """Yield the rows of a source, setting by setting."""
    digests = [(page.id, digest_of(page)) for page in source.pages]
    for setting in settings:
        for id, digest in digests:
            yield rows[source.name, setting.name, id, digest]


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


def method_key(method: Method, shared: Mapping[str, object], measures: Sequence[str] = FOUR) -> str:
    """Return the digest of everything except the page that the rows of a method depend on."""
    own = {"name": method.name, "extractor": method.extractor}
    more = [name for name in measures if name not in FOUR]
    asked = {"measures": more} if more else {}
    return cache_key({**own, "parameters": dict(method.parameters), **asked, **shared})


def shared_state() -> dict[str, object]:
    """Return what the rows of all methods depend on: code, models and versions of libraries."""
    manifests = sorted((PACKAGE / "models").glob("*/manifest.json"))
    return {
        "code": code_digest(CODE_PATHS, ()),
        "models": [path.read_text("utf-8") for path in manifests],
        "versions": installed_versions(LIBRARIES),
    }


def _rows(
    methods: Sequence[Method],
    sources: Sequence[SourcePages],
    files: Mapping[str, ResultFile],
    measures: tuple[str, ...],
    jobs: Jobs,
) -> dict[tuple[str, str, str, str], DocumentRow]:
    """Return the rows of methods that learn nothing, by key; kept rows are not measured again."""
    known = {key: row for file in files.values() for key, row in file.known.items()}
    usable = [method for method in methods if method.name in files]
    tasks = [
        MeasurementTask(source.name, page, method.name, measures)
        for source in sources
        for page in source.pages
        for method in usable
    ]
    missing = [task for task in tasks if task.key not in known]
    done = measure_tasks(usable, missing, n_jobs=jobs.n_jobs, seconds=jobs.seconds)
    for row in with_bar(done, len(missing), what="pages", is_quiet=jobs.is_quiet):
        files[row.system].add(row)
        known[row.key] = row
    return known


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
        trained_on=_trained_on(experiment),
    )


def _trained_on(experiment: ExtractionExperiment) -> dict[str, tuple[str, ...]]:
    sources: dict[str, tuple[str, ...]] = {}
    for method in experiment.methods:
        try:
            known = training_sets(method)
        except StructceError:  # a failure of the method, which is reported
            continue
        if names := tuple(
            package.name for package in experiment.packages if package.reader in known
        ):
            sources[method.name] = names
    return sources


@dataclass(frozen=True)
class Jobs:
    """How the work is done.

    Parameters
    ----------
    n_jobs
        Number of processes.
    seconds
        Time limit of one page.
    is_quiet
        Whether to show no progress bar; None to show one only in a terminal.
    """

    n_jobs: int
    seconds: float
    is_quiet: bool | None


def row_measures(experiment: ExtractionExperiment) -> tuple[str, ...]:
    """Return the measures that rows have: the four, and others that the experiment names."""
    return tuple(name for name in MEASURES if name in {*FOUR, *experiment.measures})


def run_settings(
    experiment: ExtractionExperiment,
    settings: Sequence[Setting],
    sources: Sequence[SourcePages],
    cache: Cache,
    shared: Mapping[str, object],
    jobs: Jobs,
) -> LearningRuns:
    """Return the outcomes of learning settings on each source; tasks with kept ones are not run.

    Settings that would learn from the same pages, because a class has fewer than they ask for, are
    run once.
    """
    tasks = {
        (source.name, setting.name): list(_learning_tasks(experiment, setting, source))
        for source in sources
        for setting in settings
        if setting.is_learnt
    }
    digests = {
        (source.name, page.id): digest_of(page) for source in sources for page in source.pages
    }
    keys = {id(task): _task_key(task, digests, shared) for own in tasks.values() for task in own}
    different = {keys[id(task)]: task for own in tasks.values() for task in own}
    outcomes = _outcomes(different, cache, jobs)
    return {
        place: [(task, _renamed(outcomes[keys[id(task)]], task)) for task in own]
        for place, own in tasks.items()
    }


def _outcomes(
    tasks: Mapping[str, LearningTask], cache: Cache, jobs: Jobs
) -> dict[str, LearningOutcome]:
    """Return the outcomes of tasks by their keys; each is kept as soon as it is finished."""
    known = {key: found for key in tasks if (found := cache.read(key, LearningOutcome))}
    missing = {key: task for key, task in tasks.items() if key not in known}
    done = run_learning_tasks(list(missing.values()), n_jobs=jobs.n_jobs, seconds=jobs.seconds)
    shown = with_bar(done, len(missing), what="classes and folds", is_quiet=jobs.is_quiet)
    for key, outcome in zip(missing, shown, strict=True):
        known[key] = outcome
        if outcome.seconds is not None:  # where nothing was learnt, it is tried again
            cache.write(key, outcome)
    return known


def _learning_tasks(
    experiment: ExtractionExperiment, setting: Setting, source: SourcePages
) -> Iterator[LearningTask]:
    measures, seed = row_measures(experiment), experiment.seed
    if setting.n_pages:
        classes = source.classes.values()
        yield from class_tasks(setting, source.name, classes, seed=seed, measures=measures)
        return
    folds = draw_folds(source.pages, experiment.n_folds, setting.folds, seed)
    message = f"folds by {setting.folds} need two; the pages are of one"
    require(len(folds) >= 2, message, "package", source.name)
    yield from fold_tasks(setting, source.name, folds, measures=measures)


def _task_key(
    task: LearningTask, digests: Mapping[tuple[str, str], str], shared: Mapping[str, object]
) -> str:
    """Return the digest of everything that a task's outcome depends on, except names."""
    learnt, measured = (
        [[page.id, digests[task.package, page.id]] for page in pages]
        for pages in (task.learnt, task.measured)
    )
    return cache_key(
        {
            "method": task.method.extractor,
            "parameters": dict(task.method.parameters),
            "learnt": learnt,
            "measured": measured,
            "measures": list(task.measures),
            **shared,
        }
    )


def _renamed(outcome: LearningOutcome, task: LearningTask) -> LearningOutcome:
    rows = (replace(row, package=task.package, system=task.system) for row in outcome.rows)
    return replace(outcome, rows=tuple(rows))
