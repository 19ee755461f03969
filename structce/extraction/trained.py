"""Serialisation of trained extractors to files, without pickle, with their training data's digest.

::

    NAME.trained      a zip archive
        manifest.json     format, method, settings, training, sizes and digests; has its own digest
        arrays.npz        arrays of numbers, by name

``structce train --method`` writes them, the method ``trained:FILE`` reads them.
"""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol, Self, TypeVar

import msgspec
import numpy as np

from structce.arrays import Floats
from structce.errors import ExtractionError, ModelError, StructceError
from structce.extraction.registry import SCHEMES, Extractor
from structce.io import write_atomic
from structce.rendering import Document
from structce.version import __version__

TRAINED_FORMAT = "structce-trained-extractor"
TRAINED_VERSION = 1
LARGEST_FILE = 2**28
"""Maximum size of a file in bytes; the support vectors of 60,000 blocks take a fiftieth of it."""

_MANIFEST, _ARRAYS = "manifest.json", "arrays.npz"
_REMEDY = "Train it again: structce train --method NAME --data PACKAGE --out FILE"
_BROKEN = (
    zipfile.BadZipFile, OSError, EOFError, RuntimeError, ValueError, struct.error, zlib.error,
)  # fmt: skip
# Exceptions that a broken or malicious archive may raise; RuntimeError for an encrypted member.

Arrays = Mapping[str, Floats]


@dataclass(frozen=True)
class ExtractorState:
    """State of a trained extractor.

    ``settings`` are plain JSON values, ``arrays`` finite numbers, by name. A file stores the latter
    as float32, to which `rounded` rounds them.
    """

    settings: Mapping[str, object]
    arrays: Arrays


class StoredExtractor(Extractor, Protocol):
    """Extractor that can be stored in a file; its class is registered by `stored_extractor`."""

    def state(self) -> ExtractorState:
        """Return the state of the extractor."""
        ...

    @classmethod
    def from_state(cls, state: ExtractorState) -> Self:
        """Restore the extractor from what `state` returned.

        Raises StructceError if settings or arrays are missing or inconsistent. ``KeyError``,
        ``TypeError``, ``ValueError`` and ``IndexError`` are treated in the same way.
        """
        ...


@dataclass(frozen=True)
class Training:
    """Training data of an extractor: names of packages, numbers, and a `training_digest`."""

    sources: tuple[str, ...] = ()
    n_pages: int = 0
    n_sites: int = 0
    digest: str = ""


@dataclass(frozen=True)
class TrainedExtractor:
    """Content of a file: an extractor, the method that trained it, and its training data."""

    method: str
    extractor: Extractor
    training: Training


STORED_EXTRACTORS: dict[str, type[StoredExtractor]] = {}
"""Classes that a file may contain, by kind."""

_Stored = TypeVar("_Stored", bound=type[StoredExtractor])


def stored_extractor(kind: str) -> Callable[[_Stored], _Stored]:
    """Register the class of a trained extractor under its name in files.

    Raises ExtractionError if the name is taken.
    """

    def register(extractor: _Stored) -> _Stored:
        if kind in STORED_EXTRACTORS:
            raise ExtractionError(f"the kind {kind!r} is taken by another trained extractor")
        STORED_EXTRACTORS[kind] = extractor
        return extractor

    return register


def rounded(values: Floats) -> Floats:
    """Return numbers as a file stores them, so that a loaded extractor equals the fitted one."""
    return np.asarray(values, dtype=np.float32).astype(np.float64)


def training_digest(documents: Iterable[Document], texts: Iterable[str]) -> str:
    """Return a digest of sixteen hexadecimal digits of pages and their texts, in any order."""
    digests = [
        hashlib.sha256(f"{document.html}\0{text}".encode(errors="replace")).digest()
        for document, text in zip(documents, texts, strict=True)
    ]
    return hashlib.sha256(b"".join(sorted(digests))).hexdigest()[:16]


