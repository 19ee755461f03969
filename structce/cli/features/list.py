"""``structce features list``: the registered features."""

from __future__ import annotations

import click

from structce.cli import options
from structce.features import REGISTRY, markdown_tables


@click.command("list", epilog="Example:  structce features list --format json")
@click.option("--format", "form", type=click.Choice(["table", "json", "markdown"]), default="table")
def command(form: str) -> None:
    """List the registered features.

    Markdown has Table 1 of the paper beside ours, and all of ours, as in docs/features.md.
    """
    if form == "markdown":
        click.echo("\n".join(markdown_tables(None)))
        return
    rows: list[dict[str, object]] = []
    for name in REGISTRY:
        feature = REGISTRY[name]
        row = {"name": feature.name, "family": feature.family, "needs": feature.needs or ""}
        rows.append({**row, "source": feature.source, "says": feature.summary})
    options.print_table(rows, form)
