"""Serialisation of learnt extractors to files, without pickle, with their training data's digest.

::

    NAME.trained      a zip archive
        manifest.json     format, method, settings, training, sizes and digests; has its own digest
        arrays.npz        arrays of numbers, by name
        state.json        what is learnt as JSON, for extractors that are not numbers

``structce train --method`` and ``structce template`` write them, the methods ``trained:FILE`` and
``template:FILE`` read them. A template is what the pages of a site share.
"""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol, Self, TypeVar, cast, runtime_checkable

import msgspec
import numpy as np

from structce.arrays import Floats
from structce.errors import ExtractionError, ModelError, StructceError
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.registry import PAGE_CLASS_METHODS, SCHEMES, Extractor
from structce.io import write_atomic
from structce.page import site_of
from structce.registry import Registry
from structce.rendering import Document
from structce.version import __version__

LARGEST_FILE = 2**29
"""Maximum size of a file in bytes, enough for the template of ten thousand news pages."""

_FORMAT, _VERSION = "structce-trained-extractor", 1
_MANIFEST, _ARRAYS, _STATE = "manifest.json", "arrays.npz", "state.json"
_REMEDY = "Train it again: structce train --method NAME --data PACKAGE --out FILE"
# Exceptions that a broken or malicious file may raise; RuntimeError for an encrypted member.
_BROKEN = (
    zipfile.BadZipFile, OSError, EOFError, RuntimeError, ValueError, struct.error, zlib.error,
    KeyError, TypeError, IndexError,
)  # fmt: skip


@dataclass(frozen=True)
class ExtractorState:
    """State of a learnt extractor."""

    settings: Mapping[str, object]  # plain JSON values
    arrays: Mapping[str, Floats]  # finite numbers, by name; a file has them `rounded`
    text: bytes = b""  # JSON of any size


class StoredExtractor(Extractor, Protocol):
    """Extractor that can be stored in a file; its class is registered by `stored_extractor`."""

    def state(self) -> ExtractorState:
        """Return the state of the extractor."""

    @classmethod
    def from_state(cls, state: ExtractorState) -> Self:
        """Restore the extractor from what `state` returned.

        Raises StructceError if settings or arrays are missing or inconsistent. ``KeyError``,
        ``TypeError``, ``ValueError`` and ``IndexError`` are treated in the same way.
        """


