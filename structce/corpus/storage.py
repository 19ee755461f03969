"""Storage of labelled pages in a folder: snapshots, labels by XPath, gold values, a manifest.

Every change is atomic: a file of labels gets its name when it is complete, then the manifest, whose
digest vouches for it, is written. If a process ends between the two, the next editor opened with
``trusts_labels`` writes the manifest for the labels on disk.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TypedDict

from structce.errors import CorpusError, LabelError
from structce.gold import Gold, Match, gold_from_json, gold_to_json, matches_from_json
from structce.io import Folder, encode_json, open_folder, write_atomic
from structce.labels import UNKNOWN, LabelSet, is_exact_label
from structce.page import SUFFIX, Page, pack_page, unpack_page

CORPUS_FORMAT = "structce-corpus"
CORPUS_VERSION = 3
CORPUS_MANIFEST = "manifest.json"


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

    def named(self, background: str) -> dict[str, str]:
        """Return label by XPath of every region that is not background."""
        pairs = zip(self.page.xpath, self.labels, strict=True)
        return {xpath: label for xpath, label in pairs if label != background}


def attach_labels(
    page: Page, named: Mapping[str, str], label_set: LabelSet, name: str
) -> tuple[str, ...]:
    """Return one label per region from labels by XPath; the others are background.

    Raises LabelError if a label is on no region, or neither in the set nor ``UNKNOWN``.
    """
    for label in set(named.values()):
        label_set.check(label)
    if lost := set(named) - set(page.xpath):
        raise LabelError(f"{name}: {len(lost)} labels on no region, such as {sorted(lost)[0]}")
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


def page_row(page: LabelledPage) -> PageRow:
    """Return the manifest entry of a page."""
    return {"id": page.id, "site": page.site, "family": page.family, "url": page.page.url}


@dataclass(frozen=True)
class Head:
    """Facts about all pages of a corpus; see :class:`structce.corpus.corpus.Corpus`."""

    name: str
    label_set: LabelSet
    covered: tuple[str, ...]
    licence: str = ""
    notes: Mapping[str, object] = field(default_factory=dict)


def digest_of(label_set: LabelSet, pages: Iterable[tuple[str, str]]) -> str:
    """Return the SHA-256 over a label set and ``(id, digest)`` of pages, whatever their order."""
    total = hashlib.sha256(encode_json([label_set.names, label_set.background]))
    for pair in sorted(pages):
        total.update(encode_json(pair))
    return total.hexdigest()


class CorpusWriter:
    """Writer of a corpus page by page, so that memory use does not grow with it.

    :meth:`finish` writes the manifest last: an incomplete corpus is not readable.
    """

    def __init__(self, folder: Path, label_set: LabelSet) -> None:
        self.folder = folder
        self.label_set = label_set
        self._rows: list[PageRow] = []
        self._digests: dict[str, str] = {}
        self._renderers: set[str] = set()

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, page: LabelledPage) -> None:
        """Write a page, its labels and its gold.

        Raises CorpusError if its id was written, or leads out of the folder.
        """
        if page.id in self._digests:
            raise CorpusError(f"{self.folder}: two pages with the id {page.id!r}")
        if page.id.startswith("/") or page.id == "" or ".." in re.split(r"[/\\]", page.id):
            raise CorpusError(f"{self.folder}: page {page.id!r}: this name leads to another folder")
        labels = page.named(self.label_set.background)
        write_atomic(self.folder / "pages" / f"{page.id}{SUFFIX}", pack_page(page.page))
        write_atomic(self.folder / "labels" / f"{page.id}.json", encode_json(labels))
        if page.gold != Gold() or page.matches:
            matches = [asdict(match) for match in page.matches]
            values = {"gold": gold_to_json(page.gold), "matches": matches}
            write_atomic(self.folder / "gold" / f"{page.id}.json", encode_json(values))
        self._rows.append(page_row(page))
        self._digests[page.id] = page.digest
        self._renderers.add(page.page.renderer)

    def finish(self, head: Head) -> Manifest:
        """Write the manifest and return it."""
        renderer = "+".join(sorted(self._renderers))
        digest = digest_of(head.label_set, self._digests.items())
        return write_manifest(self.folder, head, self._rows, renderer=renderer, digest=digest)


def write_manifest(
    folder: Path, head: Head, rows: list[PageRow], *, renderer: str, digest: str
) -> Manifest:
    """Write the manifest of a corpus and return it."""
    manifest: Manifest = {
        "format": CORPUS_FORMAT,
        "version": CORPUS_VERSION,
        "name": head.name,
        "licence": head.licence,
        "renderer": renderer,
        "labels": list(head.label_set.names),
        "background": head.label_set.background,
        "covered": list(head.covered),
        "digest": digest,
        "notes": dict(head.notes),
        "pages": rows,
    }
    write_atomic(folder / CORPUS_MANIFEST, encode_json(manifest))
    return manifest


def read_manifest(path: Path) -> tuple[Folder, Manifest]:
    """Return the opened folder and the manifest of a corpus.

    Raises CorpusError if there is no corpus, or it is of an unsupported version.
    """
    try:
        folder = open_folder(path)
        manifest: Manifest = json.loads((folder / CORPUS_MANIFEST).read_bytes())
        stated = manifest["format"], manifest["version"]
    except (OSError, KeyError, TypeError, ValueError) as error:
        problem = f"no corpus here ({error}); make one by 'structce corpus'"
        raise CorpusError(f"{path}: {problem}") from error
    if stated != (CORPUS_FORMAT, CORPUS_VERSION):
        raise CorpusError(
            f"{path}: format {stated[0]} version {stated[1]}; "
            f"this release reads {CORPUS_FORMAT} version {CORPUS_VERSION}"
        )
    return folder, manifest


def label_set_of(manifest: Manifest) -> LabelSet:
    """Return the label set that a manifest states."""
    return LabelSet(tuple(manifest["labels"]), manifest["background"])


def head_of(manifest: Manifest) -> Head:
    """Return the facts about all pages that a manifest states."""
    covered = tuple(manifest["covered"])
    label_set = label_set_of(manifest)
    return Head(manifest["name"], label_set, covered, manifest["licence"], manifest["notes"])


def read_labelled_page(folder: Folder, row: PageRow, label_set: LabelSet) -> LabelledPage:
    """Return one page of an opened corpus.

    Raises CorpusError if a file is missing or damaged; LabelError if a label is on no region or not
    in the set.
    """
    name = row["id"]
    try:
        page = unpack_page((folder / "pages" / f"{name}{SUFFIX}").read_bytes(), name)
        named = json.loads((folder / "labels" / f"{name}.json").read_bytes())
        file = folder / "gold" / f"{name}.json"
        known = json.loads(file.read_bytes()) if file.exists() else {"gold": {}, "matches": []}
        gold, matches = known["gold"], known["matches"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CorpusError(f"{name}: {type(error).__name__}: {error}") from error
    labels = attach_labels(page, named, label_set, name)
    gold, matches = gold_from_json(gold, name), matches_from_json(matches, name)
    return LabelledPage(name, row["site"], row["family"], page, labels, gold, matches)


_PAGE_ID = re.compile(r"[^\s/\\:\x00-\x1f][^/\\:\x00-\x1f]*")

Progress = Callable[[Sequence[PageRow]], Iterable[PageRow]]
"""Shows how far reading has got, as ``tqdm`` does."""


def is_page_id(text: str) -> bool:
    """Return whether a text can name a page: a file name that does not lead to another folder."""
    return _PAGE_ID.fullmatch(text) is not None and text not in (".", "..") and len(text) <= 200


class CorpusEditor:
    """Editor of the labels and the list of pages of one corpus in a folder.

    Only one process at a time may edit a corpus; the caller must ensure that.

    ``trusts_labels`` accepts labels that do not match the manifest's digest, and rewrites the
    manifest: for a folder that an interrupted editor left behind. ``progress`` wraps the list of
    pages while all are read for their digests.

    Raises CorpusError if there is no such corpus, it is an archive, its pages are raw, a page's
    name leads out of the folder, or labels changed since the manifest was written.
    """

    def __init__(
        self, folder: Path, *, trusts_labels: bool = False, progress: Progress = lambda rows: rows
    ) -> None:
        if folder.is_file():
            raise CorpusError(f"{folder}: an archive cannot be edited; unpack it to a folder first")
        _, manifest = read_manifest(folder)
        if not manifest["renderer"] and manifest["pages"]:
            raise CorpusError(f"{folder}: its pages are raw HTML; they must be rendered first")
        self.folder = folder
        self.head = head_of(manifest)
        self.label_set = self.head.label_set
        self._rows = {row["id"]: row for row in manifest["pages"]}
        self._renderers = {name for name in manifest["renderer"].split("+") if name}
        if odd := [name for name in self._rows if not is_page_id(name)]:
            raise CorpusError(f"{folder}: page {odd[0]!r}: this name leads to another folder")
        self._digests = {row["id"]: self.page(row["id"]).digest for row in progress(self.rows)}
        if self.digest != manifest["digest"]:
            if not trusts_labels:
                raise CorpusError(
                    f"{folder}: pages or labels changed since the manifest was written"
                )
            self._write_manifest()

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        return name in self._rows

    @property
    def rows(self) -> list[PageRow]:
        """Entries of the manifest for the pages, in order."""
        return list(self._rows.values())

    @property
    def renderer(self) -> str:
        """Name of the renderer of the pages; empty for an empty corpus."""
        return "+".join(sorted(self._renderers))

    @property
    def digest(self) -> str:
        """Digest of the corpus as it is now; see :attr:`structce.corpus.Corpus.digest`."""
        return digest_of(self.label_set, self._digests.items())

    def row(self, name: str) -> PageRow:
        """Return the entry of the manifest for a page; raises CorpusError if it has no entry."""
        if name not in self._rows:
            raise CorpusError(f"{self.folder}: no page {name!r}")
        return self._rows[name]

    def page(self, name: str) -> LabelledPage:
        """Return a page with its labels as they are on disk."""
        return read_labelled_page(self.folder, self.row(name), self.label_set)

    def set_labels(self, page: LabelledPage, labels: Sequence[str]) -> LabelledPage:
        """Write the labels of a page, one per region, and return the page with them.

        Raises LabelError if a label is not in the set, or the number of labels differs from that of
        regions; OSError if the disk is full, or the folder cannot be written.
        """
        for label in set(labels):
            self.label_set.check(label)
        changed = replace(page, labels=tuple(labels))
        named = changed.named(self.label_set.background)
        write_atomic(self.folder / "labels" / f"{page.id}.json", encode_json(named))
        self._digests[page.id] = changed.digest
        self._write_manifest()
        return changed

    def add(self, pages: Iterable[LabelledPage]) -> int:
        """Write pages that the corpus lacks, and return how many; the manifest is written last.

        Raises CorpusError if a page's name is taken or leads to another folder.
        """
        writer = CorpusWriter(self.folder, self.label_set)
        for page in pages:
            if page.id in self._rows or not is_page_id(page.id):
                raise CorpusError(f"{self.folder}: a new page cannot have the name {page.id!r}")
            writer.add(page)
            self._rows[page.id] = page_row(page)
            self._digests[page.id] = page.digest
            self._renderers.add(page.page.renderer)
        if len(writer):
            self._write_manifest()
        return len(writer)

    def _write_manifest(self) -> None:
        write_manifest(
            self.folder, self.head, self.rows, renderer=self.renderer, digest=self.digest
        )


def create_corpus(folder: Path, head: Head) -> None:
    """Write the manifest of a corpus without pages, to which an editor adds some.

    Raises CorpusError if the folder contains something else.
    """
    if folder.exists() and any(folder.iterdir()):
        raise CorpusError(f"{folder}: neither empty nor a corpus; choose another folder")
    digest = digest_of(head.label_set, ())
    write_manifest(folder, head, [], renderer="", digest=digest)
