"""Browsers with one tab each, started, watched and killed; a pool of them loses no page by a crash.

One event loop in a thread of its own controls the browsers. Pages can therefore be submitted from
any thread, from a notebook (which already runs an event loop) or from an actor of a cluster, and a
page that hangs can be ended from outside.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from structce.errors import BrowserError, RenderError
from structce.rendering.base import Settings
from structce.rendering.chromium.discovery import is_root
from structce.rendering.chromium.session import PageSession
from structce.rendering.document import Document

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession, Playwright
    from playwright.async_api import Page as Tab

_T = TypeVar("_T")
PageTask = Callable[[PageSession], Awaitable[_T]]
"""Function of a loaded page that returns what is wanted of it."""

RECYCLE_AFTER = 50  # pages before a context is replaced, since one that lives on grows
RESTART_AFTER = 1_000  # pages before the browser is replaced, to free what a context does not

MAX_TRIES = 6  # browsers in which a page is tried: a machine short of memory may kill several

_CLOSE_SECONDS = 5.0  # for a browser to end in order
_START_SECONDS = 30.0  # in which a browser must have a tab to offer
_MEMORY_INTERVAL = 0.5  # seconds between two measurements of memory
_FLAGS = (
    # Each of these alone leaks; together with interception and "offline" they do not.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Images load whether or not they are in the window.
    "--blink-settings=lazyLoadEnabled=false",
    # Frames of other sites would be processes of their own, whose requests we should not see.
    "--disable-site-isolation-trials",
)
_NO_PEERS = "delete globalThis.RTCPeerConnection; delete globalThis.webkitRTCPeerConnection;"
"""Script before those of a page: peer connections send datagrams (mDNS) past every other guard."""

_log = logging.getLogger(__name__)


class BrowserCrashError(Exception):
    """The browser ended while it showed a page, perhaps for another reason than the page."""


class BrowserProcess:
    """A browser with one tab, which shows one document after another."""

    def __init__(self, playwright: Playwright, path: Path, settings: Settings) -> None:
        self.path = path
        self.settings = settings
        self.pid = 0
        self.version = ""
        self._playwright = playwright
        self._browser: Browser | None = None
        self._tab: tuple[Tab, CDPSession] | None = None
        self._n_pages = self._n_pages_of_browser = 0
        self._crash: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def start(self) -> Browser:
        """Start the browser and return it; BrowserError if it does not start."""
        self._browser = await _launch(self._playwright, self.path, has_sandbox=not is_root())
        # A future per browser, since its end may be reported after the next one has started.
        self._crash = asyncio.get_running_loop().create_future()
        self._browser.on("disconnected", partial(_set_ended, self._crash))
        devtools = await self._browser.new_browser_cdp_session()
        self.version = (await devtools.send("Browser.getVersion"))["product"]
        processes = (await devtools.send("SystemInfo.getProcessInfo"))["processInfo"]
        self.pid = next(row["id"] for row in processes if row["type"] == "browser")
        self._n_pages_of_browser = 0
        return self._browser

    async def close(self) -> None:
        """End the browser: properly if it still answers, otherwise at once."""
        from playwright.async_api import Error

        if self._browser is not None and self._browser.is_connected():
            with suppress(Error, TimeoutError):
                await asyncio.wait_for(self._browser.close(), _CLOSE_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the browser at once; the next page starts another."""
        if self.pid:
            with suppress(OSError):  # it has ended already
                os.kill(self.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        self._browser, self._tab, self.pid = None, None, 0

    async def run(self, document: Document, task: PageTask[_T]) -> _T:
        """Show a document and return the result of a task on it.

        RenderError if the page exceeds a limit, or the browser cannot show it. BrowserCrashError if
        the browser ends in the meantime, or a limit is exceeded that another page may have used up:
        a browser goes on painting a page that it has left. BrowserError if no browser can be
        started.
        """
        from playwright.async_api import Error

        try:
            browser = await asyncio.wait_for(self._usable_browser(), _START_SECONDS)
            session = await self._unless_ended(
                self._open_session(browser, document), _START_SECONDS
            )
        except (Error, TimeoutError) as error:
            self.kill()
            raise BrowserCrashError(first_line(error)) from error

        async def work() -> _T:
            await session.load()
            return await task(session)

        limits, name = self.settings.limits, document.name
        watch = asyncio.ensure_future(self._memory_exhausted())
        try:
            return await self._unless_ended(work(), limits.seconds, watch)
        except TimeoutError:
            is_first = self._n_pages_of_browser == 1
            self.kill()
            if not is_first:
                raise BrowserCrashError("it may still have painted a page before") from None
            failure = f"not rendered in {limits.seconds:g} s"
            if watch.done():
                failure = f"{limits.memory:,} MB of memory were not enough"
            raise RenderError(f"{name}: {failure}, which is the limit") from None
        except Error as error:
            if not self._is_alive():
                raise BrowserCrashError(first_line(error)) from error
            self._n_pages = RECYCLE_AFTER  # after any error the next page gets a fresh tab
            raise RenderError(f"{name}: {first_line(error)}") from error
        finally:
            await _cancel(watch)
            session.close()

    async def _unless_ended(
        self,
        work: Coroutine[Any, Any, _T],
        seconds: float,
        watch: asyncio.Future[None] | None = None,
    ) -> _T:
        """Return the result of work; an error if the time, the watch or the browser ends before."""
        task = asyncio.ensure_future(work)
        try:
            ends: set[asyncio.Future[Any]] = {task, self._crash, *([watch] if watch else [])}
            await asyncio.wait(ends, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            if self._crash.done():
                self.kill()
                raise BrowserCrashError("it crashed, or was killed")
            raise TimeoutError(f"no answer in {seconds:g} s")
        finally:
            await _cancel(task)

    async def _memory_exhausted(self) -> None:
        """Return as soon as the browser's processes exceed their memory limit."""
        limit = self.settings.limits.memory * 10**6
        while True:
            await asyncio.sleep(_MEMORY_INTERVAL)
            if await asyncio.to_thread(process_memory, self.pid) > limit:
                return

    def _is_alive(self) -> bool:
        """Return whether the browser still answers; end the remains of one that does not."""
        if self._browser is not None and self._browser.is_connected() and not self._crash.done():
            return True
        self.kill()
        return False

    async def _usable_browser(self) -> Browser:
        """Return the browser, restarted if it has ended or has shown enough pages."""
        browser = self._browser
        if browser and self._n_pages_of_browser < RESTART_AFTER and self._is_alive():
            return browser
        await self.close()
        return await self.start()

    async def _open_session(self, browser: Browser, document: Document) -> PageSession:
        """Return a session in a tab without traces of the previous page."""
        is_alone = self.settings.scripts  # scripts could leave something behind
        if self._tab is None or is_alone or self._n_pages >= RECYCLE_AFTER:
            self._tab = await self._fresh_tab(browser)
            self._n_pages = RECYCLE_AFTER if is_alone else 0
        self._n_pages += 1
        self._n_pages_of_browser += 1
        return PageSession(*self._tab, document, self.settings)

    async def _fresh_tab(self, browser: Browser) -> tuple[Tab, CDPSession]:
        """Return the only tab of a browser, in a context that shares nothing with others."""
        if self._tab is not None:
            await self._tab[0].context.close()
        width, height = self.settings.viewport
        context = await browser.new_context(
            viewport={"width": width, "height": height},
            java_script_enabled=self.settings.scripts,
            offline=True,
            service_workers="block",
            accept_downloads=False,
        )
        if self.settings.scripts:
            await context.add_init_script(_NO_PEERS)
        tab = await context.new_page()
        devtools = await context.new_cdp_session(tab)
        tab.on("crash", partial(_set_ended, self._crash))
        context.on("page", _close_popup)
        return tab, devtools


def process_memory(pid: int) -> int:
    """Return the bytes of memory of a process and its descendants; 0 if there is no such process.

    Memory that processes share is counted once, for the one with most of it.
    """
    import psutil  # late: a browser is looked for where the extra is missing

    unshared, shared = 0, [0]
    with suppress(psutil.Error):
        root = psutil.Process(pid)
        for process in (root, *root.children(recursive=True)):
            with suppress(psutil.Error):  # it has just ended
                memory = process.memory_info()
                shared.append(getattr(memory, "shared", 0))
                unshared += memory.rss - shared[-1]
    return unshared + max(shared)


def first_line(error: Exception) -> str:
    """Return the first line of a browser's error, which says most."""
    return str(error).strip().partition("\n")[0]


def _set_ended(ended: asyncio.Future[None], _: object) -> None:
    """Record that a browser, or the process of its tab, has ended."""
    if not ended.done():
        ended.set_result(None)


async def _cancel(task: asyncio.Future[Any]) -> None:
    """Cancel a task and retrieve what it still raises, so that asyncio does not complain."""
    from playwright.async_api import Error

    task.cancel()
    with suppress(asyncio.CancelledError, Error, RenderError):
        await task


async def _close_popup(tab: Tab) -> None:
    from playwright.async_api import Error

    with suppress(Error):
        await tab.close()


async def _launch(playwright: Playwright, path: Path, *, has_sandbox: bool) -> Browser:
    """Start a browser, without its sandbox where the machine does not allow it."""
    from playwright.async_api import Error

    try:
        return await playwright.chromium.launch(
            executable_path=str(path), args=list(_FLAGS), chromium_sandbox=has_sandbox
        )
    except Error as error:
        if not has_sandbox or "sandbox" not in str(error).lower():
            raise BrowserError(f"{path} did not start: {first_line(error)}") from error
    _log.warning("this machine does not allow the browser a sandbox; it runs without one")
    return await _launch(playwright, path, has_sandbox=False)


class BrowserPool:
    """Browsers that show one document each at a time; all except the first start on demand."""

    def __init__(self, path: Path, settings: Settings, workers: int) -> None:
        self.path = path
        self.settings = settings
        self.workers = workers
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="browsers", daemon=True)
        self.browsers: list[BrowserProcess] = []
        self._free: asyncio.LifoQueue[BrowserProcess] = asyncio.LifoQueue()
        self._playwright: Playwright | None = None
        self._tasks: set[asyncio.Task[Any]] = set()  # that show a page or wait for a browser

    @property
    def version(self) -> str:
        """Name and version of the browser, as it prints them; empty before the pool is open."""
        return next((browser.version for browser in self.browsers if browser.version), "")

    def open(self) -> None:
        """Start the event loop and the first browser; BrowserError if it does not start."""
        self._thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the browsers and the thread; unfinished pages are abandoned."""
        if self._thread.is_alive():
            closing = asyncio.run_coroutine_threadsafe(self._close(), self._loop)
            with suppress(TimeoutError):
                closing.result(2 * _CLOSE_SECONDS)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        if not self._loop.is_closed():
            self._loop.close()

    def submit(self, document: Document, task: PageTask[_T]) -> Future[_T]:
        """Return the future result of a task on a document, run when a browser is free.

        The future raises RenderError if the page is at fault, BrowserError without a browser.
        """
        return asyncio.run_coroutine_threadsafe(self._run(document, task), self._loop)

    async def _open(self) -> None:
        from playwright.async_api import async_playwright

        self._playwright = await async_playwright().start()
        self.browsers = [
            BrowserProcess(self._playwright, self.path, self.settings) for _ in range(self.workers)
        ]
        await self.browsers[0].start()
        for browser in reversed(self.browsers):
            self._free.put_nowait(browser)

    async def _close(self) -> None:
        # Only our own tasks: Playwright needs those that it has, to end its process.
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(browser.close() for browser in self.browsers))
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
                    reason = str(error)
        finally:
            self._free.put_nowait(browser)
        failure = f"{MAX_TRIES} browsers in a row ended on this page"
        raise RenderError(f"{document.name}: {failure}: {reason}")
