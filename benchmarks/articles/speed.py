"""Processor time of ours beside other systems, page by page in one process, and by stage.

    python3 -m benchmarks.articles.speed ../shared/data --pages 80 --runs 3 --system resiliparse

Each run is a separate process that reads every page once: a page that is read again would find its
texts in the tables that survive between pages. All systems take their turn at a page before the
next one, ours first at every second page. A page's time is the median of the runs; ratios are those
of the means and of the medians over pages. With spans, ours also finds the position of each region
in the source, in separate runs. A garbage collection that a call puts off until it ends is part of
its time. The shipped model reads pages that it may have learnt from, which does not affect the time
that it takes.
"""

from __future__ import annotations

import multiprocessing
import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from itertools import product
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np

from benchmarks.articles.corpora import DATA_SETS, ArticlePage, read_pages
from benchmarks.articles.peers import Extract
from benchmarks.articles.systems import WARM_UP
from benchmarks.articles.worker import PEERS
from structce.article import Article, read_article, reading
from structce.cli.options import format_option, print_table
from structce.io import encode_json, write_atomic
from structce.labelling import DEFAULT_MODELS, RegionLabeller
from structce.rendering import Document, StaticRenderer, with_spans
from structce.runtime import without_collection

SETS = ("wcxb", "fundus", "trafilatura", "article-extraction-benchmark")
"""Data sets of the measurement unless others are asked for."""

OURS, SPANS, RIVAL = "ours", "ours, with spans", "trafilatura"

STAGES: Mapping[str, tuple[str, ...]] = {
    "candidates": ("choose", "choose_authors"),
    "body": ("choose_body",),
    "roles": ("assign_roles",),
    "agreement": ("reconcile_labels",),
}
"""Parts of reading an article, and the functions of its module that they are."""

Times = Mapping[str, float]
"""Milliseconds by system or stage."""


@dataclass
class Stopwatch:
    """Milliseconds of processor time by stage."""

    taken: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def time(self, stage: str) -> Iterator[None]:
        """Add what is done inside to a stage."""
        start = time.process_time()
        try:
            yield
        finally:
            milliseconds = 1000 * (time.process_time() - start)
            self.taken[stage] = self.taken.get(stage, 0.0) + milliseconds

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose calls are added to a stage."""

        @wraps(function)
        def call(*arguments: Any, **options: Any) -> Any:
            with self.time(stage):
                return function(*arguments, **options)

        return call


class Ours:
    """The shipped model without a browser, timed by stage.

    Parameters
    ----------
    has_spans
        Whether places in the source are asked for as well.
    """

    def __init__(self, *, has_spans: bool) -> None:
        self.has_spans = has_spans
        self.renderer = StaticRenderer()
        self.labeller = RegionLabeller.load(DEFAULT_MODELS["static"])
        self.stopwatch = Stopwatch()
        for stage, names in STAGES.items():
            for name in names:
                setattr(reading, name, self.stopwatch.timed(stage, getattr(reading, name)))

    @without_collection
    def __call__(self, html: str, url: str, lang: str) -> Article:
        """Return the article of a page, all of it with the collector paused, as commands do."""
        time_of = self.stopwatch.time
        document = Document(html, url)
        with time_of("render"):
            page = self.renderer.render(document)
        if self.has_spans:
            with time_of("spans"):
                page = with_spans(page, html)
        with time_of("features and labels"):
            labelling = self.labeller.label(page)
        with time_of("article"):
            return read_article(labelling)

    def stages(self) -> Times:
        """Return what the stages took since they were last asked for."""
        taken = dict(self.stopwatch.taken)
        self.stopwatch.taken.clear()
        if "article" in taken:
            taken["rest of the article"] = taken["article"] - sum(map(taken.get, STAGES, [0] * 4))
        return taken


def time_run(pages: Sequence[ArticlePage], systems: Sequence[str]) -> list[dict[str, float]]:
    """Return milliseconds by system and by stage of ours, one row per page.

    Parameters
    ----------
    systems
        Names of ``PEERS``, and ``ours`` or ``ours, with spans``.
    """
    calls: dict[str, Extract | Ours] = {
        name: Ours(has_spans=name == SPANS) if name in (OURS, SPANS) else PEERS[name]()
        for name in systems
    }
    for call in calls.values():
        call(**WARM_UP)
    rows = []
    for n, page in enumerate(pages):
        row: dict[str, float] = {}
        for name in systems if n % 2 else systems[::-1]:
            start = time.process_time()
            try:
                calls[name](page.html, page.gold_page.url, page.lang)
            except Exception:  # other people's systems may raise anything; the time counts
                row[f"{name} failed"] = 1.0
            _ = {name}  # a new object, at which a collection that the call put off takes place
            row[name] = 1000 * (time.process_time() - start)
        for call in calls.values():
            row |= {} if not isinstance(call, Ours) else call.stages()
        rows.append(row)
    return rows


def _serve(pipe: Connection, pages: Sequence[ArticlePage], systems: Sequence[str]) -> None:
    warnings.simplefilter("ignore")
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    pipe.send(time_run(pages, systems))


def run_apart(pages: Sequence[ArticlePage], systems: Sequence[str]) -> list[dict[str, float]]:
    """Return what :func:`time_run` finds in a process of its own."""
    context = multiprocessing.get_context("fork")
    pipe, inner = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(inner, pages, systems))
    process.start()
    inner.close()
    try:
        times: list[dict[str, float]] = pipe.recv()
    finally:
        process.join()
    return times


def median_of(runs: Sequence[Sequence[Times]]) -> list[dict[str, float]]:
    """Return the median over the runs of each page's times."""
    names = list(dict.fromkeys(name for run in runs for row in run for name in row))
    return [
        {name: float(np.median([row.get(name, 0.0) for row in rows])) for name in names}
        for rows in zip(*runs, strict=True)
    ]


