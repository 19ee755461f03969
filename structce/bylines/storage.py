"""A byline reader on disk: its chain, the names of its columns, the given names, and its card.

::

    bylines.json     columns and given names, what it learnt from, size and digest of learner.json
    learner.json     hyper-parameters of the chain, size and digest of weights.npz
    weights.npz      its weights
    README.md        the same for people
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec

from structce.bylines.reader import BYLINE_LABELS, BylineReader
from structce.errors import ModelError
from structce.io import write_all_atomic
from structce.learners import MODEL_REMEDY, LinearChainCRF, load_learner, storage
from structce.version import __version__

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
        What it learnt from, and its scores, as JSON values.
    card
        The same for people, Markdown.
    """
    with tempfile.TemporaryDirectory() as place:
        reader.learner.save(place)
        files = {name: Path(place, name).read_bytes() for name in _LEARNER_FILES}
    manifest = storage.seal(
        {
            "format": BYLINES_FORMAT,
            "version": BYLINES_VERSION,
            "structce": __version__,
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
    """Return the reader that :func:`save_reader` wrote.

    Raises
    ------
    ModelError
        If a file is missing, altered or of another version, or the files do not fit together.
    """
    path = folder / _MANIFEST
    entries = storage.read_sealed(path, BYLINES_FORMAT, BYLINES_VERSION)
    try:
        told = msgspec.convert(entries, _Manifest)
    except msgspec.ValidationError as error:
        raise ModelError(f"{path}: {error}. {MODEL_REMEDY}") from error
    entry = told.files.get(storage.MANIFEST)
    storage.read_described(folder / storage.MANIFEST, entry, storage.LARGEST_SEALED)
    learner = load_learner(folder)
    shape = (len(told.columns), len(told.labels))
    if (
        not isinstance(learner, LinearChainCRF)
        or told.labels != BYLINE_LABELS
        or learner.emissions_.shape != shape
    ):
        raise ModelError(f"{path}: its chain has other columns or labels. {MODEL_REMEDY}")
    columns = {name: row for row, name in enumerate(told.columns)}
    return BylineReader(learner, columns, frozenset(told.given))


@cache
def shipped_reader() -> BylineReader:
    """Return the reader that comes with the package."""
    return load_reader(Path(str(resources.files("structce") / "models" / _SHIPPED)))


_in_use: ContextVar[BylineReader | None] = ContextVar("byline reader", default=None)


def current_reader() -> BylineReader:
    """Return the reader in use: the shipped one outside of :func:`use_reader`."""
    return _in_use.get() or shipped_reader()


@contextmanager
def use_reader(reader: BylineReader | None) -> Iterator[None]:
    """Read bylines by another reader, such as one that has not seen the pages; None for no other.

    In the thread or task that enters it.
    """
    token = _in_use.set(reader)
    try:
        yield
    finally:
        _in_use.reset(token)
