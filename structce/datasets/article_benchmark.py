"""The article extraction benchmark of Scrapinghub, now Zyte: news articles and the text of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from structce.datasets.base import (
    UTF8_HTML,
    GoldPage,
    PageEntry,
    open_data_set,
    page_bytes,
    read_list,
    reader,
)
from structce.datasets.text_formats import text_body
from structce.gold import Gold
from structce.io import Folder

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

    Each line of ``articleBody`` is a piece of the text; the page's mark-up shows which lines are
    headings of sections. The text is complete, so Paragraph and Subtitle are covered if there is
    one. Title, byline, date and captions are not in it, and nothing is known of them.
    """
    folder = open_data_set(path, "ground-truth.json", "html")
    for name, row in read_list(path, folder, "ground-truth.json"):
        yield PageEntry(name, _read_page, folder, name, row)


def _read_page(folder: Folder, name: str, row: Mapping[str, str]) -> GoldPage:
    data = page_bytes(folder / "html" / f"{name}.html.gz")
    body = text_body(row["articleBody"])
    gold = Gold(body=body, covers=frozenset(_COVERED if body else ()))
    return GoldPage.of_address(name, row.get("url") or "", data, gold, UTF8_HTML)
