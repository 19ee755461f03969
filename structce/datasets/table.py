"""Gold tables: CSV or JSON Lines beside the pages that they describe, read without any code.

Each row describes one page; ``docs/corpora.md`` has the columns. A missing column or an empty cell
leaves a field open; ``-`` states that the page does not have it. The output of ``structce label``,
once reviewed, is also such a table. Single regions are labelled by rows with ``file``, ``xpath``
and ``label`` or, in JSON Lines, by a list ``regions`` of such objects; regions that are not listed
are background. The labels are those of news pages unless ``labels.toml`` beside the table names
others.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

import msgspec

from structce.datasets.base import (
    GoldPage,
    PageEntry,
    Skipped,
    files_around,
    open_data_set,
    page_bytes,
    reader,
)
from structce.datasets.text_formats import (
    collapse_spaces,
    decode_text,
    drop_empty,
    json_objects,
    parse_day,
    text_body,
    unique_id,
)
from structce.errors import CorpusError, LabelError
from structce.gold import Gold, GoldMark
from structce.io import Folder
from structce.labels import NEWS, LabelSet
from structce.language import find_dates, language_code
from structce.page import site_of
from structce.rendering import Resources

_Row = Mapping[str, object]

_TABLES = (".csv", ".jsonl", ".ndjson")
_LABELS = "labels.toml"
_FILE = ("file", "source")
_GOLD = ("title", "authors", "date", "text", "regions", "xpath", "label")
_KNOWN = (*_GOLD, "url", "site", "family", *_FILE)
_MAX_CELL = 10_000_000  # characters; the main text of a book has fewer
_NONE = "-"  # a cell that states that the page has no such value
_ABSENT = {"title": "Title", "authors": "Author", "date": "Date"}  # columns in which it may occur
_SIMILAR = 0.8  # similarity from which a column counts as misspelt: "autor", "titel"
_ORDERS = ("us", "gb")  # domains of countries that write the month first, and the day
_NUMBERS = re.compile(r"\s*(\d{1,2})\s?[./-]\s?(\d{1,2})\s?[./-]\s?\d{2,4}")


class _Labels(msgspec.Struct, forbid_unknown_fields=True):
    names: tuple[str, ...]
    background: str


@reader(
    "table",
    label_set=lambda path: label_set_of_table(path),
    sites=lambda path: sites_of_table(path),
)
def read_table(path: Path) -> Iterator[PageEntry | Skipped]:
    """Yield the pages of a table: the file itself, or the only one in a folder or zip archive.

    If the gold of a page lists regions, their labels are used; on other pages the values are
    searched for. With a custom label set only regions are gold.
    """
    folder, _, pages = _open(path)
    label_set, around = label_set_of_table(path), files_around(path, folder)
    taken: set[str] = set()
    orders = {_is_day_first(_text(row, "date")) for rows in pages.values() for row in rows} - {None}
    is_day_first = orders.pop() if len(orders) == 1 else None  # None if no cell shows it
    has_folders = _has_folders(pages)
    for file, rows in pages.items():
        page_id = unique_id(file, taken)
        if any(row.get("error") for row in rows):
            yield Skipped(page_id, f"{file}: {rows[0]['error']}", is_known=True)
        else:
            yield PageEntry(
                page_id, _read_page, folder, file, rows, page_id, label_set, around(file),
                is_day_first=is_day_first, has_folders=has_folders,
            )  # fmt: skip


def label_set_of_table(path: Path) -> LabelSet:
    """Return the label set of a table: that of ``labels.toml`` beside it, or that of the news.

    Raises CorpusError if the file exists and is malformed, or the table labels no region.
    """
    folder, name, pages = _open(path)
    file = folder / _LABELS
    if not file.exists():
        return NEWS
    rows = (row for rows in pages.values() for row in rows)
    if not any(row.get("regions") or (row.get("xpath") and row.get("label")) for row in rows):
        raise CorpusError(
            f"{path}: {_LABELS} is beside {name}, which labels no region (xpath, label); "
            "remove the file, or label regions"
        )
    try:
        entries = msgspec.toml.decode(file.read_bytes(), type=_Labels)
        return LabelSet(entries.names, entries.background)
    except (OSError, ValueError, LabelError) as error:
        raise CorpusError(f"{file}: {error}") from error


def sites_of_table(path: Path) -> str:
    """Return what determines the sites of a table's pages; empty if nothing does."""
    _, _, pages = _open(path)
    firsts = [rows[0] for rows in pages.values()]
    sources = {
        "column": any(row.get("site") for row in firsts),
        "addresses": any(site_of(_text(row, "url")) for row in firsts),
        "folders": _has_folders(pages),
    }
    return " and ".join(name for name, is_used in sources.items() if is_used)


def _has_folders(pages: Iterable[str]) -> bool:
    return len({PurePosixPath(file).parent for file in pages}) > 1


def _is_day_first(stated: str) -> bool | None:
    """Return whether a numeric date begins with the day; None if it is ambiguous."""
    match = _NUMBERS.match(stated)
    if match is None or (int(match[1]) > 12) == (int(match[2]) > 12):
        return None
    return int(match[1]) > 12


