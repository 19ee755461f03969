"""Answers of every system to every data set in every view, collected page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.articles.answers import Answer, AnswerFile, pages_digest
from benchmarks.articles.corpora import ArticlePage, read_pages
from benchmarks.articles.systems import (
    SYSTEMS,
    Runner,
    UnavailableError,
    start_runner,
    system_version,
)
from benchmarks.articles.views import VIEWS, view_digest
from structce.errors import StructceError

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """Plan of a collection: systems, data sets, views, and folders.

    Parameters
    ----------
    limit
        Processor time that a page may take, in seconds.
    side_by_side
        Ask all systems page by page, instead of one system after the other: the other load of the
        machine then affects all times equally.
    """

    data: Path
    out: Path
    data_sets: tuple[str, ...]
    views: tuple[str, ...]
    systems: tuple[str, ...]
    limit: float
    node_modules: Path | None = None
    side_by_side: bool = False


@dataclass(frozen=True)
class _Task:
    """Pages that one system has yet to answer."""

    system: str
    file: AnswerFile
    missing: frozenset[str]
    runner: Runner


def collect(plan: Plan, tell: Tell) -> None:
    """Collect the answers of a plan that are not there yet.

    Parameters
    ----------
    tell
        Function that receives a line before each system, and the reason for each that cannot run.
    """
    for view in plan.views:
        for data_set in plan.data_sets:
            pages = read_pages(plan.data, data_set)
            if not pages:
                tell(f"{data_set}: no reader or no archive, left out")
                continue
            tasks = list(_tasks(plan, data_set, view, pages, tell))
            for group in [tasks] if plan.side_by_side else [[task] for task in tasks]:
                for task in group:
                    tell(f"{view}, {data_set}: {task.system}, {len(task.missing)} pages")
                _run(group, pages, view)


def _tasks(
    plan: Plan, data_set: str, view: str, pages: Sequence[ArticlePage], tell: Tell
) -> Iterator[_Task]:
    digest = pages_digest(page.gold_page for page in pages) + view_digest(view)
    for name in plan.systems:
        file = AnswerFile(plan.out / data_set / view / f"{name}.jsonl")
        if not file.is_own:
            continue
        try:
            version = system_version(SYSTEMS[name], plan.node_modules)
        except UnavailableError as reason:
            tell(f"{name}: left out, {reason}")
            continue
        known = file.start(digest, version)
        if missing := frozenset(page.id for page in pages if page.id not in known):
            yield _Task(
                name, file, missing, start_runner(SYSTEMS[name], plan.limit, plan.node_modules)
            )


def _run(tasks: Sequence[_Task], pages: Sequence[ArticlePage], view: str) -> None:
    try:
        for page in pages:
            for task in tasks:
                if page.id in task.missing:
                    task.file.append(_answer(task.runner, page, view))
    finally:
        for task in tasks:
            task.runner.close()


def _answer(runner: Runner, page: ArticlePage, view: str) -> Answer:
    try:
        html = VIEWS[view](page.html)
    except StructceError as error:
        return Answer(page.id, error=str(error))
    return runner.ask(page.id, html, page.gold_page.url, page.lang)
