"""Older pages of the Fundus test fixtures, from its version history, with their gold then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from structce.datasets.base import GoldPage, PageEntry, open_data_set, page_bytes, read_list, reader
from structce.datasets.fundus import LABELS, family_of, gold_of
from structce.gold import Gold
from structce.io import Folder
from structce.page import site_of

# Sites that the current data set uses for publishers that moved, publish under several names, or
# whose old pages have no address: a split must not separate old and new pages.
_SITES = {"BBC": "bbc.com", "Pravda": "pravda.com.ua", "Taz": "taz.de"}


@reader(
    "fundus-history",
    title="older news pages of publishers of fundus, with the values of the parsers of their time",
    licence="gold: MIT; pages: copyright of their publishers, for research and tests",
    citation="M. Dallabetta, C. Dobberstein, A. Breiding, A. Akbik (2024). Fundus: a simple-to-use "
    "news scraper optimized for high quality extractions. ACL, system demonstrations.",
    gold=("title", "authors", "date", "image", "body", "captions"),
    labels=LABELS,
    home="https://github.com/flairNLP/fundus",
)
def read_fundus_history(path: Path) -> Iterator[PageEntry]:
    """Yield the pages, in the order of their names.

    Sites and families are those of ``fundus``, which contains all the publishers. The parsers only
    gradually learnt to read standfirsts, images and captions, so a label is covered only if the
    page's gold has a value for it.
    """
    folder = open_data_set(path, "gold.json", "pages")
    for name, row in read_list(path, folder, "gold.json"):
        page_id = name.removesuffix(".html.gz").replace("/", "-")
        yield PageEntry(page_id, _read_page, folder, name, page_id, row)


def _read_page(folder: Folder, name: str, page_id: str, row: dict[str, Any]) -> GoldPage:
    data = page_bytes(folder / "pages" / name)
    url, publisher = row.get("url") or "", row["publisher"]
    site = _SITES.get(publisher) or site_of(url) or publisher.lower()
    gold = gold_of(row["gold"])
    covering = replace(gold, covers=_known(gold))
    return GoldPage(page_id, site, family_of(publisher, site), url, data, covering)


def _known(gold: Gold) -> frozenset[str]:
    """Return the labels for which the gold has a value."""
    values = {
        "Author": gold.authors,
        "Caption": gold.captions,
        "Date": gold.date,
        "Multimedia": gold.images,
        "Title": gold.title,
    }
    stated = {name for name, value in values.items() if value}
    return frozenset(stated | {kind for kind, _ in gold.body})