def save_trained(path: Path, trained: TrainedExtractor) -> None:
    """Write a trained extractor to a file, completely or not at all.

    Raises ExtractionError if its class is not registered; ModelError if it is larger than
    `read_trained` accepts.
    """
    from structce.learners import storage  # late: only trained extractors need it

    own = type(trained.extractor)
    kind = next((name for name, stored in STORED_EXTRACTORS.items() if stored is own), None)
    if kind is None or not isinstance(trained.extractor, STORED_EXTRACTORS[kind]):
        raise ExtractionError(
            f"{trained.method}: its extractor {own.__name__} cannot be stored; expected one of "
            f"{sorted(STORED_EXTRACTORS)}, or a class under @stored_extractor"
        )
    state = trained.extractor.state()
    shapes = {name: list(array.shape) for name, array in state.arrays.items()}
    storage.checked_shapes(path, shapes)
    arrays = storage.pack_arrays(state.arrays)
    manifest = {
        "format": TRAINED_FORMAT,
        "version": TRAINED_VERSION,
        "structce": __version__,
        "method": trained.method,
        "kind": kind,
        "settings": state.settings,
        "training": asdict(trained.training),
        "shapes": shapes,
        "arrays": storage.describe_bytes(arrays),
    }
    data = _pack({_MANIFEST: storage.seal(manifest), _ARRAYS: arrays})
    if len(data) > LARGEST_FILE:
        raise ModelError(f"{path}: {len(data):,} bytes; expected at most {LARGEST_FILE:,}")
    write_atomic(path, data)


def _pack(members: Mapping[str, bytes]) -> bytes:
    """Return an archive; equal members give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data)  # with a constant date
    return buffer.getvalue()


def read_trained(path: Path) -> TrainedExtractor:
    """Load what `save_trained` wrote.

    Raises ModelError if the file is missing, damaged, altered, too large, or of another format or
    version.
    """
    from structce.learners import storage  # late: only trained extractors need it

    manifest, packed = _members(path, storage.read_bounded(path, LARGEST_FILE))
    entries = storage.unseal(path, manifest, TRAINED_FORMAT, TRAINED_VERSION)
    if storage.describe_bytes(packed) != entries.get("arrays"):
        raise ModelError(f"{path}: its arrays are not those of its manifest. {_REMEDY}")
    shapes = storage.checked_shapes(path, entries.get("shapes"))
    arrays = storage.unpack_arrays(path, packed, shapes)
    converted = _converted(path, entries)
    try:
        state = ExtractorState(converted.settings, arrays)
        extractor = STORED_EXTRACTORS[converted.kind].from_state(state)
    except (KeyError, TypeError, ValueError, IndexError, StructceError) as error:
        reason = f"{type(error).__name__}: {error}"[:300]
        raise ModelError(
            f"{path}: not a {converted.kind!r} extractor ({reason}). {_REMEDY}"
        ) from error
    return TrainedExtractor(converted.method, extractor, converted.training)


def _members(path: Path, data: bytes) -> tuple[bytes, bytes]:
    """Return manifest and packed arrays of an archive, after checking their sizes."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = [archive.getinfo(name) for name in (_MANIFEST, _ARRAYS)]
            if any(info.file_size > len(data) for info in infos):  # they are not compressed
                raise ModelError(f"{path}: a member is larger than the file. {_REMEDY}")
            manifest, arrays = (archive.read(info) for info in infos)
    except (KeyError, *_BROKEN) as error:
        raise ModelError(f"{path}: not a trained extractor ({error}). {_REMEDY}") from error
    return manifest, arrays


class _Entries(msgspec.Struct):
    method: str
    kind: str
    settings: dict[str, object]
    training: Training


def _converted(path: Path, entries: Mapping[str, object]) -> _Entries:
    try:
        converted = msgspec.convert(entries, _Entries)
    except msgspec.ValidationError as error:
        raise ModelError(f"{path}: {error}. {_REMEDY}") from error
    if converted.kind not in STORED_EXTRACTORS:
        raise ModelError(
            f"{path}: an extractor of the kind {converted.kind!r}; this release has "
            f"{sorted(STORED_EXTRACTORS)}"
        )
    return converted


def load_trained(path: str | Path) -> Extractor:
    """Load the extractor of a file, for the method ``trained:FILE``."""
    return read_trained(Path(path)).extractor


SCHEMES["trained"] = load_trained
