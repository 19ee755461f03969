"""Overlays of ``structce label``: a picture of each page with its labels, HTML, and an index."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from structce.article import PageOutcome, PageReader, Reading
from structce.cli.outputs import file_stem
from structce.errors import PageError, RenderError, page_faults
from structce.io import write_all_atomic, write_atomic
from structce.page import Page
from structce.rendering import ChromiumRenderer, Document, Loader, Renderer
from structce.visualisation import OverlayLink, draw_labels, overlay_index, overlay_page, screenshot


def with_overlays(
    reader: PageReader,
    sources: Iterable[tuple[str, Loader]],
    work: Callable[[str, Reading], str | None],
    folder: Path,
) -> Iterator[PageOutcome[str | None]]:
    """Yield the outcome of every source, after its overlay has been written to the folder.

    An overlay is a picture and an HTML page, named by the number of the source; an index links all.
    """
    documents: deque[Document | Page] = deque()  # in progress
    links: list[OverlayLink] = []

    def remembered(load: Loader) -> Document | Page:
        documents.append(Document(""))
        documents[-1] = load()
        return documents[-1]

    def text_and_reading(source: str, reading: Reading) -> tuple[str | None, Reading]:
        return work(source, reading), reading

    loaders = ((source, partial(remembered, load)) for source, load in sources)
    for number, (source, value, error) in enumerate(reader.pipe(loaders, text_and_reading)):
        document = documents.popleft()
        if value is None:
            yield PageOutcome(source, None, error)
            continue
        (text, reading), stem = value, f"{number:05d}-{file_stem(source)}"
        try:
            with page_faults(source):
                _write_overlay(reader.renderer, source, document, reading, folder / stem)
        except (RenderError, PageError) as problem:
            error = f"no picture: {problem}"
        foreground = reading.labelling.label_set.foreground
        counts = Counter(name for name in reading.labelling.labels if name in foreground)
        file, title = "" if error else f"{stem}.html", reading.labelling.page.title
        links.append(OverlayLink(source, title, file, tuple(counts.items()), error))
        write_atomic(folder / "index.html", overlay_index(links).encode())
        yield PageOutcome(source, text, error)


def _write_overlay(
    renderer: Renderer, source: str, document: Document | Page, reading: Reading, path: Path
) -> None:
    """Write picture and HTML page; raise a RenderError if the browser cannot draw the page."""
    if not isinstance(renderer, ChromiumRenderer):
        raise RenderError(f"{source}: the {renderer.name} renderer cannot draw pictures")
    if not isinstance(document, Document):
        raise RenderError(f"{source}: a snapshot contains no HTML; give the page itself")
    labelling = reading.labelling
    background, page = labelling.label_set.background, labelling.page
    names = [None if name == background else name for name in labelling.labels]
    labelled = draw_labels(renderer, document, page, names, labelling.confidence.tolist())
    bare = screenshot(renderer, document, page, names)
    overlay = overlay_page(reading, bare, source=source)
    files = {".png": labelled, ".html": overlay.encode()}
    write_all_atomic({path.with_name(path.name + end): data for end, data in files.items()})
