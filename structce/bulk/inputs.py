"""Inputs of a bulk run, divided into shards: runs of pages that are processed and written together.

The inputs and the size of a shard alone determine the shards, so they are the same in every run.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate, chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn

from msgspec.structs import replace

from structce.article import DocumentReader, page_loaders
from structce.errors import SourceError, StructceError
from structce.extras import load_extra
from structce.io import json_line
from structce.rendering import (
    MAX_PAGE_BYTES,
    WARC_SUFFIXES,
    Document,
    Loader,
    Source,
    WarcEntry,
    WarcFile,
    check_markup,
    decode,
    is_url,
)

if TYPE_CHECKING:
    import pyarrow
    import pyarrow.parquet

Kind = Literal["pages", "warc", "parquet"]

_PARQUET_SUFFIXES = (".parquet", ".pq")
_BATCH = 64  # rows with HTML that are held in memory
_TEXT = re.compile(
    r"(dictionary<values=)?(large_)?(string|binary)(_view)?(, .*>)?|fixed_size_binary.*"
)
"""Types of Arrow for text and bytes, also as dictionaries."""

_Row = tuple[bytes, bool, str]
"""HTML of a row, whether it is text in UTF-8, and its address."""

Location = WarcEntry | tuple[str, int] | str
"""Location of a page: a record of a WARC file; a given name and the number of the page among those
that it stands for; or a message in place of a page that cannot be read."""


class BulkInput(NamedTuple):
    """Input of a bulk run, numbered from 0: an archive, or all other sources together.

    The name is the path or address of an archive, empty for other sources; the key a digest of what
    the input is: name, size and time of an archive, names of all pages. The locations of an
    archive's pages are found by reading it.
    """

    number: int
    kind: Kind
    name: str
    key: str
    locations: tuple[tuple[str, int], ...] = ()


class Shard(NamedTuple):
    """Run of pages of one input, from the position of the first.

    Locations are empty for a Parquet file, whose rows have numbers.
    """

    input_number: int
    kind: Kind
    name: str
    first: int
    n_pages: int
    locations: tuple[Location, ...] = ()


class ParquetColumns(NamedTuple):
    """Columns of a Parquet file with pages: HTML as text or bytes, and addresses."""

    html: str = "html"
    url: str = "url"


def list_inputs(names: Iterable[str], *, network: bool = False) -> list[BulkInput]:
    """Return the inputs that names stand for; archives in a folder are inputs of their own.

    Names are those of files, folders, archives (WARC, Parquet, ZIP, MHTML) and snapshots, and, with
    ``network``, addresses of pages or of WARC and Parquet files.
    """
    archives: list[str] = []
    others: list[str] = []
    for name in names:
        if "://" in name and not network:
            raise SourceError(f"{name}: an address is read only with --network")
        folder = Path(name) if name and "://" not in name else None
        if _archive_kind(name):
            archives.append(name)
        elif folder is not None and folder.is_dir():
            inside = sorted(str(path) for path in folder.rglob("*") if _archive_kind(path.name))
            archives += inside
            # A folder without pages outside archives is a lone error, which is not a page.
            others += [name] if not inside or list(islice(_sources(name), 2)) != [name] else []
        else:
            others.append(name)
    inputs = [
        BulkInput(number, _archive_kind(name) or "pages", name, _fingerprint(name))
        for number, name in enumerate(archives)
    ]
    if others:
        pages = [(name, i, source) for name in others for i, source in enumerate(_sources(name))]
        locations = tuple((name, i) for name, i, _ in pages)
        key = _digest([source for _, _, source in pages])
        inputs.append(BulkInput(len(inputs), "pages", "", key, locations))
    return inputs


def _archive_kind(name: str) -> Kind | None:
    """Return the kind of an archive with many pages by its name; None for any other source."""
    small = name.lower().partition("?")[0] if "://" in name else name.lower()
    if small.endswith(WARC_SUFFIXES):
        return "warc"
    return "parquet" if small.endswith(_PARQUET_SUFFIXES) else None


def _sources(name: str) -> Iterator[str]:
    return (source for source, _ in page_loaders([name], Source.read))


def _fingerprint(name: str) -> str:
    try:
        status = Path(name).stat()
    except OSError:  # an address, or a file that is missing: its error is a row of the output
        return _digest([name])
    return _digest([name, status.st_size, status.st_mtime_ns])


def _digest(value: object) -> str:
    return hashlib.sha256(json_line(value).encode()).hexdigest()


class LocalCopies:
    """Local copies of archives at addresses, made at first use; the last one is kept.

    HTTP goes through the checked door; other schemes (``s3:``, ``gs:``, ``memory:``) are read by
    fsspec.
    """

    def __init__(self) -> None:
        self._name, self._path = "", Path()
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def path(self, name: str) -> Path:
        """Return the path of an archive, or of its copy."""
        if "://" not in name:
            return Path(name)
        if name != self._name:
            self.close()
            self._folder = tempfile.TemporaryDirectory(prefix="structce-bulk-")
            inside = name.partition("?")[0].rstrip("/").rpartition("/")[2]
            path = Path(self._folder.name) / inside
            _copy(name, path)
            self._name, self._path = name, path
        return self._path

    def original(self, error: Exception, name: str) -> str:
        """Return a message about an archive with its own name instead of that of its copy."""
        message = str(error)
        return message.replace(str(self._path), name) if name == self._name else message

    def close(self) -> None:
        """Remove the copy."""
        if self._folder is not None:
            self._folder.cleanup()
        self._name = ""


def _copy(address: str, path: Path) -> None:
    if is_url(address):
        from structce.rendering import DownloadLimits, download  # late: files need no network

        download(address, path, DownloadLimits(shows_bar=False))
        return
    fsspec = load_extra("fsspec", address, "bulk")
    try:
        files, inside = fsspec.core.url_to_fs(address)
        files.get_file(inside, str(path))
    except Exception as error:  # whatever the file system of the address raises
        raise SourceError(f"{address}: {type(error).__name__}: {error}") from error


class ShardReader:
    """Reader of shards and their pages; the input read last stays open for its next shard.

    Sources that are not archives are read by ``read``.
    """

    def __init__(self, read: DocumentReader, columns: ParquetColumns) -> None:
        self._read, self._columns, self._copies = read, columns, LocalCopies()
        self._warc: WarcFile | None = None
        self._rows: Iterator[_Row] = iter(())
        self._next_row: tuple[str, int] | None = None  # of the Parquet file that is open
        self._listed: tuple[str, Sequence[tuple[str, Loader]]] = ("", ())

    def close(self) -> None:
        """Remove the copy of an archive, if there is one."""
        self._rows, self._next_row = iter(()), None
        self._copies.close()

    def shards(self, source: BulkInput, size: int) -> Iterator[Shard]:
        """Yield the shards of an input, each with ``size`` pages except the last.

        An archive that cannot be read is a shard with one page that fails.
        """
        make = partial(Shard, source.number, source.kind, source.name)
        try:
            if source.kind == "parquet":
                file = _open_parquet(self._copies.path(source.name), self._columns)
                n_rows = file.metadata.num_rows
                for first in range(0, n_rows, size):
                    yield make(first, min(size, n_rows - first))
                return
            locations: Iterator[Location] = iter(source.locations)
            if source.kind == "warc":
                path = self._copies.path(source.name)
                entries = WarcFile(path).pages()
                nothing = f"{path}: the archive contains no HTML that was answered with status 200"
                locations = chain([next(entries, nothing)], entries)
            first = 0
            while batch := tuple(islice(locations, size)):
                yield make(first, len(batch), batch)
                first += len(batch)
        except StructceError as error:
            message = self._copies.original(error, source.name)
            yield Shard(source.number, "pages", source.name, 0, 1, (message,))

    def loaders(self, shard: Shard) -> Iterator[tuple[str, Loader]]:
        """Yield the name of each page of a shard and a function that loads it."""
        if shard.kind == "parquet":
            yield from self._row_loaders(shard)
        for location in shard.locations:
            if isinstance(location, str):
                yield shard.name or location, partial(_fail, location)
            elif isinstance(location, WarcEntry):
                name = f"{shard.name}#{location.number}"
                yield name, partial(self._read_record, shard.name, location)
            else:
                yield self._listed_page(*location)

    def _read_record(self, name: str, entry: WarcEntry) -> Document:
        path = self._copies.path(name)
        if self._warc is None or self._warc.path != path:
            self._warc = WarcFile(path)
        try:
            document = self._warc.read(entry)
        except SourceError as error:  # a copy has another name in every run
            raise SourceError(self._copies.original(error, name)) from error
        return check_markup(replace(document, name=f"{name}#{entry.number}"))

    def _listed_page(self, name: str, number: int) -> tuple[str, Loader]:
        if self._listed[0] != name:
            self._listed = name, list(page_loaders([name], lambda x: check_markup(self._read(x))))
        pages = self._listed[1]
        if number >= len(pages):
            return name, partial(_fail, f"{name}: has fewer pages than when the run began")
        return pages[number]

    def _row_loaders(self, shard: Shard) -> Iterator[tuple[str, Loader]]:
        """Yield the rows of a shard; where the file is damaged, those that are left as errors.

        Rows are read on where the last shard ended: row groups may be far larger than shards, and
        starting anew in each would take quadratic time.
        """
        names = (f"{shard.name}#{shard.first + i + 1}" for i in range(shard.n_pages))
        try:
            if self._next_row != (shard.name, shard.first):
                file = _open_parquet(self._copies.path(shard.name), self._columns)
                self._rows = _rows(file, self._columns, shard.first)
            self._next_row = None
            for html, is_text, url in islice(self._rows, shard.n_pages):
                name = next(names)
                yield name, partial(_read_cell, html, name, url, is_text=is_text)
            self._next_row = shard.name, shard.first + shard.n_pages
        except Exception as error:  # Arrow has many kinds for a damaged file
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            for name in names:
                yield name, partial(_fail, f"{name}: {reason}")


def _rows(file: pyarrow.parquet.ParquetFile, columns: ParquetColumns, first: int) -> Iterator[_Row]:
    """Yield the rows of a Parquet file from the first on."""
    groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
    ends = list(accumulate(group.num_rows for group in groups))
    start = bisect_right(ends, first)
    n_before = first - (ends[start - 1] if start else 0)
    names = [name for name in columns if name in file.schema_arrow.names]
    for number in range(start, len(groups)):
        _check_group(groups[number], number, columns.html)
        for batch in file.iter_batches(batch_size=_BATCH, row_groups=[number], columns=names):
            for i in range(min(n_before, batch.num_rows), batch.num_rows):
                html, is_text = _cell(batch, columns.html, i)
                url, _ = _cell(batch, columns.url, i)
                yield html, is_text, url.decode("utf-8", errors="replace")
            n_before = max(0, n_before - batch.num_rows)


def _check_group(rows: Any, group: int, name: str) -> None:
    """Raise SourceError if a row group has more HTML than pages of its number may have."""
    chunks = (rows.column(i) for i in range(rows.num_columns))
    n_bytes = sum(c.total_uncompressed_size for c in chunks if c.path_in_schema == name)
    if n_bytes > (rows.num_rows + 1) * MAX_PAGE_BYTES:
        raise SourceError(
            f"row group {group} unpacks to {n_bytes:,} bytes of HTML for {rows.num_rows:,} rows; "
            f"a page may have {MAX_PAGE_BYTES:,}"
        )


def _cell(batch: pyarrow.RecordBatch, name: str, i: int) -> tuple[bytes, bool]:
    """Return the bytes of a cell, cut off behind the limit, and whether they are text in UTF-8."""
    scalar = batch.column(name)[i] if name in batch.schema.names else None
    scalar = getattr(scalar, "value", scalar)  # of a dictionary
    if scalar is None or not scalar.is_valid:
        return b"", True
    return bytes(scalar.as_buffer()[: MAX_PAGE_BYTES + 1]), "string" in str(scalar.type)


def _open_parquet(path: Path, columns: ParquetColumns) -> pyarrow.parquet.ParquetFile:
    """Return an open Parquet file that has the column of HTML, as text or bytes.

    HTML is read as dictionaries, so that one page for many rows is held once.
    """
    arrow, parquet = (
        load_extra(name, f"{path}: a Parquet file", "bulk")
        for name in ("pyarrow", "pyarrow.parquet")
    )
    if path.exists() and not path.is_file():
        raise SourceError(f"{path}: not a file; expected a Parquet file")
    try:
        file = parquet.ParquetFile(path)
    except (OSError, arrow.ArrowException) as error:
        reason = " ".join(str(error).split())
        raise SourceError(f"{path}: not a Parquet file that can be read: {reason}") from error
    names = file.schema_arrow.names
    if columns.html not in names:
        raise SourceError(f"{path}: no column {columns.html!r}; it has {', '.join(names)[:200]}")
    for name in filter(names.__contains__, columns):
        if names.count(name) > 1:
            raise SourceError(f"{path}: {names.count(name)} columns are called {name!r}")
        kind = str(file.schema_arrow.field(name).type)
        if not _TEXT.fullmatch(kind) and (name, kind) != (columns.url, "null"):
            raise SourceError(f"{path}: column {name!r} is {kind[:80]}; expected text or bytes")
    return parquet.ParquetFile(path, metadata=file.metadata, read_dictionary=[columns.html])


def _read_cell(html: bytes, name: str, url: str, *, is_text: bool) -> Document:
    address = url if is_url(url) else ""
    if not html:
        raise SourceError(f"{name}: no HTML in the row")
    if len(html) > MAX_PAGE_BYTES:
        raise SourceError(f"{name}: over {MAX_PAGE_BYTES:,} bytes, which is the limit")
    if is_text:
        return check_markup(Document(html.decode("utf-8", errors="replace"), address, name))
    return check_markup(decode(html, name=name, url=address))


def _fail(message: str) -> NoReturn:
    raise SourceError(message)
