r"""News600: news pages of 177 sites, each region with one of thirty labels.

A. Spengler, P. Gallinari (2009). Learning to extract content from news webpages. AINA workshops;
A. Spengler, A. Bordes, P. Gallinari (2010). A comparison of discriminative classifiers for web news
content extraction. RIAO, which maps the thirty labels to nine.

**Neither the layout of the download nor the list of the thirty labels is in any text that we could
obtain, so none is assumed here.** Whoever has the data writes a file ``mapping.toml`` into its
folder that describes the layout, and which label means which of the nine::

    [files]
    pages = "html/*.html"           # * stands for any characters
    labels = "labels/{name}.tsv"    # {name} stands for the page's file name without its ending
    addresses = "addresses.tsv"     # optional: file name, tab, address of the page

    [rows]                          # of a file of labels
    separator = "\t"
    skip = 1                        # header lines to skip; default 0
    xpath = 1                       # the column, from 1, with the address of a node; or
    # text = 1                      # the one with the text of a region, rows in the page's order
    label = 2                       # the column with its label
    rest = "None"                   # label of regions without a row; default unknown

    [labels]
    "a label of the thirty" = "Title"
    "another one" = "?"             # unknown

A label that is one of the nine needs no line. Other labels missing from ``[labels]`` are an error
that lists them all. Addresses may be as other tools write them: upper case, and ``p`` for ``p[1]``.

Gold is one mark, or block, per row, with the original label as kind. Every region of the data set
has a label, so all meanings of the labels are covered, but only if ``rest`` is given and no label
is unknown. Without addresses of pages each page is a site of its own. Style sheets and
images saved beside a page, or in the folder of their host, are used when a browser renders it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from glob import escape
from pathlib import Path, PurePosixPath

import msgspec

from structce.datasets.base import (
    READ_ERRORS,
    GoldPage,
    PageEntry,
    files_around,
    open_data_set,
    page_bytes,
    reader,
)
from structce.datasets.text_formats import files_below, safe_ids
from structce.errors import CorpusError
from structce.gold import Gold, GoldBlock, GoldMark
from structce.io import Folder
from structce.labels import NEWS, UNKNOWN
from structce.rendering import Resources

MAPPING = "mapping.toml"

_MEANINGS = (*NEWS.names, UNKNOWN)
_STEP = re.compile(r"(/[^/\[\]]+)(?=/|$)")


class _Files(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    pages: str
    labels: str
    addresses: str = ""


class _Rows(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    separator: str
    label: int
    xpath: int = 0
    text: int = 0
    skip: int = 0
    rest: str = UNKNOWN


class _Mapping(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    files: _Files
    rows: _Rows
    labels: dict[str, str] = {}

    def meaning(self, label: str) -> str:
        """Return which of the nine labels a label means."""
        return self.labels.get(label, label)


@reader("news600")
def read_news600(path: Path) -> Iterator[PageEntry]:
    """Yield the pages in the order of their names.

    Raises CorpusError if ``mapping.toml`` is missing or malformed, matches no page, or leaves out
    labels; the message lists all of these.
    """
    folder = open_data_set(path, MAPPING)
    mapping = _read_mapping(folder / MAPPING)
    paths, around = files_below(folder), files_around(path, folder)
    pages = [name for name in paths if fnmatchcase(name, mapping.files.pages)]
    if not pages:
        raise CorpusError(f"{path}: {MAPPING}: no file matches {mapping.files.pages!r}")
    label_files = {page: _label_file(page, mapping, paths) for page in pages}
    meanings = _meanings(folder, mapping, list(label_files.values()))
    lines = []
    if mapping.files.addresses:
        lines = (folder / mapping.files.addresses).read_text(encoding="utf-8").splitlines()
    urls = {name: url.strip() for name, _, url in (line.partition("\t") for line in lines)}
    ids = safe_ids(PurePosixPath(page).stem for page in pages)
    for page_id, page in zip(ids, pages, strict=True):
        url = urls.get(PurePosixPath(page).name, "")
        yield PageEntry(
            page_id, _read_page, folder, mapping, page_id, page, label_files[page], url, meanings,
            around(page),
        )  # fmt: skip


def _read_mapping(file: Folder) -> _Mapping:
    try:
        mapping = msgspec.toml.decode(file.read_bytes(), type=_Mapping)
        rows = mapping.rows
        if bool(rows.xpath) == bool(rows.text):
            raise ValueError("rows: expected either xpath or text, the number of a column")
        if min(rows.label, rows.xpath + rows.text) < 1 or rows.skip < 0 or len(rows.separator) != 1:
            raise ValueError("rows: expected columns from 1, skip from 0, a separator of 1 letter")
        wrong = sorted({rows.rest, *mapping.labels.values()} - set(_MEANINGS))
        if wrong:
            raise ValueError(f"{wrong[0]!r} is not one of {', '.join(_MEANINGS)}")
    except (OSError, ValueError) as error:
        raise CorpusError(f"{file}: {error}") from error
    return mapping


def _label_file(page: str, mapping: _Mapping, paths: list[str]) -> str:
    """Return the file of labels of a page; empty for an unlabelled page."""
    pattern = mapping.files.labels.replace("{name}", escape(PurePosixPath(page).stem))
    return next((candidate for candidate in paths if fnmatchcase(candidate, pattern)), "")


def _meanings(folder: Folder, mapping: _Mapping, files: list[str]) -> frozenset[str]:
    """Return the meanings of all pages' labels; raises CorpusError if the mapping lacks one."""
    labels: set[str] = set()
    for file in files:
        try:
            labels.update(label for _, label in _read_rows(folder, mapping, file))
        except READ_ERRORS:
            continue  # the page is reported as lost, with the reason
    lacking = sorted(label for label in labels if mapping.meaning(label) not in _MEANINGS)
    if lacking:
        raise CorpusError(
            f"{MAPPING}: [labels] leaves out {len(lacking)}: {', '.join(map(repr, lacking))}; "
            f"give each one of {', '.join(_MEANINGS)}"
        )
    return frozenset(mapping.meaning(label) for label in labels)


