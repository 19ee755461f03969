"""``structce render``: render pages to snapshots; an interrupted run is resumed."""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path, PurePath

import click

from structce import page as pages
from structce import rendering
from structce.cli.messages import FAILED
from structce.cli.options import (
    FOLDER,
    RenderingChoice,
    format_option,
    print_table,
    rendering_options,
    show_progress,
)
from structce.cli.outputs import file_stem
from structce.errors import CorpusError, PageError, page_faults
from structce.io import write_atomic

_DIGEST_LENGTH = 12  # characters in a snapshot's name


@click.command("render", epilog="Example:  structce render pages/ --out snapshots")
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
@click.option("--out", required=True, type=FOLDER, metavar="DIR", help="Folder to write to.")
@format_option
@rendering_options
def command(sources: tuple[str, ...], out: Path, form: str, chosen: RenderingChoice) -> None:
    """Render pages and keep their regions as snapshots, one file per page.

    A complete snapshot in DIR of the same HTML, made by the same renderer and browser with the same
    settings, is kept; so an interrupted run continues when it is started again. Style sheets and
    images are not compared: if they changed, name another DIR. A page that cannot be rendered is
    listed with its error; the others continue, and the command exits with 1.
    """
    rows: list[dict[str, object]] = []
    kept: set[str] = set()
    read = chosen.reader()
    with chosen.start() as renderer:

        def load(source: rendering.Source) -> rendering.Document | pages.Page:
            document = read(source)
            page = _kept_page(out / snapshot_name(source.name), document, renderer)
            if page is None:
                return document
            kept.add(source.name)
            return page

        opened = list(rendering.open_sources(sources))
        loaders = [(source.name, partial(load, source)) for source in opened]
        results = rendering.render_all(loaders, renderer)
        for result in show_progress(results, len(opened), waits=True):
            name, page, error = result.source, result.page, result.error
            path = out / snapshot_name(name)
            if page is not None and name not in kept:
                try:
                    with page_faults(name):
                        packed = pages.pack_page(page, name)
                    write_atomic(path, packed)
                except (CorpusError, PageError) as reason:
                    error = str(reason)
            status = "failed" if error else "kept" if name in kept else "rendered"
            n_regions = 0 if page is None or error else len(page)
            row = {"source": name, "status": status, "regions": n_regions}
            rows.append({**row, "snapshot": "" if error else str(path), "error": error})
    print_table(rows, form)
    if any(row["error"] for row in rows):
        raise FAILED


def snapshot_name(source: str) -> str:
    """Return the file name of a source's snapshot, which depends only on the source's name."""
    if source != "-" and not rendering.is_url(source):
        source = PurePath(source).as_posix()
    digest = hashlib.sha256(source.encode("utf-8", errors="surrogatepass")).hexdigest()
    return f"{file_stem(source)}-{digest[:_DIGEST_LENGTH]}{pages.SUFFIX}"


def _kept_page(
    path: Path, document: rendering.Document, renderer: rendering.Renderer
) -> pages.Page | None:
    """Return the page of a valid snapshot of a document; None if it must be rendered."""
    try:
        page = pages.unpack_page(path.read_bytes(), str(path))
    except (OSError, CorpusError):
        return None
    expected = renderer.name, renderer.provenance(document)
    is_same = (page.renderer, page.provenance) == expected
    return page if is_same and page.spans is not None else None
