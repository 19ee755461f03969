"""Serialise a byline reader to a folder: chain, names of columns, given names, and model card.

::

    bylines.json     columns, given names, training data, size and digest of learner.json
    learner.json     hyper-parameters of the chain, size and digest of weights.npz
    weights.npz      weights of the chain
    README.md        model card for people
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

import msgspec

from structce.bylines.reader import BYLINE_LABELS, BylineReader
from structce.errors import ModelError
from structce.io import write_all_atomic
from structce.learners import MODEL_REMEDY, LinearChainCRF, load_learner, storage
from structce.version import package_version

BYLINES_FORMAT = "structce-bylines"
BYLINES_VERSION = 1
_MANIFEST = "bylines.json"
_SHIPPED = "bylines"
_LEARNER_FILES = (storage.MANIFEST, storage.WEIGHTS)


class _Manifest(msgspec.Struct):
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    given: tuple[str, ...]
    files: dict[str, dict[str, object]]


def save_reader(
    folder: Path, reader: BylineReader, *, about: Mapping[str, object], card: str
) -> None:
    """Write a reader to a folder, which is created if necessary.

    Parameters
    ----------
    about
        Training data and scores, as JSON values.
    card
        Model card in Markdown, with the same content for people.
    """
    import tempfile  # late: reading needs no temporary folder

    with tempfile.TemporaryDirectory() as place:
        reader.learner.save(place)
        files = {name: Path(place, name).read_bytes() for name in _LEARNER_FILES}
    manifest = storage.seal(
        {
            "format": BYLINES_FORMAT,
            "version": BYLINES_VERSION,
            "structce": package_version(),
            "labels": BYLINE_LABELS,
            "columns": list(reader.columns),
            "given": sorted(reader.given),
            "files": {storage.MANIFEST: storage.describe_bytes(files[storage.MANIFEST])},
            "about": dict(about),
        }
    )
    contents = {**files, _MANIFEST: manifest, "README.md": card.encode()}
    write_all_atomic({folder / name: data for name, data in contents.items()})


def load_reader(folder: Path) -> BylineReader:
    """Return a reader that was written by :func:`save_reader`.

    Raises
    ------
    ModelError
        If a file is missing, altered or of another version, or the files do not fit together.
    """
    path = folder / _MANIFEST
    entries = storage.read_sealed(path, BYLINES_FORMAT, BYLINES_VERSION)
    try:
        manifest = msgspec.convert(entries, _Manifest)
    except msgspec.ValidationError as error:
        raise ModelError(f"{path}: {error}. {MODEL_REMEDY}") from error
    entry = manifest.files.get(storage.MANIFEST)
    storage.read_described(folder / storage.MANIFEST, entry, storage.LARGEST_SEALED)
    learner = load_learner(folder)
    shape = (len(manifest.columns), len(manifest.labels))
    if (
        not isinstance(learner, LinearChainCRF)
        or manifest.labels != BYLINE_LABELS
        or learner.emissions_.shape != shape
    ):
        raise ModelError(f"{path}: the chain has other columns or labels. {MODEL_REMEDY}")
    columns = {name: row for row, name in enumerate(manifest.columns)}
    return BylineReader(learner, columns, frozenset(manifest.given))


@cache
def shipped_reader() -> BylineReader:
    """Return the reader that comes with the package."""
    return load_reader(Path(__file__).parents[1] / "models" / _SHIPPED)


_in_use: ContextVar[BylineReader | None] = ContextVar("byline reader", default=None)


def current_reader() -> BylineReader:
    """Return the reader in use: the shipped one outside of :func:`use_reader`."""
    return _in_use.get() or shipped_reader()


@contextmanager
def use_reader(reader: BylineReader | None) -> Iterator[None]:
    """Read bylines with another reader, such as one not fitted on the pages; None for the shipped.

    The reader applies to the thread or task that enters the context.
    """
    token = _in_use.set(reader)
    try:
        yield
    finally:
        _in_use.reset(token)
