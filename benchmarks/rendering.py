"""How fast pages are rendered, and how well the two renderers agree.

    python3 -m benchmarks.rendering fundus.zip
    python3 -m benchmarks.rendering fundus.zip --part speed --pages 40 --format json

Three parts, on the Fundus fixtures (zip archive or folder) or on a folder of HTML files:

- ``speed``: the chromium renderer beside loops in plain Playwright as people write them, one call
  per element and one call per page; the same browser, scripts off, no network, in turns on the
  same pages; wall-clock time. Collecting is the time from the loaded page to its rows in Python;
  whole is all of it, which for ours alone includes what the page states of itself and the places
  of its regions in the source.
- ``workers``: pages per second of both renderers with one worker and with two.
- ``agreement``: regions at the same address with the same text, and their characters.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from structce.cli.options import format_option, print_table
from structce.datasets import READERS, Skipped
from structce.errors import BrowserError, CorpusError, StructceError
from structce.page import MEDIA, Page
from structce.rendering import Document, StaticRenderer
from structce.rendering.base import VIEWPORT, Renderer
from structce.rendering.chromium import STYLE_PROPERTIES, ChromiumRenderer, collect, to_page
from structce.rendering.chromium.discovery import search_browser
from structce.rendering.chromium.session import PageSession
from structce.rendering.html_rules import SPACES, UNSEEN, collapse
from structce.rendering.sources import open_sources

if TYPE_CHECKING:
    from playwright.sync_api import Page as Tab

PARTS = ("speed", "workers", "agreement")
OURS, SLOW = "ours", "a call an element"
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

Rows = tuple[tuple[str, str], ...]  # address and text of each row
Timing = tuple[float, float, Rows]  # seconds of collecting, of the whole, and the rows
Collector = Callable[[Document], Timing]
Times = dict[str, dict[tuple[int, int], Timing]]  # by way, then by page and round

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


def read_documents(path: Path, n_pages: int | None) -> list[Document]:
    """Return the documents of a place, or so many of them, spread evenly over their order.

    Raises
    ------
    CorpusError
        If a zip archive, or a folder with ``gold_map.json``, is not laid out as the fixtures are.
    SourceError
        If a page cannot be read, or the folder contains none.
    """
    documents = list(_all_documents(path))
    return spread(documents, len(documents) if n_pages is None else n_pages)


def _all_documents(path: Path) -> Iterator[Document]:
    if path.is_dir() and not (path / "gold_map.json").exists():
        for source in open_sources([str(path)]):
            yield source.read()
        return
    for page in READERS["fundus"].read(path):
        if isinstance(page, Skipped):
            raise CorpusError(f"{page.id}: {page.reason}")
        yield page.document()


def spread(documents: Sequence[Document], n: int) -> list[Document]:
    """Return ``n`` documents at even distances, the first among them; all if there are fewer."""
    n = min(n, len(documents))
    return [documents[i * len(documents) // n] for i in range(n)]


def describe_elements(tab: Tab) -> list[dict[str, Any]]:
    """Collect a handle for every element below ``body``, then make three calls for each."""
    return [
        {
            **element.evaluate(_ELEMENT, list(STYLE_PROPERTIES)),
            "text": element.text_content(),
            "box": element.bounding_box(),
        }
        for element in tab.query_selector_all("body *")
    ]


def describe_page(tab: Tab) -> list[dict[str, Any]]:
    """Collect one object for each text node and medium in one call."""
    settings = {
        "media": sorted(MEDIA),
        "unseen": sorted(UNSEEN),
        "mark": f"[^{SPACES}]",
        "properties": list(STYLE_PROPERTIES),
    }
    rows: list[dict[str, Any]] = tab.evaluate(_PAGE, settings)
    return rows


@contextmanager
def plain_loops(browser: str | None) -> Iterator[dict[str, Collector]]:
    """Start a browser with plain Playwright, and give the ways in which people collect pages.

    The loops lack elements above the regions, comments and line breaks, shadow roots and frames,
    hiding by clipping and by places off the page, metadata, and places in the source.
    """
    from playwright.sync_api import sync_playwright

    installation = search_browser(browser).browser
    if installation is None:
        raise BrowserError("no browser to measure; 'structce doctor' shows how to get one")
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=str(installation.path), args=list(FLAGS), chromium_sandbox=not is_root
        )
        width, height = VIEWPORT
        context = started.new_context(
            viewport={"width": width, "height": height},
            java_script_enabled=False,
            offline=True,
            service_workers="block",
            accept_downloads=False,
        )
        kept = context.new_page()

        def measure(
            describe: Callable[[Tab], list[dict[str, Any]]], document: Document, *, one_tab: bool
        ) -> Timing:
            start = time.perf_counter()
            tab = kept if one_tab else context.new_page()
            tab.set_content(document.html)
            begin = time.perf_counter()
            rows = describe(tab)
            collecting = time.perf_counter() - begin
            if not one_tab:
                tab.close()
            whole = time.perf_counter() - start
            texts = tuple((str(row["xpath"]), collapse(row["text"] or "")) for row in rows)
            return collecting, whole, texts

        yield {
            SLOW: partial(measure, describe_elements, one_tab=False),
            "a call a page": partial(measure, describe_page, one_tab=False),
            "a call a page, one tab": partial(measure, describe_page, one_tab=True),
        }
        started.close()


def measure_ours(renderer: ChromiumRenderer, document: Document) -> Timing:
    """Return what the renderer took; reading the browser's answer is a part of collecting."""

    async def task(session: PageSession) -> tuple[str, float]:
        begin = time.perf_counter()
        raw = await collect(session)
        return raw, time.perf_counter() - begin

    start = time.perf_counter()
    raw, collecting = renderer.pool.submit(document, task).result()
    page = to_page(document, raw, renderer.settings, renderer.provenance(document))
    whole = time.perf_counter() - start
    begin = time.perf_counter()
    json.loads(raw)  # what ``to_page`` does first; the rest of it the plain loops do not do
    collecting += time.perf_counter() - begin
    return collecting, whole, tuple(zip(page.xpath, page.text, strict=True))


