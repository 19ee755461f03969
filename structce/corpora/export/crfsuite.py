r"""CRFsuite's own format: a region a line, its label and its attributes.

::

    Title	dom.tag=h1	text.width\:3	text.capitals:0.125

N. Okazaki (2007). CRFsuite: a fast implementation of conditional random fields. Manual, section
"Format of training/tagging data".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from scipy.sparse import csr_matrix

from structce.corpora.export.writing import shown, whole
from structce.corpus import Corpus
from structce.features import FeatureSet
from structce.labels import UNKNOWN

_ESCAPES = str.maketrans(
    {"\\": "\\\\", ":": "\\:", **dict.fromkeys("\t\n\r", " ")}  # the latter cannot be written
)


def write_crfsuite(corpus: Corpus, out: Path, features: FeatureSet) -> int:
    r"""Write one line a region and a blank line behind each sequence; return regions left out.

    A line is the label and, behind tabs, the names of the region's columns; a cell other than 1
    stands behind a colon. In names a colon is written ``\:`` and a backslash ``\\``, as CRFsuite
    asks.

    CRFsuite knows no unknown labels. Regions of unknown label are left out, and the sequence ends
    there, so that no label seems to follow one that it does not; a page becomes as many sequences
    as it has runs of known labels, in their order.

    Parameters
    ----------
    features
        A fitted set.
    """
    names = [name.translate(_ESCAPES) for name in features.columns_]
    with whole(out) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for page in shown(corpus):
            matrix = features.transform(page.page)
            for run in known_runs(page.labels):
                file.writelines(_line(page.labels[i], matrix, i, names) for i in run)
                file.write("\n")
    return corpus.n_unknown


def known_runs(labels: Sequence[str]) -> Iterator[list[int]]:
    """Yield the numbers of neighbouring regions whose labels are known.

    >>> list(known_runs(("Title", "?", "Author", "Date")))
    [[0], [2, 3]]
    """
    for is_known, run in groupby(range(len(labels)), key=lambda i: labels[i] != UNKNOWN):
        if is_known:
            yield list(run)


def _line(label: str, matrix: csr_matrix, i: int, names: Sequence[str]) -> str:
    cells = slice(matrix.indptr[i], matrix.indptr[i + 1])
    pairs = zip(matrix.indices[cells].tolist(), matrix.data[cells].tolist(), strict=True)
    values = (
        names[column] if value == 1 else f"{names[column]}:{value!r}" for column, value in pairs
    )
    return "\t".join((label.translate(_ESCAPES), *values)) + "\n"
