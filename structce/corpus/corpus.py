"""Corpora of labelled pages: in memory, on disk, and split so that no site is in two parts.

A corpus whose labels are valid for every renderer, such as the sample, is kept as raw HTML and is
rendered when it is opened::

    manifest.json          as of a rendered corpus, with an empty ``renderer``
    pages/NAME.html        the page
    labels/NAME.json       {xpath: label} of every region except the background
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from structce.corpus.splits import Split, SplitBy, draw_parts
from structce.corpus.storage import (
    CORPUS_MANIFEST,
    DAMAGED,
    CorpusWriter,
    LabelledPage,
    PageRow,
    attach_labels,
    digest_of,
    label_set_of,
    read_json,
    read_labelled_page,
    read_manifest,
    write_manifest,
)
from structce.errors import CorpusError, LabelError
from structce.io import Folder, encode_json, read_at_most, write_atomic
from structce.labels import NEWS, LabelSet
from structce.rendering import MAX_PAGE_BYTES, Renderer, decode, render_all, with_bar

EVERY = ("*",)
"""All labels except the background."""


@dataclass(frozen=True, eq=False)
class Corpus:
    """Labelled pages under one label set.

    ``notes`` are reports of the importer, as plain JSON values. ``covered`` are the labels that the
    gold annotates, in the order of the set, by default all except the background; regions of other
    labels count as background.
    """

    name: str
    pages: tuple[LabelledPage, ...]
    label_set: LabelSet = NEWS
    licence: str = ""
    notes: Mapping[str, object] = field(default_factory=dict)
    covered: tuple[str, ...] = EVERY

    def __post_init__(self) -> None:
        covered = self.label_set.foreground if self.covered == EVERY else self.covered
        ordered = tuple(name for name in self.label_set.foreground if name in covered)
        if unknown := set(covered) - set(ordered):
            raise LabelError(
                f"{self.name}: {min(unknown)!r} is not one of {self.label_set.foreground}"
            )
        object.__setattr__(self, "covered", ordered)

    def __len__(self) -> int:
        return len(self.pages)

    def __iter__(self) -> Iterator[LabelledPage]:
        return iter(self.pages)

    def __repr__(self) -> str:
        size = f"{len(self):,} pages of {len(self.sites):,} sites"
        return f"<Corpus {self.name!r}: {size}, {len(self.label_set)} labels>"

    @property
    def sites(self) -> tuple[str, ...]:
        """Distinct sites, sorted."""
        return tuple(sorted({page.site for page in self.pages}))

    @property
    def renderer(self) -> str:
        """Name of the renderer that made the pages; empty for a corpus without pages."""
        return "+".join(sorted({page.page.renderer for page in self.pages}))

    @property
    def counts(self) -> dict[str, int]:
        """Number of regions per label, in the order of the label set, without unknown ones."""
        counts = Counter(label for page in self.pages for label in page.labels)
        return {name: counts[name] for name in self.label_set.names}

    @property
    def n_unknown(self) -> int:
        """Number of regions with an unknown label."""
        return sum(len(page.labels) - page.n_known for page in self.pages)

    def check_known(self) -> None:
        """Raise CorpusError unless the label of some region is known."""
        if not any(page.n_known for page in self.pages):
            raise CorpusError(
                f"{self.name}: no region of its {len(self):,} pages has a known label, so there is "
                "nothing to learn or to measure; label some, as with 'structce annotate'"
            )

    @property
    def n_several(self) -> int:
        """Number of regions whose gold is a set of labels."""
        return sum(page.n_known - page.n_exact for page in self.pages)

    @property
    def digest(self) -> str:
        """SHA-256 over the regions and labels of every page, whatever the order of pages."""
        return digest_of(self.label_set, ((page.id, page.digest) for page in self.pages))

    def subset(self, ids: Iterable[str]) -> Corpus:
        """Return the corpus of the named pages, in the order of this one.

        Raises CorpusError if the corpus lacks a page.
        """
        wanted = set(ids)
        chosen = tuple(page for page in self.pages if page.id in wanted)
        if missing := wanted - {page.id for page in chosen}:
            raise CorpusError(f"{self.name}: no page {sorted(missing)[0]!r}")
        return replace(self, pages=chosen)

    def split(self, sizes: Sequence[float], *, by: str = "site", seed: int = 0) -> list[Corpus]:
        """Return one corpus per size, disjoint; sizes, rules and errors as of :func:`draw_parts`.

        Splits by page give optimistic results.
        """
        parts = draw_parts(self.pages, sizes, by=by, seed=seed, name=self.name)
        return [self.subset(part) for part in parts]

    def folds(self, n: int, *, by: str = "site", seed: int = 0) -> list[Corpus]:
        """Return ``n`` disjoint corpora of about equal size; groups as in :meth:`split`."""
        return self.split([1 / n] * n, by=by, seed=seed)

    def draw_split(self, sizes: Mapping[str, float], *, by: SplitBy, seed: int) -> Split:
        """Return a split into named parts that can be stored; see :func:`draw_parts`."""
        drawn = draw_parts(self.pages, list(sizes.values()), by=by, seed=seed, name=self.name)
        parts = {name: tuple(sorted(ids)) for name, ids in zip(sizes, drawn, strict=True)}
        left_out = {page.id for page in self.pages}.difference(*drawn)
        return Split(self.name, self.digest, by, seed, parts, tuple(sorted(left_out)))

    def parts(self, split: Split) -> dict[str, Corpus]:
        """Return the corpus of each part of a split, by name; raises CorpusError as its check."""
        split.check(self.pages, name=self.name, digest=self.digest)
        return {name: self.subset(ids) for name, ids in split.parts.items()}

    def save(self, folder: Path) -> None:
        """Write the corpus; the manifest last, so that an incomplete corpus is not readable."""
        writer = CorpusWriter(folder, self.label_set)
        for page in self.pages:
            writer.add(page)
        writer.finish(self.name, self.covered, self.licence, self.notes)

    @classmethod
    def load(cls, path: Path) -> Corpus:
        """Return the corpus of a folder or zip archive.

        Raises CorpusError if there is no corpus, it is of an unsupported version, or a file is
        damaged; LabelError if a label is on no region or not in the set.
        """
        folder, manifest = read_manifest(path)
        label_set = label_set_of(manifest)
        pages = tuple(read_labelled_page(folder, row, label_set) for row in manifest["pages"])
        corpus = cls(
            manifest["name"], pages, label_set, manifest["licence"], manifest["notes"],
            tuple(manifest["covered"]),
        )  # fmt: skip
        if corpus.digest != manifest["digest"]:
            raise CorpusError(f"{path}: pages or labels changed since the manifest was written")
        return corpus


@dataclass(frozen=True)
class RawPage:
    """A page as its publisher serves it, with labels by XPath."""

    id: str
    site: str
    family: str
    url: str
    html: str
    labels: Mapping[str, str]


def save_raw(folder: Path, name: str, pages: Iterable[RawPage], *, licence: str) -> None:
    """Write a corpus of invented news; the manifest last, so that a part is not readable."""
    rows: list[PageRow] = []
    digest = hashlib.sha256()
    for page in pages:
        write_atomic(folder / "pages" / f"{page.id}.html", page.html.encode())
        write_atomic(folder / "labels" / f"{page.id}.json", encode_json(dict(page.labels)))
        rows.append({"id": page.id, "site": page.site, "family": page.family, "url": page.url})
        digest.update(raw_content(page.html, page.labels))
    write_manifest(
        folder / CORPUS_MANIFEST, NEWS, rows, name=name, covered=NEWS.foreground,
        licence=licence, renderer="", digest=digest.hexdigest(), notes={"invented": True},
    )  # fmt: skip


def raw_content(html: str, labels: Mapping[str, str]) -> bytes:
    """Return the bytes of a raw page and its labels that the digest of the corpus is made of."""
    return encode_json([html, dict(labels)], indent=None)


def open_corpus(
    path: Path, renderer: str | None, start: Callable[[str | None], Renderer]
) -> Corpus:
    """Return a corpus, which is rendered now if it consists of raw pages.

    A corpus that is rendered already must have been made by the renderer of this name; None accepts
    any. ``start`` creates a renderer by name, only for raw pages. Raises CorpusError if there is no
    corpus, a file is damaged, or its pages were made by another renderer.
    """
    _, manifest = read_manifest(path)
    if manifest["renderer"]:
        if renderer not in (None, manifest["renderer"]):
            raise CorpusError(
                f"{path}: rendered by {manifest['renderer']}, wanted {renderer}; "
                f"import it again with --renderer {renderer}"
            )
        return Corpus.load(path)
    return _render(path, start(renderer))


def _render(path: Path, renderer: Renderer) -> Corpus:
    folder, manifest = read_manifest(path)
    label_set, rows, digest = label_set_of(manifest), manifest["pages"], hashlib.sha256()
    raw = [read_raw(folder, row["id"]) for row in rows]
    reads = [
        (row["id"], partial(decode, data, name=row["id"], url=row["url"]))
        for row, (data, _) in zip(rows, raw, strict=True)
    ]
    pages = []
    with renderer:
        rendered = with_bar(render_all(reads, renderer), len(reads), what="rendering")
        for row, (data, named), result in zip(rows, raw, rendered, strict=True):
            if result.page is None:
                raise CorpusError(f"{path}: {result.error}")
            labels = attach_labels(result.page, named, label_set, row["id"])
            pages.append(LabelledPage(row["id"], row["site"], row["family"], result.page, labels))
            digest.update(raw_content(data.decode(errors="replace"), named))
    if digest.hexdigest() != manifest["digest"]:
        raise CorpusError(f"{path}: pages or labels changed since the manifest was written")
    return Corpus(manifest["name"], tuple(pages), label_set, manifest["licence"], manifest["notes"])


def read_raw(folder: Folder, name: str) -> tuple[bytes, dict[str, str]]:
    """Return the HTML of a raw page, and its labels by XPath."""
    labels = read_json(folder / "labels" / f"{name}.json", dict[str, str])
    file = folder / "pages" / f"{name}.html"
    try:
        return read_at_most(file, MAX_PAGE_BYTES), labels
    except DAMAGED as error:
        raise CorpusError(f"{file}: {error}") from error