def _read_rows(folder: Folder, mapping: _Mapping, file: str) -> list[tuple[str, str]]:
    """Return the address or text, and the label, of each row of a file."""
    if not file:
        raise CorpusError(f"no file of labels matches {mapping.files.labels!r}")
    form, rows = mapping.rows, []
    text = (folder / file).read_text(encoding="utf-8")
    lines = csv.reader(io.StringIO(text), delimiter=form.separator, quoting=csv.QUOTE_NONE)
    for n, row in enumerate(lines, 1):
        if n <= form.skip or not any(row):
            continue
        if len(row) < max(form.label, form.xpath, form.text):
            raise CorpusError(f"{file}: line {n} has {len(row)} columns; see [rows] of {MAPPING}")
        rows.append((row[form.xpath + form.text - 1], row[form.label - 1].strip()))
    return rows


def _read_page(
    folder: Folder, mapping: _Mapping, page_id: str, page: str, label_file: str, url: str,
    meanings: frozenset[str], around: Resources,
) -> GoldPage:  # fmt: skip
    rows = _read_rows(folder, mapping, label_file)
    is_settled = mapping.rows.rest != UNKNOWN and UNKNOWN not in meanings
    covers = meanings & set(NEWS.foreground) if is_settled else frozenset[str]()
    gold = Gold(rest=mapping.rows.rest, covers=covers)
    if mapping.rows.xpath:  # as renderers write addresses: lower case, each step with its number
        addressed = [(_STEP.sub(r"\1[1]", xpath.strip().lower()), label) for xpath, label in rows]
        marks = [GoldMark(label, xpath, mapping.meaning(label)) for xpath, label in addressed]
        gold = replace(gold, marks=tuple(marks))
    else:
        blocks = [GoldBlock(label, text, mapping.meaning(label)) for text, label in rows]
        gold = replace(gold, blocks=tuple(blocks))
    result = GoldPage.of_address(page_id, url, page_bytes(folder / page), gold)
    return replace(result, resources=around)
