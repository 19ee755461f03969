"""Gold of one's own without code: a table, CSV or JSON Lines, beside the pages that it is of.

A row is a page, and its columns say what is on it; a column that is missing, or a cell that is
empty, says nothing::

    file,url,title,authors,date,text
    ferry.html,https://a.example/ferry,Ferry to stop,Ann Lee; Bo Ek,2026-03-14,"It stops. ..."

``file``, or ``source``, is the page's file, relative to the table. ``authors`` are parted by
semicolons, or a list; ``date`` is ISO 8601, a day or a moment; ``text`` is the main text, a line a
paragraph. ``site`` and ``family`` keep pages together when a corpus is split. What ``structce
label`` wrote is such a table, too, after it was looked through: CSV, or JSON Lines, whose regions
then have the labels of the file.

Regions may be labelled one by one: rows with ``file``, ``xpath`` and ``label``, or a list
``regions`` of objects with ``xpath`` and ``label`` in JSON Lines. Regions that are not named are
background. Labels are those of the news, or of a file ``labels.toml`` beside the table::

    names = ["Name", "Price", "Other"]
    background = "Other"
"""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

from structce.datasets.base import GoldPage, Lost, PageEntry, page_bytes, reader
from structce.datasets.text_formats import (
    collapse_spaces,
    decode_text,
    drop_empty,
    parse_day,
    text_body,
    unique_id,
)
from structce.errors import CorpusError, LabelError
from structce.gold import Gold, GoldMark
from structce.io import Folder, open_folder
from structce.labels import NEWS, LabelSet

_Row = Mapping[str, object]

_TABLES = (".csv", ".jsonl", ".ndjson")
_LABELS = "labels.toml"
_FILE = ("file", "source")
_OWN = ("title", "authors", "date", "text", "regions", "xpath", "label")
_PLACES = ("url", "site", "family", *_FILE)
_MAX_CELL = 10_000_000  # characters; the main text of a book has fewer


@reader(
    "table",
    title="pages of your own with a table of what is on them, CSV or JSON Lines",
    licence="gold and pages: yours",
    citation="none: it is your own data.",
    gold=("title", "authors", "date", "body", "regions"),
    labels=("Author", "Date", "Paragraph", "Subtitle", "Title"),
    home="docs/corpora.md",
    label_set=lambda path: label_set_of_table(path),
)
def read_table(path: Path) -> Iterator[PageEntry | Lost]:
    """Yield the pages of a table: the file itself, or the only one in a folder or zip archive.

    A page whose gold names regions has the labels of these; of other pages the values are looked
    for. With labels of one's own only regions are gold.
    """
    folder, table = _find(path)
    label_set = label_set_of_table(path)
    taken: set[str] = set()
    for file, rows in _pages(table).items():
        page_id = unique_id(file, taken)
        if any(row.get("error") for row in rows):
            yield Lost(page_id, f"{file}: {rows[0]['error']}", is_known=True)
        else:
            yield PageEntry(page_id, _read_page, folder, file, rows, page_id, label_set)


def label_set_of_table(path: Path) -> LabelSet:
    """Return the labels that a table's pages may have: of ``labels.toml`` beside it, or the news.

    Raises
    ------
    CorpusError
        If the file is there and has another form.
    """
    file = _find(path)[0] / _LABELS
    if not file.exists():
        return NEWS
    try:
        found = tomllib.loads(file.read_text("utf-8"))
        names, background = found.pop("names"), found.pop("background")
        if found or not all(isinstance(one, str) for one in (background, *names)):
            raise ValueError("expected names, a list, and background, one of them, and no more")
        return LabelSet(tuple(names), background)
    except (KeyError, TypeError, ValueError, LabelError) as error:
        raise CorpusError(f"{path}: {_LABELS}: {error}") from error


