"""Public data sets to corpora: one reader each, gold aligned to regions."""

from structce.corpora.align import Alignment, align
from structce.corpora.gold import Gold
from structce.corpora.importing import READERS, import_corpus
from structce.corpora.opening import RawPage, open_corpus, save_raw
from structce.corpora.sample import sample_pages, write_sample

__all__ = [
    "READERS",
    "Alignment",
    "Gold",
    "RawPage",
    "align",
    "import_corpus",
    "open_corpus",
    "sample_pages",
    "save_raw",
    "write_sample",
]
