"""Queue of the service: slots for pages in progress and for pages that wait; its metrics.

A request takes a :class:`Slot` before its body is read, and there are as many slots as pages that
may be worked on or wait; a request that finds none is refused at once and told when to retry. A
slot is free once the work on its page has ended, even if no client waits for it any more.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from functools import partial
from statistics import fmean
from time import monotonic
from typing import TYPE_CHECKING, Self

from structce.errors import RenderError, TimeLimitError
from structce.extras import check_extras
from structce.rendering import Document
from structce.service.requests import (
    ErrorAnswer,
    LabelRequest,
    PageTask,
    ServiceError,
    page_error,
)
from structce.service.work import Answer

if TYPE_CHECKING:
    from structce.runtime import WorkerPool

_MAX_WAIT = 60  # longest wait that a client is told, in seconds
_REFUSALS = 200  # per second, after so many at once: clients that ask again at once have to wait
_TURN_SECONDS = 0.2  # between refusals that are sent together
_MAX_DELAY = 4.0  # seconds that a refusal waits at most: clients give up after five or more
_N_TIMED = 200  # pages that the mean time is taken over
_PROBE = PageTask("label", Document("<p>Ready to read.</p>", name="probe"), LabelRequest())
_BUCKETS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Bounds of histograms in seconds: a news page takes some 0.1, the limit of a page is 30."""

_DIED = "try it alone; if it fails again, the page is too much for a worker process"


class Metrics:
    """Counters, gauges and histograms of one server, for Prometheus.

    Requests are counted by the path of their route, never by what a client sent. The gauges call
    ``n_open``, the number of pages in progress, whenever the metrics are read.
    """

    def __init__(self, n_workers: int, n_open: Callable[[], int]) -> None:
        check_extras(("prometheus_client",), "the service", "serve")
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._registry = registry = CollectorRegistry()
        counter = partial(Counter, registry=registry)
        gauge = partial(Gauge, registry=registry)
        histogram = partial(Histogram, registry=registry, buckets=_BUCKETS)
        self.requests = counter("structce_requests", "Requests", ["path", "status"])
        self._pages = counter("structce_pages", "Pages that were answered", ["task"])
        self._failures = counter("structce_failures", "Pages without an answer", ["task", "reason"])
        self.refusals = counter("structce_refusals", "Requests refused before any work", ["reason"])
        self._seconds = histogram("structce_page_seconds", "Time of a page in a worker", ["task"])
        self._waits = histogram("structce_wait_seconds", "Time before a worker took a page")
        waiting = gauge("structce_waiting_pages", "Pages that wait for a worker")
        waiting.set_function(lambda: max(0, n_open() - n_workers))
        in_flight = gauge("structce_pages_in_flight", "Pages that a worker is at")
        in_flight.set_function(lambda: min(n_open(), n_workers))
        gauge("structce_workers", "Worker processes").set(n_workers)

    def count_page(self, task: str, answer: Answer, wait: float) -> None:
        """Count a page, and the seconds that it waited, if a worker processed it."""
        if answer.error is None:
            self._pages.labels(task).inc()
        else:
            self._failures.labels(task, answer.error.code).inc()
        if answer.seconds:
            self._seconds.labels(task).observe(answer.seconds)
            self._waits.observe(wait)

    def text(self) -> tuple[bytes, str]:
        """Return all metrics in the format of Prometheus, and the media type."""
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        return generate_latest(self._registry), CONTENT_TYPE_LATEST


class Slot:
    """Slot of one page in progress; a context manager that gives it back.

    It is free once no worker is processing its page.
    """

    def __init__(self, release: Callable[[], None]) -> None:
        self._release = release
        self.work: Future[Answer] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.work is None:
            self._release()
        else:
            self.work.add_done_callback(lambda _: self._release())


