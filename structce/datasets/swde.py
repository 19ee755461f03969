"""SWDE: pages of many sites on eight subjects, with the values of a few attributes.

Gold. Each attribute's values are further values under the attribute's name, such as ``title``,
``author`` and ``isbn_13`` of books, with character references decoded. They are not news: the title
of a book is not the page's headline, so no label is covered, and no region is background.
``<NULL>`` is not a value.

Each page begins with a byte order mark and ``<base href="URL"/>``, inserted by the collectors. The
mark states the right encoding, UTF-8, whatever the page declares. The element states the address
and is removed, since before the doctype it puts browsers in quirks mode.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path

from structce.datasets.base import GoldPage, PageEntry, Skipped, open_data_set, page_bytes, reader
from structce.datasets.text_formats import files_of
from structce.gold import Gold
from structce.io import Folder

_TRUTH = "groundtruth"
_SITE_FOLDER = re.compile(r"(\w+)-(\w+)\(\d+\)")
_BASE = re.compile(rb'(\xef\xbb\xbf)?\s*<base href="([^"]*)"\s*/>\s*')

_Values = Mapping[str, tuple[str, ...]]
"""Values of one attribute by page."""


@reader("swde")
def read_swde(path: Path) -> Iterator[PageEntry | Skipped]:
    """Yield the existing pages by subject, site and number.

    The layout is ``SUBJECT/SUBJECT-SITE(N)/NNNN.htm`` and
    ``groundtruth/SUBJECT/SUBJECT-SITE-ATTRIBUTE.txt``; rows of missing pages are ignored.
    """
    root = open_data_set(path, _TRUTH)
    for truth in files_of(root / _TRUTH):
        for site in files_of(root / truth.name) if (root / truth.name).exists() else ():
            if match := _SITE_FOLDER.fullmatch(site.name):
                yield from _read_site(truth, site, f"{match[1]}-{match[2]}")


def _read_site(truth: Folder, site: Folder, name: str) -> Iterator[PageEntry | Skipped]:
    attributes: dict[str, _Values] = {}
    reason = ""
    try:
        for file in files_of(truth):
            if file.name.startswith(f"{name}-"):
                attribute = file.name.removeprefix(f"{name}-").removesuffix(".txt")
                attributes[attribute] = _read_rows(file.read_bytes().decode("utf-8-sig"), file.name)
        reason = "" if attributes else f"no values: {_TRUTH} has no {name}-ATTRIBUTE.txt"
    except (OSError, ValueError, IndexError) as error:
        reason = f"{type(error).__name__}: {error}"
    for file in files_of(site):
        number = file.name.removesuffix(".htm")
        page_id = f"{name}-{number}"
        entry = PageEntry(page_id, _read_page, file, page_id, number, attributes)
        yield Skipped(page_id, reason) if reason else entry


def _read_rows(text: str, file: str) -> _Values:
    """Return the rows after the two header lines: number of the page, count, values."""
    rows: dict[str, tuple[str, ...]] = {}
    for line in text.replace("\r\n", "\n").rstrip("\n").split("\n")[2:]:
        number, count, *values = line.split("\t")
        values = [unescape(value).strip() for value in values if value != "<NULL>"]
        if len(values) != int(count):
            raise ValueError(f"{file}: page {number}: {len(values)} values; expected {count}")
        rows[number] = tuple(dict.fromkeys(value for value in values if value))
    return rows


def _read_page(
    file: Folder, page_id: str, number: str, attributes: Mapping[str, _Values]
) -> GoldPage:
    data, url = page_bytes(file), ""
    if base := _BASE.match(data):
        url = unescape(base.group(2).decode("utf-8", errors="replace"))
        data = (base.group(1) or b"") + data[base.end() :]
    if lacking := [name for name, rows in attributes.items() if number not in rows]:
        raise ValueError(f"{_TRUTH}: no row of page {number} for {', '.join(lacking)}")
    values = {name: rows[number] for name, rows in attributes.items() if rows[number]}
    site = page_id.rpartition("-")[0]
    return GoldPage.of_address(page_id, url, data, Gold(others=values), site=site)
