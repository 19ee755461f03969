"""Storage of labelled pages in a folder: snapshots, labels by XPath, gold values, a manifest.

Every file gets its name when it is complete; the manifest, whose digest vouches for the labels, is
written last. If a process ends between the two, the next editor opened with ``trusts_labels``
writes the manifest for the labels on disk.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypedDict, TypeVar

import msgspec

from structce.errors import CorpusError, LabelError
from structce.gold import Gold, Match, gold_from_json, gold_to_json
from structce.io import Folder, encode_json, open_folder, read_at_most, write_atomic
from structce.labels import UNKNOWN, LabelSet, is_exact_label
from structce.page import MAX_FILE_BYTES, SUFFIX, Page, pack_page, unpack_page

CORPUS_FORMAT = "structce-corpus"
CORPUS_VERSION = 3
CORPUS_MANIFEST = "manifest.json"

MAX_JSON_BYTES = 2**27
"""Maximum size in bytes of a manifest, of labels and of gold: that of half a million pages."""

T = TypeVar("T")

DAMAGED = (
    OSError, EOFError, LookupError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""Errors raised by reading a file that is missing, damaged or malformed."""


def read_json(file: Folder, kind: type[T]) -> T:
    """Return the content of a JSON file as a type that msgspec can check.

    Raises CorpusError, which names the file, if it is missing, damaged, or of another form.
    """
    try:
        data = read_at_most(file, MAX_JSON_BYTES)
        values = json.loads(data, object_pairs_hook=_distinct)
        return msgspec.convert(values, kind)
    except DAMAGED as error:
        raise CorpusError(f"{file}: {getattr(error, 'strerror', None) or error}") from error


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice} is given twice")
    return values


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page with one label name per region.

    ``id`` is the page's name in its corpus, also its file name; ``site`` the registrable domain of
    the publisher; ``family`` one name for the sites that share a page template, which splits keep
    whole. Labels are in the order of regions: several, ``Caption|Paragraph``, if any may be right;
    ``UNKNOWN`` if unknown. Gold values are those of the data set, empty for a page labelled region
    by region; each has a match.
    """

    id: str
    site: str
    family: str
    page: Page
    labels: tuple[str, ...]
    gold: Gold = field(default_factory=Gold)
    matches: tuple[Match, ...] = ()

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.page):
            raise LabelError(f"{self.id}: {len(self.labels)} labels for {len(self.page)} regions")

    def __repr__(self) -> str:
        return f"<LabelledPage {self.id!r} of {self.site}: {self.page!r}>"

    @property
    def n_known(self) -> int:
        """Number of regions whose label is known, exactly or as one of several."""
        return len(self.labels) - self.labels.count(UNKNOWN)

    @property
    def n_exact(self) -> int:
        """Number of regions whose gold is one label."""
        return sum(map(is_exact_label, self.labels))

    @property
    def digest(self) -> str:
        """SHA-256 over identity, addresses, texts and labels of the regions."""
        total = hashlib.sha256(encode_json([self.id, self.site, self.family, self.page.renderer]))
        total.update(encode_json([self.page.xpath, self.page.text, self.labels], indent=None))
        return total.hexdigest()


def attach_labels(
    page: Page, named: Mapping[str, str], label_set: LabelSet, name: str
) -> tuple[str, ...]:
    """Return one label per region from labels by XPath; the others are background.

    Raises LabelError if a label is on no region, or neither in the set nor ``UNKNOWN``.
    """
    try:
        for label in set(named.values()):
            label_set.check(label)
    except LabelError as error:
        raise LabelError(f"{name}: {error}") from error
    if lost := set(named) - set(page.xpath):
        raise LabelError(f"{name}: {len(lost)} labels on no region, such as {min(lost)}")
    return tuple(named.get(xpath, label_set.background) for xpath in page.xpath)


class PageRow(TypedDict):
    """Entry of a manifest for one page."""

    id: str
    site: str
    family: str
    url: str


class Manifest(TypedDict):
    """The head of a corpus on disk; ``renderer`` is empty while the pages are raw HTML."""

    format: str
    version: int
    name: str
    licence: str
    renderer: str
    labels: list[str]
    background: str
    covered: list[str]
    digest: str
    notes: dict[str, object]
    pages: list[PageRow]


def digest_of(label_set: LabelSet, pages: Iterable[tuple[str, str]]) -> str:
    """Return the SHA-256 over a label set and ``(id, digest)`` of pages, whatever their order."""
    total = hashlib.sha256(encode_json([label_set.names, label_set.background]))
    for pair in sorted(pages):
        total.update(encode_json(pair))
    return total.hexdigest()


def write_manifest(
    path: Path, label_set: LabelSet, rows: Sequence[PageRow], **facts: object
) -> Manifest:
    """Write the manifest of a corpus to a file and return it; ``facts`` are its other entries."""
    values = {
        "format": CORPUS_FORMAT,
        "version": CORPUS_VERSION,
        "labels": label_set.names,
        "background": label_set.background,
        **facts,
        "pages": rows,
    }
    write_atomic(path, encode_json(values))
    return msgspec.convert(values, Manifest)


def read_manifest(path: Path) -> tuple[Folder, Manifest]:
    """Return the opened folder and the manifest of a corpus.

    Raises CorpusError if there is no corpus, it is damaged or of an unsupported version, or the id
    of a page leads out of the folder.
    """
    try:
        folder = open_folder(path)
        values = read_json(folder / CORPUS_MANIFEST, dict[str, Any])
        version = values["format"], values["version"]
    except (OSError, KeyError, CorpusError) as error:
        reason = str(error).removeprefix(f"{path}: ")
        raise CorpusError(
            f"{path}: no corpus here ({reason}); 'structce corpus import' makes one of pages with "
            "gold, 'structce annotate' of pages alone"
        ) from error
    if version != (CORPUS_FORMAT, CORPUS_VERSION):
        raise CorpusError(
            f"{path}: format {version[0]} version {version[1]!r}; "
            f"this release reads {CORPUS_FORMAT} version {CORPUS_VERSION}"
        )
    try:
        manifest = msgspec.convert(values, Manifest)
        label_set_of(manifest)
    except (msgspec.ValidationError, LabelError) as error:
        raise CorpusError(f"{path}: {CORPUS_MANIFEST}: {error}") from error
    if odd := [row["id"] for row in manifest["pages"] if not is_page_id(row["id"])]:
        raise CorpusError(f"{path}: page {odd[0][:80]!r}: this name leads to another folder")
    return folder, manifest


def label_set_of(manifest: Manifest) -> LabelSet:
    """Return the label set that a manifest states."""
    return LabelSet(tuple(manifest["labels"]), manifest["background"])


class _GoldFile(TypedDict):
    gold: dict[str, object]
    matches: tuple[Match, ...]


def read_labelled_page(folder: Folder, row: PageRow, label_set: LabelSet) -> LabelledPage:
    """Return one page of an opened corpus; CorpusError or LabelError if a file of it is wrong."""
    name = row["id"]
    file = folder / "pages" / f"{name}{SUFFIX}"
    try:
        page = unpack_page(read_at_most(file, MAX_FILE_BYTES), str(file))
    except DAMAGED as error:
        raise CorpusError(f"{file}: {error}") from error
    named = read_json(folder / "labels" / f"{name}.json", dict[str, str])
    labels = attach_labels(page, named, label_set, name)
    labelled = LabelledPage(name, row["site"], row["family"], page, labels)
    file = folder / "gold" / f"{name}.json"
    if not file.exists():
        return labelled
    values = read_json(file, _GoldFile)
    gold = gold_from_json(values["gold"], str(file))
    return replace(labelled, gold=gold, matches=values["matches"])


_PAGE_ID = re.compile(r"[^\s/\\:\x00-\x1f][^/\\:\x00-\x1f]*")


def is_page_id(text: str) -> bool:
    """Return whether a text can name a page: a file name that does not lead to another folder."""
    return _PAGE_ID.fullmatch(text) is not None and text not in (".", "..") and len(text) <= 200


class CorpusWriter:
    """Writer of a corpus page by page, so that memory use does not grow with it.

    :meth:`finish` writes the manifest last: an incomplete corpus is not readable.
    """

    def __init__(self, folder: Path, label_set: LabelSet) -> None:
        self.folder = folder
        self.label_set = label_set
        self._rows: dict[str, PageRow] = {}
        self._digests: dict[str, str] = {}
        self._renderers: set[str] = set()
        self._facts: dict[str, object] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    def add(self, page: LabelledPage) -> None:
        """Write a page, its labels and its gold.

        Raises CorpusError if its id was written, or leads out of the folder.
        """
        if page.id in self._rows:
            raise CorpusError(f"{self.folder}: two pages with the id {page.id!r}")
        if not is_page_id(page.id):
            raise CorpusError(f"{self.folder}: page {page.id!r}: this name leads to another folder")
        write_atomic(self.folder / "pages" / f"{page.id}{SUFFIX}", pack_page(page.page))
        self._write_labels(page)
        if page.gold != Gold() or page.matches:
            matches = [asdict(match) for match in page.matches]
            values = {"gold": gold_to_json(page.gold), "matches": matches}
            write_atomic(self.folder / "gold" / f"{page.id}.json", encode_json(values))
        self._rows[page.id] = {
            "id": page.id, "site": page.site, "family": page.family, "url": page.page.url
        }  # fmt: skip
        self._digests[page.id] = page.digest
        self._renderers.add(page.page.renderer)

    def finish(
        self, name: str, covered: Sequence[str], licence: str = "", notes: Mapping[str, object] = {}
    ) -> Manifest:
        """Write the manifest and return it; see :class:`structce.corpus.corpus.Corpus`."""
        self._facts = {"name": name, "covered": covered, "licence": licence, "notes": notes}
        return self._write_manifest(self.folder / CORPUS_MANIFEST, self._digests)

    def _write_labels(self, page: LabelledPage) -> None:
        pairs = zip(page.page.xpath, page.labels, strict=True)
        named = {xpath: label for xpath, label in pairs if label != self.label_set.background}
        write_atomic(self.folder / "labels" / f"{page.id}.json", encode_json(named))

    def _write_manifest(self, path: Path, digests: Mapping[str, str]) -> Manifest:
        digest, rows = digest_of(self.label_set, digests.items()), list(self._rows.values())
        facts = {**self._facts, "renderer": "+".join(sorted(self._renderers)), "digest": digest}
        return write_manifest(path, self.label_set, rows, **facts)


Progress = Callable[[Sequence[PageRow]], Iterable[PageRow]]


class CorpusEditor(CorpusWriter):
    """Editor of the labels and the list of pages of one corpus in a folder, for one process.

    ``trusts_labels`` accepts labels that do not match the manifest's digest, and rewrites the
    manifest: for a folder that an interrupted editor left behind. ``progress`` wraps the list of
    pages while all are read for their digests. Raises CorpusError if there is no such corpus, it is
    an archive, its pages are raw, or labels changed since the manifest was written.
    """

    def __init__(
        self, folder: Path, *, trusts_labels: bool = False, progress: Progress = lambda rows: rows
    ) -> None:
        if folder.is_file():
            raise CorpusError(f"{folder}: an archive cannot be edited; unpack it to a folder first")
        _, manifest = read_manifest(folder)
        if not manifest["renderer"] and manifest["pages"]:
            raise CorpusError(f"{folder}: its pages are raw HTML; they must be rendered first")
        super().__init__(folder, label_set_of(manifest))
        self.name = manifest["name"]
        self._facts = {key: manifest[key] for key in ("name", "covered", "licence", "notes")}
        self._rows = {row["id"]: row for row in manifest["pages"]}
        self._renderers = {name for name in manifest["renderer"].split("+") if name}
        self._digests = {row["id"]: self.page(row["id"]).digest for row in progress(self.rows)}
        if digest_of(self.label_set, self._digests.items()) != manifest["digest"]:
            if not trusts_labels:
                raise CorpusError(
                    f"{folder}: pages or labels changed since the manifest was written"
                )
            self.save()

    @property
    def rows(self) -> list[PageRow]:
        """Entries of the manifest for the pages, in order."""
        return list(self._rows.values())

    @property
    def renderer(self) -> str:
        """Name of the renderer of the pages; empty for an empty corpus."""
        return "+".join(sorted(self._renderers))

    def row(self, name: str) -> PageRow:
        """Return the entry of the manifest for a page; raises CorpusError if it has no entry."""
        if name not in self._rows:
            raise CorpusError(f"{self.folder}: no page {name!r}")
        return self._rows[name]

    def page(self, name: str) -> LabelledPage:
        """Return a page with its labels as they are on disk."""
        return read_labelled_page(self.folder, self.row(name), self.label_set)

    def save(self) -> None:
        """Write the manifest, after pages were added."""
        self._write_manifest(self.folder / CORPUS_MANIFEST, self._digests)

    def set_labels(self, page: LabelledPage, labels: Sequence[str]) -> LabelledPage:
        """Write the labels of a page, one per region, and return the page with them.

        Raises LabelError if they do not fit, or OSError, such as for a full disk; then nothing has
        changed.
        """
        for label in set(labels):
            self.label_set.check(label)
        changed = replace(page, labels=tuple(labels))
        digests = self._digests | {page.id: changed.digest}
        staged = self.folder / f".{CORPUS_MANIFEST}.next"  # a full disk shows before the change
        try:
            self._write_manifest(staged, digests)
            self._write_labels(changed)
            staged.replace(self.folder / CORPUS_MANIFEST)
        finally:
            staged.unlink(missing_ok=True)
        self._digests = digests
        return changed


def create_corpus(folder: Path, name: str, label_set: LabelSet) -> None:
    """Write the manifest of a corpus without pages, to which an editor adds some.

    Raises CorpusError if the folder contains something else.
    """
    if folder.exists() and any(folder.iterdir()):
        raise CorpusError(f"{folder}: neither empty nor a corpus; choose another folder")
    CorpusWriter(folder, label_set).finish(name, label_set.foreground)
