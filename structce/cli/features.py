"""``structce features``: what describes a region."""

from __future__ import annotations

import click

from structce.cli.options import format_option, print_rows
from structce.features import FAMILIES, REGISTRY


@click.group()
def features() -> None:
    """Look at the features that describe a region."""


@features.command("list", epilog="Example:  structce features list --family task")
@click.option("--family", type=click.Choice(FAMILIES), help="Only this family.")
@format_option
def list_features(family: str | None, form: str) -> None:
    """List the registered features."""
    rows = [
        {
            "name": feature.name,
            "family": feature.family,
            "needs": feature.needs or "",
            "says": feature.summary,
        }
        for feature in REGISTRY.values()
        if family in (None, feature.family)
    ]
    print_rows(rows, form)
