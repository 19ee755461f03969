"""Readers of public data sets: types, registration, and shared functions.

One data set is one function with the decorator :func:`reader`, which takes a folder or a zip
archive and yields the pages in a fixed order; what users must know about it is in
``data_sets.toml``. A page that cannot be read does not end the run: the function yields a
:class:`PageEntry`, and the decorator turns an error of reading it into a :class:`Skipped`. A folder
or archive that does not have the layout of the published data set raises a CorpusError that names
what is missing.
"""

from __future__ import annotations

import csv
import errno
import gzip
import io
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial, wraps
from importlib import resources
from pathlib import Path
from typing import Any, ParamSpec, Self

from lxml.etree import LxmlError
from msgspec.structs import replace

from structce.corpus import DAMAGED, read_json
from structce.datasets.text_formats import unique_id
from structce.errors import CorpusError, StructceError
from structce.gold import Gold
from structce.io import Folder, open_folder, read_at_most
from structce.labels import NEWS, LabelSet
from structce.page import site_of
from structce.registry import Registry
from structce.rendering import (
    MAX_PAGE_BYTES,
    Document,
    FolderFiles,
    MirrorResources,
    Resources,
    ZipFiles,
    decode,
)

UTF8_HTML = "text/html; charset=utf-8"
"""Content type of pages that were stored in UTF-8, whatever they declare."""

READ_ERRORS = (
    *DAMAGED, TypeError, AttributeError, SyntaxError, csv.Error, LxmlError, StructceError
)  # fmt: skip
"""Errors raised by reading a page that is missing, cut off or malformed."""

_P = ParamSpec("_P")


@dataclass(frozen=True)
class GoldPage:
    """One page of a data set as it is published: bytes, address and gold.

    ``id`` has letters, digits, dots, hyphens and underscores, and is unique in its data set.
    ``site`` is the registrable domain of the publisher, or a name unique to the page if the data
    set does not state it. ``family`` is one name for all sites that are known to share a template.
    ``content_type`` is a ``Content-Type`` header if the data set states the encoding, else empty.
    ``resources`` are style sheets and images saved with the page, ``folder`` that of its file.
    """

    id: str
    site: str
    family: str
    url: str
    data: bytes
    gold: Gold
    content_type: str = ""
    resources: Resources | None = None
    folder: str = ""

    @classmethod
    def of_address(
        cls, id: str, url: str, data: bytes, gold: Gold, content_type: str = "", *, site: str = ""
    ) -> Self:
        """Return a page whose site is that of its address, else the given one, else its id."""
        site = site_of(url) or site or id
        return cls(id, site, site, url, data, gold, content_type)

    def document(self) -> Document:
        """Return the decoded page; raises SourceError if the bytes are not a page."""
        document = decode(self.data, name=self.id, url=self.url, content_type=self.content_type)
        return replace(document, resources=self.resources) if self.resources else document


@dataclass(frozen=True)
class Skipped:
    """A page that cannot be used, and why, on one line.

    ``is_known`` states that the defect is in the data set itself (a page without gold, an empty
    file); it is then not counted as an error of reading.
    """

    id: str
    reason: str
    is_known: bool = False


class PageEntry:
    """A page of a data set that is read lazily.

    The function ``read`` is called with the arguments that follow it. If it raises one of
    ``READ_ERRORS``, the page is skipped for that reason.
    """

    def __init__(
        self, id: str, read: Callable[_P, GoldPage | Skipped], *args: _P.args, **kwargs: _P.kwargs
    ) -> None:
        self.id = id
        self.read = partial(read, *args, **kwargs)


ReadPages = Callable[[Path], Iterator[GoldPage | Skipped]]
ListPages = Callable[[Path], Iterable[GoldPage | Skipped | PageEntry]]


@dataclass(frozen=True)
class DataSetReader:
    """A public data set and how it is read.

    ``name`` is a short name in lower case, as used in commands; ``licence`` that of the gold and of
    the pages; ``citation`` "Authors (year). Title. Venue."; ``gold`` are kinds of gold, such as
    ``title``, and ``labels`` the labels of the news set that it contains; ``reading`` says how it
    is read, and what it leaves open. ``may_train`` states that models trained on it may be shipped.
    ``archive`` is an address from which ``corpus import --fetch`` downloads it, with its SHA-256
    (``digest``) unless upstream may change it, and what else it contains (``note``); ``missing``
    gives the reason if it cannot be downloaded. ``is_own`` marks a form of the user's own pages, a
    corpus of which is named after their folder or file. ``label_set`` returns the labels of a
    folder or archive, None for the news, and ``sites`` what determines the sites of its pages,
    empty for nothing; None if the data set always states them.
    """

    read: ReadPages
    name: str
    title: str
    licence: str
    citation: str
    gold: tuple[str, ...]
    home: str
    reading: str = ""
    labels: tuple[str, ...] = ()
    may_train: bool = True
    archive: str = ""
    digest: str = ""
    note: str = ""
    missing: str = ""
    is_own: bool = False
    label_set: Callable[[Path], LabelSet] | None = None
    sites: Callable[[Path], str] | None = None

    def label_set_of(self, path: Path) -> LabelSet:
        """Return the label set of a folder or archive of the data set."""
        return NEWS if self.label_set is None else self.label_set(path)

    def __post_init__(self) -> None:
        for label in self.labels:
            NEWS.index(label)


