"""The test articles of newspaper4k: a few news pages in many scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from pathlib import Path

from structce.datasets.base import GoldPage, PageEntry, open_data_set, page_bytes, reader, stems
from structce.datasets.text_formats import (
    collapse_spaces,
    drop_empty,
    parse_day,
    parse_names,
    text_body,
    unique_id,
)
from structce.gold import Gold
from structce.io import Folder
from structce.page import site_of

_ROOT = "tests/data"
_HOST = re.compile(r"[\w-]+(\.[\w-]+)+")


@reader(
    "newspaper4k",
    title="a few news pages of many scripts with the values that newspaper4k's tests expect",
    licence="gold: MIT and Apache-2.0; pages: copyright of their publishers, for research and "
    "tests",
    citation="A. Paraschiv (2023). newspaper4k: article scraping and curation. Software.",
    gold=("title", "authors", "date", "image", "body", "values"),
    labels=("Author", "Date", "Multimedia", "Paragraph", "Subtitle", "Title"),
    home="https://github.com/AndyTheFactory/newspaper4k",
)
def read_newspaper4k(path: Path) -> Iterator[PageEntry]:
    """Yield the pages that have a file of values, in the order of their names.

    The gold is partly output of the program that its authors accepted: its texts contain captions
    and file names, its authors an address. So nothing is covered: gold values are on the page, but
    nothing is known of the rest. Each line of the text is a piece. The main image has a label, the
    others, which include logos, are further values. In entries of the program's old format, which
    have no address, the authors are fragments of a byline and are left out.
    """
    folder = open_data_set(path, f"{_ROOT}/metadata", f"{_ROOT}/html")
    taken: set[str] = set()
    for name in sorted(stems(folder / _ROOT / "metadata", ".json")):
        page_id = unique_id(name, taken)
        yield PageEntry(page_id, _read_page, folder / _ROOT, name, page_id)


def _read_page(folder: Folder, name: str, page_id: str) -> GoldPage:
    values = json.loads((folder / "metadata" / f"{name}.json").read_bytes())
    data = page_bytes(folder / "html" / f"{name}.html")
    file = folder / "txt" / f"{name}.txt"
    text = file.read_bytes().decode("utf-8") if file.exists() else values.get("text") or ""
    url = values.get("url") or ""
    host = values.get("meta_site_name") or ""
    site = site_of(f"http://{host}") if _HOST.fullmatch(host) else ""
    return GoldPage.of_address(page_id, url, data, _gold(values, text), site=site)


def _gold(values: Mapping[str, object], text: str) -> Gold:
    title = collapse_spaces(values.get("title"))
    stated = tuple(_texts(values.get("authors")))
    authors = parse_names(list(stated), "en") if values.get("url") else ()
    image = str(values.get("top_image") or "")
    day = _day(values.get("publish_date"))
    others = {
        "description": tuple(_texts([values.get("meta_description")])),
        "sitename": tuple(_texts([values.get("meta_site_name")])),
    }
    about = {
        "author": "" if authors else "; ".join(stated),
        "date": "" if day else str(values.get("publish_date") or ""),
        "images": " ".join(address for address in _texts(values.get("images")) if address != image),
    }
    return Gold(
        title=title or None,
        authors=authors,
        date=day,
        body=text_body(text),
        images=((image,),) if image else (),
        others=drop_empty(others),
        about=drop_empty(about),
    )


def _texts(stated: object) -> Iterator[str]:
    for value in stated if isinstance(stated, list) else ():
        if isinstance(value, str) and value.strip():
            yield value.strip()


def _day(stated: object) -> date | None:
    """Return the moment, or only the day if the time is midnight without a time zone."""
    moment = parse_day(stated)
    is_day = isinstance(moment, datetime) and moment.timetz() == time()
    return moment.date() if isinstance(moment, datetime) and is_day else moment