def time_ways(
    documents: Sequence[Document], n_slow: int, rounds: int, browser: str | None
) -> list[dict[str, object]]:
    """Return a row for each way: all take turns on the same pages, so that load affects all."""
    taken: Times = {}
    slow = {document.digest for document in spread(documents, n_slow)}
    with plain_loops(browser) as loops, ChromiumRenderer(browser) as renderer:
        ways = {**loops, OURS: partial(measure_ours, renderer)}
        for way in ways.values():
            way(documents[0])  # does not count
        for turn in range(rounds):
            for n, document in enumerate(documents):
                click.echo(f"speed: round {turn + 1}, page {n + 1}", err=True)
                first = (turn + n) % len(ways)
                for name in [*ways][first:] + [*ways][:first]:
                    if name != SLOW or document.digest in slow:
                        taken.setdefault(name, {})[n, turn] = ways[name](document)
    return [way_row(name, taken) for name in ways]


def way_row(name: str, taken: Times) -> dict[str, object]:
    """Return times of a way, the ratios to ours on the same page and round, and its rows."""
    pairs = [(timing, taken[OURS][key]) for key, timing in taken[name].items()]
    found = sum(len({*own[2]} & {*ours[2]}) for own, ours in pairs)
    return {
        "way": name,
        "pages": len({page for page, _ in taken[name]}),
        "collecting, ms": quartiles([1000 * own[0] for own, _ in pairs], ".1f"),
        "times ours": quartiles([own[0] / ours[0] for own, ours in pairs], ".1f"),
        "whole, ms": quartiles([1000 * own[1] for own, _ in pairs], ".0f"),
        "times ours, whole": quartiles([own[1] / ours[1] for own, ours in pairs], ".2f"),
        "rows": median(len(own[2]) for own, _ in pairs),
        "of our regions": f"{found / max(sum(len({*ours[2]}) for _, ours in pairs), 1):.1%}",
    }


