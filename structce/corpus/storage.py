"""Storage of labelled pages in a folder: snapshots, labels by XPath, gold values, a manifest."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
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
