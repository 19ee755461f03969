"""Dispatch of pages to worker processes: slots for pages in progress and a bounded queue.

A request takes a slot (a :class:`Place`) before its body is read, and there are as many slots as
pages that may be worked on or wait; a request that finds none is refused at once and told when to
retry. A slot is free once the work on its page has ended, even if no client waits for it any more.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import Future
from contextlib import aclosing
from time import monotonic
from typing import TYPE_CHECKING

from structce.errors import RenderError, TimeLimitError, describe_fault
from structce.rendering import Document
from structce.service.errors import Failure, ServiceError, page_failure
from structce.service.observation import Metrics
from structce.service.requests import LabelOptions
from structce.service.work import Answer, Job

if TYPE_CHECKING:
    from structce.runtime import WorkerPool

_MAX_WAIT = 60  # longest wait that a client is told, in seconds
_N_TIMED = 200  # pages that the mean time is taken over
_PROBE_SECONDS = 10.0  # time that an idle worker may take for a tiny page
_PROBE = Job("label", Document("<p>Ready to read.</p>", name="probe"), LabelOptions())
_DIED = "try it alone; if it fails again, the page is too much for a worker process"

Item = Job | Failure
"""A page of a batch, or why it cannot be processed."""


class Place:
    """Slot of one page in progress; given back once its work has ended."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self.work: Future[Answer] | None = None

    def leave(self) -> None:
        """Give the slot back as soon as no worker is processing its page."""
        if self.work is None:
            self._dispatcher.free_place()
        else:
            self.work.add_done_callback(lambda _: self._dispatcher.free_place())


class Dispatcher:
    """Dispatcher of pages to workers, which knows how busy they are.

    ``queue`` is the number of further pages that may wait, ``seconds`` the time without an answer
    after which a worker counts as failed.
    """

    def __init__(
        self, pool: WorkerPool[Job, Answer], *, workers: int, queue: int, seconds: float,
        metrics: Metrics,
    ) -> None:  # fmt: skip
        self.workers, self.queue, self.seconds = workers, queue, seconds
        self.metrics = metrics
        self.is_stopping = False
        self._pool = pool
        self._lock = threading.Lock()
        self._n_taken = self._n_open = 0
        self._heard_at = monotonic()
        self._times: deque[float] = deque(maxlen=_N_TIMED)
        self._first_probes: list[Future[Answer]] = []
        self._probe: asyncio.Task[bool] | None = None
        metrics.watch(workers, lambda: self.n_waiting, lambda: self.n_in_flight)

    @property
    def n_taken(self) -> int:
        """Number of slots that are taken."""
        return self._n_taken

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
            return monotonic() - self._heard_at < self.seconds
        if self._probe is None or self._probe.done():  # one at a time, for all requests
            self._probe = asyncio.create_task(self._probe_pool())
        return await asyncio.shield(self._probe)

    def _have_started(self) -> bool:
        """Return whether every worker has answered once; a failed one is probed again."""
        is_done = all(map(_is_well, self._first_probes))
        self._first_probes = [
            self._pool.submit(_PROBE, "probe") if probe.done() and not _is_well(probe) else probe
            for probe in self._first_probes
        ]
        return is_done

    async def _probe_pool(self) -> bool:
        work = asyncio.wrap_future(self._pool.submit(_PROBE, "probe"))
        try:
            async with asyncio.timeout(_PROBE_SECONDS):
                return (await work).failure is None
        except (TimeoutError, RenderError):
            return False

    def enter(self) -> Place:
        """Return a slot for a page; refuse the page if all are taken, or the server is stopping."""
        place = self.try_enter()
        if place is not None:
            return place
        if self.is_stopping:
            step = "send the request to another server"
            raise ServiceError(503, "stopping", "the server is about to stop", step, retry_after=5)
        seconds = self.seconds_to_wait()
        raise ServiceError(
            503, "queue_full", f"all {self.workers + self.queue} places are in use",
            f"send it again in {seconds} s", retry_after=seconds,
        )  # fmt: skip

    def try_enter(self) -> Place | None:
        """Return a slot for a page, or None if all are taken."""
        with self._lock:
            if self.is_stopping or self._n_taken >= self.workers + self.queue:
                return None
            self._n_taken += 1
        return Place(self)

    def free_place(self) -> None:
        """Count a slot as free."""
        with self._lock:
            self._n_taken -= 1

    def seconds_to_wait(self) -> int:
        """Return the seconds after which about half of the pages in progress will be done."""
        seconds = (self.mean_seconds or 1.0) * self._n_taken / self.workers / 2
        return max(1, min(math.ceil(seconds), _MAX_WAIT))

    async def work(self, job: Job, place: Place) -> Answer:
        """Return the answer to a page, whatever its outcome."""
        start = monotonic()
        with self._lock:
            if not self._n_open:
                self._heard_at = start
            self._n_open += 1
        work = place.work = self._pool.submit(job, "page")
        work.add_done_callback(self._note_end)
        try:
            answer = await asyncio.wrap_future(work)
        except TimeLimitError as error:
            answer = Answer(b"", failure=page_failure(error))
        except RenderError as error:
            answer = Answer(b"", failure=Failure(500, "worker_died", str(error), _DIED))
        except Exception as error:  # such as a document that cannot be sent to another process
            answer = Answer(b"", failure=page_failure(describe_fault("page", error)))
        if answer.seconds:
            self._times.append(answer.seconds)
            answer = answer._replace(wait=max(0.0, monotonic() - start - answer.seconds))
        self.metrics.count_page(job.task, answer)
        return answer

    def _note_end(self, _: Future[Answer]) -> None:
        with self._lock:
            self._n_open -= 1
            self._heard_at = monotonic()

    async def work_through(
        self, items: Sequence[Item], place: Place
    ) -> AsyncGenerator[tuple[int, Answer], None]:
        """Yield the answers to a batch with their numbers, each as soon as it is ready.

        A batch keeps the slot that it arrived with, and takes free ones, at most as many as there
        are workers; pages that cannot be dispatched yet wait with it.
        """
        places = [place]
        while len(places) < min(len(items), self.workers) and (extra := self.try_enter()):
            places.append(extra)
        answers: asyncio.Queue[tuple[int, Answer]] = asyncio.Queue(len(places))
        remaining = iter(enumerate(items))

        async def lane(own: Place) -> None:
            for number, item in remaining:
                if isinstance(item, Failure):
                    answer = Answer(b"", failure=item)
                else:
                    answer = await self.work(item, own)
                await answers.put((number, answer))

        lanes = [asyncio.create_task(lane(own)) for own in places]
        try:
            for _ in items:
                yield await answers.get()
        finally:
            for lane_task in lanes:
                lane_task.cancel()
            for extra in places[1:]:
                extra.leave()

    async def work_all(self, items: Sequence[Item], place: Place) -> list[Answer]:
        """Return the answers to a batch, in its order."""
        async with aclosing(self.work_through(items, place)) as answers:
            by_number = {number: answer async for number, answer in answers}
        return [by_number[number] for number in range(len(items))]


def _is_well(probe: Future[Answer]) -> bool:
    return probe.done() and not probe.exception() and probe.result().failure is None
