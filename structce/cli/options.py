"""Options, their values and the printing of tables that several commands share."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from structce.cli.messages import shown_message
from structce.io import escape_controls
from structce.rendering import RENDERERS, Limits


class NumberRange(click.FloatRange):
    """Range of numbers; unlike that of click it does not contain NaN."""

    def convert(
        self, value: float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number, or raise a usage error."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return number


PATH = click.Path(path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
EXISTING_PATH = click.Path(exists=True, path_type=Path)
EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

from_option = click.option(
    "--from",
    "lists",
    type=click.File(encoding="utf-8-sig"),  # Windows begins such files with a mark
    multiple=True,
    metavar="FILE",
    help="Also read sources from a file, one per line; lines that begin with # are skipped.",
)
model_option = click.option(
    "--model", metavar="MODEL", help="Folder or name of a model. Default: a shipped one."
)
renderer_option = click.option(
    "--renderer",
    type=click.Choice(RENDERERS),
    help="How pages are rendered: as HTML alone (static, the default), or by a browser.",
)
browser_option = click.option(
    "--browser",
    metavar="PATH",
    help="Browser to use. Default: STRUCTCE_BROWSER, or else one that is found.",
)
limit_option = click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=VALUE",
    help=f"Limit for one page: {', '.join(asdict(Limits()))}. Repeat for several. "
    "Example: seconds=60.",
)
page_seconds_option = click.option(
    "--page-seconds",
    type=NumberRange(0, min_open=True),
    default=Limits().page_seconds,
    metavar="SECONDS",
    help="Time limit per page, without the time in a browser; a page that takes longer is an "
    "error, and the others continue.",
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    help="Pages in progress at once: browsers, or processes of the static renderer.",
)
scripts_option = click.option(
    "--scripts", is_flag=True, help="Run the scripts of pages, scroll, and wait until idle."
)
network_option = click.option(
    "--network",
    is_flag=True,
    help="Let pages fetch style sheets, images and similar resources from public addresses.",
)
record_option = click.option(
    "--record",
    type=FILE,
    metavar="FILE.warc.gz",
    help="Keep what --network fetches, to render the pages again without it.",
)


def _show_tracebacks(_: click.Context, __: click.Parameter, is_asked: bool) -> None:
    logging.getLogger("structce.errors").setLevel(logging.DEBUG if is_asked else logging.NOTSET)


debug_option = click.option(
    "--debug",
    is_flag=True,
    expose_value=False,
    callback=_show_tracebacks,
    help="Show the traceback of unexpected errors within a page.",
)
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    help="A table for people, or a JSON array for programs.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Shorthand for --format json.")


def print_table(rows: Sequence[Mapping[str, object]], form: str) -> None:
    """Print rows on standard output, as a table or as a JSON array."""
    if form == "json":
        click.echo(escape_controls(json.dumps(list(rows), ensure_ascii=False, indent=1)))
        return
    from tabulate import tabulate  # late: commands that print no table do not need it

    cells = [{name: _cell(value) for name, value in row.items()} for row in rows]
    click.echo(tabulate(cells, headers="keys", floatfmt=".4g"))


def _cell(value: object) -> object:
    """Return a value for a table on a terminal: names of files may contain anything."""
    if isinstance(value, float):
        return value + 0.0  # turns -0.0 into 0.0
    return shown_message(value) if isinstance(value, str) else value


def read_limits(texts: Sequence[str], known: Mapping[str, float] | None = None) -> Limits:
    """Return the default limits, overridden by ``known``, then by ``name=value`` texts."""
    usual = asdict(Limits())
    values: dict[str, float] = dict(known or {})
    for text in texts:
        name, _, value = text.partition("=")
        try:
            kind = type(usual[name])
            values[name] = kind(value)
        except (KeyError, ValueError):
            names = ", ".join(usual)
            raise click.BadParameter(
                f"--limit {text!r}; expected NAME=NUMBER, one of {names}"
            ) from None
        if not values[name] > 0:  # nor NaN
            raise click.BadParameter(f"--limit {text!r}; expected more than 0")
    return Limits(**values)  # type: ignore[arg-type]


def read_settings(settings: Sequence[str], learner: type, seed: int) -> dict[str, object]:
    """Return hyper-parameters from ``name=value`` texts, and the seed if the learner has one."""
    known = learner().get_params()
    parameters: dict[str, object] = {"random_state": seed} if "random_state" in known else {}
    for text in settings:
        name, separator, value = text.partition("=")
        name = "lambda_" if name == "lambda" else name.replace("-", "_")
        if not separator or name not in known:
            names = ", ".join(key.rstrip("_") for key in known)
            raise click.BadParameter(f"{text!r}; expected NAME=VALUE with one of {names}")
        try:
            parameters[name] = json.loads(value)
        except ValueError:
            parameters[name] = value
    return parameters
