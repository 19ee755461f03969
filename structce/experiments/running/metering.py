"""How long something takes, and how much memory."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Self

import psutil

BEAT = 0.01
"""Seconds between two looks at the memory; our choice."""

MEGABYTE = 1e6


class Meter:
    """Measures the block of a ``with`` statement.

    Attributes
    ----------
    seconds
        Wall clock.
    megabytes
        Most resident memory of the process meanwhile, minus that at the beginning, at least 0.
        Memory that the process had asked for before, and then uses again, does not show.
    """

    def __enter__(self) -> Self:
        self._process = psutil.Process()
        self._first = self._most = self._process.memory_info().rss
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()
        self._begin = time.perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.seconds = time.perf_counter() - self._begin
        self._look()
        self._over.set()
        self._watcher.join()
        self.megabytes = (self._most - self._first) / MEGABYTE

    def _watch(self) -> None:
        while not self._over.wait(BEAT):
            self._look()

    def _look(self) -> None:
        self._most = max(self._most, self._process.memory_info().rss)
