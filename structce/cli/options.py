"""Options and ways of printing that several commands share."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import click
from tabulate import tabulate

from structce.rendering import RENDERERS

Rows = Sequence[Mapping[str, object]]

renderer_option = click.option(
    "--renderer",
    type=click.Choice(RENDERERS),
    help="How pages are rendered. Default: chromium where a browser is installed, else static.",
)
browser_option = click.option(
    "--browser",
    metavar="PATH",
    help="Browser to use. Default: STRUCTCE_BROWSER, else one that is found.",
)
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="A table for people, or a JSON array for programs.",
)


def print_rows(rows: Rows, form: str) -> None:
    """Print a listing on standard output, as a table or as a JSON array."""
    if form == "json":
        click.echo(json.dumps(list(rows), ensure_ascii=False, indent=1))
    else:
        click.echo(tabulate(list(rows), headers="keys", floatfmt=".4g"))
