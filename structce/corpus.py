"""Labelled pages: in memory, on disk, and split so that no site stands on two sides."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypedDict

import numpy as np

from structce.errors import CorpusError, LabelError
from structce.files import Folder, open_folder, to_json, write_whole
from structce.labels import NEWS, LabelSet
from structce.page import Page
from structce.site import with_sites
from structce.snapshot import SUFFIX, pack_page, unpack_page

FORMAT = "structce-corpus"
VERSION = 2


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """A page with one label name a region.

    Parameters
    ----------
    id
        Name of the page in its corpus; also its file name.
    site
        Registrable domain of the publisher.
    family
        Sites that share a page template have one family; splits keep it whole.
    labels
        One name a region, in the order of the regions.
    """

    id: str
    site: str
    family: str
    page: Page
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.page):
            raise LabelError(f"{self.id}: {len(self.labels)} labels for {len(self.page)} regions")


@dataclass(frozen=True, eq=False)
class Corpus:
    """Labelled pages under one label set.

    Parameters
    ----------
    notes
        What the importer reports, such as shares of gold found; plain JSON values.
    """

    name: str
    pages: tuple[LabelledPage, ...]
    label_set: LabelSet = NEWS
    licence: str = ""
    notes: Mapping[str, object] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.pages)

    def __iter__(self) -> Iterator[LabelledPage]:
        return iter(self.pages)

    @property
    def sites(self) -> tuple[str, ...]:
        """Distinct sites, sorted."""
        return tuple(sorted({page.site for page in self.pages}))

    @property
    def renderer(self) -> str:
        """Name of the renderer that made the pages; empty for a corpus without pages."""
        names = sorted({page.page.renderer for page in self.pages})
        return "+".join(names)

    @property
    def counts(self) -> dict[str, int]:
        """Number of regions of each label, in the order of the label set."""
        found = Counter(label for page in self.pages for label in page.labels)
        return {name: found[name] for name in self.label_set.names}

    @property
    def digest(self) -> str:
        """SHA-256 over the regions and labels of every page, whatever the order of pages."""
        total = hashlib.sha256(to_json([self.label_set.names, self.label_set.background]))
        for page in sorted(self.pages, key=lambda page: page.id):
            total.update(to_json([page.id, page.site, page.family, page.page.renderer]))
            total.update(to_json([page.page.xpath, page.page.text, page.labels], indent=None))
        return total.hexdigest()

    def subset(self, ids: Iterable[str]) -> Corpus:
        """Return the corpus of the named pages, in the order of this one.

        Raises
        ------
        CorpusError
            If a page is not here.
        """
        wanted = set(ids)
        chosen = tuple(page for page in self.pages if page.id in wanted)
        if missing := wanted - {page.id for page in chosen}:
            raise CorpusError(f"{self.name}: no page {sorted(missing)[0]!r}")
        return replace(self, pages=chosen)

    def split(self, fractions: Sequence[float], *, by: str = "site", seed: int = 0) -> list[Corpus]:
        """Return one corpus a fraction, disjoint, in the order of the fractions.

        Parameters
        ----------
        fractions
            Shares of pages, each in (0, 1], with sum 1; met as nearly as whole groups allow.
        by
            ``site`` keeps sites and template families whole; ``page`` draws pages alone, as
            Spengler et al. (2010) did, and flatters.
        """
        if abs(sum(fractions) - 1) > 1e-6 or min(fractions) <= 0:
            raise CorpusError(f"fractions {list(fractions)}; expected positive ones of sum 1")
        parts: list[list[str]] = [[] for _ in fractions]
        for group in self._groups(by, seed):
            lacking = [
                share * len(self) - len(part) for share, part in zip(fractions, parts, strict=True)
            ]
            parts[int(np.argmax(lacking))].extend(group)
        if empty := [i for i, part in enumerate(parts) if not part]:
            raise CorpusError(f"{self.name}: too few groups by {by}; part {empty[0]} is empty")
        return [self.subset(part) for part in parts]

    def folds(self, n: int, *, by: str = "site", seed: int = 0) -> list[Corpus]:
        """Return ``n`` disjoint corpora of about equal size; groups as in :meth:`split`."""
        return self.split([1 / n] * n, by=by, seed=seed)

    def _groups(self, by: str, seed: int) -> list[list[str]]:
        """Return ids of pages that stay together, shuffled, the largest groups first."""
        keys: dict[str, Callable[[LabelledPage], str]] = {
            "site": lambda page: page.family,
            "page": lambda page: page.id,
        }
        if by not in keys:
            raise CorpusError(f"split by {by!r}; expected one of {', '.join(keys)}")
        groups: dict[str, list[str]] = {}
        for page in sorted(self.pages, key=lambda page: page.id):
            groups.setdefault(keys[by](page), []).append(page.id)
        names = sorted(groups)
        order = np.random.default_rng(seed).permutation(len(names))
        return sorted((groups[names[i]] for i in order), key=len, reverse=True)

    def with_sites(self) -> Corpus:
        """Return the corpus, each page with the counts of its site's pages in this corpus.

        A part of a split knows its own pages alone, so test pages see other test pages. Labels
        are not looked at, and the digest stays.
        """
        counted = with_sites([one.page for one in self.pages], [one.site for one in self.pages])
        pairs = zip(self.pages, counted, strict=True)
        return replace(self, pages=tuple(replace(one, page=page) for one, page in pairs))

    def save(self, folder: Path) -> None:
        """Write the corpus; the manifest comes last, so half a corpus is none."""
        for page in self.pages:
            write_whole(folder / "pages" / f"{page.id}{SUFFIX}", pack_page(page.page))
            write_whole(folder / "labels" / f"{page.id}.json", to_json(self._named(page)))
        write_whole(folder / "manifest.json", to_json(self._manifest()))

    def _named(self, page: LabelledPage) -> dict[str, str]:
        pairs = zip(page.page.xpath, page.labels, strict=True)
        return {xpath: label for xpath, label in pairs if label != self.label_set.background}

    def _manifest(self) -> Manifest:
        return {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "licence": self.licence,
            "renderer": self.renderer,
            "labels": list(self.label_set.names),
            "background": self.label_set.background,
            "digest": self.digest,
            "notes": dict(self.notes),
            "pages": [
                {"id": page.id, "site": page.site, "family": page.family, "url": page.page.url}
                for page in self.pages
            ],
        }

    @classmethod
    def load(cls, path: Path) -> Corpus:
        """Return the corpus of a folder or zip archive.

        Raises
        ------
        CorpusError
            If there is none, it is of another version, or a file is damaged.
        LabelError
            If a label stands on no region or is none of the set.
        """
        folder, manifest = read_manifest(path)
        label_set = LabelSet(tuple(manifest["labels"]), manifest["background"])
        pages = tuple(_load_page(folder, row, label_set) for row in manifest["pages"])
        corpus = cls(
            name=manifest["name"],
            pages=pages,
            label_set=label_set,
            licence=manifest["licence"],
            notes=manifest["notes"],
        )
        if corpus.digest != manifest["digest"]:
            raise CorpusError(f"{path}: pages or labels changed since the manifest was written")
        return corpus


class PageRow(TypedDict):
    """What a manifest says of one page."""

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
    digest: str
    notes: dict[str, object]
    pages: list[PageRow]


def read_manifest(path: Path) -> tuple[Folder, Manifest]:
    """Return the opened folder and the manifest of a corpus.

    Raises
    ------
    CorpusError
        If there is no corpus, or it is of another version.
    """
    try:
        folder = open_folder(path)
        manifest: Manifest = json.loads((folder / "manifest.json").read_bytes())
        found = manifest["format"], manifest["version"]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise CorpusError(f"{path}: no corpus here ({error}); make one by 'structce corpus'") from (
            error
        )
    if found != (FORMAT, VERSION):
        raise CorpusError(
            f"{path}: format {found[0]} version {found[1]}; "
            f"this release reads {FORMAT} version {VERSION}"
        )
    return folder, manifest


def attach_labels(
    page: Page, named: Mapping[str, str], label_set: LabelSet, name: str
) -> tuple[str, ...]:
    """Return one label a region from labels by XPath; the rest is background.

    Raises
    ------
    LabelError
        If a label stands on no region, or is none of the set.
    """
    for xpath in named:
        label_set.index(named[xpath])
    if lost := set(named) - set(page.xpath):
        raise LabelError(f"{name}: {len(lost)} labels on no region, such as {sorted(lost)[0]}")
    return tuple(named.get(xpath, label_set.background) for xpath in page.xpath)


def _load_page(folder: Folder, row: PageRow, label_set: LabelSet) -> LabelledPage:
    name = row["id"]
    try:
        page = unpack_page((folder / "pages" / f"{name}{SUFFIX}").read_bytes(), name)
        named = json.loads((folder / "labels" / f"{name}.json").read_bytes())
    except (OSError, ValueError) as error:
        raise CorpusError(f"{name}: {error}") from error
    labels = attach_labels(page, named, label_set, name)
    return LabelledPage(name, row["site"], row["family"], page, labels)
