"""How fast a data set is read and imported, and whether memory grows with its pages."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypedDict

import numpy as np
import psutil

from structce.corpus.storage import CorpusWriter, LabelledPage
from structce.datasets.base import DataSetReader
from structce.datasets.build import aligned_pages
from structce.labels import NEWS
from structce.rendering.static import StaticRenderer

WARM = 0.1
"""Share of the pages after which memory is looked at: by then all modules and tables are loaded."""


class Sample(TypedDict):
    """Memory after a page."""

    page: int
    megabytes: float


class ReadingFigures(TypedDict):
    """Figures of reading one archive once.

    Parameters
    ----------
    growth
        MB per 1,000 pages, the slope of a line through the samples after the first tenth.
    """

    data_set: str
    way: str
    pages: int
    seconds: float
    pages_a_second: float
    megabytes_at_start: float
    megabytes_at_most: float
    growth: float
    samples: list[Sample]


def measure(reader: DataSetReader, path: Path) -> list[ReadingFigures]:
    """Return the figures of reading alone, and of reading, rendering, aligning and writing."""
    return [
        _timed(reader.name, "read", lambda: reader.read(path)),
        _timed(reader.name, "import", lambda: _imported(reader, path)),
    ]


def _imported(reader: DataSetReader, path: Path) -> Iterator[object]:
    with tempfile.TemporaryDirectory() as folder, StaticRenderer() as renderer:
        writer = CorpusWriter(Path(folder), NEWS)
        for item in aligned_pages(reader.read(path), renderer, reader.labels):
            if isinstance(item, LabelledPage):
                writer.add(item)
            yield item


def _timed(name: str, way: str, pages: Callable[[], Iterable[object]]) -> ReadingFigures:
    process = psutil.Process()
    samples: list[Sample] = []
    before = _megabytes(process)
    started = time.perf_counter()
    for n, _ in enumerate(pages(), start=1):
        samples.append({"page": n, "megabytes": _megabytes(process)})
    seconds = time.perf_counter() - started
    settled = samples[int(WARM * len(samples)) :]
    slope = np.polyfit([s["page"] for s in settled], [s["megabytes"] for s in settled], 1)[0]
    return {
        "data_set": name,
        "way": way,
        "pages": len(samples),
        "seconds": seconds,
        "pages_a_second": len(samples) / seconds,
        "megabytes_at_start": before,
        "megabytes_at_most": max(sample["megabytes"] for sample in samples),
        "growth": float(slope) * 1000,
        "samples": samples,
    }


def _megabytes(process: psutil.Process) -> float:
    return float(process.memory_info().rss) / 1e6
