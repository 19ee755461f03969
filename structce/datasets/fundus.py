"""The Fundus test fixtures: news pages with the values of hand-written parsers, and older pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from structce.datasets.base import GoldPage, PageEntry, open_data_set, page_bytes, read_list, reader
from structce.gold import Gold
from structce.io import Folder
from structce.page import site_of

_ROOT = "tests/resources/parser/test_data"

# Publishers that share a page template, as the data set's description lists them.
_FAMILIES = (
    ("CanadaCom", "FinancialPost", "NationalPost", "OttawaCitizen", "TheProvince"),
    ("BSZ", "BerlinerMorgenpost", "HamburgerAbendblatt", "WAZ"),
    ("EuronewsDE", "EuronewsEN", "EuronewsFR"),
    ("DurbanLocal", "Isolezwe", "IsolezweLesiXhosa"),
    ("MDR", "NDR"),
    ("SportSchau", "Tagesschau"),
    ("VogueDE", "Wired"),
    ("ChunichiShimbun", "TokyoShimbun"),
    ("MexicoNewsDaily", "TheNamibian"),
    ("DailyNewsTZ", "HabariLeo"),
    ("DailyStar", "TheMirror"),
    ("FrankfurterRundschau", "Merkur"),
)

LABELS = ("Author", "Caption", "Date", "Multimedia", "Paragraph", "Subtitle", "Title")
"""Labels of the news set that the parsers of Fundus read."""


@reader("fundus")
def read_fundus(path: Path) -> Iterator[PageEntry]:
    """Yield the pages of the fixtures, in the order of their names."""
    folder = open_data_set(path, "gold_map.json", _ROOT)
    for name, row in read_list(path, folder, "gold_map.json"):
        country, file = name.split("/")
        page_id = f"{country}-{file.removesuffix('.html.gz')}"
        yield PageEntry(page_id, _read_page, folder, name, page_id, row)


def _read_page(folder: Folder, name: str, page_id: str, row: dict[str, str]) -> GoldPage:
    country, file = name.split("/")
    publisher = file.removesuffix(".html.gz")[: -len("_YYYY_MM_DD")]
    data = page_bytes(folder / _ROOT / country / file)
    values = json.loads((folder / _ROOT / country / f"{publisher}.json").read_bytes())
    site = site_of(row["url"]) or publisher.lower()
    family = family_of(publisher, site)
    return GoldPage(page_id, site, family, row["url"], data, gold_of(values[row["gold_key"]]))


def family_of(publisher: str, site: str) -> str:
    """Return a publisher's family by its name in Fundus: its site unless it shares a template."""
    return next((group[0] for group in _FAMILIES if publisher in group), site)


def gold_of(values: dict[str, Any]) -> Gold:
    """Return the gold of a page from the values of its parser; every label is covered."""
    body = values.get("body") or {}
    pieces = [("Subtitle", text) for text in body.get("summary") or ()]
    for section in body.get("sections") or ():
        pieces += [("Subtitle", text) for text in section.get("headline") or ()]
        pieces += [("Paragraph", text) for text in section.get("paragraphs") or ()]
    images = values.get("images") or ()
    moment = values.get("publishing_date")
    return Gold(
        title=values.get("title") or None,
        authors=tuple(values.get("authors") or ()),
        date=datetime.fromisoformat(moment) if moment else None,
        body=tuple(piece for piece in pieces if piece[1].strip()),
        captions=tuple(dict.fromkeys(c for image in images if (c := image.get("caption")))),
        images=tuple(addresses for image in images if (addresses := _addresses(image))),
        covers=frozenset(LABELS),
    )


def _addresses(image: dict[str, Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(version["url"] for version in image.get("versions") or ()))


# Sites that the current data set uses for publishers that moved, publish under several names, or
# whose old pages have no address: a split must not separate old and new pages.
_SITES = {"BBC": "bbc.com", "Pravda": "pravda.com.ua", "Taz": "taz.de"}


@reader("fundus-history")
def read_fundus_history(path: Path) -> Iterator[PageEntry]:
    """Yield the pages, in the order of their names.

    Sites and families are those of ``fundus``, which contains all the publishers. The parsers only
    gradually learnt to read standfirsts, images and captions, so a label is covered only if the
    page's gold has a value for it.
    """
    folder = open_data_set(path, "gold.json", "pages")
    for name, row in read_list(path, folder, "gold.json"):
        page_id = name.removesuffix(".html.gz").replace("/", "-")
        yield PageEntry(page_id, _read_old_page, folder, name, page_id, row)


def _read_old_page(folder: Folder, name: str, page_id: str, row: dict[str, Any]) -> GoldPage:
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
