"""``structce corpus synthesise``: invented pages with exact labels."""

from __future__ import annotations

from pathlib import Path

import click

from structce.corpora import write_sample


@click.command(epilog="Example:  structce corpus synthesise out --seed 1 --sites 40")
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--sites", default=20, show_default=True, type=click.IntRange(1), help="Sites.")
@click.option("--pages", default=3, show_default=True, type=click.IntRange(1), help="Pages a site.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same bytes.")
def synthesise_(out: Path, sites: int, pages: int, seed: int) -> None:
    """Write invented pages of varied sites, most of them news, with exact labels.

    Sites take turns at the templates: with 91 sites or more every template is there.
    """
    written = write_sample(out, sites, pages, seed=seed)
    click.echo(f"{written} pages of {sites} sites written to {out}", err=True)
