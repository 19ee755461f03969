"""A browser driven by plain Playwright, as people do: scripts off, and reaching nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self, TypeVar

from structce.errors import BrowserError
from structce.rendering.base import VIEWPORT
from structce.rendering.chromium.discovery import find_browser

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext
    from playwright.sync_api import Page as Tab

T = TypeVar("T")

FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
)
"""Names resolve to nowhere and the proxy is dead: the cheapest way to reach nothing. Requests are
not answered in Python, as ours are, which would cost the plain loops a quarter."""


class PlainBrowser:
    """A browser in a thread of its own, with one context.

    Parameters
    ----------
    browser
        Path of the browser; found as the renderer finds it when not given.
    keeps_tab
        Whether one tab shows all documents; else every document gets a new one.
    """

    def __init__(self, browser: str | None = None, *, keeps_tab: bool = False) -> None:
        self.browser = browser
        self.keeps_tab = keeps_tab
        self._tab: Tab | None = None

    def __enter__(self) -> Self:
        # Playwright's objects belong to the thread that made them.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="plain")
        self._open = ExitStack()
        try:
            self._context = self._thread.submit(self._start).result()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.submit(self._open.close).result()
        self._thread.shutdown()

    def show(self, html: str, work: Callable[[Tab], T]) -> T:
        """Return the result of work on a loaded page."""
        return self._thread.submit(self._show, html, work).result()

    def _show(self, html: str, work: Callable[[Tab], T]) -> T:
        tab = self._tab or self._context.new_page()
        if self.keeps_tab:
            self._tab = tab
        try:
            tab.set_content(html)
            return work(tab)
        finally:
            if not self.keeps_tab:
                tab.close()

    def _start(self) -> BrowserContext:
        from playwright.sync_api import sync_playwright

        installation = find_browser(self.browser)
        if installation is None:
            raise BrowserError("no browser to measure; 'structce doctor' shows how to get one")
        is_root = hasattr(os, "geteuid") and os.geteuid() == 0
        playwright = self._open.enter_context(sync_playwright())
        started = playwright.chromium.launch(
            executable_path=str(installation.path), args=list(FLAGS), chromium_sandbox=not is_root
        )
        self._open.callback(started.close)
        width, height = VIEWPORT
        return started.new_context(
            viewport={"width": width, "height": height},
            java_script_enabled=False,
            offline=True,
            service_workers="block",
            accept_downloads=False,
        )
