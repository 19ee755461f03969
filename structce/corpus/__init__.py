"""Labelled pages: in memory, on disk, and split so that no site stands on two sides."""

from structce.corpus.files import (
    FORMAT,
    MANIFEST,
    VERSION,
    CorpusWriter,
    Head,
    Manifest,
    PageRow,
    label_set_of,
    read_manifest,
    read_page,
)
from structce.corpus.labelled import LabelledPage, attach_labels
from structce.corpus.splitting import Split, split_corpus
from structce.corpus.whole import Corpus

__all__ = [
    "FORMAT",
    "MANIFEST",
    "VERSION",
    "Corpus",
    "CorpusWriter",
    "Head",
    "LabelledPage",
    "Manifest",
    "PageRow",
    "Split",
    "attach_labels",
    "label_set_of",
    "read_manifest",
    "read_page",
    "split_corpus",
]
