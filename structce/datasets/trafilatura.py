"""The evaluation pages of Trafilatura: segments of the text by hand, and values around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from structce.datasets.base import GoldPage, PageEntry, open_data_set, page_bytes, read_list, reader
from structce.datasets.text_formats import (
    collapse_spaces,
    drop_empty,
    parse_day,
    parse_names,
    parse_texts,
    rows_by_file,
    stated_labels,
    unique_id,
)
from structce.gold import Gold
from structce.io import Folder
from structce.page import site_of

_FOLDERS = ("tests/cache", "tests/eval")
_OTHERS = ("description", "tags", "categories", "sitename")

_SNAPSHOT = re.compile(r"https?://web\.archive\.org/web/\d+[a-z_]*/")
_SAVED = "hard::"  # prefix of the key of a page that is no longer on the web
_HOST_ENDS = re.compile(r"[.-]|$")


@reader(
    "trafilatura",
    title="pages of nearly a thousand sites, most of them German: title, authors, date, segments",
    licence="gold: Apache-2.0; pages: copyright of their publishers, for research and tests",
    citation="A. Barbaresi (2021). Trafilatura: a web scraping library and command-line tool for "
    "text discovery and extraction. ACL, system demonstrations.",
    gold=("title", "authors", "date", "segments", "values"),
    labels=("Author", "Date", "Paragraph", "Subtitle", "Title"),
    home="https://github.com/adbar/trafilatura",
)
def read_trafilatura(path: Path) -> Iterator[PageEntry]:
    """Yield the pages of the evaluation, in the order of their file names.

    ``with`` and ``without`` are segments that are part of the main text, and segments that are not:
    menus and comments, but also headlines, bylines and captions. The complete text is not given, so
    neither Paragraph nor Subtitle is covered; Title, Author and Date are covered if there is a
    value, since an empty one is unknown. Comments and further values have no label. A page without
    an address (``hard::``) takes its site from its file name; one from a web archive has the site
    of its publisher.
    """
    folder = open_data_set(path, "tests/evaldata.json")
    taken: set[str] = set()
    for key, row in read_list(path, folder, "tests/evaldata.json", rows_by_file):
        page_id = unique_id(str(row["file"]), taken)
        yield PageEntry(page_id, _read_page, folder, key, row, page_id)


def _read_page(folder: Folder, key: str, row: Mapping[str, object], page_id: str) -> GoldPage:
    data = page_bytes(*(folder / place / str(row["file"]) for place in _FOLDERS))
    url = "" if key.startswith(_SAVED) else _SNAPSHOT.sub("", key)
    url = url if not url or "://" in url else f"http://{url}"
    site = _site_in(key.removeprefix(_SAVED))
    return GoldPage.of_address(page_id, url, data, _gold(row), site=site)


def _site_in(name: str) -> str:
    """Return the longest registrable domain that a name begins with, or an empty string."""
    heads = [name[: match.start()] for match in _HOST_ENDS.finditer(name)]
    # The site of a subdomain is the name itself only if the name is a registrable domain.
    return next((head for head in reversed(heads) if site_of(f"http://a.{head}") == head), "")


def _gold(row: Mapping[str, object]) -> Gold:
    title = collapse_spaces(row.get("title"))
    authors, day = parse_names(row.get("author"), "de"), parse_day(row.get("date"))
    others = {name: parse_texts(row.get(name)) for name in _OTHERS}
    others["comment"] = parse_texts(row.get("comments"))
    about = {
        "license": str(row.get("license") or ""),
        "author": "" if authors else str(row.get("author") or ""),
        "date": "" if day else str(row.get("date") or ""),
    }
    return Gold(
        title=title or None,
        authors=authors,
        date=day,
        must=parse_texts(row["with"]),
        must_not=parse_texts(row["without"]),
        others=drop_empty(others),
        about=drop_empty(about),
        covers=stated_labels(title=title, authors=authors, date=day),
    )
