"""Readers of public data sets, their import as corpora, and their download."""

from structce.datasets import (  # noqa: F401  (registers)
    article_benchmark,
    big9,
    chinese_articles,
    cleaneval,
    crf_article_extractor,
    dragnet,
    fundus,
    gold_pages,
    google_trends,
    gottron,
    htmldate,
    l3s_gn1,
    labelled_pages,
    news600,
    newspaper4k,
    readability,
    semantic_blocks,
    swde,
    table,
    trafilatura,
    wcxb,
)
from structce.datasets.base import (
    READERS,
    UTF8_HTML,
    DataSetReader,
    GoldPage,
    Lost,
    PageEntry,
    open_data_set,
    page_bytes,
    reader,
)
from structce.datasets.build import SITE_RULES, aligned_pages, import_corpus, write_corpus
from structce.datasets.download import (
    Archive,
    LocalArchive,
    archive_of,
    fetch_archive,
    missing_archives,
)
from structce.datasets.gottron import (
    FLAGS,
    PackageWriter,
    gold_text,
    main_text,
    raw_pages,
    write_gold_packages,
    write_package,
)
from structce.datasets.labelled_pages import is_labelled_page
from structce.datasets.text_formats import unique_id

__all__ = [
    "FLAGS", "READERS", "SITE_RULES", "UTF8_HTML", "Archive", "DataSetReader", "GoldPage",
    "LocalArchive", "Lost", "PackageWriter", "PageEntry", "aligned_pages", "archive_of",
    "fetch_archive", "gold_text", "import_corpus", "is_labelled_page", "main_text",
    "missing_archives", "open_data_set", "page_bytes", "raw_pages", "reader", "unique_id",
    "write_corpus", "write_gold_packages", "write_package",
]  # fmt: skip
