"""Options that several commands share, and the printing of tables."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import click

from structce.cli.messages import shown_message
from structce.errors import StructceError
from structce.io import escape_controls
from structce.language import printable
from structce.rendering import RENDERERS, Limits


class RegisteredName(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """Name in a registry, including those that ``--import`` adds, which is read later."""

    name = "name"

    def __init__(self, registry: Mapping[str, object]) -> None:
        self._registry = registry

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the name; an unknown one is a usage error."""
        try:
            self._registry[str(value)]
        except StructceError as error:
            self.fail(str(error), param, ctx)
        return str(value)


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
context_option = click.option(
    "--context", is_flag=True, help="Also read access, next page and comments (JSON)."
)
renderer_option = click.option(
    "--renderer",
    type=click.Choice(RENDERERS),
    help="Render pages as HTML alone (static, the default), or by a browser.",
)
browser_option = click.option(
    "--browser", metavar="PATH", help="Browser. Default: STRUCTCE_BROWSER, or one that is found."
)
limit_option = click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=VALUE",
    help="Limit for one page, such as seconds=60; repeat for several. Names: "
    f"{', '.join(asdict(Limits()))}.",
)
page_seconds_option = click.option(
    "--page-seconds",
    type=click.FloatRange(0, min_open=True),
    default=Limits().page_seconds,
    help="Time limit per page, without the time in a browser.",
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

debug_option = click.option(
    "--debug",
    is_flag=True,
    expose_value=False,
    callback=lambda _context, _option, is_asked: logging.getLogger("structce.errors").setLevel(
        logging.DEBUG if is_asked else logging.NOTSET
    ),
    help="Show the traceback of unexpected errors within a page.",
)


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


def read_limits(texts: Sequence[str], page_seconds: float = Limits().page_seconds) -> Limits:
    """Return the limits of a page; ``name=value`` texts replace the default ones."""
    usual = asdict(Limits())
    values: dict[str, float] = {"page_seconds": page_seconds}
    for text in texts:
        name, _, value = text.partition("=")
        with suppress(KeyError, ValueError):
            values[name] = type(usual[name])(value)
        if not values.get(name, 0) > 0:  # nor NaN
            names = ", ".join(usual)
            raise click.BadParameter(f"--limit {text!r}; expected NAME=NUMBER, one of {names}")
    return Limits(**values)  # type: ignore[arg-type]
