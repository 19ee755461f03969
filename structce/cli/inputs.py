"""Options of rendering that commands share, and the pages rendered with them."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self, TextIO, TypeVar

import click

from structce.article import DocumentReader, page_loaders
from structce.cli.options import (
    browser_option,
    debug_option,
    limit_option,
    network_option,
    page_seconds_option,
    read_limits,
    record_option,
    renderer_option,
    scripts_option,
    workers_option,
)
from structce.rendering import (
    NetworkReader,
    Renderer,
    RenderResult,
    Settings,
    Source,
    render_all,
    start_renderer,
    with_bar,
)

_MAX_LINE = 100_000
"""Characters of a line with one source."""

_T = TypeVar("_T")


@dataclass(frozen=True)
class RenderingChoice:
    """Renderer and settings that a user chose for a command.

    None selects the static renderer and a browser that is found. ``record`` is the WARC archive
    for what is fetched from the network.
    """

    renderer: str | None = None
    browser: str | None = None
    workers: int = 1
    settings: Settings = field(default_factory=Settings)
    record: Path | None = None

    def start(self, name: str | None = None) -> Renderer:
        """Return a renderer with this name, or else the chosen one; not yet opened."""
        name = name or self.renderer
        return start_renderer(
            name, browser=self.browser, settings=self.settings, workers=self.workers
        )

    def with_page_time(self, times: int) -> Self:
        """Return the choice with so many times the time limit of a page."""
        limits = self.settings.limits
        limits = replace(limits, page_seconds=times * limits.page_seconds)
        return replace(self, settings=replace(self.settings, limits=limits))

    @contextmanager
    def reader(self) -> Iterator[DocumentReader]:
        """Open the reader of sources, which records what it fetches if ``record`` is given."""
        if not self.settings.network:
            yield functools.partial(Source.read, seconds=self.settings.limits.page_seconds)
        elif self.record is None:
            yield NetworkReader(self.settings).read
        else:
            from structce.rendering import WarcWriter  # late: few pages are recorded

            with WarcWriter(self.record) as recorder:
                yield NetworkReader(self.settings, recorder).read


def rendering_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of rendering to a command, which receives them as ``rendering``."""

    @functools.wraps(command)
    def with_rendering(
        *args: object, renderer: str | None, browser: str | None, workers: int, scripts: bool,
        network: bool, record: Path | None, limits: Sequence[str], page_seconds: float,
        **others: object,
    ) -> None:  # fmt: skip
        if record is not None and not network:
            raise click.UsageError("--record keeps what --network fetches; give both")
        page_limits = read_limits(limits, {"page_seconds": page_seconds})
        settings = Settings(scripts=scripts, network=network, limits=page_limits)
        rendering = RenderingChoice(renderer, browser, workers, settings, record)
        command(*args, rendering=rendering, **others)

    options = (
        renderer_option,
        browser_option,
        workers_option,
        scripts_option,
        network_option,
        record_option,
        limit_option,
        page_seconds_option,
        debug_option,
    )
    for option in reversed(options):
        with_rendering = option(with_rendering)
    return with_rendering


def render_sources(
    names: Sequence[str],
    renderer: Renderer,
    read: DocumentReader | None = None,
    *,
    waits: bool = False,
) -> Iterator[RenderResult]:
    """Render sources in order; a failing one does not stop the others.

    If the command waits with its output for the last source, a progress bar does no harm.
    """
    loaders = list(page_loaders(names, read or Source.read))
    return show_progress(render_all(loaders, renderer), len(loaders), waits=waits)


def show_progress(
    results: Iterable[_T], total: int, *, waits: bool = False, what: str = "pages"
) -> Iterator[_T]:
    """Yield results with a progress bar, where it does no harm; see :func:`render_sources`."""
    # No bar for a single result, nor where results appear on the terminal as they are made.
    quiet = True if total < 2 or (sys.stdout.isatty() and not waits) else None
    return with_bar(results, total, what=what, is_quiet=quiet)


def listed_sources(lists: Iterable[TextIO]) -> Iterator[str]:
    """Yield the sources of files that list them, one per line."""
    for file in lists:
        while raw := _read_line(file):
            line = raw.strip()
            if line and not line.startswith("#"):
                yield line


def _read_line(file: TextIO) -> str:
    try:
        line = file.readline(_MAX_LINE + 1)
    except UnicodeDecodeError as error:
        raise click.UsageError(f"--from {file.name}: not UTF-8 text: {error.reason}") from error
    if len(line) > _MAX_LINE:
        raise click.UsageError(
            f"--from {file.name}: expected one source per line; one has over {_MAX_LINE:,} "
            "characters"
        )
    return line
