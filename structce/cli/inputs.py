"""How a command is told to render pages, and the pages that come of it."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import click

from structce.cli.options import (
    browser_option,
    limit_option,
    network_option,
    read_limits,
    record_option,
    renderer_option,
    scripts_option,
    workers_option,
)
from structce.errors import CorpusError, SourceError
from structce.page import Page
from structce.rendering import (
    Document,
    Loader,
    NetworkReader,
    Renderer,
    RenderResult,
    Settings,
    Source,
    WarcWriter,
    open_sources,
    render_with_bar,
    start_renderer,
)
from structce.snapshot import SUFFIX, unpack_page

Reader = Callable[[Source], Document]


@dataclass(frozen=True)
class Asked:
    """What the user asked of the rendering.

    Parameters
    ----------
    renderer
        Name of the renderer; None for the best that this machine has.
    browser
        Path of the browser; None to find one.
    record
        WARC archive that keeps what the network gave; None for none.
    """

    renderer: str | None = None
    browser: str | None = None
    workers: int = 1
    settings: Settings = field(default_factory=Settings)
    record: Path | None = None

    def start(self, name: str | None = None) -> Renderer:
        """Return a renderer of the name, or of the name that was asked for; not yet opened.

        Raises
        ------
        RenderError
            If the static renderer is to run scripts.
        """
        return start_renderer(
            name or self.renderer,
            browser=self.browser,
            settings=self.settings,
            workers=self.workers,
        )

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        """Open what sources are read with, and the record of it if one is kept."""
        if not self.settings.network:
            yield Source.read
        elif self.record is None:
            yield NetworkReader(self.settings).read
        else:
            with WarcWriter(self.record) as recorder:
                yield NetworkReader(self.settings, recorder).read


def rendering_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command all options of rendering; it gets them as one argument, ``asked``."""

    @functools.wraps(command)
    def with_asked(
        *args: object,
        renderer: str | None,
        browser: str | None,
        workers: int,
        scripts: bool,
        network: bool,
        record: Path | None,
        limits: Sequence[str],
        **others: object,
    ) -> None:
        if record is not None and not network:
            raise click.UsageError("--record keeps what --network fetches; give both")
        settings = Settings(scripts=scripts, network=network, limits=read_limits(limits))
        asked = Asked(renderer, browser, workers, settings, record)
        command(*args, asked=asked, **others)

    options = (
        renderer_option,
        browser_option,
        workers_option,
        scripts_option,
        network_option,
        record_option,
        limit_option,
    )
    for option in reversed(options):
        with_asked = option(with_asked)
    return with_asked


def rendered(
    names: Sequence[str],
    renderer: Renderer,
    read: Reader | None = None,
    *,
    waits: bool = False,
) -> Iterator[RenderResult]:
    """Return every source in order; one that fails does not hold up the others.

    Parameters
    ----------
    waits
        Whether nothing is printed before the last source, so that a bar is welcome anywhere.
    """
    reads = list(_reads(names, read or Source.read))
    # Quiet where one page is no wait, or where the records show on the terminal as they come.
    quiet = True if len(reads) < 2 or (sys.stdout.isatty() and not waits) else None
    return render_with_bar(reads, renderer, is_quiet=quiet)


def _reads(names: Sequence[str], read: Reader) -> Iterator[tuple[str, Loader]]:
    """Yield the name of every page, and what reads it; snapshots are pages already."""
    for name in names:
        path = Path(name)
        snapshots = sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else []
        if name.endswith(SUFFIX) and path.is_file():
            snapshots = [path]
        for snapshot in snapshots:
            yield str(snapshot), partial(_read_snapshot, snapshot)
        if not snapshots:
            for source in open_sources([name]):
                yield source.name, partial(read, source)


def _read_snapshot(path: Path) -> Page:
    try:
        return unpack_page(path.read_bytes(), str(path))
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}") from error
    except CorpusError as error:
        raise SourceError(str(error)) from error
