"""Runs of methods that learn from pages first: their tasks, and the outcomes that are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from structce.evaluation import FOUR
from structce.experiments.cache import Cache, cache_key
from structce.experiments.config import require
from structce.experiments.extraction.config import ExtractionExperiment
from structce.experiments.extraction.packages import SourcePages
from structce.experiments.extraction.settings import (
    Setting,
    class_tasks,
    draw_folds,
    fold_tasks,
)
from structce.extraction import (
    MEASURES,
    LearningOutcome,
    LearningTask,
    digest_of,
    run_learning_tasks,
)
from structce.rendering import with_bar

LearningRuns = Mapping[tuple[str, str], Sequence[tuple[LearningTask, LearningOutcome]]]
"""Tasks of learnt settings and what came of them, by the names of source and setting."""


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
    digests = {(one.name, page.id): digest_of(page) for one in sources for page in one.pages}
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
