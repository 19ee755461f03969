"""Corpora in the formats of other tools, one file a format."""

from collections.abc import Callable, Mapping
from pathlib import Path

from structce.corpora.export.crfsuite import write_crfsuite
from structce.corpora.export.jsonl import write_jsonl
from structce.corpora.export.parquet import write_parquet
from structce.corpora.export.svmlight import names_file, write_svmlight
from structce.corpora.export.tsv import write_tsv
from structce.corpus import Corpus
from structce.features import FeatureSet

__all__ = [
    "ENCODED",
    "PLAIN",
    "names_file",
    "write_crfsuite",
    "write_jsonl",
    "write_parquet",
    "write_svmlight",
    "write_tsv",
]

PLAIN: Mapping[str, Callable[[Corpus, Path], None]] = {
    "jsonl": write_jsonl,
    "parquet": write_parquet,
    "tsv": write_tsv,
}
"""Writers of pages and labels, by the name of their format; ``?`` stands for unknown labels."""

ENCODED: Mapping[str, Callable[[Corpus, Path, FeatureSet], int]] = {
    "crfsuite": write_crfsuite,
    "svmlight": write_svmlight,
}
"""Writers of columns and labels, by the name of their format; each returns how many regions of
unknown label it left out."""
