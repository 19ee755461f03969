"""Articles, blogs and forum pages in Chinese with text, authors and day, copied by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path

import webencodings

from structce.datasets.base import (
    UTF8_HTML,
    GoldPage,
    PageEntry,
    open_data_set,
    page_bytes,
    read_list,
    reader,
)
from structce.datasets.cleaneval import unwrap_page
from structce.datasets.text_formats import (
    drop_empty,
    parse_day,
    parse_texts,
    stated_labels,
    text_body,
)
from structce.gold import Gold
from structce.io import Folder
from structce.page import site_of

_LABELS = ("Author", "Date", "Paragraph", "Subtitle")
_ONE_DIGIT = re.compile(r"(?<!\d)\d(?!\d)")


@reader(
    "chinese-articles",
    title="articles, blogs and forum pages in Chinese with text, authors and day, copied by hand",
    licence="gold: MIT; pages: copyright of their publishers, for research and tests",
    citation="immortal-autumn (2022). Chinese web content extraction dataset. Data set.",
    gold=("authors", "date", "body"),
    labels=_LABELS,
    home="https://github.com/immortal-autumn/Chinese-Web-Content-Extraction-Dataset",
)
def read_chinese_articles(path: Path) -> Iterator[PageEntry]:
    """Yield the pages, in the order of their names.

    Each line of the text is a piece. The text is complete, so Paragraph and Subtitle are covered
    if there is one, Author and Date if a value is given; an empty value was unknown to the
    annotators. They copied no title. Many pages have the wrapper of CleanEval, which states address
    and encoding; the site is the data set's own guess, and the family the site of the address.
    """
    folder = open_data_set(path, "gold.json", "html")
    for name, row in read_list(path, folder, "gold.json"):
        yield PageEntry(name, _read_page, folder, name, row)


def _read_page(folder: Folder, name: str, row: Mapping[str, object]) -> GoldPage:
    data, url, content_type = unwrap_page(page_bytes(folder / "html" / f"{name}.html"))
    if content_type:
        data, content_type = _in_utf8(data, content_type.rpartition("=")[2]), UTF8_HTML
    site = str(row.get("site") or "") or site_of(url) or name
    return GoldPage(name, site, site_of(url) or site, url, data, _gold(row), content_type)


def _in_utf8(data: bytes, encoding: str) -> bytes:
    """Return a page in UTF-8; broken characters are replaced, not taken as another encoding.

    Some pages in two-byte encodings were cut in the middle of a character in places.
    """
    text: str = webencodings.decode(data, encoding)[0]
    return text.encode()


def _gold(row: Mapping[str, object]) -> Gold:
    authors, day = _authors(row.get("authors")), _moment(str(row.get("date") or ""))
    body = text_body(str(row.get("body") or ""))
    about = {"date": "" if day else str(row.get("date") or "")}
    return Gold(
        authors=authors,
        date=day,
        body=body,
        about=drop_empty(about),
        covers=stated_labels(authors=authors, date=day, body=body),
    )


def _authors(stated: object) -> tuple[str, ...]:
    """Return the names; the data set's list is split at every space, even in parentheses."""
    names: list[str] = []
    n_open = 0
    for part in parse_texts(stated or []):
        if names and (n_open > 0 or part.startswith("(")):
            names[-1] += f" {part}"
        else:
            names.append(part)
        n_open += part.count("(") - part.count(")")
    return tuple(names)


def _moment(text: str) -> date | None:
    """Return the moment, or the day if there is no time of day; None for a month or a year."""
    return parse_day(_ONE_DIGIT.sub(lambda digit: f"0{digit[0]}", text))
