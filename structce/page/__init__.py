"""A rendered page: its regions, metadata and statements, its text index, its snapshot on disk."""

from typing import TYPE_CHECKING

from structce.lazy_import import lazy_names
from structce.page.metadata import Metadata, read_metadata, window_title
from structce.page.page import (
    FORMULA,
    INLINE,
    MEDIA,
    Elements,
    Page,
    Provenance,
    Region,
    StyleColumn,
    region_files,
    region_paths,
    region_texts,
    shorten,
    site_of,
)
from structce.page.statements import (
    SOURCES,
    TEXT_KINDS,
    Statement,
    listed_names,
    stated_bylines,
    stated_dates,
    stated_names,
    stated_texts,
    stated_titles,
    without_site,
)
from structce.page.text_index import MIN_COVERAGE, MIN_SIMILARITY, Span, TextIndex

if TYPE_CHECKING:
    from structce.page.snapshot import (
        MAX_FILE_BYTES,
        SUFFIX,
        original_source,
        pack_page,
        read_header,
        read_snapshot,
        unpack_page,
    )

_HOMES = dict.fromkeys(
    "MAX_FILE_BYTES SUFFIX original_source pack_page read_header read_snapshot unpack_page".split(),
    "structce.page.snapshot",
)

__all__ = [
    "FORMULA", "INLINE", "MAX_FILE_BYTES", "MEDIA", "MIN_COVERAGE", "MIN_SIMILARITY", "SOURCES",
    "SUFFIX", "TEXT_KINDS",
    "Elements", "Metadata", "Page", "Provenance", "Region", "Span", "Statement", "StyleColumn",
    "TextIndex", "listed_names", "original_source", "pack_page", "read_header",
    "read_metadata", "read_snapshot", "region_files", "region_paths", "region_texts", "shorten",
    "site_of", "stated_bylines", "stated_dates", "stated_names", "stated_texts",
    "stated_titles", "unpack_page", "window_title", "without_site",
]  # fmt: skip

__getattr__ = lazy_names(__name__, _HOMES)
