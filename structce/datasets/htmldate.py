"""The evaluation pages of htmldate: news pages from all over the world with publication dates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from structce.datasets.base import (
    UTF8_HTML,
    GoldPage,
    Lost,
    PageEntry,
    open_data_set,
    page_bytes,
    read_list,
    reader,
)
from structce.datasets.text_formats import parse_day, rows_by_file, unique_id
from structce.gold import Gold
from structce.io import Folder
from structce.page import site_of

_PARTS = (  # list, folders of pages, encoding: news pages were saved again, all in one encoding
    ("tests/eval_mediacloud_2020.json", ("tests/test_set",), UTF8_HTML),
    ("tests/eval_default.json", ("tests/cache", "tests/eval"), ""),
)
_FORWARDERS = frozenset({"feedproxy.google.com", "news.google.com", "www.google.com"})
"""Hosts whose addresses redirected to a page of another site."""


@reader(
    "htmldate",
    title="news pages of 2020 from all over the world with their day of publication",
    licence="gold: Apache-2.0; pages: copyright of their publishers, for research and tests",
    citation="A. Barbaresi (2020). htmldate: a Python package to extract publication dates from "
    "web pages. Journal of Open Source Software 5(51).",
    gold=("date",),
    labels=("Date",),
    home="https://github.com/adbar/htmldate",
)
def read_htmldate(path: Path) -> Iterator[PageEntry]:
    """Yield the pages of both evaluations, each in the order of its file names.

    Only the date is known, and only Date is covered. A page whose date is NaN has none in the data
    set itself. The second evaluation may be missing, since most of its pages are in the data set of
    Trafilatura; then only the first is read.
    """
    folder = open_data_set(path, _PARTS[0][0])
    taken: set[str] = set()
    for name, places, content_type in _PARTS:
        if not (folder / name).exists():
            continue
        folders = [folder / place for place in places]
        for url, row in read_list(path, folder, name, rows_by_file):
            page_id = unique_id(str(row["file"]), taken)
            yield PageEntry(page_id, _read_page, folders, url, row, page_id, content_type)


def _read_page(
    folders: Sequence[Folder], url: str, row: Mapping[str, object], page_id: str, content_type: str
) -> GoldPage | Lost:
    stated = row["date"]
    if stated is None or (isinstance(stated, float) and math.isnan(stated)):
        return Lost(page_id, "the data set gives no date", is_known=True)
    data = page_bytes(*(folder / str(row["file"]) for folder in folders))
    site = page_id if urlsplit(url).hostname in _FORWARDERS else site_of(url) or page_id
    return GoldPage(page_id, site, site, url, data, _gold(stated), content_type)


def _gold(stated: object) -> Gold:
    day = parse_day(stated)
    if day is None:
        return Gold(about={"date": str(stated)})
    return Gold(date=day, covers=frozenset({"Date"}))
