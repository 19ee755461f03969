"""Dispatch of pages to worker processes: slots for pages in progress and a bounded queue.

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
from contextlib import aclosing
from time import monotonic
from typing import TYPE_CHECKING

from structce.errors import RenderError, TimeLimitError
from structce.rendering import Document
from structce.service.errors import ErrorAnswer, ServiceError, page_error
from structce.service.observation import Metrics
from structce.service.requests import LabelFields, PageTask
from structce.service.work import Answer

if TYPE_CHECKING:
    from structce.runtime import WorkerPool

_MAX_WAIT = 60  # longest wait that a client is told, in seconds
_N_TIMED = 200  # pages that the mean time is taken over
_PROBE_SECONDS = 10.0  # time that an idle worker may take for a tiny page
_PROBE = PageTask("label", Document("<p>Ready to read.</p>", name="probe"), LabelFields())
_DIED = "try it alone; if it fails again, the page is too much for a worker process"


class Slot:
    """Slot of one page in progress; released once no worker is processing its page."""

    def __init__(self, release: Callable[[], None]) -> None:
        self._release = release
        self.work: Future[Answer] | None = None

    def release(self) -> None:
        """Give the slot back now, or when the work on its page has ended."""
        if self.work is None:
            self._release()
        else:
            self.work.add_done_callback(lambda _: self._release())


class Dispatcher:
    """Dispatcher of pages to workers, which knows how busy they are.

    ``queue`` is the number of further pages that may wait, ``seconds`` the time without an answer
    after which a worker counts as failed.
    """

    def __init__(
        self, pool: WorkerPool[PageTask, Answer], *, workers: int, queue: int, seconds: float,
        metrics: Metrics,
    ) -> None:  # fmt: skip
        self.workers, self.queue, self.seconds = workers, queue, seconds
        self.metrics = metrics
        self.is_stopping = False
        self._pool = pool
        self._lock = threading.Lock()
        self.n_taken = self._n_open = 0
        self._last_end = monotonic()
        self._times: deque[float] = deque(maxlen=_N_TIMED)
        self._first_probes: list[Future[Answer]] = []
        self._probe: asyncio.Task[bool] | None = None
        metrics.watch(workers, lambda: self.n_waiting, lambda: self.n_in_flight)

    @property
    def n_free(self) -> int:
        """Number of free slots."""
        return self.workers + self.queue - self.n_taken

    @property
    def n_in_flight(self) -> int:
        """Number of pages that a worker is processing."""
        return min(self._n_open, self.workers)

    @property
    def n_waiting(self) -> int:
        """Number of pages that wait for a worker."""
        return max(0, self._n_open - self.workers)

    @property
    def mean_seconds(self) -> float | None:
        """Mean time of the last pages, without waiting; None before the first."""
        times = list(self._times)
        return sum(times) / len(times) if times else None

    def start(self) -> None:
        """Send a page to every worker, so that it loads its model; see :meth:`is_ready`."""
        self._first_probes = [self._pool.submit(_PROBE, "probe") for _ in range(self.workers)]

    def stop(self, *, is_forced: bool = False) -> None:
        """Accept no more pages, and end the workers."""
        self.is_stopping = True
        self._pool.close(is_forced=is_forced)

    async def is_ready(self) -> bool:
        """Return whether every worker has answered once, and the pool still does."""
        if self.is_stopping or not self._have_started():
            return False
        if self._n_open:
            return monotonic() - self._last_end < self.seconds
        if self._probe is None or self._probe.done():  # one at a time, for all requests
            self._probe = asyncio.create_task(self._probe_pool())
        return await asyncio.shield(self._probe)

    def _have_started(self) -> bool:
        """Return whether every worker has answered once; a failed one is probed again."""
        has_started = True
        for i, probe in enumerate(self._first_probes):
            if not probe.done():
                has_started = False
            elif probe.exception() or probe.result().error:
                has_started = False
                self._first_probes[i] = self._pool.submit(_PROBE, "probe")
        return has_started

    async def _probe_pool(self) -> bool:
        work = asyncio.wrap_future(self._pool.submit(_PROBE, "probe"))
        try:
            async with asyncio.timeout(_PROBE_SECONDS):
                return (await work).error is None
        except (TimeoutError, RenderError):
            return False

    def take_slot(self) -> Slot:
        """Return a slot for a page; refuse the page if all are taken, or the server is stopping."""
        slot = self._free_slot()
        if slot is not None:
            return slot
        if self.is_stopping:
            step = "send the request to another server"
            raise ServiceError(503, "stopping", "the server is about to stop", step, retry_after=5)
        seconds = self.seconds_to_wait()
        raise ServiceError(
            503, "queue_full", f"all {self.workers + self.queue} places are in use",
            f"send it again in {seconds} s", retry_after=seconds,
        )  # fmt: skip

    def _free_slot(self) -> Slot | None:
        with self._lock:
            if self.is_stopping or self.n_free <= 0:
                return None
            self.n_taken += 1
        return Slot(self._release)

    def _release(self) -> None:
        with self._lock:
            self.n_taken -= 1

    def seconds_to_wait(self) -> int:
        """Return the seconds after which about half of the pages in progress will be done."""
        seconds = (self.mean_seconds or 1.0) * self.n_taken / self.workers / 2
        return max(1, min(math.ceil(seconds), _MAX_WAIT))

    async def answer(self, task: PageTask, slot: Slot) -> Answer:
        """Return the answer to a page, whatever its outcome."""
        start = monotonic()
        with self._lock:
            if not self._n_open:
                self._last_end = start
            self._n_open += 1
        slot.work = self._pool.submit(task, "page")
        slot.work.add_done_callback(self._count_end)
        try:
            answer = await asyncio.wrap_future(slot.work)
        except Exception as error:  # such as a document that cannot be sent to another process
            if isinstance(error, RenderError) and not isinstance(error, TimeLimitError):
                answer = Answer(error=ErrorAnswer(500, "worker_died", str(error), _DIED))
            else:
                answer = Answer(error=page_error("page", error))
        if answer.seconds:
            self._times.append(answer.seconds)
            answer = answer._replace(wait=max(0.0, monotonic() - start - answer.seconds))
        self.metrics.count_page(task.task, answer)
        return answer

    def _count_end(self, _: Future[Answer]) -> None:
        with self._lock:
            self._n_open -= 1
            self._last_end = monotonic()

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
                if isinstance(item, PageTask):
                    await ready.put((number, await self.answer(item, slot)))
                else:
                    await ready.put((number, Answer(error=item)))

        workers = [asyncio.create_task(work_through(slot)) for slot in slots]
        try:
            for _ in items:
                yield await ready.get()
        finally:
            for worker in workers:
                worker.cancel()
            for extra in slots[1:]:
                extra.release()

    async def all_answers(
        self, items: Sequence[PageTask | ErrorAnswer], slot: Slot
    ) -> list[Answer]:
        """Return the answers to a batch, in its order."""
        async with aclosing(self.answers(items, slot)) as answers:
            by_number = {number: answer async for number, answer in answers}
        return [by_number[number] for number in range(len(items))]
