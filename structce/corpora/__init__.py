"""Public data sets to corpora: one reader each, gold aligned to regions."""

from structce.corpora.align import Alignment, align
from structce.corpora.importing import aligned_pages, import_corpus, write_corpus
from structce.corpora.merging import merge
from structce.corpora.opening import RawPage, open_corpus, save_raw
from structce.corpora.readers import READERS, GoldPage, Lost, Reader
from structce.corpora.sample import sample_pages, write_sample

__all__ = [
    "READERS",
    "Alignment",
    "GoldPage",
    "Lost",
    "RawPage",
    "Reader",
    "align",
    "aligned_pages",
    "import_corpus",
    "merge",
    "open_corpus",
    "sample_pages",
    "save_raw",
    "write_corpus",
    "write_sample",
]
