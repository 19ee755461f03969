"""Export of a corpus as one file for other tools: JSON Lines and Parquet."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from tqdm import tqdm

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.extras import load_extra
from structce.gold import gold_to_json
from structce.io import json_line, write_lines_atomic

_TEXTS = ("page", "site", "family", "url", "lang", "tag", "xpath", "text", "label")
_BOX = ("left", "top", "width", "height")
_N_ROWS = 50_000  # regions of a row group


def write_jsonl(corpus: Corpus, out: Path) -> None:
    """Write one JSON object per page, in UTF-8.

    Its fields are ``id``, ``site``, ``family``, ``url``, ``lang``, ``renderer``, ``regions`` and
    ``gold``. A region has ``text``, ``tag``, ``xpath``, ``box`` (left, top, width and height in
    CSS pixels, to the hundredth; null without layout) and ``label`` (``?`` where unknown). Gold is
    as returned by :func:`structce.gold.gold_to_json`, without unknown fields.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    write_lines_atomic(out, (f"{json_line(_values(page))}\n" for page in _with_bar(corpus)))


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
    head = {"id": page.id, **_head(page), "renderer": page.page.renderer}
    return {**head, "regions": regions, "gold": gold}


def _head(page: LabelledPage) -> dict[str, str]:
    document = {"url": page.page.url, "lang": page.page.lang}
    return {"site": page.site, "family": page.family, **document}


def write_parquet(corpus: Corpus, out: Path) -> None:
    """Write one row per region, in the order of pages and regions, to a Parquet file.

    Columns are ``page`` (its id), ``site``, ``family``, ``url`` and ``lang``; ``number``, the
    region's place in the page, from 0; ``tag``, ``xpath`` and ``text``; ``left``, ``top``,
    ``width`` and ``height`` in CSS pixels, null without layout; ``label``, ``?`` where it is
    unknown. The schema's metadata contain ``name``, ``licence`` and ``digest`` of the corpus and
    its ``labels``, a JSON array. Gold is not written: it belongs to pages. Raises MissingExtraError
    if PyArrow is not installed.
    """
    arrow = load_extra("pyarrow", "a Parquet file", "parquet")
    parquet = load_extra("pyarrow.parquet", "a Parquet file", "parquet")
    fields = [arrow.field(name, arrow.string(), nullable=False) for name in _TEXTS]
    fields.insert(5, arrow.field("number", arrow.int32(), nullable=False))
    fields[9:9] = [arrow.field(name, arrow.float32()) for name in _BOX]
    metadata = {name: getattr(corpus, name) for name in ("name", "licence", "digest")}
    schema = arrow.schema(fields, metadata | {"labels": json.dumps(corpus.label_set.names)})
    rows = _rows(corpus)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}.") as folder:
        part = Path(folder) / "part"
        with parquet.ParquetWriter(part, schema) as writer:
            while batch := list(islice(rows, _N_ROWS)):
                writer.write_table(arrow.Table.from_pylist(batch, schema=schema))
        part.replace(out)


def _rows(corpus: Corpus) -> Iterator[dict[str, object]]:
    for page in _with_bar(corpus):
        head = {"page": page.id, **_head(page)}
        for region, label in zip(page.page, page.labels, strict=True):
            box = dict(zip(_BOX, region.box or (None,) * len(_BOX), strict=True))
            own = {"number": region.index, "tag": region.tag, "xpath": region.xpath}
            yield {**head, **own, "text": region.text, **box, "label": label}


EXPORTS: Mapping[str, Callable[[Corpus, Path], None]] = {
    "jsonl": write_jsonl,
    "parquet": write_parquet,
}
"""Writers of pages and labels, by the name of their format; ``?`` stands for unknown labels."""


def _with_bar(corpus: Corpus) -> Iterable[LabelledPage]:
    """Return the pages, with a progress bar if they take more than two seconds."""
    return tqdm(corpus.pages, "exporting", unit="page", delay=2, disable=None, file=sys.stderr)
