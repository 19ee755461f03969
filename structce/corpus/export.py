"""Export of a corpus as one file for other tools.

JSON Lines and Parquet contain pages, regions and labels; CRFsuite's and
SVMlight's formats contain the columns of features.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tqdm import tqdm

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.extras import load_extra
from structce.features import FeatureSet
from structce.gold import gold_to_json
from structce.io import encode_json, json_line
from structce.labels import is_exact_label

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

PARQUET_COLUMNS: Mapping[str, str] = {
    "page": "string",
    "site": "string",
    "family": "string",
    "url": "string",
    "lang": "string",
    "number": "int32",
    "tag": "string",
    "xpath": "string",
    "text": "string",
    "left": "float32",
    "top": "float32",
    "width": "float32",
    "height": "float32",
    "label": "string",
}
"""Arrow type of each column. ``page`` is the page's id and ``number`` the region's place in it,
from 0; ``left`` to ``height`` are in CSS pixels, null without layout; ``label`` is ``?`` where
it is unknown. Nothing else is ever null."""

_BOX = ("left", "top", "width", "height")
_N_ROWS = 50_000  # regions of a row group, at least, except the last

_CRFSUITE_ESCAPES = str.maketrans(
    {"\\": "\\\\", ":": "\\:", **dict.fromkeys("\t\n\r", " ")}  # the latter cannot be written
)


def write_jsonl(corpus: Corpus, out: Path) -> None:
    """Write one JSON object per page, in UTF-8.

    Its fields are ``id``, ``site``, ``family``, ``url``, ``lang``, ``renderer``, ``regions`` and
    ``gold``. A region has ``text``, ``tag``, ``xpath``, ``box`` (left, top, width and height in
    CSS pixels, to the hundredth; null without layout) and ``label`` (``?`` where unknown). Gold is
    as returned by :func:`structce.gold.gold_to_json`, without unknown fields.
    """
    _write_lines(out, (f"{json_line(_values(page))}\n" for page in _with_bar(corpus)))


def _values(page: LabelledPage) -> dict[str, object]:
    regions = [
        {
            "text": region.text,
            "tag": region.tag,
            "xpath": region.xpath,
            "box": region.box and [round(value, 2) for value in region.box],
            "label": label,
        }
        for region, label in zip(page.page, page.labels, strict=True)
    ]
    gold = gold_to_json(page.gold)
    return {**_head(page), "renderer": page.page.renderer, "regions": regions, "gold": gold}


def _head(page: LabelledPage) -> dict[str, str]:
    document = {"url": page.page.url, "lang": page.page.lang}
    return {"id": page.id, "site": page.site, "family": page.family, **document}


def write_parquet(corpus: Corpus, out: Path) -> None:
    """Write one row per region, in the order of pages and regions; see ``PARQUET_COLUMNS``.

    The schema's metadata contain ``name``, ``licence`` and ``digest`` of the corpus and its
    ``labels``, a JSON array. Gold is not written: it belongs to pages. Raises MissingExtraError if
    PyArrow is not installed.
    """
    arrow = load_extra("pyarrow", "a Parquet file", "parquet")
    parquet = load_extra("pyarrow.parquet", "a Parquet file", "parquet")
    fields = [
        arrow.field(name, arrow.type_for_alias(kind), nullable=name in _BOX)
        for name, kind in PARQUET_COLUMNS.items()
    ]
    metadata = {name: getattr(corpus, name) for name in ("name", "licence", "digest")}
    metadata["labels"] = json.dumps(corpus.label_set.names)
    schema = arrow.schema(fields, metadata=metadata)
    rows: list[dict[str, object]] = []
    with _atomic_path(out) as part, parquet.ParquetWriter(part, schema) as writer:
        for number, page in enumerate(_with_bar(corpus), start=1):
            rows += _rows(page)
            if len(rows) >= _N_ROWS or (rows and number == len(corpus)):
                writer.write_table(arrow.Table.from_pylist(rows, schema=schema))
                rows = []


def _rows(page: LabelledPage) -> Iterator[dict[str, object]]:
    head = _head(page)
    head["page"] = head.pop("id")
    for region, label in zip(page.page, page.labels, strict=True):
        yield {
            **head,
            "number": region.index,
            "tag": region.tag,
            "xpath": region.xpath,
            "text": region.text,
            **dict(zip(_BOX, region.box or (None,) * len(_BOX), strict=True)),
            "label": label,
        }


def write_crfsuite(corpus: Corpus, out: Path, features: FeatureSet) -> int:
    r"""Write one line per region and a blank line after each sequence; return regions left out.

    A line is the label and, after tabs, the names of the region's columns; a value other than 1
    follows a colon. In names a colon is written ``\:`` and a backslash ``\\``, as CRFsuite
    requires. ``features`` is a fitted feature set.

    CRFsuite has no unknown labels. Regions of unknown label are left out, and the sequence ends
    there, so that no label seems to follow one that it does not; a page becomes as many sequences
    as it has runs of known labels, in their order.
    """
    names = [name.translate(_CRFSUITE_ESCAPES) for name in features.columns_]

    def lines() -> Iterator[str]:
        for page in _with_bar(corpus):
            matrix = features.transform(page.page)
            for run in known_runs(page.labels):
                yield from (_line(page.labels[i], matrix, i, names) for i in run)
                yield "\n"

    _write_lines(out, lines())
    return corpus.n_unknown + corpus.n_several


def known_runs(labels: Sequence[str]) -> Iterator[list[int]]:
    """Yield the indices of each run of regions whose gold is a single label.

    >>> list(known_runs(("Title", "?", "Author", "Date")))
    [[0], [2, 3]]
    """
    for is_known, run in groupby(range(len(labels)), key=lambda i: is_exact_label(labels[i])):
        if is_known:
            yield list(run)


def _line(label: str, matrix: csr_matrix, i: int, names: Sequence[str]) -> str:
    cells = slice(matrix.indptr[i], matrix.indptr[i + 1])
    pairs = zip(matrix.indices[cells].tolist(), matrix.data[cells].tolist(), strict=True)
    values = (names[j] if value == 1 else f"{names[j]}:{value!r}" for j, value in pairs)
    return "\t".join((label.translate(_CRFSUITE_ESCAPES), *values)) + "\n"


def write_svmlight(corpus: Corpus, out: Path, features: FeatureSet) -> int:
    """Write one line per region, ``label qid:page column:value``; return regions left out.

    Labels, pages and columns are numbers from 1, as SVMlight requires; their names are beside the
    file, in :func:`names_file`: a JSON object of ``labels``, ``pages`` (ids) and ``columns``, each
    an array whose first entry is number 1. Regions with an unknown label are left out.
    ``features`` is a fitted feature set.
    """
    # Imported late: sklearn.datasets imports pandas, which would slow every command.
    from sklearn.datasets import dump_svmlight_file

    names = {
        "labels": list(corpus.label_set.names),
        "pages": [page.id for page in corpus],
        "columns": list(features.columns_),
    }
    with _atomic_path(out) as part, _atomic_path(names_file(out)) as side, part.open("wb") as file:
        side.write_bytes(encode_json(names))
        for number, page in enumerate(_with_bar(corpus), start=1):
            y = corpus.label_set.encode(page.labels)
            is_known = y >= 0
            if is_known.any():
                rows = features.transform(page.page)[is_known]
                qid = np.full(rows.shape[0], number)
                dump_svmlight_file(rows, y[is_known] + 1, file, zero_based=False, query_id=qid)
    return corpus.n_unknown + corpus.n_several


def names_file(out: Path) -> Path:
    """Return the file with the names for the numbers of an export: ``OUT.names.json``."""
    return out.with_name(f"{out.name}.names.json")


PLAIN: Mapping[str, Callable[[Corpus, Path], None]] = {
    "jsonl": write_jsonl,
    "parquet": write_parquet,
}
"""Writers of pages and labels, by the name of their format; ``?`` stands for unknown labels."""

ENCODED: Mapping[str, Callable[[Corpus, Path, FeatureSet], int]] = {
    "crfsuite": write_crfsuite,
    "svmlight": write_svmlight,
}
"""Writers of columns and labels, by the name of their format; each returns how many regions of
unknown label it left out."""


def _with_bar(corpus: Corpus) -> Iterable[LabelledPage]:
    """Return the pages, with a progress bar if they take more than two seconds."""
    return tqdm(corpus.pages, "exporting", unit="page", delay=2, disable=None, file=sys.stderr)


@contextmanager
def _atomic_path(path: Path) -> Iterator[Path]:
    """Yield a path to write to; its file is renamed to the target after success."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        part = Path(folder) / "part"
        yield part
        part.replace(path)


def _write_lines(out: Path, lines: Iterable[str]) -> None:
    with _atomic_path(out) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines)
