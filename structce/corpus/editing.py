"""Editing of a corpus on disk: change labels page by page, add pages, update the manifest.

Every change is atomic: a file of labels gets its name when it is complete, then the manifest, whose
digest vouches for it, is written. If a process ends between the two, the next editor opened with
``trusts_labels`` writes the manifest for the labels on disk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from structce.corpus.storage import (
    CorpusWriter,
    Head,
    LabelledPage,
    PageRow,
    digest_of,
    head_of,
    page_row,
    read_labelled_page,
    read_manifest,
    write_manifest,
)
from structce.errors import CorpusError
from structce.io import encode_json, write_atomic

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
        """Return the entry of the manifest for a page; raises CorpusError if there is none."""
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
