"""Files that are written piece by piece and appear whole or not at all."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tqdm import tqdm

from structce.corpus import Corpus, LabelledPage


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Yield a path to write to; the file there takes its name when all went well.

    An older file stays as it was until then, and for good where something goes wrong.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as folder:
        part = Path(folder) / "part"
        yield part
        part.replace(path)


def shown(corpus: Corpus) -> Iterable[LabelledPage]:
    """Return the pages; a bar shows how far they are, if they take more than two seconds."""
    return tqdm(corpus.pages, "exporting", unit="page", delay=2, disable=None, file=sys.stderr)