READERS: Registry[DataSetReader] = Registry("data set", CorpusError)
"""Readers by the name of their data set."""


@cache
def _known_facts() -> Mapping[str, dict[str, Any]]:
    file = resources.files(__package__) / "data_sets.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def reader(name: str, **facts: object) -> Callable[[ListPages], ReadPages]:
    """Register a function as the reader of a data set; see :class:`DataSetReader` for the facts.

    Those of ``data_sets.toml`` need not be given. The function lists the pages; the registered and
    returned function reads them. Raises CorpusError if the name is taken, a fact is missing or
    unknown, or a kind of gold is unknown.
    """
    if not isinstance(name, str):  # @reader without parentheses would register nothing
        raise CorpusError("@reader needs a name and facts, as in @reader('my-news', title=...)")
    known: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in _known_facts().get(name, {}).items()
    }

    def register(list_pages: ListPages) -> ReadPages:
        @wraps(list_pages)
        def read(path: Path) -> Iterator[GoldPage | Skipped]:
            expected = f"{name}: expected a PageEntry, GoldPage or Skipped for each page"
            try:
                for item in list_pages(path):
                    page = _read_entry(item) if isinstance(item, PageEntry) else item
                    if not isinstance(page, GoldPage | Skipped):
                        raise CorpusError(f"{expected}, got {page!r}")
                    yield page
            except StructceError:
                raise
            except READ_ERRORS as error:
                raise CorpusError(f"{path}: {type(error).__name__}: {error}") from error

        try:
            READERS[name] = DataSetReader(read, name, **(known | facts))
        except TypeError as error:
            raise CorpusError(f"{name}: {error}") from error
        return read

    return register


def _read_entry(entry: PageEntry) -> GoldPage | Skipped:
    try:
        return entry.read()
    except READ_ERRORS as error:
        return Skipped(entry.id, f"{type(error).__name__}: {error}")


Row = Mapping[str, Any]
"""Entry of a list of pages."""


def read_rows(file: Folder) -> Mapping[str, Row]:
    """Return the entries by key of a JSON file that lists a data set's pages."""
    return read_json(file, dict[str, dict[str, Any]])


def listed(
    name: str,
    file: str,
    *beside: str,
    order: Callable[[tuple[str, Row]], Any] = lambda entry: entry[0],
    page_id: Callable[[str, Row], str] = lambda key, row: key,
) -> Callable[[Callable[[Folder, str, str, Row], GoldPage | Skipped]], ReadPages]:
    """Register a function as the reader of the pages that a JSON file lists, by default by key.

    The function is called with the folder of the data set, the page's id, its key and its row;
    ``page_id`` returns what the id is made of. A data set without the list, or without a file or
    folder ``beside`` it, raises CorpusError.
    """

    def register(read: Callable[[Folder, str, str, Row], GoldPage | Skipped]) -> ReadPages:
        @reader(name)
        def list_pages(path: Path) -> Iterator[PageEntry]:
            folder, taken = open_data_set(path, file, *beside), set[str]()
            for key, row in sorted(read_rows(folder / file).items(), key=order):
                own_id = unique_id(page_id(key, row), taken)
                yield PageEntry(own_id, read, folder, own_id, key, row)

        return list_pages

    return register


def page_bytes(*files: Folder) -> bytes:
    """Return the bytes of the first file that exists, unpacked if its name ends in ``.gz``.

    Raises OSError if it cannot be read, or is larger than a page may be; EOFError, OSError or
    zlib.error if it is not gzip data.
    """
    file = next((file for file in files if file.exists()), files[0])
    data = read_at_most(file, MAX_PAGE_BYTES)
    if file.name.endswith(".gz"):
        with gzip.open(io.BytesIO(data)) as stream:
            data = stream.read(MAX_PAGE_BYTES + 1)
        if len(data) > MAX_PAGE_BYTES:
            raise OSError(errno.EFBIG, f"more than {MAX_PAGE_BYTES:,} bytes, which is the limit")
    return data


def open_data_set(path: Path, *expected: str) -> Folder:
    """Return the folder or zip archive of a data set, or the folder in it that has the content.

    Archives often wrap their content in a single folder. ``expected`` are files or folders of the
    layout, relative to its root; raises CorpusError if one is missing.
    """
    try:
        root = open_folder(path)
    except OSError as error:
        raise CorpusError(str(error)) from error
    candidates: list[Folder] = [root, *root.iterdir()]
    for folder in candidates:
        if folder.is_dir() and all((folder / name).exists() for name in expected):
            return folder
    lacking = next(name for name in expected if not (root / name).exists())
    raise CorpusError(f"{path}: {lacking} is missing; expected {', '.join(expected)}")


def files_around(path: Path, folder: Folder) -> Callable[[str], Resources]:
    """Return a function that gives the style sheets and images saved around a page.

    Its argument is the path of the page in the folder of the data set opened from ``path``.
    """
    if isinstance(folder, Path):
        return partial(MirrorResources, FolderFiles(folder))
    archive, root = ZipFiles(path), folder.at
    return lambda page: MirrorResources(archive, root + page)
