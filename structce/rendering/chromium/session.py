"""Page session: one document in one tab, all of whose requests are answered here.

The browser is cut off from the network; every request is paused, and answered from the document's
resources. The page itself is served in the same way, so that it has an address of its own, and
headers that forbid what scripts or forms could do.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from structce.errors import RenderError, describe_fault
from structce.rendering.base import Settings
from structce.rendering.document import PLACEHOLDER_URL, Document, Resource, is_url
from structce.rendering.html_scanner import swallows_most, without_empty_elements

if TYPE_CHECKING:
    from playwright.async_api import CDPSession
    from playwright.async_api import Page as Tab

Event = Mapping[str, Any]

_NO_SCRIPTS = "sandbox allow-same-origin"
"""Policy of pages whose scripts are off: no forms, no popups, no refresh by ``meta``."""

_NO_RESOURCES = (
    "default-src 'none'; style-src 'unsafe-inline' data:; "
    "img-src data:; font-src data:; media-src data:"
)
"""Policy of pages that have no resources: the browser makes no requests for them."""

_MAX_SCROLLS = 20  # windows scrolled through for what loads late: some pages never end

_SHOWS_TEXT = "() => (document.documentElement?.innerText ?? '').trim() !== ''"

_PARSE_CHECKS, _PARSE_INTERVAL = 20, 0.05  # seconds between two checks

_ROOTS = "function() { (globalThis.closedRoots ||= new Map()).set(this.host, this); }"


class PageSession:
    """Session of one document in a tab that shows nothing yet, or a finished page."""

    def __init__(
        self, tab: Tab, devtools: CDPSession, document: Document, settings: Settings
    ) -> None:
        self.tab = tab
        self.document = document
        self.settings = settings
        self.devtools = devtools
        self._resources = document.resources
        self._base = _shown_address(document)
        self._frame = self._loader = ""
        self._left_for = ""
        self._context: int | None = None
        self._responses: set[asyncio.Task[None]] = set()
        self._n_requests = self._n_bytes = 0
        self._is_shown = False
        self._loaded = asyncio.Event()

    async def load(self) -> None:
        """Load the document; if its scripts run, wait until it makes no more requests.

        A page whose address no browser opens, such as a host with a space, is shown at one of ours.
        A document that was saved as XML, and has lost its text or most of it when parsed as HTML,
        is parsed as XML; it is then the ``document`` of the session. RenderError if the browser
        refuses the document.
        """
        send = self.devtools.send
        for name, listener in self._listeners.items():
            self.devtools.on(name, listener)
        await send("Page.enable")
        await send("Network.setCacheDisabled", {"cacheDisabled": True})
        await send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        self._frame = (await send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        await self._show()
        written = self.document.html
        html = without_empty_elements(written)
        if html != written and (swallows_most(written) or not await self.evaluate(_SHOWS_TEXT)):
            self.document = replace(self.document, html=html)
            await self._show()
        if self.settings.scripts:
            if self._left_for and not await self.evaluate("() => document.body !== null"):
                raise RenderError(f"{self.document.name}: the page left for {self._left_for}")
            await self._wait_until_quiet()
            await self._scroll()

    async def _show(self) -> None:
        """Show the document until it is parsed; RenderError if the browser refuses it."""
        is_fresh = self.tab.url == "about:blank"
        refusal = await self._navigate(self._base)
        if refusal and self._base != PLACEHOLDER_URL:
            is_fresh = True
            refusal = await self._navigate(PLACEHOLDER_URL)
        if refusal:
            raise RenderError(f"{self.document.name}: the browser refuses: {refusal}")
        await self._loaded.wait()
        if is_fresh:
            await self._wait_until_parsed()

    async def _navigate(self, address: str) -> str:
        """Show the document at an address; return why the browser refuses it, or an empty text."""
        from playwright.async_api import Error

        self._loader, self._context, self._is_shown = "", None, False
        self._loaded.clear()
        try:
            answer = await self.devtools.send("Page.navigate", {"url": address})
        except Error as error:  # no address at all for the browser, or the browser is gone
            return str(error).partition("\n")[0]
        refusal = str(answer.get("errorText", ""))
        self._loader = "" if refusal else answer["loaderId"]
        return refusal

    async def evaluate(self, function: str, argument: object = None) -> Any:
        """Return the result of a JavaScript function, called in a world that no page can reach.

        RenderError if the function fails, or the page has moved to another address.
        """
        from playwright.async_api import Error

        try:
            if self._context is None:
                answer = await self.devtools.send(
                    "Page.createIsolatedWorld", {"frameId": self._frame, "worldName": "structce"}
                )
                self._context = int(answer["executionContextId"])
            await self._show_closed_roots(self._context)
            call = {"expression": f"({function})({json.dumps(argument)})"}
            options = {"contextId": self._context, "returnByValue": True, "awaitPromise": True}
            answer = await self.devtools.send("Runtime.evaluate", call | options)
        except Error:
            await self._check_navigation()  # explains the error if the page has left
            raise
        await self._check_navigation()
        if "exceptionDetails" in answer:
            thrown = answer["exceptionDetails"].get("exception", {}).get("description", "")
            reason = thrown.partition("\n")[0]
            raise RenderError(f"{self.document.name}: in the browser: {reason}")
        return answer["result"].get("value")

    def close(self) -> None:
        """Stop responding to requests; the tab may be used for another document afterwards."""
        for name, listener in self._listeners.items():
            self.devtools.remove_listener(name, listener)
        for answer in list(self._responses):
            answer.cancel()

    async def _check_navigation(self) -> None:
        tree = await self.devtools.send("Page.getFrameTree")
        frame = tree["frameTree"]["frame"]
        if frame["loaderId"] != self._loader:
            raise RenderError(f"{self.document.name}: the page left for {frame['url']}")

    async def _show_closed_roots(self, context: int) -> None:
        """Pass closed shadow roots, which a document does not expose, to the isolated world."""
        if not self.settings.scripts and "shadowrootmode" not in self.document.html:
            return
        tree = await self.devtools.send("DOM.getDocument", {"depth": -1, "pierce": True})
        for node in _closed_roots(tree["root"]):
            node_object = await self.devtools.send(
                "DOM.resolveNode", {"backendNodeId": node, "executionContextId": context}
            )
            await self.devtools.send(
                "Runtime.callFunctionOn",
                {"functionDeclaration": _ROOTS, "objectId": node_object["object"]["objectId"]},
            )

    @property
    def _listeners(self) -> Mapping[str, Callable[[Event], None]]:
        return {
            "Fetch.requestPaused": self._on_request,
            "Page.frameNavigated": self._on_navigated,
            "Page.loadEventFired": self._on_stopped,
            # A page that tries to leave while it loads has no load event.
            "Page.frameStoppedLoading": self._on_stopped,
        }

    def _on_navigated(self, event: Event) -> None:
        self._is_shown |= event["frame"].keys().isdisjoint(("parentId", "unreachableUrl"))

    def _on_stopped(self, event: Event) -> None:
        """Treat a page that has stopped loading as loaded, unless it is the previous page."""
        if self._is_shown and event.get("frameId", self._frame) in ("", self._frame):
            self._loaded.set()

    def _on_request(self, event: Event) -> None:
        answer = asyncio.get_running_loop().create_task(self._respond(event))
        self._responses.add(answer)
        answer.add_done_callback(self._responses.discard)

    async def _respond(self, event: Event) -> None:
        """Answer one request with the page or a resource, or refuse it."""
        from playwright.async_api import Error

        request, is_frame = event["request"], event.get("resourceType") == "Document"
        is_page = is_frame and event["frameId"] == self._frame
        resource: Resource | None = None
        if is_page and not self._loader:  # at any address: browsers spell it in their own way
            resource = Resource(self.document.utf8, "text/html; charset=utf-8")
        elif is_page:
            self._left_for = request["url"]
        else:
            resource = await self._find(request)
        with suppress(Error):  # the page has gone on without an answer, or is gone itself
            if resource is None:
                # Not "Failed": a navigation would end in an error page in place of the page.
                reason = {"requestId": event["requestId"], "errorReason": "Aborted"}
                await self.devtools.send("Fetch.failRequest", reason)
            else:
                await self._fulfil(event, resource, is_frame)

    async def _find(self, request: Mapping[str, Any]) -> Resource | None:
        """Return the resource of a request, within the limits of the page."""
        limits = self.settings.limits
        self._n_requests += 1
        is_over = self._n_requests > limits.requests or self._n_bytes >= limits.total_bytes
        if self._resources is None or request["method"] != "GET" or is_over:
            return None
        address = request["url"].partition("#")[0]
        try:
            resource = await asyncio.to_thread(self._resources.get, address)
        except Exception as error:  # else the page would wait for an answer until its time is up
            describe_fault(address, error)
            return None
        if resource is None or len(resource.data) > limits.request_bytes:
            return None
        self._n_bytes += len(resource.data)
        return resource

    async def _fulfil(self, event: Event, resource: Resource, is_frame: bool) -> None:
        headers = {"Access-Control-Allow-Origin": "*"}
        if resource.content_type:
            headers["Content-Type"] = resource.content_type
        if is_frame and not self.settings.scripts:
            rest = f"; {_NO_RESOURCES}" if self._resources is None else ""
            headers["Content-Security-Policy"] = _NO_SCRIPTS + rest
        answer = {
            "requestId": event["requestId"],
            "responseCode": resource.status,
            "responseHeaders": [{"name": k, "value": v} for k, v in headers.items()],
            "body": base64.b64encode(resource.data).decode("ascii"),
        }
        await self.devtools.send("Fetch.fulfillRequest", answer)

    async def _wait_until_parsed(self) -> None:
        # On a busy machine the blank page before it, which has a process of its own, may report its
        # end after the document was shown. A page that stops its own loading is parsed no further.
        for _ in range(_PARSE_CHECKS):
            if await self.evaluate("() => document.readyState") != "loading":
                return
            await asyncio.sleep(_PARSE_INTERVAL)

    async def _wait_until_quiet(self) -> None:
        """Wait until no request has been open for a while, at most until the page's time limit."""
        n_before = -1
        while self._responses or n_before != self._n_requests:
            n_before = self._n_requests
            await asyncio.sleep(self.settings.limits.quiet)

    async def _scroll(self) -> None:
        """Scroll to the end, window by window, and back, so that content loads on view."""
        for step in range(1, _MAX_SCROLLS + 1):
            is_end = await self.evaluate(
                "(step) => { scrollTo(0, step * innerHeight);"
                " const root = document.scrollingElement;"
                " return !root || scrollY + innerHeight >= root.scrollHeight; }",
                step,
            )
            await asyncio.sleep(self.settings.limits.quiet / 10)
            if is_end:
                break
        await self._wait_until_quiet()
        await self.evaluate("() => scrollTo(0, 0)")


def _shown_address(document: Document) -> str:
    """Return the address at which a document is shown: its own web address, or else one of ours.

    At an address such as ``chrome://version`` or ``data:`` the browser would show another page, and
    for a fragment of the current address it would stay on the page that it shows.
    """
    base = "" if document.resources is None else document.resources.base.strip()
    return base.partition("#")[0] if is_url(base.lower()) else PLACEHOLDER_URL


def _closed_roots(root: Mapping[str, Any]) -> list[int]:
    """Return the backend numbers of the closed shadow roots below a node, outermost first."""
    closed, open_nodes = [], [root]
    while open_nodes:
        node = open_nodes.pop()
        if node.get("shadowRootType") == "closed":
            closed.append(int(node["backendNodeId"]))
        open_nodes += node.get("children", []) + node.get("shadowRoots", [])
        if "contentDocument" in node:
            open_nodes.append(node["contentDocument"])
    return closed
