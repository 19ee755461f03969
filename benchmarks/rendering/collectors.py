"""Collectors of a page's regions with a browser: loops that people write, and ours.

What the plain loops lack: elements above the regions (their attributes, places and computed style),
comments and line breaks, text in shadow roots and frames, hiding by clipping and by places off the
page, text that a page hides until a script runs, metadata of the page, places in the source.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

from benchmarks.rendering.plain import PlainBrowser
from structce.page import MEDIA
from structce.rendering.chromium import ChromiumRenderer, collect, to_page
from structce.rendering.chromium.computed_style import STYLE_PROPERTIES
from structce.rendering.chromium.session import PageSession
from structce.rendering.document import Document
from structce.rendering.html_rules import SPACES, UNSEEN, collapse

if TYPE_CHECKING:
    from playwright.sync_api import ElementHandle
    from playwright.sync_api import Page as Tab


@dataclass(frozen=True)
class Timing:
    """Time that one collector took for one page.

    Parameters
    ----------
    collecting
        Seconds from the loaded page to its rows in Python.
    whole
        Seconds from the document to its rows, with opening and closing the tab.
    rows
        Address and text of each row.
    """

    collecting: float
    whole: float
    rows: tuple[tuple[str, str], ...]


class Collector(Protocol):
    """Collects the regions of a page; used as a context manager."""

    name: str

    def measure(self, document: Document) -> Timing:
        """Return what the page took."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


_XPATH = """
const xpath = (node) => {
  let path = "";
  for (; node && node.nodeType === Node.ELEMENT_NODE; node = node.parentNode) {
    let n = 1;
    for (let other = node.previousElementSibling; other; other = other.previousElementSibling) {
      if (other.localName === node.localName) n += 1;
    }
    path = `/${node.localName}[${n}]${path}`;
  }
  return path;
};
const attributes = (element) =>
  Object.fromEntries(Array.from(element.attributes, (one) => [one.name, one.value]));
const styles = (element, properties) => {
  const computed = getComputedStyle(element);
  return Object.fromEntries(properties.map((name) => [name, computed.getPropertyValue(name)]));
};
"""

_ELEMENT = f"""(element, properties) => {{ {_XPATH}
  return {{
    tag: element.localName, xpath: xpath(element),
    attributes: attributes(element), style: styles(element, properties),
  }};
}}"""

_PAGE = f"""(settings) => {{ {_XPATH}
  const media = new Set(settings.media), unseen = new Set(settings.unseen);
  const mark = new RegExp(settings.mark);
  const place = (box) => [box.left + scrollX, box.top + scrollY, box.width, box.height];
  const row = (element, text, path, box) => ({{
    text, tag: element.localName, xpath: path, box: place(box),
    style: styles(element, settings.properties), attributes: attributes(element),
  }});
  const found = [];
  for (const element of document.querySelectorAll("*")) {{
    if (unseen.has(element.localName) || !element.checkVisibility()) continue;
    if (media.has(element.localName)) {{
      found.push(row(element, "", xpath(element), element.getBoundingClientRect()));
      continue;
    }}
    let n = 0;
    for (const node of element.childNodes) {{
      if (node.nodeType !== Node.TEXT_NODE) continue;
      n += 1;
      if (!mark.test(node.data)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      if (!range.getClientRects().length) continue;
      const path = `${{xpath(element)}}/text()[${{n}}]`;
      found.push(row(element, node.data, path, range.getBoundingClientRect()));
    }}
  }}
  return found;
}}"""


class _Plain:
    """Base of the plain loops: a browser, and the measurement of time."""

    name = ""
    keeps_tab = False

    def __init__(self, browser: str | None = None) -> None:
        self._browser = PlainBrowser(browser, keeps_tab=self.keeps_tab)

    def __enter__(self) -> Self:
        self._browser.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._browser.__exit__(*error)

    def measure(self, document: Document) -> Timing:
        """Return what the page took."""
        start = time.perf_counter()
        rows, collecting = self._browser.show(document.html, self._timed)
        whole = time.perf_counter() - start
        texts = tuple((str(row["xpath"]), collapse(row["text"] or "")) for row in rows)
        return Timing(collecting, whole, texts)

    def _timed(self, tab: Tab) -> tuple[list[dict[str, Any]], float]:
        start = time.perf_counter()
        rows = self._collect(tab)
        return rows, time.perf_counter() - start

    def _collect(self, tab: Tab) -> list[dict[str, Any]]:
        raise NotImplementedError


class OneCallAnElement(_Plain):
    """A handle for every element below ``body``, then three calls for each: names, text, box.

    One row per element, its text with that of all below it, hidden ones too.
    """

    name = "a call an element"

    def _collect(self, tab: Tab) -> list[dict[str, Any]]:
        return [_describe(element) for element in tab.query_selector_all("body *")]


def _describe(element: ElementHandle) -> dict[str, Any]:
    return {
        **element.evaluate(_ELEMENT, list(STYLE_PROPERTIES)),
        "text": element.text_content(),
        "box": element.bounding_box(),
    }


class OneCallAPage(_Plain):
    """One call per page that returns a list of objects, one row for each text node and medium.

    Rows come in the order of elements, which is not quite that of reading.
    """

    name = "a call a page"

    def _collect(self, tab: Tab) -> list[dict[str, Any]]:
        settings = {
            "media": sorted(MEDIA),
            "unseen": sorted(UNSEEN),
            "mark": f"[^{SPACES}]",
            "properties": list(STYLE_PROPERTIES),
        }
        rows: list[dict[str, Any]] = tab.evaluate(_PAGE, settings)
        return rows


class OneTab(OneCallAPage):
    """The same in one tab for all documents, which is faster, though a page may leave traces."""

    name = "a call a page, one tab"
    keeps_tab = True


class Ours:
    """The renderer, one page after the other."""

    name = "ours"

    def __init__(self, browser: str | None = None) -> None:
        self._renderer = ChromiumRenderer(browser)

    def __enter__(self) -> Self:
        self._renderer.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._renderer.__exit__(*error)

    def measure(self, document: Document) -> Timing:
        """Return what the page took; reading the browser's answer is a part of collecting."""
        pool, settings = self._renderer.pool, self._renderer.settings

        async def task(session: PageSession) -> tuple[str, float]:
            begin = time.perf_counter()
            raw = await collect(session)
            return raw, time.perf_counter() - begin

        start = time.perf_counter()
        raw, collecting = pool.submit(document, task).result()
        page = to_page(document, raw, settings, self._renderer.provenance(document))
        whole = time.perf_counter() - start
        begin = time.perf_counter()
        json.loads(raw)  # what ``to_page`` does first; the rest of it the plain loops do not do
        collecting += time.perf_counter() - begin
        return Timing(collecting, whole, tuple(zip(page.xpath, page.text, strict=True)))


COLLECTORS: tuple[Callable[[str | None], Collector], ...] = (
    OneCallAnElement,
    OneCallAPage,
    OneTab,
    Ours,
)
"""All of them; the first is slow, and gets fewer pages."""
