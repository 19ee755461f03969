"""``structce features list``: the registered features."""

from __future__ import annotations

import click

from structce.cli import options
from structce.features import (
    FAMILIES,
    OPTIONAL_FAMILIES,
    PRESETS,
    REGISTRY,
    markdown_tables,
    preset_features,
)

_FAMILIES = (*FAMILIES, *OPTIONAL_FAMILIES)


@click.command("list", epilog="Example:  structce features list --preset spengler2010")
@click.option("--family", type=click.Choice(_FAMILIES), help="Only this family.")
@click.option("--preset", type=click.Choice(PRESETS), help="Only the features of a paper.")
@click.option("--format", "form", type=click.Choice(["table", "json", "markdown"]), default="table")
def command(family: str | None, preset: str | None, form: str) -> None:
    """List the registered features.

    Markdown has Table 1 of the paper beside ours, and all of ours, as in docs/features.md.
    """
    if form == "markdown":
        click.echo("\n".join(markdown_tables(None if family is None else [family])))
        return
    names = preset_features(preset) if preset else REGISTRY
    features = [REGISTRY[name] for name in names if family in (None, REGISTRY[name].family)]
    rows = [
        {
            "name": feature.name,
            "family": feature.family,
            "needs": feature.needs or "",
            "source": feature.source,
            "says": feature.summary,
        }
        for feature in features
    ]
    options.print_table(rows, form)
