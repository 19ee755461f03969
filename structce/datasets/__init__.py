"""Readers of public data sets, their import as corpora, and their download."""

from structce.datasets import (  # noqa: F401  (registers)
    annotated,
    gold_pages,
    gottron,
    labelled_pages,
    programs,
    table,
    texts,
)
from structce.datasets.base import (
    READERS,
    UTF8_HTML,
    DataSetReader,
    GoldPage,
    PageEntry,
    Skipped,
    open_data_set,
    page_bytes,
    reader,
)
from structce.datasets.build import (
    SITE_RULES,
    LocalArchive,
    aligned_pages,
    fetch_archive,
    import_corpus,
    site_by_rule,
    write_corpus,
)
from structce.datasets.gottron import (
    gold_text,
    main_text,
    raw_pages,
    write_gold_packages,
    write_package,
)
from structce.datasets.labelled_pages import is_labelled_page
from structce.datasets.text_formats import stated_url, unique_id

__all__ = [
    "READERS", "SITE_RULES", "UTF8_HTML", "DataSetReader", "GoldPage",
    "LocalArchive", "PageEntry", "Skipped", "aligned_pages",
    "fetch_archive", "gold_text", "import_corpus", "is_labelled_page", "main_text",
    "open_data_set", "page_bytes", "raw_pages", "reader", "site_by_rule",
    "stated_url", "unique_id", "write_corpus", "write_gold_packages", "write_package",
]  # fmt: skip
