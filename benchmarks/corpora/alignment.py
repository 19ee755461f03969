"""Every data set read to its end: pages given and lost, gold values found, by field and method."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TypedDict

from structce.corpora import Lost, aligned_pages
from structce.corpora.importing import Tally
from structce.corpora.readers import Reader
from structce.rendering import StaticRenderer


class SetFigures(TypedDict):
    """One data set.

    Parameters
    ----------
    failed
        Why, by page.
    left_out
        What the data set's own description says is absent or broken: why, by page.
    fields
        One row a field, as ``structce corpus import`` prints it.
    """

    data_set: str
    pages: int
    failed: dict[str, str]
    left_out: dict[str, str]
    error_rate: float
    seconds: float
    fields: list[dict[str, object]]


def measure(reader: Reader, path: Path) -> SetFigures:
    """Read, render without a browser and align every page of a data set."""
    tally, n_pages = Tally(), 0
    lost: list[Lost] = []
    started = time.perf_counter()
    with StaticRenderer() as renderer:
        for item in aligned_pages(reader.read(path), renderer, reader.labels):
            if isinstance(item, Lost):
                lost.append(item)
            else:
                n_pages += 1
                tally.add(item.matches)
    failed = {item.id: item.why for item in lost if not item.is_known}
    return {
        "data_set": reader.name,
        "pages": n_pages,
        "failed": failed,
        "left_out": {item.id: item.why for item in lost if item.is_known},
        "error_rate": len(failed) / max(n_pages + len(failed), 1),
        "seconds": time.perf_counter() - started,
        "fields": tally.rows(),
    }
