"""Whether every page is returned when the browser is killed while it works."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from benchmarks.features.timing import Tell
from benchmarks.rendering import processes
from benchmarks.rendering.background import BackgroundThread
from structce.errors import RenderError
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document

LATEST = 0.9  # of the time that the pages take without kills: no kill is later
POLL = 0.02  # seconds between two looks for a browser to kill
N_CALM = 2  # runs without kills; the faster one is what the kills are set against


class RecoveryFigures(TypedDict):
    """Figures of this part.

    Parameters
    ----------
    moments
        Seconds from the beginning to each kill.
    lost
        Messages of pages that were not returned.
    altered
        Names of pages that differ from those of runs without kills.
    retries
        Times that a browser was gone and its page begun again.
    """

    n_pages: int
    workers: int
    moments: list[float]
    lost: list[str]
    altered: list[str]
    retries: int
    calm_seconds: float
    seconds: float
    lost_seconds_a_kill: float


@dataclass
class Killer(BackgroundThread):
    """Killer of browsers of a renderer at several moments, from a thread.

    Where no browser runs at a moment, since the last kill is not overcome yet, it waits for one.

    Parameters
    ----------
    moments
        Seconds from the beginning, rising.
    done
        Seconds at which a browser was killed indeed.
    """

    renderer: ChromiumRenderer
    moments: Sequence[float]
    random: random.Random
    done: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Kill a browser at each moment, when there is one."""
        start = time.perf_counter()
        for moment in self.moments:
            wait = max(0.0, moment - (time.perf_counter() - start))
            while not self.is_over.wait(wait):
                if self._kill_one():
                    self.done.append(time.perf_counter() - start)
                    break
                wait = POLL

    def _kill_one(self) -> bool:
        running = self.renderer.pool.pids
        return bool(running) and processes.kill(self.random.choice(running))


@dataclass
class Run:
    """Outcome of rendering all documents, submitted at once."""

    seconds: float = 0.0
    rows: dict[int, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)


def run(renderer: ChromiumRenderer, documents: Sequence[Document]) -> Run:
    """Render all documents; those that fail are named with the reason."""
    outcome = Run()
    start = time.perf_counter()
    futures = [renderer.submit(document) for document in documents]
    for n, future in enumerate(futures):
        try:
            page = future.result()
        except RenderError as error:
            outcome.lost.append(str(error))
            continue
        outcome.rows[n] = tuple(zip(page.xpath, page.text, strict=True))
    outcome.seconds = time.perf_counter() - start
    return outcome


def measure(
    documents: Sequence[Document],
    n_kills: int,
    seed: int,
    workers: int,
    browser: str | None,
    tell: Tell,
) -> RecoveryFigures:
    """Render all pages without kills and then with them, and compare."""
    generator = random.Random(seed)
    with ChromiumRenderer(browser, workers=workers) as renderer:
        calm = [run(renderer, documents) for _ in range(N_CALM)]
        calm_seconds = min(calm_run.seconds for calm_run in calm)
        moments = sorted(generator.uniform(0, LATEST * calm_seconds) for _ in range(n_kills))
        tell(f"recovery: {len(documents)} pages in {calm_seconds:.1f} s; now with {n_kills} kills")
        n_lost = renderer.pool.n_lost
        with Killer(renderer, moments, generator) as killer:
            outcome = run(renderer, documents)
        retries = renderer.pool.n_lost - n_lost
    usual = calm[-1].rows
    return {
        "n_pages": len(documents),
        "workers": workers,
        "moments": killer.done,
        "lost": outcome.lost,
        "altered": [documents[n].name for n, rows in outcome.rows.items() if rows != usual.get(n)],
        "retries": retries,
        "calm_seconds": calm_seconds,
        "seconds": outcome.seconds,
        "lost_seconds_a_kill": (outcome.seconds - calm_seconds) / max(len(killer.done), 1),
    }
