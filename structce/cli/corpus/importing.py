"""``structce corpus import``: a public data set to a corpus."""

from __future__ import annotations

from pathlib import Path

import click

from structce.cli.options import DataSet, format_option, print_rows
from structce.cli.pages import Asked, rendering_options
from structce.corpora import write_corpus


@click.command(epilog="Example:  structce corpus import fundus fundus.zip news")
@click.argument("name", metavar="NAME", type=DataSet())
@click.argument("source", metavar="SRC", type=click.Path(exists=True, path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@format_option
@rendering_options
def import_(name: str, source: Path, out: Path, form: str, asked: Asked) -> None:
    """Read a public data set from a folder or zip archive, render it, and align its gold.

    NAME is one that 'structce corpus list' shows, or of a reader of yours (--import FILE.py).

    Prints for each field how many gold values were found on their pages, and how. What was not
    found gives no label; 'structce corpus show' and 'audit' tell more. An import that was
    interrupted goes on where it stopped. Exits with 1 if a page failed.
    """
    made = write_corpus(name, source, asked.start(), out)
    alignment, failed = made["notes"]["alignment"], made["notes"]["failed"]
    print_rows(alignment if isinstance(alignment, list) else [], form)
    n_sites = len({row["site"] for row in made["pages"]})
    click.echo(f"{len(made['pages'])} pages of {n_sites} sites written to {out}", err=True)
    if isinstance(failed, dict) and failed:
        for page, why in failed.items():
            click.echo(f"error: {page}: {why}", err=True)
        raise click.exceptions.Exit(1)
