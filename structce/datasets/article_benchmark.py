"""The article extraction benchmark of Scrapinghub, now Zyte: news articles and the text of each.

Scrapinghub (2020). Article extraction benchmark: open-source libraries and commercial services.
Technical report.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from structce.datasets.base import (
    UTF8_HTML,
    GoldPage,
    PageEntry,
    index_errors,
    open_data_set,
    page_bytes,
    reader,
)
from structce.datasets.text_formats import text_body
from structce.gold import Gold
from structce.io import Folder
from structce.page import site_of

_COVERED = ("Paragraph", "Subtitle")


@reader(
    "article-extraction-benchmark",
    title="news and blog articles as a browser showed them, with their whole text, made by hand",
    licence="gold: MIT; pages: copyright of their publishers, for research and tests",
    citation="Scrapinghub (2020). Article extraction benchmark: open-source libraries and "
    "commercial services. Technical report.",
    gold=("body",),
    labels=_COVERED,
    home="https://github.com/scrapinghub/article-extraction-benchmark",
)
def read_article_benchmark(path: Path) -> Iterator[PageEntry]:
    """Yield the pages of the benchmark, in the order of their names.

    A line of ``articleBody`` is a piece of the text; which are headlines of sections, the page's
    mark-up tells. The text is whole, so Paragraph and Subtitle are covered where there is one. It
    is without title, byline, date and captions, of which nothing is known.
    """
    folder = open_data_set(path, "ground-truth.json", "html")
    with index_errors(path, "ground-truth.json"):
        rows = json.loads((folder / "ground-truth.json").read_bytes())
        names = sorted(rows)
    for name in names:
        yield PageEntry(name, partial(_read_page, folder, name, rows[name]))


def _read_page(folder: Folder, name: str, row: Mapping[str, str]) -> GoldPage:
    data = page_bytes(folder / "html" / f"{name}.html.gz")
    body = text_body(row["articleBody"])
    gold = Gold(body=body, covers=frozenset(_COVERED if body else ()))
    url = row.get("url") or ""
    site = site_of(url) or name
    return GoldPage(name, site, site, url, data, gold, UTF8_HTML)