@runtime_checkable
class Template(StoredExtractor, Protocol):
    """Extractor of one class of pages: pages of a site that look alike."""

    @property
    def method(self) -> str:
        """Name of the method that learnt it."""

    @property
    def n_pages(self) -> int:
        """Number of pages that it was learnt from."""

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return what was learnt as a readable table, the most informative rows first."""


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


STORED_EXTRACTORS: Registry[type[StoredExtractor]] = Registry("stored extractor", ModelError)
"""Classes that a file may contain, by kind."""

_Stored = TypeVar("_Stored", bound=type[StoredExtractor])


def stored_extractor(kind: str) -> Callable[[_Stored], _Stored]:
    """Register the class of a learnt extractor under its name in files; ModelError if taken."""

    def register(extractor: _Stored) -> _Stored:
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
    """Write a learnt extractor to a file, completely or not at all.

    Raises ExtractionError if its class is not registered, or the file cannot be written.
    """
    from structce.learners import storage  # late: only learnt extractors need it

    cls = type(trained.extractor)
    kind = next((name for name, stored in STORED_EXTRACTORS.items() if stored is cls), None)
    if kind is None:
        raise ExtractionError(
            f"{trained.method}: its extractor {cls.__name__} cannot be stored; expected one of "
            f"{sorted(STORED_EXTRACTORS)}, or a class under @stored_extractor"
        )
    state = cast("StoredExtractor", trained.extractor).state()
    shapes = {name: list(array.shape) for name, array in state.arrays.items()}
    storage.checked_shapes(path, shapes)
    members = {_ARRAYS: storage.pack_arrays(state.arrays)}
    if state.text:
        members[_STATE] = state.text
    manifest = {
        "format": _FORMAT,
        "version": _VERSION,
        "structce": __version__,
        "method": trained.method,
        "kind": kind,
        "settings": state.settings,
        "training": asdict(trained.training),
        "shapes": shapes,
        **{name.split(".")[0]: storage.describe_bytes(data) for name, data in members.items()},
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in {_MANIFEST: storage.seal(manifest), **members}.items():
            archive.writestr(zipfile.ZipInfo(name), data)  # with a constant date
    if buffer.tell() > LARGEST_FILE:
        raise ModelError(f"{path}: {buffer.tell():,} bytes; expected at most {LARGEST_FILE:,}")
    try:
        write_atomic(path, buffer.getvalue())
    except OSError as error:
        raise ExtractionError(f"{path}: {error.strerror}") from error


class _Entries(msgspec.Struct):
    """Entries of a manifest, besides those that `structce.learners.storage` checks."""

    method: str
    kind: str
    settings: dict[str, object]
    training: Training
    arrays: dict[str, object]
    state: dict[str, object] | None = None


def read_trained(path: Path) -> TrainedExtractor:
    """Load what `save_trained` wrote; raises ModelError if it is missing, damaged or altered."""
    from structce.learners import storage  # late: only learnt extractors need it

    data = storage.read_bounded(path, LARGEST_FILE)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            if any(info.file_size > len(data) for info in infos):  # they are not compressed
                raise ValueError("a member is larger than the file")
            members = {info.filename: archive.read(info) for info in infos}
        if not {_MANIFEST, _ARRAYS} <= members.keys():
            raise ValueError(f"it has {sorted(members)}"[:200])
        manifest = storage.unseal(path, members[_MANIFEST], _FORMAT, _VERSION)
        packed, text = members[_ARRAYS], members.get(_STATE, b"")
        entries = msgspec.convert(manifest, _Entries)
        described = [storage.describe_bytes(packed), storage.describe_bytes(text) if text else None]
        if described != [entries.arrays, entries.state]:
            raise ValueError("its arrays or its state are not those of its manifest")
        shapes = storage.checked_shapes(path, manifest.get("shapes"))
        arrays = storage.unpack_arrays(path, packed, shapes)
        exact = {name: array.astype(np.float64) for name, array in arrays.items()}
        state = ExtractorState(entries.settings, exact, text)
        extractor = STORED_EXTRACTORS[entries.kind].from_state(state)
    except (*_BROKEN, StructceError) as error:
        if isinstance(error, ModelError) and str(path) in str(error):
            raise
        reason = f"{type(error).__name__}: {error}"[:300]
        raise ModelError(f"{path}: not a trained extractor ({reason}). {_REMEDY}") from error
    return TrainedExtractor(entries.method, extractor, entries.training)


def load_trained(path: str | Path) -> Extractor:
    """Load the extractor of a file, for the methods ``trained:FILE`` and ``template:FILE``."""
    return read_trained(Path(path)).extractor


SCHEMES["trained"] = SCHEMES["template"] = load_trained


def save_template(template: Template, path: Path) -> None:
    """Write a template to a file, completely or not at all; raises as `save_trained`."""
    save_trained(path, TrainedExtractor(template.method, template, Training((), template.n_pages)))


def load_template(path: Path) -> Template:
    """Load the template of a file; raises ModelError if it is not a template."""
    template = load_trained(path)
    if not isinstance(template, Template):
        raise ExtractionError(f"{path}: a trained extractor; expected the template of a site")
    return template


class SiteTemplates:
    """Extractor with a template for each of several sites, for pages of these sites.

    ``name`` is that of a method that compares pages. Documents without an address form one site.
    Raises ExtractionError if there is no such method.
    """

    def __init__(self, name: str, documents: Iterable[Document]) -> None:
        self._name, method = name, PAGE_CLASS_METHODS.make(name)
        by_site: dict[str, list[Document]] = {}
        for document in documents:
            by_site.setdefault(site_of(document.url), []).append(document)
        self.n_pages = {site: len(pages) for site, pages in by_site.items()}
        self.templates: dict[str, Extractor] = {}
        self._failures: dict[str, ExtractionError] = {}
        for site, pages in by_site.items():
            try:
                self.templates[site] = method.learn(map(ParsedDocument.of, pages))
            except ExtractionError as error:
                self._failures[site] = error

    @property
    def learnt_sites(self) -> list[str]:
        """Sites with a template; the empty string is for pages without an address."""
        return list(self.templates)

    def extract(self, document: ParsedDocument) -> Extraction:
        """Return the main content of a page, by the other pages of its site."""
        site = site_of(document.url)
        if site in self.templates:
            return self.templates[site].extract(document)
        raise ExtractionError(
            f"{self._failures.get(site, 'no page of the site was learnt from')}; give several "
            "pages of the site, or a template of others: structce template learn PAGES --method "
            f"'{self._name}' --out FILE, then --method template:FILE"
        )