def quartiles(values: Sequence[float], form: str) -> str:
    """Return the median and, in brackets, the quartiles of values."""
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
    return f"{middle:{form}} ({low:{form}} to {high:{form}})"


def time_workers(
    documents: Sequence[Document], rounds: int, browser: str | None
) -> list[dict[str, object]]:
    """Return how fast each renderer is with one worker and with two, in turns."""
    rates: dict[Renderer, list[float]] = {}
    with ExitStack() as stack:
        for n in (1, 2):
            for renderer in (ChromiumRenderer(browser, workers=n), StaticRenderer(workers=n)):
                stack.enter_context(renderer)
                pages_per_second(renderer, documents[: 2 * n])
                rates[renderer] = []
        for _ in range(rounds):
            for renderer, own in rates.items():
                own.append(pages_per_second(renderer, documents))
    return [
        {"renderer": one.name, "workers": one.workers, "pages per second": quartiles(own, ".1f")}
        for one, own in rates.items()
    ]


def pages_per_second(renderer: Renderer, documents: Sequence[Document]) -> float:
    """Return how fast an open renderer works through all documents, handed over at once."""
    start = time.perf_counter()
    for future in [renderer.submit(document) for document in documents]:
        future.result()
    return len(documents) / (time.perf_counter() - start)


def compare_renderers(
    documents: Sequence[Document], browser: str | None
) -> list[dict[str, object]]:
    """Return how much of one renderer's regions and characters the other has."""
    pairs = []
    with ChromiumRenderer(browser) as chromium, StaticRenderer() as static:
        for document in documents:
            try:
                pairs.append((chromium.render(document), static.render(document)))
            except StructceError as error:
                click.echo(f"error: {error}", err=True)
    return agreement_rows(pairs)


def agreement_rows(pairs: Sequence[tuple[Page, Page]]) -> list[dict[str, object]]:
    """Return a row for each of two renderers, from their renderings of the same pages."""
    counts: Mapping[str, Counter[str]] = {"chromium": Counter(), "static": Counter()}
    for pair in pairs:
        own = [dict(zip(page.xpath, page.text, strict=True)) for page in pair]
        common = Counter(own[0].values()) & Counter(own[1].values())
        same = [own[0][path] for path in own[0] if own[1].get(path) == own[0][path]]
        for texts, count in zip(own, counts.values(), strict=True):
            count["regions"] += len(texts)
            count["characters"] += sum(map(len, texts.values()))
            count["same regions"] += len(same)
            count["same characters"] += sum(map(len, same))
            count["characters anywhere"] += sum(len(text) * n for text, n in common.items())
    return [
        {
            "of": name,
            "regions": count["regions"],
            "the other has": f"{count['same regions'] / max(count['regions'], 1):.2%}",
            "characters": count["characters"],
            "the other has them": f"{count['same characters'] / max(count['characters'], 1):.2%}",
            "anywhere": f"{count['characters anywhere'] / max(count['characters'], 1):.2%}",
        }
        for name, count in counts.items()
    ]


@click.command()
@click.argument("corpus", type=click.Path(exists=True, path_type=Path))
@click.option("--part", "parts", multiple=True, type=click.Choice(PARTS), default=PARTS)
@click.option("--pages", type=click.IntRange(1), help="Number of pages, spread evenly; all.")
@click.option("--slow-pages", default=5, show_default=True, type=click.IntRange(1),
              help="Pages for the loop of one call per element.")  # fmt: skip
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(1))
@click.option("--browser", help="Path of the browser. Default: one that is found.")
@format_option
def main(
    corpus: Path,
    parts: tuple[str, ...],
    pages: int | None,
    slow_pages: int,
    rounds: int,
    browser: str | None,
    form: str,
) -> None:
    """Measure how the pages of CORPUS, a zip archive or a folder, are rendered."""
    try:
        documents = read_documents(corpus, pages)
        if "speed" in parts:
            print_table(time_ways(documents, slow_pages, rounds, browser), form)
        if "workers" in parts:
            print_table(time_workers(documents, rounds, browser), form)
        if "agreement" in parts:
            print_table(compare_renderers(documents, browser), form)
    except StructceError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
