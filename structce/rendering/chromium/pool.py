"""Several browsers side by side: pages in flight, and none lost when a browser is.

The browsers are driven from a thread of their own, by one event loop. So pages can be handed in
from any thread, from a notebook (where an event loop runs already) or from an actor of a cluster,
and a page that hangs can be ended from outside.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from structce.errors import BrowserError, RenderError
from structce.rendering.base import Settings
from structce.rendering.chromium.browser import BrowserGoneError, Job, Seat
from structce.rendering.document import Document

if TYPE_CHECKING:
    from playwright.async_api import Playwright

T = TypeVar("T")

TRIES = 6
"""Browsers that a page may be tried in, where they end without its time or memory being up: a
machine short of memory may kill several before it is the page that is to blame. Our choice."""

_CLOSING = 10.0  # seconds that all browsers have to end in order


class Pool:
    """Browsers that show documents, each one document at a time.

    Parameters
    ----------
    path
        The browser.
    workers
        How many browsers; the second and further ones start when there is work for them.
    """

    def __init__(self, path: Path, settings: Settings, workers: int) -> None:
        self.path = path
        self.settings = settings
        self.workers = workers
        self.n_lost = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="browsers", daemon=True)
        self._seats: list[Seat] = []
        self._free: asyncio.LifoQueue[Seat] = asyncio.LifoQueue()
        self._playwright: Playwright | None = None

    @property
    def version(self) -> str:
        """Name and version of the browser, as it says them; empty before the pool is open."""
        return next((seat.version for seat in self._seats if seat.version), "")

    @property
    def pids(self) -> tuple[int, ...]:
        """Process numbers of the browsers that run."""
        return tuple(seat.pid for seat in self._seats if seat.pid)

    def open(self) -> None:
        """Start the thread and the first browser.

        Raises
        ------
        BrowserError
            If it does not start.
        """
        self._thread.start()
        try:
            self._call(self._open()).result()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the browsers and the thread; pages in flight are given up."""
        if self._thread.is_alive():
            with suppress(TimeoutError):
                self._call(self._close()).result(_CLOSING)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        if not self._loop.is_closed():
            self._loop.close()

    def submit(self, document: Document, job: Job[T]) -> Future[T]:
        """Return what a job will make of a document, once a browser is free for it.

        The future raises RenderError where the page is at fault, BrowserError where no browser
        can be had.
        """
        return self._call(self._run(document, job))

    def _call(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _open(self) -> None:
        from playwright.async_api import async_playwright

        self._playwright = await async_playwright().start()
        self._seats = [Seat(self._playwright, self.path, self.settings) for _ in
                       range(self.workers)]  # fmt: skip
        await self._seats[0].start()
        for seat in reversed(self._seats):
            self._free.put_nowait(seat)

    async def _close(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.gather(*(seat.close() for seat in self._seats))
        if self._playwright is not None:
            await self._playwright.stop()

    async def _run(self, document: Document, job: Job[T]) -> T:
        seat = await self._free.get()
        try:
            return await self._try(seat, document, job)
        finally:
            self._free.put_nowait(seat)

    async def _try(self, seat: Seat, document: Document, job: Job[T]) -> T:
        why = ""
        for _ in range(TRIES):
            try:
                return await seat.run(document, job)
            except BrowserGoneError as error:
                self.n_lost += 1
                why = str(error)
        raise RenderError(f"{document.name}: {TRIES} browsers in a row ended on this page: {why}")


def check_workers(workers: int) -> int:
    """Return the number of workers.

    Raises
    ------
    BrowserError
        If it is less than one.
    """
    if workers < 1:
        raise BrowserError(f"workers: expected 1 or more, came {workers}")
    return workers
