"""Renderer with a browser: regions with boxes and computed styles, by Playwright.

Every page is treated as hostile. Its scripts are off, its time and memory are limited, and none of
its requests leaves the machine: see :mod:`structce.rendering.chromium.session`.
"""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from functools import cache, partial
from importlib import resources
from itertools import chain
from typing import Any, Self

import numpy as np
from msgspec.structs import replace

from structce.errors import BrowserError, RenderError
from structce.extras import check_extras
from structce.page import FORMULA, MEDIA, Page, Provenance, StyleColumn, read_metadata
from structce.patterns import lazy_pattern
from structce.rendering import html_rules
from structce.rendering.base import PageBuilder, Renderer, Settings, too_many_regions
from structce.rendering.chromium.browser import BrowserPool
from structce.rendering.chromium.discovery import search_browser
from structce.rendering.chromium.session import PageSession
from structce.rendering.document import Document
from structce.rendering.static.parser import parse
from structce.runtime import call_within

MAX_PICTURE, MAX_WIDTH = 16_000, 4_000
"""Pixels of a picture's height and width, so that no page fills the memory; browsers draw at most
16,383."""

_NO_FRAME = "Unable to capture screenshot"
"""Message of a browser that is too busy to have drawn the page; a little later it can."""

_BOXED = ("audio", "frame", "iframe", "svg", "video")  # have a size without their file

_SIDES = ("top", "right", "bottom", "left")

SHORTHANDS = {
    pattern.replace("-*", ""): tuple(pattern.replace("*", side) for side in _SIDES)
    for pattern in ("border-*-width", "border-*-style", "border-*-color", "margin-*", "padding-*")
}
"""Properties whose four sides are read at once."""

LENGTH_PROPERTIES = (
    *"font-size font-weight line-height opacity z-index".split(),
    *SHORTHANDS["border-width"],
    *SHORTHANDS["margin"],
    *SHORTHANDS["padding"],
)
"""Properties read as numbers: CSS pixels, or dimensionless."""

KEYWORD_PROPERTIES = (
    *"display position float visibility overflow color background-color font-family".split(),
    *"font-style text-align text-decoration-line text-transform list-style-type cursor".split(),
    *SHORTHANDS["border-color"],
    *SHORTHANDS["border-style"],
)
"""Properties read as strings."""

STYLE_PROPERTIES = LENGTH_PROPERTIES + KEYWORD_PROPERTIES
"""Collected computed styles: those of Table 1 of Spengler et al. (2010), and similar ones."""

COLLECTED = (
    *(name for name in STYLE_PROPERTIES if name not in chain(*SHORTHANDS.values())),
    *SHORTHANDS,
)
"""Properties that the browser is asked for; each takes time, so four sides are one property."""

MAX_STYLE = 500  # characters of a value; longer ones, such as font families, are cut

_SPACE = lazy_pattern(r"\s+(?![^(]*\))")  # none inside parentheses: "rgb(0, 0, 0) red"
_NUMBER = lazy_pattern(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)


class ChromiumRenderer(Renderer):
    """Renderer with browsers that are cut off from the network; a context manager.

    ``browser`` is the path of Chromium, Chrome or Edge, searched for if not given. Each of the
    ``workers`` is a browser with one page at a time; one uses more than one core.
    """

    name = "chromium"

    def __init__(
        self, browser: str | None = None, *, settings: Settings | None = None, workers: int = 1
    ) -> None:
        if workers < 1:
            raise BrowserError(f"workers: expected 1 or more, got {workers}")
        self.browser = browser
        self.settings = settings or Settings()
        self.workers = workers
        self._pool: BrowserPool | None = None

    def __enter__(self) -> Self:
        check_extras(("playwright",), "the chromium renderer", "browser")
        browser = search_browser(self.browser).browser
        if browser is None:
            raise BrowserError(
                "no Chromium, Chrome or Edge was found; name one by STRUCTCE_BROWSER, or run "
                "'structce doctor' for the command that installs one"
            )
        pool = BrowserPool(browser.path, self.settings, self.workers)
        pool.open()
        self._pool = pool
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.close()
        self._pool = None

    @property
    def pool(self) -> BrowserPool:
        """The open browsers; an error if the renderer was not entered."""
        if self._pool is None:
            raise BrowserError("no browser is open; use 'with ChromiumRenderer() as renderer'")
        return self._pool

    def provenance(self, document: Document) -> Provenance:
        """Return the provenance that a page of the document would have, without rendering it."""
        return Provenance(document.digest, self.pool.version, str(self.settings))

    def submit(self, document: Document) -> Future[Page]:
        """Return the future page of a document, rendered when a browser is free."""
        origin = self.provenance(document)

        async def task(session: PageSession) -> Page:
            raw = await collect(session)
            # In another thread, so that the other browsers need not wait meanwhile.
            return await asyncio.to_thread(to_page, session.document, raw, self.settings, origin)

        return self.pool.submit(document, task)

    def picture(self, document: Document, script: str = "", argument: object = None) -> bytes:
        """Return a PNG picture of the page, cut to ``MAX_WIDTH`` by ``MAX_PICTURE`` pixels.

        Its upper left corner is that of the window before scrolling, from which boxes are measured.
        ``script`` is a JavaScript function to call first, with the argument.
        """
        task = partial(_picture, script=script, argument=argument)
        try:
            return self.pool.submit(document, task).result()
        except RenderError as error:
            if _NO_FRAME not in str(error):
                raise
            return self.pool.submit(document, task).result()  # in a fresh tab


