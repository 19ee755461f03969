"""``structce corpus synthesise``: invented pages with exact labels."""

from __future__ import annotations

from pathlib import Path

import click

from structce.cli import options
from structce.cli.messages import show_message
from structce.corpus import CORPUS_MANIFEST
from structce.synthetic import write_sample


@click.command("synthesise", epilog="Example:  structce corpus synthesise out --seed 1 --sites 40")
@click.argument("out", type=options.PATH)
@click.option("--sites", default=20, type=options.COUNT, help="Sites.")
@click.option("--pages", default=3, type=options.COUNT, help="Pages per site.")
@options.seed_option
@options.force_option
def command(out: Path, sites: int, pages: int, seed: int, force: bool) -> None:
    """Write invented pages of varied sites, most of them news, with exact labels.

    Templates are assigned to sites in turn: 91 or more sites use every template.
    """
    if not force and (out / CORPUS_MANIFEST).exists():
        raise click.UsageError(f"{out} already contains a corpus; --force overwrites it")
    written = write_sample(out, sites, pages, seed=seed)
    show_message(f"{written} pages of {sites} sites written to {out}")