def _find(path: Path) -> tuple[Folder, Folder]:
    """Return the folder that files are relative to, and the table."""
    if path.suffix.lower() in _TABLES:
        return path.parent, path
    try:
        folder = open_folder(path)
    except OSError as error:
        raise CorpusError(str(error)) from error
    tables = [one for one in folder.iterdir() if one.name.lower().endswith(_TABLES)]
    if len(tables) != 1:
        names = ", ".join(sorted(one.name for one in tables))
        if not tables:
            raise CorpusError(f"{path}: gold.csv is not here; expected it, or {', '.join(_TABLES)}")
        raise CorpusError(
            f"{path}: expected one table ({', '.join(_TABLES)}), found {names}; name the file"
        )
    return folder, tables[0]


def _pages(table: Folder) -> dict[str, list[_Row]]:
    """Return the rows of each page, in the order of their first ones."""
    pages: dict[str, list[_Row]] = {}
    for number, row in enumerate(_rows(table), start=1):
        file = next((str(row[name]) for name in _FILE if row.get(name)), "")
        if not file:
            raise CorpusError(f"{table.name}: row {number}: no file; expected a column 'file'")
        pages.setdefault(file, []).append(row)
    return pages


def _rows(table: Folder) -> Iterator[_Row]:
    try:
        text = decode_text(table.read_bytes())
    except OSError as error:
        raise CorpusError(f"{table.name}: {error.strerror}") from error
    if table.name.lower().endswith(".csv"):
        csv.field_size_limit(_MAX_CELL)
        found = csv.DictReader(io.StringIO(text, newline=""))
        columns = found.fieldnames or []
        if not {*_FILE} & {*columns}:
            told = ", ".join(columns) or "nothing"
            raise CorpusError(f"{table.name}: expected a column 'file', found {told}")
        yield from found
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                row = json.loads(line)
            except ValueError as error:
                raise CorpusError(f"{table.name}: line {number}: {error}") from error
            if not isinstance(row, dict):
                raise CorpusError(f"{table.name}: line {number}: expected an object")
            yield row


def _read_page(
    folder: Folder, file: str, rows: list[_Row], page_id: str, label_set: LabelSet
) -> GoldPage:
    path = Path(file)
    source = folder / file if not path.is_absolute() or not isinstance(folder, Path) else path
    first = rows[0]
    gold, marks = _gold(first), tuple(_marks(rows, label_set))
    if label_set != NEWS:  # values of the news would get labels that the set has not
        gold = Gold(about=gold.about)
    if marks or label_set != NEWS:
        gold = replace(gold, marks=marks, rest=label_set.background)
    url = _text(first, "url")
    page = GoldPage.of_address(page_id, url, page_bytes(source), gold, site=_text(first, "site"))
    site = _text(first, "site") or page.site
    return replace(page, site=site, family=_text(first, "family") or site)


def _gold(row: _Row) -> Gold:
    about = {
        name: collapse_spaces(value)
        for name, value in row.items()
        if isinstance(name, str) and name not in (*_OWN, *_PLACES) and isinstance(value, str)
    }
    return Gold(
        title=_text(row, "title") or None,
        authors=_authors(row.get("authors")),
        date=_day(_text(row, "date")),
        body=text_body(str(row.get("text") or "")),
        about=drop_empty(about),
    )


def _text(row: _Row, name: str) -> str:
    """Return a value on one line; of an object that a label was read into, its ``value``."""
    value = row.get(name)
    return collapse_spaces(value.get("value") if isinstance(value, dict) else value)


def _authors(stated: object) -> tuple[str, ...]:
    if isinstance(stated, list):
        names = [_text({"name": one}, "name") for one in stated]
    else:
        names = [collapse_spaces(one) for one in str(stated or "").split(";")]
    return tuple(name for name in names if name)


def _day(stated: str) -> date | None:
    if stated and parse_day(stated) is None:
        raise ValueError(f"date: {stated!r}; expected ISO 8601, such as 2026-03-14")
    return parse_day(stated)


def _marks(rows: list[_Row], label_set: LabelSet) -> Iterator[GoldMark]:
    """Yield the regions that are labelled one by one."""
    for row in rows:
        listed = row.get("regions")
        for one in (*(listed if isinstance(listed, list) else ()), row):
            if isinstance(one, dict) and one.get("xpath") and one.get("label"):
                label = str(one["label"])
                label_set.check(label)
                yield GoldMark(label, str(one["xpath"]), label)