def _open(path: Path) -> tuple[Folder, str, dict[str, list[_Row]]]:
    """Return the folder that files are relative to, the table's name, and the rows of each page."""
    folder: Folder = path.parent
    table: Folder = path
    if path.suffix.lower() not in _TABLES:
        folder = open_data_set(path)
        tables = [file for file in folder.iterdir() if file.name.lower().endswith(_TABLES)]
        names = ", ".join(sorted(file.name for file in tables))
        if not tables:
            raise CorpusError(f"{path}: gold.csv is missing; expected it, or {', '.join(_TABLES)}")
        if len(tables) > 1:
            raise CorpusError(f"{path}: expected one table, found {names}; name the file")
        table = tables[0]
    pages: dict[str, list[_Row]] = {}
    for number, row in enumerate(_rows(decode_text(table.read_bytes()), table.name), start=1):
        file = next((str(row[name]) for name in _FILE if row.get(name)), "")
        if not file:
            raise CorpusError(f"{table.name}: row {number}: no file; expected a column 'file'")
        pages.setdefault(file, []).append(row)
    return folder, table.name, pages


def _rows(text: str, name: str) -> Iterator[_Row]:
    """Yield the rows of a table; names of known columns in lower case."""
    if not name.lower().endswith(".csv"):
        for location, row in json_objects(text.split("\n"), name):
            _check_columns(row, location)
            yield row
        return
    csv.field_size_limit(_MAX_CELL)
    head = text.lstrip("\r\n").partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    records = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        columns = [column.strip() for column in records.fieldnames or []]
        names = [column.lower() if column.lower() in _KNOWN else column for column in columns]
        records.fieldnames = names
        if not {*_FILE} & {*names}:
            listed = ", ".join(columns) or "nothing"
            raise CorpusError(f"{name}: expected a column 'file', found {listed}")
        _check_columns(names, name)
        yield from records
    except csv.Error as error:
        raise CorpusError(f"{name}: line {records.line_num}: {error}") from error


def _check_columns(columns: Iterable[str], place: str) -> None:
    """Raise CorpusError for a column that looks misspelt: its cells would not be used as gold."""
    present = set(columns)
    for column in present - {*_KNOWN}:
        missing = [name for name in _KNOWN if name not in present]
        for meant in get_close_matches(column.lower(), missing, 1, _SIMILAR):
            raise CorpusError(
                f"{place}: unknown column {column!r}; rename it to {meant!r} if that is meant, "
                "otherwise to something less similar"
            )


def _read_page(
    folder: Folder, file: str, rows: list[_Row], page_id: str, label_set: LabelSet,
    around: Resources, *, is_day_first: bool | None, has_folders: bool,
) -> GoldPage:  # fmt: skip
    path = Path(file)
    source = folder / file if not path.is_absolute() or not isinstance(folder, Path) else path
    first = rows[0]
    gold, marks = _gold(first, is_day_first), tuple(_marks(rows, label_set))
    if label_set != NEWS:  # values such as the title would get labels that are not in the set
        gold = Gold(about=gold.about)
    if marks or label_set != NEWS:
        gold = replace(gold, marks=marks, rest=label_set.background)
    above = str(PurePosixPath(file).parent)
    page = GoldPage.of_address(
        page_id, _text(first, "url"), page_bytes(source), gold, site=above if has_folders else ""
    )
    site = _text(first, "site") or page.site
    family = _text(first, "family") or site
    return replace(page, site=site, family=family, folder=above, resources=around)


def _gold(row: _Row, is_day_first: bool | None) -> Gold:
    about = {
        name: collapse_spaces(value)
        for name, value in row.items()
        if isinstance(name, str) and name not in _KNOWN and isinstance(value, str)
    }
    absent = {name for name in _ABSENT if row.get(name) == [] or _text(row, name) == _NONE}
    row = {name: value for name, value in row.items() if name not in absent}
    stated_names = row.get("authors")
    names = stated_names if isinstance(stated_names, list) else str(stated_names or "").split(";")
    authors = (_text({"name": author}, "name") for author in names)
    return Gold(
        title=_text(row, "title") or None,
        authors=tuple(name for name in authors if name),
        date=_day(_text(row, "date"), is_day_first, _text(row, "lang")),
        body=text_body(str(row.get("text") or "")),
        about=drop_empty(about),
        covers=frozenset(_ABSENT[name] for name in absent),
    )


def _text(row: _Row, name: str) -> str:
    """Return a value on one line; of an object, as ``structce label`` writes it, its ``value``."""
    value = row.get(name)
    return collapse_spaces(value.get("value") if isinstance(value, dict) else value)


def _day(stated: str, is_day_first: bool | None, lang: str) -> date | None:
    """Return the day, or moment, that a cell states.

    Raises ValueError if the cell is not a day, or may be read as two different days.
    """
    if not stated or (day := parse_day(stated)):
        return day if stated else None
    readings = (find_dates(stated, language_code(lang), country=order) for order in _ORDERS)
    days = {reading[0].date() for reading in readings if reading}
    if len(days) > 1 and is_day_first is not None:
        match = _NUMBERS.match(stated)
        first = int(match[1]) if match else 0
        days = {day for day in days if (first == day.day) == is_day_first}
    if len(days) != 1:
        problem = "may be read as two different days" if days else "is not a day"
        raise ValueError(f"date: {stated!r} {problem}; expected ISO 8601, such as 2026-03-14")
    return days.pop()


def _marks(rows: list[_Row], label_set: LabelSet) -> Iterator[GoldMark]:
    """Yield the regions that are labelled one by one."""
    for row in rows:
        listed = row.get("regions")
        for entry in (*(listed if isinstance(listed, list) else ()), row):
            if isinstance(entry, dict) and entry.get("xpath") and entry.get("label"):
                label = str(entry["label"])
                label_set.check(label)
                yield GoldMark(label, str(entry["xpath"]), label)