async def collect(session: PageSession) -> str:
    """Return the regions of a loaded page as the browser's JSON columns."""
    await _settle(session)
    walk = f"({_script('collect.js')})({_script('visibility.js')})"
    settings = {
        "media": sorted(MEDIA),
        "boxed": _BOXED,
        "unseen": sorted(html_rules.UNSEEN),
        "mark": f"[^{html_rules.SPACES}{html_rules.SHAPELESS}]",
        "space": f"[{html_rules.SPACES}]",
        "svg_unseen": sorted(html_rules.SVG_UNSEEN),
        "tex": html_rules.TEX,
        "formula": FORMULA.pattern,
        "annotation": html_rules.ANNOTATION,
        "checkbox": html_rules.CHECKBOX,
        "max_frames": html_rules.MAX_FRAMES,
        "body": html_rules.BODY,
        "properties": COLLECTED,
        "max_regions": session.settings.limits.regions,
        "scripts": session.settings.scripts,
    }
    return str(await session.evaluate(walk, settings))


async def _settle(session: PageSession) -> None:
    """End animations, and show text that waits for scripts."""
    function = f"({_script('show_text.js')})({_script('end_animations.js')})"
    await session.evaluate(function, [html_rules.MIN_RUNNING_TEXT, html_rules.SYLLABLES])


def to_page(document: Document, raw: str, settings: Settings, origin: Provenance) -> Page:
    """Return the page of the collected columns; RenderError beyond a limit on regions or time."""
    work = partial(_to_page, document, raw, settings, origin)
    return call_within(settings.limits.page_seconds, document.name, work)


def _to_page(document: Document, raw: str, settings: Settings, origin: Provenance) -> Page:
    values: dict[str, Any] = json.loads(raw)
    if values["full"]:
        raise too_many_regions(document.name, settings.limits.regions)
    builder = PageBuilder(**{name: values[name] for name in PageBuilder.__struct_fields__})
    builder.text = [html_rules.collapse(text) for text in builder.text]
    styles = dict(zip(COLLECTED, values["styles"], strict=True))
    # Scripts may have written statements of their own; they are in the page as it is now.
    final = replace(document, html=values["html"]) if values["html"] else document
    return builder.page(
        document=document,
        lang=str(values["lang"]),
        renderer=ChromiumRenderer.name,
        viewport=settings.viewport,
        metadata=read_metadata(parse(final)),
        styles=style_columns(styles, values["strings"]),
        provenance=origin,
    )


def style_columns(
    values: Mapping[str, Sequence[int]], strings: Sequence[str]
) -> Mapping[str, StyleColumn]:
    """Return one column per property of :data:`STYLE_PROPERTIES`.

    ``values`` contains for each property of :data:`COLLECTED` one index per element into
    ``strings``, the distinct computed values.
    """
    columns: dict[str, StyleColumn] = {}
    for name, indices in values.items():
        if name not in SHORTHANDS:
            columns[name] = _column(name, strings, indices)
            continue
        four = _four_sides(strings, indices)
        for k, side in enumerate(SHORTHANDS[name]):
            columns[side] = _column(side, [sides[k] for sides in four], indices)
    return {name: columns[name] for name in STYLE_PROPERTIES}


def _column(name: str, strings: Sequence[str], indices: Sequence[int]) -> StyleColumn:
    """Return the values of one property; only strings that occur are parsed."""
    used, rows = np.unique(np.array(indices, dtype=np.int64), return_inverse=True)
    texts = [strings[i][:MAX_STYLE] for i in used]
    if name in LENGTH_PROPERTIES:
        numbers = [float(match[0]) if (match := _NUMBER.match(text)) else np.nan for text in texts]
        return np.array(numbers, dtype=np.float32)[rows]
    return np.array(texts, dtype=np.str_)[rows] if texts else np.zeros(0, dtype="<U1")


def _four_sides(strings: Sequence[str], indices: Sequence[int]) -> list[tuple[str, ...]]:
    """Return top, right, bottom and left of each value of a shorthand, which omits repetitions."""
    used = set(indices)
    sides: list[tuple[str, ...]] = []
    for i, text in enumerate(strings):
        parts = _SPACE.split(text) if i in used else [""]
        top, right, bottom, left = (parts[k] if k < len(parts) else "" for k in range(4))
        right = right or top
        sides.append((top, right, bottom or top, left or right))
    return sides


async def _picture(session: PageSession, script: str, argument: object) -> bytes:
    send = session.devtools.send
    await _settle(session)
    if script:
        await session.evaluate(script, argument)
    metrics = await send("Page.getLayoutMetrics")
    content, window = metrics["cssContentSize"], metrics["cssLayoutViewport"]
    # A page that is read from right to left scrolls to the left, where boxes are negative.
    left = window["pageX"] - int(await session.evaluate("() => Math.round(scrollX)"))
    width, height = int(content["width"]) - left, int(content["height"])
    size = {"width": min(width, MAX_WIDTH), "height": min(height, MAX_PICTURE)}
    clip = {"x": left, "y": 0, **size, "scale": 1}
    shot = await send("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})
    return base64.b64decode(shot["data"])


@cache
def _script(name: str) -> str:
    return (resources.files("structce.rendering.chromium") / name).read_text("utf-8")
