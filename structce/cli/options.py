"""Options that several commands share, the sources that they read, and the printing of tables."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeVar

import click
import msgspec
from msgspec.structs import asdict

from structce.article import DocumentReader, SiteRules
from structce.cli.messages import show_message, shown_message
from structce.io import escape_controls
from structce.language import printable
from structce.rendering import (
    RENDERERS,
    Limits,
    NetworkReader,
    Renderer,
    Settings,
    Source,
    start_renderer,
    with_bar,
)

if TYPE_CHECKING:
    from structce.corpus import Corpus
    from structce.labelling import ModelChoice

_T = TypeVar("_T")


PATH = click.Path(path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
EXISTING_PATH = click.Path(exists=True, path_type=Path)
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
PORT = click.IntRange(0, 65_535)
COUNT = click.IntRange(1)

from_option = click.option(
    "--from",
    "lists",
    type=click.File(encoding="utf-8-sig"),  # Windows begins such files with a mark
    multiple=True,
    metavar="FILE",
    help="Also read sources from a file, one per line; lines that begin with # are skipped.",
)
model_option = click.option("--model", help="Folder or name of a model. Default: a shipped one.")
favour_option = click.option(
    "--favour",
    type=click.Choice(["balance", "precision", "recall"]),
    default="balance",
    help="Keep in the text only what surely belongs to it (precision), or all that may (recall).",
)
rules_option = click.option(
    "--rules",
    multiple=True,
    type=FILE,
    callback=lambda _context, _option, paths: tuple(map(SiteRules.load, paths)),
    metavar="RULES.toml",
    help="Rules of a site, by 'structce site learn', asked before the model; repeat for several.",
)
context_option = click.option(
    "--context", is_flag=True, help="Also read access, next page and comments (JSON)."
)
renderer_option = click.option(
    "--renderer",
    type=click.Choice(RENDERERS),
    help="Render pages as HTML alone (static, the default), or by a browser.",
)
limit_option = click.option(
    "--limit",
    "limits",
    multiple=True,
    callback=lambda _context, _option, texts: _limits(texts),
    metavar="NAME=VALUE",
    help="Limit for one page, such as seconds=60; repeat for several. Names: "
    f"{', '.join(asdict(Limits()))}.",
)
workers_option = click.option(
    "--workers", type=COUNT, default=1, help="Pages in progress at once, in browsers or processes."
)
seed_option = click.option("--seed", default=0, help="The same seed gives the same result.")
resume_option = click.option(
    "--resume", is_flag=True, help="Continue an interrupted --out; finished pages are kept."
)
force_option = click.option("--force", is_flag=True, help="Overwrite what already exists.")
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    help="A table for people, or a JSON array for programs.",
)


def _limits(texts: Sequence[str]) -> Limits:
    """Return the limits of a page; ``name=value`` texts replace the default ones."""
    values = asdict(Limits())
    for text in texts:
        name, _, value = text.partition("=")
        number = 0.0
        with suppress(KeyError, ValueError):
            number = type(values[name])(value)
        if not number > 0:  # nor NaN
            names = ", ".join(values)
            raise click.BadParameter(f"{text!r}; expected NAME=NUMBER, one of {names}")
        values[name] = number
    return Limits(**values)


class RenderingChoice(msgspec.Struct, frozen=True):
    """Renderer and settings that a user chose for a command; None is the static renderer."""

    renderer: str | None = None
    workers: int = 1
    settings: Settings = Settings()

    def start(self, name: str | None = None) -> Renderer:
        """Return a renderer with this name, or else the chosen one; not yet opened."""
        chosen = name or self.renderer
        return start_renderer(chosen, settings=self.settings, workers=self.workers)

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

    @renderer_option
    @workers_option
    @click.option(
        "--scripts", is_flag=True, help="Run the scripts of pages, scroll, and wait until idle."
    )
    @click.option(
        "--network", is_flag=True, help="Let pages fetch what they need from public addresses."
    )
    @limit_option
    @functools.wraps(command)
    def with_rendering(
        *args: object, renderer: str | None, workers: int, scripts: bool, network: bool,
        limits: Limits, **others: object,
    ) -> None:  # fmt: skip
        settings = Settings(scripts=scripts, network=network, limits=limits)
        command(*args, chosen=RenderingChoice(renderer, workers, settings), **others)

    return with_rendering


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


def print_json(value: object) -> None:
    """Print a value on standard output as JSON."""
    click.echo(escape_controls(json.dumps(value, ensure_ascii=False, indent=1)))


def print_table(
    rows: Iterable[Mapping[str, object]], form: str = "table", *, width: int | None = None
) -> None:
    """Print rows on standard output, as a table or as a JSON array.

    Texts of a table are cut to ``width`` columns.
    """
    if form == "json":
        print_json(list(rows))
        return
    from tabulate import tabulate  # late: commands that print no table do not need it

    def cell(value: object) -> object:
        if isinstance(value, float):
            return value + 0.0  # turns -0.0 into 0.0
        if isinstance(value, str):  # names of files may contain anything
            return shown_message(value) if width is None else printable(value, width)
        return value

    cells = [{name: cell(value) for name, value in row.items()} for row in rows]
    click.echo(tabulate(cells, headers="keys", floatfmt=".4g"))
