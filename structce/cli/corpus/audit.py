"""``structce corpus audit``: a sample of gold values beside their matches, for people to judge."""

from __future__ import annotations

from pathlib import Path

import click

from structce import corpus
from structce.cli import options

_WIDTH = 48  # columns of a text


@click.command("audit", epilog="Example:  structce corpus audit news --order random --field title")
@click.argument("path", metavar="CORPUS", type=options.PATH)
@click.option("--field", "fields", multiple=True, help="Only this field; repeat for several.")
@click.option("--n", type=options.COUNT, default=100, help="Number of matches to judge.")
@click.option("--order", type=click.Choice(corpus.ORDERS), default=corpus.ORDERS[0], help="Order.")
@options.seed_option
@options.format_option
def command(path: Path, fields: tuple[str, ...], n: int, order: str, seed: int, form: str) -> None:
    """Print a sample of gold values, each beside its match on the page.

    The least certain come first, to find errors; a random order shows how many there are.
    'structce annotate CORPUS --order unsure' opens the same matches on their pages, where errors
    can be corrected.
    """
    rows = corpus.audit(path, fields=fields, n=n, order=order, seed=seed)
    options.print_table(rows, form, width=_WIDTH)
