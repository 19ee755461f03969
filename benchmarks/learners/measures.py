"""Measurements of a contender: clock, memory, speed."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import numpy as np

from benchmarks.learners.problems import Facts, Problem
from structce.arrays import Labels


class Point(TypedDict):
    """State of a contender after so many epochs; None means unknown."""

    epoch: int
    seconds: float
    objective: float | None
    macro_f1: float | None


class Measurement(TypedDict):
    """All that is measured of one contender on one problem, in one process.

    ``seconds`` is the time to the contender's own stop, ``epoch_seconds`` that from one epoch to
    the next (median), ``conversion_seconds`` what it took before to turn CSR matrices into the
    engine's input, ``memory_mb`` the peak (units of 10**6 bytes) less what the process held when
    the problem was loaded. F1 is macro-averaged over all labels; the curve's is of validation
    pages. ``load`` is the machine's load average of the last minute.
    """

    facts: Facts
    seconds: float
    epoch_seconds: float
    conversion_seconds: float
    n_epochs: int
    objective: float | None
    gap: float | None
    memory_mb: float
    curve: list[Point]
    validation_f1: float
    test_f1: float
    test_accuracy: float
    pages_per_second: float
    load: float


@dataclass(frozen=True)
class Fitted:
    """A contender that is fitted and has labelled the validation and test pages.

    Parameters
    ----------
    curve
        Ends with the stop; its time is ``seconds`` or that of a second, watched run.
    """

    seconds: float
    conversion_seconds: float
    objective: float | None
    gap: float | None
    memory_mb: float
    curve: list[Point]
    validation: list[Labels]
    test: list[Labels]
    pages_per_second: float


def summarise(problem: Problem, fitted: Fitted) -> Measurement:
    """Return the measures of a fitted contender."""
    scores = problem.scores(fitted.test, problem.test)
    return Measurement(
        facts=problem.facts(),
        seconds=fitted.seconds,
        epoch_seconds=epoch_seconds(fitted.curve),
        conversion_seconds=fitted.conversion_seconds,
        n_epochs=fitted.curve[-1]["epoch"],
        objective=fitted.objective,
        gap=fitted.gap,
        memory_mb=fitted.memory_mb,
        curve=fitted.curve,
        validation_f1=problem.macro_f1(fitted.validation, problem.validation),
        test_f1=scores.macro_f1,
        test_accuracy=scores.accuracy,
        pages_per_second=fitted.pages_per_second,
        load=os.getloadavg()[0],
    )


def epoch_seconds(curve: Sequence[Point]) -> float:
    """Return the median time of an epoch; the first point counts from the start."""
    epochs = np.diff([0, *(point["epoch"] for point in curve)])
    seconds = np.diff([0.0, *(point["seconds"] for point in curve)])
    moved = epochs > 0
    return float(np.median(seconds[moved] / epochs[moved])) if moved.any() else 0.0


class MemoryMeter:
    """Meter of the largest growth of the process's memory from now on.

    The peak is the kernel's for the whole process, so what loading the problem took for a moment
    is a lower bound. A child process starts with its parent's peak: let the parent stay small.
    """

    def __init__(self) -> None:
        self.baseline = _resident()

    def megabytes(self) -> float:
        """Return the growth, at least 0, in units of 10**6 bytes."""
        return max(0, peak() - self.baseline) / 1e6


def peak() -> int:
    """Return the most memory that this process ever held, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _resident() -> int:
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return peak()
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def speed(
    label: Callable[[], object], n_pages: int, now: Callable[[], float], repeats: int = 5
) -> float:
    """Return the pages per second of a call that labels ``n_pages``: the best of some calls."""
    times = []
    for _ in range(repeats):
        begin = now()
        label()
        times.append(now() - begin)
    return n_pages / min(times)


def rungs(max_epochs: int) -> list[int]:
    """Return where to look at contenders that show their weights at the end only.

    1, 2, 3, 5, 10, 15, 20, 30, 40, 60, 80, 120, ... epochs, as long as these are fewer than
    ``max_epochs``.
    """
    epochs, n = [1, 2, 3, 5], 10
    while n < max_epochs:
        epochs += [n, n * 3 // 2]
        n *= 2
    return [n for n in epochs if n < max_epochs]
