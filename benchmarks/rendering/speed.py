"""Ours beside plain Playwright loops on the same pages, and pages per second of workers."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TypeAlias, TypedDict

import numpy as np

from benchmarks.rendering.collectors import COLLECTORS, Collector, OneCallAnElement, Ours, Timing
from benchmarks.rendering.pages import median, spread
from structce.rendering.base import Renderer
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer

Tell: TypeAlias = Callable[[str], None]

WARMING = 2  # pages that each way takes before anything is timed
WORKERS = (1, 2)


class Spread(TypedDict):
    """Median and quartiles."""

    low: float
    median: float
    high: float


class CollectorFigures(TypedDict):
    """Times of one way; ratios are its seconds over ours for the same page and round."""

    n_pages: int
    collecting_ms: Spread
    whole_ms: Spread
    collecting_ratio: Spread
    whole_ratio: Spread
    n_rows: float
    ours_found: float


class WorkerFigures(TypedDict):
    """Pages per second of a renderer, with all pages submitted at once."""

    renderer: str
    workers: int
    pages_per_second: Spread


class SpeedFigures(TypedDict):
    """Figures of this part."""

    ways: dict[str, CollectorFigures]
    workers: list[WorkerFigures]


@dataclass
class Record:
    """Times of every way, then one row per page and round."""

    taken: dict[str, dict[tuple[int, int], Timing]] = field(default_factory=dict)

    def add(self, name: str, page: int, turn: int, taken: Timing) -> None:
        """Keep what a way took for a page in a round."""
        self.taken.setdefault(name, {})[page, turn] = taken

    def figures(self) -> dict[str, CollectorFigures]:
        """Return the figures of each way."""
        return {name: self._figures(timings) for name, timings in self.taken.items()}

    def _figures(self, timings: Mapping[tuple[int, int], Timing]) -> CollectorFigures:
        ours = self.taken[Ours.name]
        pairs = [(timing, ours[key]) for key, timing in timings.items()]
        firsts = [(timing, ours[key]) for key, timing in timings.items() if key[1] == 0]
        return {
            "n_pages": len({page for page, _ in timings}),
            "collecting_ms": quartiles([1000 * timing.collecting for timing, _ in pairs]),
            "whole_ms": quartiles([1000 * timing.whole for timing, _ in pairs]),
            "collecting_ratio": quartiles([a.collecting / b.collecting for a, b in pairs]),
            "whole_ratio": quartiles([a.whole / b.whole for a, b in pairs]),
            "n_rows": median([len(timing.rows) for timing, _ in firsts]),
            "ours_found": share_found([timing for timing, _ in firsts], [own for _, own in firsts]),
        }


def share_found(theirs: Sequence[Timing], ours: Sequence[Timing]) -> float:
    """Return which share of our rows a way has at the same address with the same text."""
    hits = sum(len(set(a.rows) & set(b.rows)) for a, b in zip(theirs, ours, strict=True))
    return hits / max(sum(len(set(timing.rows)) for timing in ours), 1)


def quartiles(values: Sequence[float]) -> Spread:
    """Return median and quartiles; NaN of nothing."""
    quantiles = np.quantile(values, (0.25, 0.5, 0.75)) if len(values) else [float("nan")] * 3
    low, middle, high = (float(value) for value in quantiles)
    return {"low": low, "median": middle, "high": high}


def in_turns(
    documents: Sequence[Document], ways: Sequence[Collector], n_slow: int, rounds: int, tell: Tell
) -> Record:
    """Return what every way took on every page, ways in an order that turns from page to page.

    So other load on the machine affects all equally. The loop of one call per element gets only
    ``n_slow`` of the pages.
    """
    record = Record()
    slow = {document.digest for document in spread(documents, n_slow)}
    for turn in range(rounds):
        for n, document in enumerate(documents):
            tell(f"speed: round {turn + 1} of {rounds}, page {n + 1} of {len(documents)}")
            first = (turn + n) % len(ways)
            for way in [*ways[first:], *ways[:first]]:
                if way.name != OneCallAnElement.name or document.digest in slow:
                    record.add(way.name, n, turn, way.measure(document))
    return record


def pages_per_second(renderer: Renderer, documents: Sequence[Document]) -> float:
    """Return how fast an open renderer works through all documents, handed over at once."""
    start = time.perf_counter()
    for future in [renderer.submit(document) for document in documents]:
        future.result()
    return len(documents) / (time.perf_counter() - start)


def workers(
    documents: Sequence[Document], rounds: int, browser: str | None, tell: Tell
) -> list[WorkerFigures]:
    """Return how fast each renderer is with one worker and with two, in turns."""
    with ExitStack() as stack:
        opened: list[Renderer] = []
        for n in WORKERS:
            opened.append(stack.enter_context(ChromiumRenderer(browser, workers=n)))
            opened.append(stack.enter_context(StaticRenderer(workers=n)))
        rates: list[list[float]] = [[] for _ in opened]
        for renderer in opened:
            pages_per_second(renderer, documents[: WARMING * renderer.workers])
        for turn in range(rounds):
            for speeds, renderer in zip(rates, opened, strict=True):
                tell(f"speed: round {turn + 1}, {renderer.name}, {renderer.workers} workers")
                speeds.append(pages_per_second(renderer, documents))
    return [
        {
            "renderer": renderer.name,
            "workers": renderer.workers,
            "pages_per_second": quartiles(speeds),
        }
        for renderer, speeds in zip(opened, rates, strict=True)
    ]


def measure(
    documents: Sequence[Document], n_slow: int, rounds: int, browser: str | None, tell: Tell
) -> SpeedFigures:
    """Return the figures of this part."""
    with ExitStack() as stack:
        ways: list[Collector] = [stack.enter_context(make(browser)) for make in COLLECTORS]
        for way in ways:
            for document in documents[: 1 if way.name == OneCallAnElement.name else WARMING]:
                way.measure(document)
        figures = in_turns(documents, ways, n_slow, rounds, tell).figures()
    return {"ways": figures, "workers": workers(documents, rounds, browser, tell)}
