"""Raw corpora: HTML with labels by XPath, rendered when the corpus is opened.

A corpus whose labels are valid for every renderer, such as the sample, is kept as raw HTML and is
rendered when it is opened::

    manifest.json          as of a rendered corpus, with an empty ``renderer``
    pages/NAME.html        the page
    labels/NAME.json       {xpath: label} of every region except the background
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from structce.corpus.corpus import Corpus
from structce.corpus.storage import (
    Head,
    LabelledPage,
    PageRow,
    attach_labels,
    label_set_of,
    read_manifest,
    write_manifest,
)
from structce.errors import CorpusError
from structce.io import Folder, encode_json, write_atomic
from structce.labels import NEWS, LabelSet
from structce.rendering import Renderer, decode, render_with_bar


@dataclass(frozen=True)
class RawPage:
    """A page as its publisher serves it, with labels by XPath."""

    id: str
    site: str
    family: str
    url: str
    html: str
    labels: Mapping[str, str]


def save_raw(
    folder: Path, name: str, pages: Iterable[RawPage], *, licence: str, label_set: LabelSet = NEWS
) -> None:
    """Write a corpus of invented pages; the manifest last, so that a part is not readable."""
    pages = list(pages)
    for page in pages:
        write_atomic(folder / "pages" / f"{page.id}.html", page.html.encode())
        write_atomic(folder / "labels" / f"{page.id}.json", encode_json(dict(page.labels)))
    rows: list[PageRow] = [
        {"id": page.id, "site": page.site, "family": page.family, "url": page.url} for page in pages
    ]
    digest = _digest((page.html, page.labels) for page in pages)
    head = Head(name, label_set, label_set.foreground, licence, {"invented": True})
    write_manifest(folder, head, rows, renderer="", digest=digest)


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
    label_set = label_set_of(manifest)
    rows = manifest["pages"]
    raw = [_read(folder, path, row["id"]) for row in rows]
    reads = [
        (row["id"], partial(decode, data, name=row["id"], url=row["url"]))
        for row, (data, _) in zip(rows, raw, strict=True)
    ]
    pages = []
    with renderer:
        rendered = render_with_bar(reads, renderer, what="rendering")
        for row, (_, named), page in zip(rows, raw, rendered, strict=True):
            if page.page is None:
                raise CorpusError(f"{path}: {page.error}")
            labels = attach_labels(page.page, named, label_set, row["id"])
            pages.append(LabelledPage(row["id"], row["site"], row["family"], page.page, labels))
    if _digest((data.decode(errors="replace"), named) for data, named in raw) != manifest["digest"]:
        raise CorpusError(f"{path}: pages or labels changed since the manifest was written")
    return Corpus(manifest["name"], tuple(pages), label_set, manifest["licence"], manifest["notes"])


def _read(folder: Folder, path: Path, name: str) -> tuple[bytes, dict[str, str]]:
    """Return the HTML of a page and its labels."""
    try:
        data = (folder / "pages" / f"{name}.html").read_bytes()
        return data, json.loads((folder / "labels" / f"{name}.json").read_bytes())
    except (OSError, ValueError) as error:
        raise CorpusError(f"{path}: page {name}: {error}") from error


def _digest(pages: Iterable[tuple[str, Mapping[str, str]]]) -> str:
    total = hashlib.sha256()
    for html, labels in pages:
        total.update(encode_json([html, dict(labels)], indent=None))
    return total.hexdigest()
