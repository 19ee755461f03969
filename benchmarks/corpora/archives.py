"""Which archive of a folder holds which data set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from structce.datasets.base import READERS, DataSetReader

NAMES = {
    "big9": "ir-research-data",
    "dragnet": "dragnet_data",
    "swde": "swde-sample",
}
"""Archives whose name differs from that of their data set."""


def data_sets(folder: Path) -> Iterator[tuple[DataSetReader, Path]]:
    """Yield the data sets that a folder has an archive or a folder of, by name."""
    for name in sorted(READERS):
        stem = NAMES.get(name, name)
        for path in (folder / f"{stem}.zip", folder / stem):
            if path.exists():
                yield READERS[name], path
                break
