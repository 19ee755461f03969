"""Layout shared by several data sets: gold in ``gold.jsonl``, pages in a folder ``pages``.

Each line of ``gold.jsonl`` is an object that describes one page; ``docs/corpora.md`` has its keys.
A missing key states nothing; other keys with texts, as ``page_type``, are facts about the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec

from structce.datasets.base import GoldPage, PageEntry, Row, open_data_set, page_bytes, reader
from structce.datasets.text_formats import (
    annotated_lines,
    annotated_segments,
    collapse_spaces,
    json_objects,
    one_line,
    parse_day,
    safe_id,
    stated_gold,
)
from structce.errors import CorpusError
from structce.gold import TEXT, TEXT_LABELS, GoldPost
from structce.io import Folder
from structce.page import site_of

_LIST, _PAGES = "gold.jsonl", "pages"
_HEADLINE = "h1"  # value of title_in: the title is the page's headline, not a name on a card


class GoldRow(msgspec.Struct, rename={"must": "with", "must_not": "without"}):
    """One line of the list: the gold of a page under the keys of the layout."""

    id: Annotated[str, msgspec.Meta(min_length=1)]
    file: str = ""
    url: str = ""
    site: str = ""
    family: str = ""
    encoding: str = ""
    title: str = ""
    title_in: str = _HEADLINE
    authors: tuple[str, ...] | None = None
    date: str = ""
    body: str = ""
    captions: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    ingredients: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    posts: tuple[dict[str, str], ...] = ()


_KEYS = frozenset(GoldRow.__struct_encode_fields__) - {"title_in"}


def list_pages(
    path: Path, *, looked_for_authors: bool = False, text_labels: tuple[str, ...] = TEXT_LABELS
) -> Iterator[PageEntry]:
    """Yield the pages of a folder or zip archive in this layout, in the order of the list.

    ``looked_for_authors`` states that a page without authors names none. ``text_labels`` are the
    labels that a piece of the text may have, see :attr:`structce.gold.Gold.text_labels`. Raises
    CorpusError if the list or the folder of pages is missing, a line of the list is not an object
    with an id, or two lines have the same id.
    """
    folder = open_data_set(path, _LIST, _PAGES)
    seen: set[str] = set()
    rows = json_objects((folder / _LIST).read_bytes().splitlines(), f"{path}: {_LIST}")
    for number, (_, row) in enumerate(rows, start=1):
        page_id = safe_id(str(row.get("id") or ""))
        if not page_id or page_id in seen:
            problem = f"the id {row.get('id')!r} occurs twice" if page_id else "no id"
            raise CorpusError(f"{path}: {_LIST}: page {number}: {problem}; expected a unique id")
        seen.add(page_id)
        yield PageEntry(page_id, _read_page, folder, page_id, row, looked_for_authors, text_labels)


for _name in ("gold-pages", "waddle", "recipes"):
    reader(_name)(list_pages)
for _name in ("wcxb-more", "misinformation-crawler"):
    reader(_name)(partial(list_pages, looked_for_authors=True))
reader("forums")(partial(list_pages, text_labels=("Paragraph", "Subtitle")))


def _read_page(
    folder: Folder, page_id: str, row: Row, looked_for_authors: bool, text_labels: tuple[str, ...]
) -> GoldPage:
    try:
        entry = msgspec.convert({k: v for k, v in row.items() if v is not None}, GoldRow)
    except msgspec.ValidationError as error:
        reason, _, key = str(error).partition(" - at `$.")
        raise ValueError(f"{_LIST}: {key.rstrip('`')}: {reason}") from error
    facts = {
        name: collapse_spaces(", ".join(map(str, value)) if isinstance(value, list) else value)
        for name, value in row.items()
        if name not in _KEYS and isinstance(value, str | list)
    }
    if entry.authors is None and not looked_for_authors:
        facts["silent_on"] = "authors"
    title, is_headline = one_line(entry.title), entry.title_in == _HEADLINE
    gold = stated_gold(
        title=title if is_headline else "",
        authors=tuple(filter(None, map(one_line, entry.authors or ()))),
        date=entry.date,
        body=tuple((TEXT, line) for line in annotated_lines(entry.body)),
        about=facts,
        text_labels=text_labels,
        captions=tuple(map(one_line, entry.captions)),
        must=annotated_segments(entry.must + entry.ingredients + entry.steps),
        must_not=annotated_segments(entry.must_not),
        others={} if is_headline or not title else {"name": (title,)},
        posts=tuple(map(_post, entry.posts)),
    )
    if "date_shown" in gold.about:
        gold = replace(gold, covers=gold.covers - {"Date"})
    data = page_bytes(folder / (entry.file or f"{_PAGES}/{entry.id}.html"))
    content_type = f"text/html; charset={entry.encoding}" if entry.encoding else ""
    host = site_of(entry.url)
    site = entry.site or host or page_id
    return GoldPage(
        page_id, site, entry.family or host or site, entry.url, data, gold, content_type
    )


def _post(values: Mapping[str, str]) -> GoldPost:
    day = parse_day(values.get("date"))
    moment = day.isoformat() if day else ""
    return GoldPost(one_line(values.get("text", "")), one_line(values.get("author", "")), moment)
