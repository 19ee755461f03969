"""HTML to regions with a browser: boxes and computed styles, by Playwright.

A page is hostile until shown otherwise. Its scripts are off and nothing that it asks for leaves
the machine: names resolve to nowhere, the proxy is dead, the context is offline, service workers
are blocked and every request is aborted. Each of these alone leaks; together they do not.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from structce.errors import BrowserError, MissingExtraError, RenderError
from structce.page import MEDIA, Page
from structce.rendering.base import BODY, MAX_REGIONS, SPACES, collapse, too_many_regions
from structce.rendering.browsers import find_browser
from structce.rendering.columns import Columns
from structce.rendering.document import Document
from structce.rendering.html import UNSEEN
from structce.rendering.metadata import read_metadata
from structce.rendering.static import parse
from structce.rendering.style import PROPERTIES, style_columns

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Playwright, Route
    from playwright.sync_api import Page as Tab

VIEWPORT = (1280, 1024)
"""Window in CSS pixels: a common desktop size, our choice."""

RUNNING = 80
"""Characters that make a ``p`` element running text, where a page hides its text; our choice."""

RECYCLE_AFTER = 50
"""Pages before a context is replaced, since one that lives on grows without bound."""

_FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
)


class ChromiumRenderer:
    """Renders documents in a browser that can reach nothing; use as a context manager.

    Parameters
    ----------
    browser
        Path of a Chromium, Chrome or Edge; found by itself when not given.
    viewport
        Window in CSS pixels.
    timeout
        Seconds that one page may take to load.
    """

    name = "chromium"

    def __init__(
        self,
        browser: str | None = None,
        *,
        viewport: tuple[int, int] = VIEWPORT,
        timeout: float = 20.0,
    ) -> None:
        self.browser = browser
        self.viewport = viewport
        self.timeout = timeout
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._context: BrowserContext | None = None
        self._n_pages = 0
        self._script = (resources.files("structce.rendering") / "collect.js").read_text("utf-8")

    def __enter__(self) -> Self:
        path = _browser_path(self.browser)
        try:
            from playwright.sync_api import Error, sync_playwright
        except ImportError as error:
            raise MissingExtraError(
                "the chromium renderer needs Playwright: pip install 'structce[browser]'"
            ) from error
        self._playwright = sync_playwright().start()
        try:
            self._browser = _launch(self._playwright, path)
        except Error as error:
            self.__exit__(None, None, None)
            raise BrowserError(f"{path} did not start: {_first_line(error)}") from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._browser is not None:
            self._browser.close()
        if self._playwright is not None:
            self._playwright.stop()
        self._browser = self._playwright = self._context = None

    def render(self, document: Document) -> Page:
        """Return the page.

        Raises
        ------
        RenderError
            If the page does not load in time, the browser fails, or the page has left for
            another address.
        """
        with self.show(document) as tab:
            raw = tab.evaluate(self._script, _settings())
        return self._page(document, json.loads(raw))

    @contextmanager
    def show(self, document: Document) -> Iterator[Tab]:
        """Open a document in a tab that is closed afterwards.

        Raises
        ------
        RenderError
            If the page does not load in time, or the browser fails.
        """
        from playwright.sync_api import Error

        context = self._fresh_context()
        try:
            tab = context.new_page()
            try:
                tab.set_content(document.html, timeout=self.timeout * 1000)
                yield tab
            finally:
                tab.close()
        except Error as error:
            raise RenderError(f"{document.name}: {_first_line(error)}") from error

    def _page(self, document: Document, raw: dict[str, Any]) -> Page:
        """Return the page that the collected columns describe."""
        if raw["url"] != "about:blank":
            raise RenderError(f"{document.name}: the page left for {raw['url']}")
        if raw["full"]:
            raise too_many_regions(document.name)
        rows = {name: raw[name] for name in Columns.__dataclass_fields__}
        columns = Columns(**rows)
        columns.text = [collapse(text) for text in columns.text]
        styles = dict(zip(PROPERTIES, raw["styles"], strict=True))
        return columns.page(
            url=document.url,
            lang=str(raw["lang"]),
            renderer=self.name,
            viewport=self.viewport,
            metadata=read_metadata(parse(document, whole=False)),
            styles=style_columns(styles, raw["strings"]),
        )

    def _fresh_context(self) -> BrowserContext:
        """Return the open context, replaced when it has shown enough pages."""
        if self._browser is None:
            raise BrowserError("no browser is open; use 'with ChromiumRenderer() as renderer'")
        if self._context is None or self._n_pages >= RECYCLE_AFTER:
            if self._context is not None:
                self._context.close()
            width, height = self.viewport
            self._context = self._browser.new_context(
                viewport={"width": width, "height": height},
                java_script_enabled=False,
                offline=True,
                service_workers="block",
                accept_downloads=False,
            )
            self._context.route("**/*", _abort)
            self._n_pages = 0
        self._n_pages += 1
        return self._context


def _browser_path(named: str | None) -> Path:
    found = find_browser(named)
    if found is None:
        raise BrowserError(
            "no Chromium, Chrome or Edge was found; name one by STRUCTCE_BROWSER, or run "
            "'structce doctor' for the command that installs one"
        )
    return found.path


def _launch(playwright: Playwright, path: Path) -> Browser:
    """Start the browser, in its sandbox unless we are root, where it refuses to start in one."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return playwright.chromium.launch(
        executable_path=str(path), args=list(_FLAGS), chromium_sandbox=not is_root
    )


def _abort(route: Route) -> None:
    # Not "failed": a failed navigation would replace the page with an error page.
    route.abort("aborted")


def _settings() -> dict[str, object]:
    return {
        "media": sorted(MEDIA),
        "unseen": sorted(UNSEEN),
        "mark": f"[^{SPACES}]",
        "body": BODY,
        "properties": list(PROPERTIES),
        "max_regions": MAX_REGIONS,
        "running": RUNNING,
    }


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