def table_rows(pages: Sequence[Times]) -> list[dict[str, object]]:
    """Return one row per system or stage: its times, and their ratio to trafilatura's."""
    names = list(dict.fromkeys(name for page in pages for name in page))
    values = {name: np.array([page.get(name, 0.0) for page in pages]) for name in names}
    rival = values[RIVAL]
    return [
        {
            "what": name,
            "mean, ms": round(float(own.mean()), 2),
            "median, ms": round(float(np.median(own)), 2),
            "95 per cent below, ms": round(float(np.quantile(own, 0.95)), 1),
            "ratio of means": round(float(own.mean() / rival.mean()), 3),
            "ratio of medians": round(float(np.median(own) / np.median(rival)), 3),
        }
        for name, own in values.items()
        if not name.endswith(" failed")
    ]


def some_pages(data: Path, data_sets: Sequence[str], n_pages: int, seed: int) -> list[ArticlePage]:
    """Return random pages of each data set, alternating between the sets.

    Raises
    ------
    ClickException
        If a data set is not there.
    """
    chosen = []
    for name in data_sets:
        pages = read_pages(data, name)
        if not pages:
            raise click.ClickException(f"{data}: no data set {name!r}")
        chosen.append(Random(seed).sample(pages, min(n_pages, len(pages))))
    most = max(map(len, chosen))
    return [pages[n] for n, pages in product(range(most), chosen) if n < len(pages)]


@click.command()
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option("--data-set", "data_sets", multiple=True, type=click.Choice(DATA_SETS),
              default=SETS, show_default=True)  # fmt: skip
@click.option("--pages", "n_pages", default=80, show_default=True, help="Pages of each data set.")
@click.option("--runs", default=3, show_default=True, help="Runs; the median counts.")
@click.option("--system", "others", multiple=True, type=click.Choice(tuple(PEERS)),
              help="Further system beside trafilatura.")  # fmt: skip
@click.option("--seed", default=7, show_default=True, help="Seed of the choice of pages.")
@click.option("--json", "out", type=click.Path(path_type=Path), help="File for the times of pages.")
@format_option
def main(
    data: Path,
    data_sets: tuple[str, ...],
    n_pages: int,
    runs: int,
    others: tuple[str, ...],
    seed: int,
    out: Path | None,
    form: str,
) -> None:
    """Time ours and other systems page by page in one process."""
    pages = some_pages(data, data_sets, n_pages, seed)
    further = [name for name in dict.fromkeys(others) if name != RIVAL]
    plain: list[list[dict[str, float]]] = []
    spans: list[list[dict[str, float]]] = []
    for run in range(runs):
        plain.append(run_apart(pages, [OURS, RIVAL, *further]))
        spans.append(run_apart(pages, [SPANS, RIVAL]))
        click.echo(f"run {run + 1} of {runs}", err=True)
    for results in (plain, spans):
        print_table(table_rows(median_of(results)), form)
    if out is not None:
        write_atomic(out, encode_json({"plain": plain, "spans": spans}))


if __name__ == "__main__":
    main()
