"""``structce render``: render pages to snapshots; an interrupted run is resumed."""

from __future__ import annotations

import hashlib
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath

import click
from tqdm import tqdm

from structce.article import DocumentReader, PageRecord
from structce.cli.inputs import RenderingChoice, rendering_options
from structce.cli.messages import FAILED
from structce.cli.options import FOLDER, format_option, print_table
from structce.errors import CorpusError, PageError, SourceError, page_faults
from structce.io import write_atomic
from structce.page import SUFFIX, check_snapshot, pack_page, read_header
from structce.rendering import (
    Document,
    Renderer,
    RenderResult,
    Source,
    is_url,
    open_sources,
    render_all,
)

_STEM_LENGTH = 40
"""Characters of a source's name in the name of its snapshot: enough to recognise it, and file
names stay short."""

_DIGEST_LENGTH = 12
"""Hexadecimal digits of the digest of a source's name: a million sources of one stem collide by
chance once in 500 runs."""

_ENDINGS = (".html.gz", ".htm.gz", ".xhtml", ".html", ".htm", ".mhtml", ".mht")


@click.command(
    "render", epilog="Example:  structce render pages/ --out snapshots --renderer chromium"
)
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
@click.option("--out", required=True, type=FOLDER, metavar="DIR", help="Folder to write to.")
@click.option("--again", is_flag=True, help="Also render pages that already have a snapshot.")
@format_option
@rendering_options
def render_command(
    sources: tuple[str, ...], out: Path, again: bool, form: str, rendering: RenderingChoice
) -> None:
    """Render pages and keep their regions as snapshots, one file per page.

    The name of a snapshot depends only on the name of its source. A complete snapshot in DIR of the
    same HTML, made by the same renderer and browser with the same settings, is kept; so an
    interrupted run continues when it is started again. Style sheets and images are not compared: if
    they changed, give --again. A page that cannot be rendered is listed with its error; the others
    continue, and the command exits with 1.
    """
    renderer = rendering.start()
    with renderer, rendering.reader() as read:
        pages = list(open_sources(sources))
        with tqdm(
            total=len(pages), desc="pages", unit="page", disable=None, file=sys.stderr
        ) as bar:
            rows = _SnapshotRun(renderer, read, out, again, bar.update).rows_of(pages)
    print_table(rows, form)
    if any(row["error"] for row in rows):
        raise FAILED


def snapshot_name(source: str) -> str:
    """Return the file name of a source's snapshot, which depends only on the source's name."""
    if source != "-" and not is_url(source):
        source = PurePath(source).as_posix()
    digest = hashlib.sha256(source.encode("utf-8", errors="surrogatepass")).hexdigest()
    last = source.rstrip("/").rpartition("/")[2]
    for ending in _ENDINGS:
        last = last.removesuffix(ending)
    stem = "".join(c if c.isalnum() or c in "-_" else "-" for c in last).strip("-")
    return f"{stem[:_STEM_LENGTH] or 'page'}-{digest[:_DIGEST_LENGTH]}{SUFFIX}"


@dataclass
class _SnapshotRun:
    """Rendering of sources into a folder of snapshots by an open renderer.

    ``again`` also renders pages that already have a snapshot; ``step`` is called after each source.
    """

    renderer: Renderer
    read: DocumentReader
    folder: Path
    again: bool
    step: Callable[[], object]
    rows: dict[int, PageRecord] = field(default_factory=dict)  # by the number of their source
    waiting: deque[int] = field(default_factory=deque)  # numbers of the sources being rendered

    def rows_of(self, sources: Sequence[Source]) -> list[PageRecord]:
        """Write the snapshots of all sources; return one row per source, in their order."""
        for result in render_all(self._missing(sources), self.renderer):
            self._write_snapshot(result)
        return [self.rows[place] for place in range(len(sources))]

    def _missing(self, sources: Sequence[Source]) -> Iterator[tuple[str, Callable[[], Document]]]:
        """Yield the sources to be rendered, and add rows of the others."""
        for place, source in enumerate(sources):
            try:
                document = self.read(source)
            except (SourceError, PageError) as error:
                self._add(place, source.name, "failed", error=str(error))
                continue
            path = self.folder / snapshot_name(source.name)
            n_regions = None if self.again else self._n_kept_regions(path, document)
            if n_regions is not None:
                self._add(place, source.name, "kept", path, n_regions)
                continue
            self.waiting.append(place)
            yield source.name, partial(_identity, document)

    def _write_snapshot(self, result: RenderResult) -> None:
        """Write the snapshot of the next page."""
        place, error = self.waiting.popleft(), result.error
        if result.page is not None:
            path = self.folder / snapshot_name(result.source)
            try:
                with page_faults(result.source):
                    packed = pack_page(result.page, result.source)
                write_atomic(path, packed)
            except (CorpusError, PageError) as reason:
                error = str(reason)
            else:
                self._add(place, result.source, "rendered", path, len(result.page))
                return
        self._add(place, result.source, "failed", error=error)

    def _add(
        self,
        place: int,
        source: str,
        status: str,
        path: Path | None = None,
        n_regions: int = 0,
        error: str = "",
    ) -> None:
        self.rows[place] = {
            "source": source,
            "status": status,
            "regions": n_regions,
            "snapshot": "" if path is None else str(path),
            "error": error,
        }
        self.step()

    def _n_kept_regions(self, path: Path, document: Document) -> int | None:
        """Return the number of regions of a valid snapshot; None if the page must be rendered."""
        expected = self.renderer.provenance(document)
        try:
            data = path.read_bytes()
            header = read_header(data, str(path))
            if (header.renderer, header.provenance) != (self.renderer.name, expected):
                return None
            return check_snapshot(data, str(path)).n_regions
        except (OSError, CorpusError):
            return None


def _identity(document: Document) -> Document:
    return document
