"""Big9: nine news sites, ten pages each of 2005, 2009, 2013 and 2017, with headline and text.

Gold. The first line is the title, the other lines are pieces of the body of the kind ``Text``.

Coverage. The article is complete, so every title, paragraph and subtitle of the page is in the
gold.

The folders are called ``big5``. Pages before 2017 come from a web archive and keep its banner and
scripts; the archive's prefix is removed from the address that a page states. The site is the one of
the nine that the page names most often, which is right on all pages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from structce.datasets.base import (
    GoldPage,
    Lost,
    PageEntry,
    open_data_set,
    page_bytes,
    reader,
    stems,
)
from structce.datasets.text_formats import decode_text, safe_id, stated_url, text_lines
from structce.gold import TEXT, Gold
from structce.io import Folder

_LABELS = ("Paragraph", "Subtitle", "Title")
_FOLDERS = {"2005": "big5-05", "2009": "big5-09", "2013": "big5-13", "2017": "big5-17"}
_ROOT = "Extraction"
_SITES = {
    "arstechnica": "arstechnica.com",
    "bbc": "bbc.co.uk",
    "cnn": "cnn.com",
    "forbes": "forbes.com",
    "foxnews": "foxnews.com",
    "latimes": "latimes.com",
    "nymag": "nymag.com",
    "nypost": "nypost.com",
    "yahoo": "yahoo.com",
}
_HOST = re.compile(
    rf"https?://(?:[\w-]+\.)*?({'|'.join(_SITES)})\.(?:com|co\.uk)".encode(), re.IGNORECASE
)
_ARCHIVE = re.compile(r"https?://[\w.-]*archive\.org/web/\w+/(?=https?://)")
_WRONG = {"2005-amd-2", "2017-trump-4"}  # text and page belong to different articles


@reader(
    "big9",
    title="pages of nine news sites of 2005, 2009, 2013 and 2017 with headline and text",
    licence="gold: for research, with a reference; pages: copyright of their publishers",
    citation="V. Utomo, J.-S. Leu (2019). Subject-assisted extraction: looking at web content "
    "extraction from different side. Unpublished, as the data set names it.",
    gold=("title", "body"),
    labels=_LABELS,
    home="https://github.com/MSVCode/ir-research-data",
    may_train=False,
)
def read_big9(path: Path) -> Iterator[PageEntry]:
    """Yield the pages by year, then by name."""
    expected = [f"{_ROOT}/{name}/{kind}" for name in _FOLDERS.values() for kind in ("html", "gold")]
    root = open_data_set(path, *expected) / _ROOT
    for year, name in _FOLDERS.items():
        folder = root / name
        pages = {file.name.rpartition(".")[0]: file for file in (folder / "html").iterdir()}
        for stem in sorted({*pages, *stems(folder / "gold", ".txt")}):
            page_id = f"{year}-{safe_id(stem)}"
            yield PageEntry(page_id, _read_page, folder, stem, pages.get(stem), page_id)


def _read_page(folder: Folder, stem: str, page: Folder | None, page_id: str) -> GoldPage | Lost:
    if page_id in _WRONG:
        return Lost(page_id, "text and page belong to different articles", is_known=True)
    if page is None:
        return Lost(page_id, f"no page with the name {stem}")
    data = page_bytes(page)
    lines = text_lines(decode_text((folder / "gold" / f"{stem}.txt").read_bytes()))
    if len(lines) < 2:
        return Lost(page_id, f"gold/{stem}.txt has {len(lines)} lines; expected headline and text")
    body = tuple((TEXT, line) for line in lines[1:])
    about = {"year": page_id[:4]}
    gold = Gold(title=lines[0], body=body, about=about, covers=frozenset(_LABELS))
    site = _site(data) or page_id
    return GoldPage(page_id, site, site, _ARCHIVE.sub("", stated_url(data)), data, gold)


def _site(data: bytes) -> str:
    counts = Counter(name.decode().lower() for name in _HOST.findall(data))
    return _SITES[counts.most_common(1)[0][0]] if counts else ""
