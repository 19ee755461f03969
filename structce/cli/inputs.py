"""Options of rendering that commands share, and the sources that they read."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

import click

from structce.article import DocumentReader
from structce.cli import options
from structce.cli.messages import show_message
from structce.rendering import NetworkReader, Renderer, Settings, Source, start_renderer, with_bar

if TYPE_CHECKING:
    from structce.corpus import Corpus
    from structce.labelling import ModelChoice

_T = TypeVar("_T")


@dataclass(frozen=True)
class RenderingChoice:
    """Renderer and settings that a user chose for a command.

    None selects the static renderer and a browser that is found.
    """

    renderer: str | None = None
    browser: str | None = None
    workers: int = 1
    settings: Settings = field(default_factory=Settings)

    def start(self, name: str | None = None) -> Renderer:
        """Return a renderer with this name, or else the chosen one; not yet opened."""
        chosen, settings = name or self.renderer, self.settings
        return start_renderer(chosen, browser=self.browser, settings=settings, workers=self.workers)

    def open_corpus(self, path: Path, usual: str | None = None) -> Corpus:
        """Open a corpus; raw pages are rendered first, by the usual renderer if none is chosen."""
        from structce.corpus import open_corpus  # late: pages need no corpora, which take 0.8 s

        return open_corpus(path, self.renderer or usual, self.start)

    def reader(self) -> DocumentReader:
        """Return the reader of sources."""
        if self.settings.network:
            return NetworkReader(self.settings).read
        return functools.partial(Source.read, seconds=self.settings.limits.page_seconds)


def choose_models(model: str | None, chosen: RenderingChoice) -> tuple[Renderer, ModelChoice]:
    """Return renderer and models; warn about a model for pages of another renderer."""
    from structce.labelling import ModelChoice  # late: most commands label no page

    models, renderer = ModelChoice(model), chosen.start()
    if model is not None and (message := models.conflict(renderer.name)):
        show_message(f"warning: {message}")
    return renderer, models


def rendering_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of rendering to a command, which receives them as ``chosen``."""

    @options.renderer_option
    @options.browser_option
    @options.workers_option
    @click.option(
        "--scripts", is_flag=True, help="Run the scripts of pages, scroll, and wait until idle."
    )
    @click.option(
        "--network", is_flag=True, help="Let pages fetch what they need from public addresses."
    )
    @options.limit_option
    @options.page_seconds_option
    @options.debug_option
    @functools.wraps(command)
    def with_rendering(
        *args: object, renderer: str | None, browser: str | None, workers: int, scripts: bool,
        network: bool, limits: Sequence[str], page_seconds: float, **others: object,
    ) -> None:  # fmt: skip
        page_limits = options.read_limits(limits, page_seconds)
        settings = Settings(scripts=scripts, network=network, limits=page_limits)
        chosen = RenderingChoice(renderer, browser, workers, settings)
        command(*args, chosen=chosen, **others)

    return with_rendering


def corpus_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for opening a corpus to a command, which receives them as ``chosen``."""

    @options.renderer_option
    @options.browser_option
    @functools.wraps(command)
    def with_choice(
        *args: object, renderer: str | None, browser: str | None, **others: object
    ) -> None:
        command(*args, chosen=RenderingChoice(renderer, browser), **others)

    return with_choice


def show_progress(
    results: Iterable[_T], total: int, *, waits: bool = False, what: str = "pages"
) -> Iterator[_T]:
    """Yield results with a progress bar, unless there is one, or they appear on the terminal.

    The command ``waits`` if it prints nothing before the last result.
    """
    is_quiet = True if total < 2 or (sys.stdout.isatty() and not waits) else None
    return with_bar(results, total, what=what, is_quiet=is_quiet)


def source_names(given: Sequence[str], lists: Iterable[TextIO]) -> list[str]:
    """Return the given sources and those of files that list them; none is a usage error."""
    names = list(given)
    for file in lists:
        try:
            lines = [line.strip() for line in file]
        except UnicodeDecodeError as error:
            raise click.UsageError(f"--from {file.name}: not UTF-8 text: {error.reason}") from error
        names += [line for line in lines if line and not line.startswith("#")]
    if not names:
        raise click.UsageError("Missing argument 'SRC...'.")
    return names
