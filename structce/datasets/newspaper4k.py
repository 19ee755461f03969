"""The test articles of newspaper4k: a few news pages of many scripts."""

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

    The gold is partly what the program gave and its authors let stand: its texts hold captions
    and names of files, its authors an address. So nothing is covered: what stands in the gold is
    on the page, and of the rest nothing is known. A line of the text is a piece of it. The main
    image has the label, the other ones, logos among them, are further values. Of an entry in the
    program's old form, which has no address, the authors are scraps of a byline and none is given.
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
        "images": " ".join(one for one in _texts(values.get("images")) if one != image),
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
    for one in stated if isinstance(stated, list) else ():
        if isinstance(one, str) and one.strip():
            yield one.strip()


def _day(stated: object) -> date | None:
    """Return the moment, or the day where the clock stands at midnight of no zone."""
    moment = parse_day(stated)
    is_day = isinstance(moment, datetime) and moment.timetz() == time()
    return moment.date() if isinstance(moment, datetime) and is_day else moment
