"""The Fundus test fixtures: news pages with the values of hand-written parsers, and older pages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from structce.corpus import read_json
from structce.datasets.base import GoldPage, PageEntry, Row, listed_pages, page_bytes, reader
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


def _page_id(name: str, row: Row) -> str:
    return name.removesuffix(".html.gz").replace("/", "-")


@reader("fundus")
def read_fundus(path: Path) -> Iterator[PageEntry]:
    """Yield the pages of the fixtures, in the order of their names; every label is covered."""
    return listed_pages(path, "gold_map.json", _ROOT, read=_read_page, page_id=_page_id)


def _read_page(folder: Folder, page_id: str, name: str, row: Row) -> GoldPage:
    country, file = name.split("/")
    publisher = file.removesuffix(".html.gz")[: -len("_YYYY_MM_DD")]
    data = page_bytes(folder / _ROOT / country / file)
    values = read_json(folder / _ROOT / country / f"{publisher}.json", dict[str, dict[str, Any]])
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
    addresses = [[version["url"] for version in image.get("versions") or ()] for image in images]
    moment = values.get("publishing_date")
    return Gold(
        title=values.get("title") or None,
        authors=tuple(values.get("authors") or ()),
        date=datetime.fromisoformat(moment) if moment else None,
        body=tuple(piece for piece in pieces if piece[1].strip()),
        captions=tuple(dict.fromkeys(c for image in images if (c := image.get("caption")))),
        images=tuple(tuple(dict.fromkeys(urls)) for urls in addresses if urls),
        covers=frozenset(LABELS),
    )


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
    return listed_pages(path, "gold.json", "pages", read=_read_old_page, page_id=_page_id)


def _read_old_page(folder: Folder, page_id: str, name: str, row: Row) -> GoldPage:
    data = page_bytes(folder / "pages" / name)
    url, publisher = row.get("url") or "", row["publisher"]
    site = _SITES.get(publisher) or site_of(url) or publisher.lower()
    gold = gold_of(row["gold"])
    values = {
        "Author": gold.authors,
        "Caption": gold.captions,
        "Date": gold.date,
        "Multimedia": gold.images,
        "Title": gold.title,
    }
    covers = {name for name, value in values.items() if value} | {kind for kind, _ in gold.body}
    gold = replace(gold, covers=frozenset(covers))
    return GoldPage(page_id, site, family_of(publisher, site), url, data, gold)