class PageQueue:
    """Queue of pages before the workers; ``queue`` is the number of further pages that may wait."""

    def __init__(self, pool: WorkerPool[PageTask, Answer], *, workers: int, queue: int) -> None:
        self.workers, self.queue, self.is_stopping = workers, queue, False
        self._pool, self._lock = pool, threading.Lock()
        self.n_taken = self.n_open = 0  # slots, and pages that are with the workers or wait
        self._next_refusal = 0.0
        self._times: deque[float] = deque(maxlen=_N_TIMED)
        self._probes: list[Future[Answer]] = []
        self.metrics = Metrics(workers, lambda: self.n_open)

    @property
    def n_free(self) -> int:
        """Number of free slots; none when the server is stopping."""
        return 0 if self.is_stopping else self.workers + self.queue - self.n_taken

    def start(self) -> None:
        """Send a page to every worker, so that it loads its model; see :meth:`is_ready`."""
        self._probes = [self._pool.submit(_PROBE, "probe") for _ in range(self.workers)]

    def stop(self) -> None:
        """Accept no more pages, and end the workers at once."""
        self.is_stopping = True
        self._pool.close(is_forced=True)

    def is_ready(self) -> bool:
        """Return whether every worker has answered once; those that failed are asked again."""
        if self.is_stopping:
            return False
        for i, probe in enumerate(self._probes):
            if not probe.done():
                return False
            if probe.exception() or probe.result().error:
                self._probes[i] = self._pool.submit(_PROBE, "probe")
                return False
        return True

    def take_slot(self) -> Slot:
        """Return a slot for a page; refuse the page if there is none."""
        if (slot := self._free_slot()) is None:
            raise self.refusal()
        return slot

    def _free_slot(self) -> Slot | None:
        with self._lock:
            if self.n_free <= 0:
                return None
            self.n_taken += 1
        return Slot(partial(self._count, n_taken=-1))

    def _count(self, n_taken: int = 0, n_open: int = 0) -> None:
        with self._lock:  # workers' answers come in other threads
            self.n_taken, self.n_open = self.n_taken + n_taken, self.n_open + n_open

    def refusal(self) -> ServiceError:
        """Return the refusal of a page for which there is no slot."""
        if self.is_stopping:
            step = "send the request to another server"
            return ServiceError(503, "stopping", "the server is about to stop", step, retry_after=5)
        # After this time about half of the pages in progress will be done.
        mean = fmean(self._times or [1.0])
        wait = mean * self.n_taken / self.workers / 2
        seconds = max(1, min(math.ceil(wait), _MAX_WAIT))
        reason = f"all {self.workers + self.queue} places are in use"
        step = f"send it again in {seconds} s"
        return ServiceError(503, "queue_full", reason, step, retry_after=seconds)

    def refusal_delay(self, now: float) -> float:
        """Return the seconds until the next refusal may be sent, and reserve it.

        Refusals are spread over time. Clients that ignore ``Retry-After`` and ask again at once
        would otherwise get as many as the event loop can write, and the workers no processor. Those
        that wait are sent together, since each turn of the event loop costs a worker time.
        """
        self._next_refusal = max(self._next_refusal, now - 1) + 1 / _REFUSALS
        time = min(self._next_refusal, now + _MAX_DELAY)
        return 0.0 if time <= now else math.ceil(time / _TURN_SECONDS) * _TURN_SECONDS - now

    async def answer(self, item: PageTask | ErrorAnswer, slot: Slot) -> Answer:
        """Return the answer to a page, whatever its outcome."""
        if isinstance(item, ErrorAnswer):
            return Answer(error=item)
        start = monotonic()
        self._count(n_open=1)
        slot.work = self._pool.submit(item, "page")
        slot.work.add_done_callback(lambda _: self._count(n_open=-1))
        try:
            answer = await asyncio.wrap_future(slot.work)
        except Exception as error:  # such as a document that cannot be sent to another process
            if isinstance(error, RenderError) and not isinstance(error, TimeLimitError):
                answer = Answer(error=ErrorAnswer(500, "worker_died", str(error), _DIED))
            else:
                answer = Answer(error=page_error("page", error))
        if answer.seconds:
            self._times.append(answer.seconds)
        wait = max(0.0, monotonic() - start - answer.seconds)
        self.metrics.count_page(item.task, answer, wait)
        return answer

    async def answers(
        self, items: Sequence[PageTask | ErrorAnswer], slot: Slot
    ) -> AsyncGenerator[tuple[int, Answer], None]:
        """Yield the answers to a batch with their numbers, each as soon as it is ready.

        A batch keeps the slot that it arrived with, and takes free ones, at most as many as there
        are workers; pages that cannot be dispatched yet wait with it.
        """
        slots = [slot]
        while len(slots) < min(len(items), self.workers) and (extra := self._free_slot()):
            slots.append(extra)
        ready: asyncio.Queue[tuple[int, Answer]] = asyncio.Queue(len(slots))
        remaining = iter(enumerate(items))

        async def work_through(slot: Slot) -> None:
            for number, item in remaining:
                await ready.put((number, await self.answer(item, slot)))

        with ExitStack() as stack:
            for extra in slots[1:]:
                stack.enter_context(extra)
            for slot in slots:
                stack.callback(asyncio.create_task(work_through(slot)).cancel)
            for _ in items:
                yield await ready.get()
