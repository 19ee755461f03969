"""The Fundus test fixtures: news pages with the values that hand-written parsers read.

M. Dallabetta, C. Dobberstein, A. Breiding, A. Akbik (2024). Fundus: a simple-to-use news scraper
optimized for high quality extractions. ACL, system demonstrations.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import tldextract

from structce.corpora.gold import Gold
from structce.errors import CorpusError
from structce.files import Folder, open_folder

NAME = "fundus"
LICENCE = "gold: MIT; pages: copyright of their publishers, for research and tests"

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


@dataclass(frozen=True)
class GoldPage:
    """One page of a data set as it is published: bytes, address and gold values."""

    id: str
    site: str
    family: str
    url: str
    data: bytes
    gold: Gold


def read_fundus(path: Path) -> Iterator[GoldPage]:
    """Yield the pages of the fixtures in a folder or zip archive, in the order of their names.

    Raises
    ------
    CorpusError
        If the layout is not that of the fixtures, or a page has no gold.
    """
    try:
        folder = open_folder(path)
        versions = json.loads((folder / "gold_map.json").read_bytes())
    except (OSError, ValueError) as error:
        raise CorpusError(
            f"{path}: no Fundus fixtures here ({error}); expected gold_map.json and {_ROOT}/"
        ) from error
    extract = tldextract.TLDExtract(suffix_list_urls=())
    for name in sorted(versions):
        yield _read_page(folder, name, versions[name], extract)


def _read_page(
    folder: Folder, name: str, row: dict[str, Any], extract: tldextract.TLDExtract
) -> GoldPage:
    country, file = name.split("/")
    page_id = file.removesuffix(".html.gz")
    publisher = page_id[: -len("_YYYY_MM_DD")]
    try:
        data = gzip.decompress((folder / _ROOT / country / file).read_bytes())
        values = json.loads((folder / _ROOT / country / f"{publisher}.json").read_bytes())
        gold = _gold(values[row["gold_key"]])
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise CorpusError(f"{name}: {type(error).__name__}: {error}") from error
    site = extract(row["url"]).top_domain_under_public_suffix or publisher.lower()
    return GoldPage(f"{country}-{page_id}", site, _family(publisher, site), row["url"], data, gold)


def _family(publisher: str, site: str) -> str:
    return next((group[0] for group in _FAMILIES if publisher in group), site)


def _gold(values: dict[str, Any]) -> Gold:
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
    )


def _addresses(image: dict[str, Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(version["url"] for version in image.get("versions") or ()))
