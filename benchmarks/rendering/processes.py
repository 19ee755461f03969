"""The processes that a renderer starts: their memory, and which of them is the browser."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from benchmarks.rendering.background import BackgroundThread

if TYPE_CHECKING:
    import psutil

Kind = Literal["python", "driver", "browser"]
INTERVAL = 0.2  # seconds between two looks at memory
_SHELLS = frozenset({"sh", "bash", "dash"})  # some browsers are started by a script that waits


@dataclass(frozen=True)
class Sample:
    """Memory at one moment.

    Parameters
    ----------
    seconds
        Since the beginning.
    n_done
        Pages that were done.
    megabytes
        Resident memory (10^6 bytes) by kind of process: Python's own, Playwright's driver, the
        browser's. What processes share is counted once for each of them, so this is an upper
        bound.
    own
        The same without what is shared.
    n_browsers
        Processes of the browser.
    """

    seconds: float
    n_done: int
    megabytes: dict[Kind, float]
    own: dict[Kind, float]
    n_browsers: int


def own_processes() -> Iterator[tuple[Kind, psutil.Process]]:
    """Yield this process and all below it, each with its kind."""
    import psutil

    this = psutil.Process()
    yield "python", this
    for process in this.children(recursive=True):
        try:
            yield kind_of(process.exe()), process
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue  # it ended meanwhile


def kind_of(executable: str) -> Kind:
    """Return the kind of a process by its executable."""
    name = Path(executable).name.lower()
    if name.startswith("python"):
        return "python"
    return "driver" if name in ("node", "node.exe", *_SHELLS) else "browser"


def kill(process_id: int) -> bool:
    """Kill a process below this one at once, as the system does where memory is short.

    False if the process has ended.
    """
    import psutil

    for _, process in own_processes():
        if process.pid == process_id:
            try:
                process.kill()
                process.wait()
            except psutil.NoSuchProcess:
                return False
            return True
    return False


def sample(start: float, n_done: int) -> Sample:
    """Return the current memory; ``start`` is a reading of ``time.perf_counter``."""
    import psutil

    resident: dict[Kind, float] = {"python": 0.0, "driver": 0.0, "browser": 0.0}
    own = dict(resident)
    n_browsers = 0
    for kind, process in own_processes():
        try:
            memory = process.memory_info()
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
        resident[kind] += memory.rss / 1e6
        own[kind] += (memory.rss - getattr(memory, "shared", 0)) / 1e6
        n_browsers += kind == "browser"
    return Sample(time.perf_counter() - start, n_done, resident, own, n_browsers)


@dataclass
class Sampler(BackgroundThread):
    """Sampler of memory, five times per second in a thread; a context manager.

    Parameters
    ----------
    n_done
        Function that returns how many pages are done.
    """

    n_done: Callable[[], int]
    samples: list[Sample] = field(default_factory=list)

    def run(self) -> None:
        """Look until it is over, and once more."""
        start = time.perf_counter()
        is_over = False
        while not is_over:  # the last look is at the end
            is_over = self.is_over.wait(INTERVAL if self.samples else 0)
            self.samples.append(sample(start, self.n_done()))
