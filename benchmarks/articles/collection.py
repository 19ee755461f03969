"""Answers of every system to every data set in every view, collected page by page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    """Which answers are collected, from where to where.

    Parameters
    ----------
    limit
        Processor time that a page may take, in seconds.
    """

    data: Path
    out: Path
    data_sets: tuple[str, ...]
    views: tuple[str, ...]
    systems: tuple[str, ...]
    limit: float
    node_modules: Path | None = None


def answer_file(out: Path, data_set: str, view: str, system: str) -> AnswerFile:
    """Return the file of the answers of one system on one data set in one view."""
    return AnswerFile(out / data_set / view / f"{system}.jsonl")


def collect(plan: Plan, tell: Tell) -> None:
    """Collect the answers of a plan that are not there yet.

    Parameters
    ----------
    tell
        Gets a line before each system, and the reason for each that cannot run.
    """
    for view in plan.views:
        for data_set in plan.data_sets:
            pages = read_pages(plan.data, data_set)
            if not pages:
                tell(f"{data_set}: no reader or no archive, left out")
                continue
            digest = pages_digest(page.gold_page for page in pages)
            for system in plan.systems:
                _collect_one(plan, system, data_set, view, pages, digest + view_digest(view), tell)


def _collect_one(
    plan: Plan,
    name: str,
    data_set: str,
    view: str,
    pages: Sequence[ArticlePage],
    digest: str,
    tell: Tell,
) -> None:
    file = answer_file(plan.out, data_set, view, name)
    if not file.is_own:
        return
    try:
        version = system_version(SYSTEMS[name], plan.node_modules)
    except UnavailableError as reason:
        tell(f"{name}: left out, {reason}")
        return
    known = file.start(digest, version)
    missing = [page for page in pages if page.id not in known]
    if not missing:
        return
    tell(f"{view}, {data_set}: {name}, {len(missing)} pages")
    runner = start_runner(SYSTEMS[name], plan.limit, plan.node_modules)
    try:
        for page in missing:
            file.append(_answer(runner, page, view))
    finally:
        runner.close()


def _answer(runner: Runner, page: ArticlePage, view: str) -> Answer:
    try:
        html = VIEWS[view](page.html)
    except StructceError as error:
        return Answer(page.id, error=str(error))
    return runner.ask(page.id, html, page.gold_page.url, page.lang)
