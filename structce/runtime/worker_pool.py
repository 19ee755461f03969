"""Pool of worker processes in which a process that dies or hangs loses only its current page.

Python's own pools abandon all pages when one process dies, and cannot stop a page. Here one thread
per process waits for its results.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import ForkingPickler
from queue import SimpleQueue
from typing import Any, Generic, TypeVar, cast

from structce.errors import PageError, RenderError, TimeLimitError, describe_fault
from structce.runtime.time_limit import WATCHER

_START_SECONDS = 300.0  # time limit for a process to start; fifty were seen on a very busy machine
_EXIT_SECONDS = 5.0  # wait for the exit code of a process that has closed its pipe
_AHEAD = 4  # items queued per process
_READY = "ready"
_Running = tuple[BaseProcess, Connection]  # a process and the pipe to it

Item = TypeVar("Item")
Result = TypeVar("Result")

Starter = Callable[[], Callable[[Item], Result]]
"""Called once in each process; returns the function that does the work there. It must be
importable: a function of a module, or a ``partial`` of one."""


class WorkerPool(Generic[Item, Result]):
    """Pool of worker processes, in which one that dies is replaced.

    The ``starter`` creates the function that does the work, in each process. If this process has
    that function already, it is ``work``; where it is safe, processes are then forked from this
    one, share its memory and need no start. One item may take so many ``seconds``, and is given up
    when ``attempts`` processes have died on it. A process is replaced after ``most_items``, since
    memory that was freed piecemeal is not returned to the system before a process ends.
    """

    def __init__(
        self,
        starter: Starter[Item, Result],
        workers: int,
        *,
        seconds: float,
        work: Callable[[Item], Result] | None = None,
        attempts: int = 1,
        most_items: int | None = None,
    ) -> None:
        self._attempts = attempts
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._workers = [_Worker(starter, seconds, most_items) for _ in range(workers)]
        open_pipes: list[Connection] = []
        try:
            for worker in self._workers:
                if work is not None and can_fork():
                    worker.fork(work, open_pipes)
                else:
                    worker.run("spawn", starter)
                self._idle.put(worker)
        except BaseException:  # such as too many open files
            for worker in self._workers:
                worker.stop()
            raise
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="worker-pool")

    def submit(self, item: Item, name: str) -> Future[Result]:
        """Return a future with the result of an item; the name identifies it in errors.

        It raises RenderError if the work fails, takes too long, or kills its process; PageError if
        something unforeseen goes wrong in it.
        """
        return self._threads.submit(self._work, item, name)

    def run_ahead(self, items: Iterable[tuple[Item, str]]) -> Iterator[tuple[Item, Future[Result]]]:
        """Yield every item with its future, in the order given, and close the pool.

        Each item comes with its name. Items are submitted a few ahead of the consumer.
        """
        waiting: deque[tuple[Item, Future[Result]]] = deque()
        try:
            for item, name in items:
                waiting.append((item, self.submit(item, name)))
                if len(waiting) >= _AHEAD * len(self._workers):
                    yield waiting.popleft()
            while waiting:
                yield waiting.popleft()
        finally:
            self.close()

    def close(self, *, is_forced: bool = False) -> None:
        """Finish the items in progress, drop those that wait, end the processes.

        If it is forced, items in progress are abandoned as well, as if their processes had died.
        """
        self._threads.shutdown(wait=not is_forced, cancel_futures=True)
        if is_forced:
            for worker in self._workers:
                worker.interrupt()
            self._threads.shutdown()
        for worker in self._workers:
            worker.stop()

    def _work(self, item: Item, name: str) -> Result:
        worker = self._idle.get()
        try:
            for _ in range(self._attempts - 1):
                with suppress(_ProcessDiedError):
                    return cast(Result, worker.work(item, name))
            return cast(Result, worker.work(item, name))
        finally:
            self._idle.put(worker)


class _ProcessDiedError(RenderError):
    """The process that worked on an item died."""


def can_fork() -> bool:
    """Return whether this process can be forked safely: on Linux, while no other thread works.

    A fork inherits the locks that other threads hold at this moment, but not the threads that
    would release them. On macOS, system libraries do not survive forking.
    """
    others = set(threading.enumerate()) - {threading.current_thread()}
    return sys.platform == "linux" and all(thread.name == WATCHER for thread in others)


class _Worker:
    """One process and the pipe to it; used by one thread at a time."""

    def __init__(
        self, starter: Starter[Any, Any], seconds: float, most_items: int | None = None
    ) -> None:
        self.starter = starter
        self.seconds = seconds
        self.most_items = most_items
        self.n_items = 0  # items of the running process
        self.running: _Running | None = None
        self.is_ready = False

    def fork(self, work: Callable[[Any], Any], open_pipes: list[Connection]) -> None:
        """Fork the process from this one, and add the pipe to it to the open ones.

        The fork closes those, which it would keep open forever.
        """
        with warnings.catch_warnings():
            # A warning about threads unknown to Python: OpenBLAS has some, and stops them to fork.
            warnings.simplefilter("ignore", DeprecationWarning)
            open_pipes.append(self.run("fork", lambda: work, open_pipes)[1])

    def run(
        self, method: str, starter: Starter[Any, Any], unused: Iterable[Connection] = ()
    ) -> _Running:
        """Start the process, which reports when it is ready."""
        context = multiprocessing.get_context(method)
        pipe, inner = context.Pipe()
        unused = (*unused, pipe) if method == "fork" else ()
        process = context.Process(target=_start, args=(inner, starter, unused), daemon=True)  # type: ignore[attr-defined]
        process.start()
        inner.close()
        self.running, self.is_ready, self.n_items = (process, pipe), False, 0
        return self.running

    def work(self, item: object, name: str) -> Any:
        """Return the result, from a new process if the last one is gone or has done its share."""
        is_spent = self.most_items is not None and self.n_items >= self.most_items
        if self.running is None or is_spent or not self.running[0].is_alive():
            self.stop()
            self.running = self.run("spawn", self.starter)
        process, pipe = self.running
        self.n_items += 1
        try:
            if not self.is_ready:
                with suppress(EOFError):
                    self.is_ready = pipe.poll(_START_SECONDS) and pipe.recv() == _READY
            if not self.is_ready:
                self.stop()
                raise _ProcessDiedError(
                    f"{name}: the process to render it did not start; a script that uses several "
                    "workers must start its work under 'if __name__ == \"__main__\":'"
                )
            pipe.send((name, item))
            if not pipe.poll(self.seconds):
                self.stop()
                raise TimeLimitError(f"{name}: took longer than {self.seconds:g} seconds")
            is_done, result, trace = pipe.recv()
        except (EOFError, OSError) as error:
            process.join(_EXIT_SECONDS)
            code = process.exitcode
            self.stop()
            raise _ProcessDiedError(
                f"{name}: the process that rendered it died (exit code {code})"
            ) from error
        if trace:
            raise PageError(str(result), trace=trace)
        if not is_done:
            raise RenderError(str(result))
        return result

    def interrupt(self) -> None:
        """Kill the process from another thread; the thread waiting for it then cleans up."""
        with suppress(ValueError):  # stopped in the meantime
            if self.running is not None:
                self.running[0].kill()

    def stop(self) -> None:
        """End the process, at once."""
        if self.running is not None:
            process, pipe = self.running
            process.kill()
            process.join()
            process.close()
            pipe.close()
        self.running = None


def _start(pipe: Connection, starter: Starter[Any, Any], unused: Iterable[Connection]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # left to the process that started this one
    for connection in unused:
        connection.close()
    _serve(pipe, starter())


def _serve(pipe: Connection, work: Callable[[Any], Any]) -> None:
    """Answer each item with its result or an error, until the pipe is closed."""
    with suppress(EOFError, ConnectionResetError, BrokenPipeError):
        pipe.send(_READY)
        while True:
            name, item = pipe.recv()
            try:
                answer = ForkingPickler.dumps((True, work(item), ""))
            except Exception as error:
                fault = describe_fault(name, error)
                trace = fault.trace if isinstance(fault, PageError) else ""
                answer = ForkingPickler.dumps((False, str(fault), trace))
            pipe.send_bytes(answer)
