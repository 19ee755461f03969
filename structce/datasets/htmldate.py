"""The evaluation pages of htmldate: news pages of all the world with their day of publication.

A. Barbaresi (2020). htmldate: a Python package to extract publication dates from web pages.
Journal of Open Source Software 5(51).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from structce.datasets.base import GoldPage, Lost, open_data_set, page_bytes, reader
from structce.datasets.text_formats import BROKEN, day_of, id_of
from structce.errors import CorpusError
from structce.gold import Gold
from structce.io import Folder
from structce.page import site_of

_PARTS = (  # list, folders of pages, encoding: pages of news were stored anew, all in one
    ("tests/eval_mediacloud_2020.json", ("tests/test_set",), "text/html; charset=utf-8"),
    ("tests/eval_default.json", ("tests/cache", "tests/eval"), ""),
)
_FORWARDERS = frozenset({"feedproxy.google.com", "news.google.com", "www.google.com"})
"""Hosts of addresses that led to a page of somebody else's."""


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
def read_htmldate(path: Path) -> Iterator[GoldPage | Lost]:
    """Yield the pages of both evaluations, each in the order of its file names.

    The date is all that is known, and Date all that is covered. A page whose date is not a number
    has none in the data set, which is known. Where the second evaluation's list is not there, as
    most of its pages are in the data set of Trafilatura, the first is given alone.

    Raises
    ------
    CorpusError
        If the layout is not that of the repository.
    """
    folder = open_data_set(path, _PARTS[0][0])
    taken: set[str] = set()
    for name, places, content_type in _PARTS:
        if not (folder / name).exists():
            continue
        try:
            rows = json.loads((folder / name).read_bytes())
            keys = sorted(rows, key=lambda key: (rows[key]["file"], key))
        except (*BROKEN, AttributeError) as error:
            raise CorpusError(f"{path}: {name}: {error}") from error
        for url in keys:
            page = _read_page(folder, places, url, rows[url], id_of(str(rows[url]["file"]), taken))
            yield replace(page, content_type=content_type) if isinstance(page, GoldPage) else page


def _read_page(
    folder: Folder, places: tuple[str, ...], url: str, row: Mapping[str, object], page_id: str
) -> GoldPage | Lost:
    try:
        stated = row["date"]
        if stated is None or (isinstance(stated, float) and math.isnan(stated)):
            return Lost(page_id, "the data set gives no date", is_known=True)
        files = [folder / place / str(row["file"]) for place in places]
        data = page_bytes(next((file for file in files if file.exists()), files[0]))
    except BROKEN as error:
        return Lost(page_id, f"{type(error).__name__}: {error}")
    site = page_id if urlsplit(url).hostname in _FORWARDERS else site_of(url) or page_id
    return GoldPage(page_id, site, site, url, data, _gold(stated))


def _gold(stated: object) -> Gold:
    day = day_of(stated)
    if day is None:
        return Gold(about={"date": str(stated)})
    return Gold(date=day, covers=frozenset({"Date"}))
