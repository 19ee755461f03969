"""Pool of browsers, which render pages in parallel, and lose none when a browser crashes.

One event loop in a thread of its own controls the browsers. Pages can therefore be submitted from
any thread, from a notebook (which already runs an event loop) or from an actor of a cluster, and a
page that hangs can be ended from outside.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from structce.errors import RenderError
from structce.rendering.base import Settings
from structce.rendering.chromium.browser import BrowserCrashError, BrowserProcess, PageTask
from structce.rendering.document import Document

if TYPE_CHECKING:
    from playwright.async_api import Playwright

_T = TypeVar("_T")

MAX_TRIES = 6  # browsers in which a page is tried: a machine short of memory may kill several

_CLOSE_SECONDS = 10.0  # for all browsers to end in order


class BrowserPool:
    """Browsers that show one document each at a time; all except the first start on demand."""

    def __init__(self, path: Path, settings: Settings, workers: int) -> None:
        self.path = path
        self.settings = settings
        self.workers = workers
        self.n_lost = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="browsers", daemon=True)
        self._browsers: list[BrowserProcess] = []
        self._free: asyncio.LifoQueue[BrowserProcess] = asyncio.LifoQueue()
        self._playwright: Playwright | None = None
        self._tasks: set[asyncio.Task[Any]] = set()  # that show a page or wait for a browser

    @property
    def version(self) -> str:
        """Name and version of the browser, as it prints them; empty before the pool is open."""
        return next((browser.version for browser in self._browsers if browser.version), "")

    @property
    def pids(self) -> tuple[int, ...]:
        """Process numbers of the running browsers."""
        return tuple(browser.pid for browser in self._browsers if browser.pid)

    def open(self) -> None:
        """Start the event loop and the first browser; BrowserError if it does not start."""
        self._thread.start()
        try:
            self._call(self._open()).result()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the browsers and the thread; unfinished pages are abandoned."""
        if self._thread.is_alive():
            with suppress(TimeoutError):
                self._call(self._close()).result(_CLOSE_SECONDS)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        if not self._loop.is_closed():
            self._loop.close()

    def submit(self, document: Document, task: PageTask[_T]) -> Future[_T]:
        """Return the future result of a task on a document, run when a browser is free.

        The future raises RenderError if the page is at fault, BrowserError without a browser.
        """
        return self._call(self._run(document, task))

    def _call(self, work: Coroutine[Any, Any, _T]) -> Future[_T]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _open(self) -> None:
        from playwright.async_api import async_playwright

        self._playwright = await async_playwright().start()
        self._browsers = [
            BrowserProcess(self._playwright, self.path, self.settings) for _ in range(self.workers)
        ]
        await self._browsers[0].start()
        for browser in reversed(self._browsers):
            self._free.put_nowait(browser)

    async def _close(self) -> None:
        # Only our own tasks: Playwright needs those that it has, to end its process.
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(browser.close() for browser in self._browsers))
        if self._playwright is not None:
            await self._playwright.stop()

    async def _run(self, document: Document, task: PageTask[_T]) -> _T:
        if (current := asyncio.current_task()) is not None:
            self._tasks.add(current)
            current.add_done_callback(self._tasks.discard)
        browser, reason = await self._free.get(), ""
        try:
            for _ in range(MAX_TRIES):
                try:
                    return await browser.run(document, task)
                except BrowserCrashError as error:
                    self.n_lost += 1
                    reason = str(error)
        finally:
            self._free.put_nowait(browser)
        failure = f"{MAX_TRIES} browsers in a row ended on this page"
        raise RenderError(f"{document.name}: {failure}: {reason}")
