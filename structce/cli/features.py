"""``structce features``: what describes a region, and features of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from structce.cli.between import END, write_between
from structce.cli.late import LateGroup
from structce.cli.options import format_option, print_rows
from structce.features import FAMILIES, REGISTRY
from structce.features.registry import OPTIONAL_FAMILIES
from structce.features.table1 import as_markdown

BEGIN = "<!-- structce features list --markdown -->"
"""Line of a Markdown file below which the tables go."""


HOMES = {
    "list": "structce.cli.features:list_features",
    "show": "structce.cli.showing:show",
    "new": "structce.cli.stubs:new",
    "try": "structce.cli.trying:try_",
}


@click.group(cls=LateGroup, homes=HOMES)
def features() -> None:
    """Look at the features that describe a region, and make new ones."""


@click.command(
    "list",
    epilog="Examples:  structce features list --family task;  structce features list --markdown",
)
@click.option(
    "--family", type=click.Choice((*FAMILIES, *OPTIONAL_FAMILIES)), help="Only this family."
)
@click.option("--markdown", is_flag=True, help="Table 1 of the paper beside ours, and all of ours.")
@click.option(
    "--into",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE.md",
    help=f"Put the Markdown into a file, between {BEGIN} and {END}.",
)
@format_option
def list_features(family: str | None, markdown: bool, into: Path | None, form: str) -> None:
    """List the registered features."""
    if markdown or into is not None:
        text = "\n".join(as_markdown(None if family is None else [family]))
        if into is None:
            click.echo(text)
        else:
            write_between(into, BEGIN, text)
        return
    rows = [
        {
            "name": feature.name,
            "family": feature.family,
            "needs": feature.needs or "",
            "source": feature.source,
            "says": feature.summary,
        }
        for feature in REGISTRY.values()
        if family in (None, feature.family)
    ]
    print_rows(rows, form)
