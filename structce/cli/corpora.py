"""``structce corpus``: make corpora and look at them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click
from tabulate import tabulate

from structce.cli.options import (
    browser_option,
    format_option,
    open_for,
    print_rows,
    renderer_option,
)
from structce.cli.pages import Asked, rendering_options
from structce.corpora import READERS, import_corpus, write_sample
from structce.corpus import Corpus

_PATH = click.Path(path_type=Path)


@click.group()
def corpus() -> None:
    """Make corpora of labelled pages and look at them."""


@corpus.command("import", epilog="Example:  structce corpus import fundus fundus.zip news")
@click.argument("name", type=click.Choice(sorted(READERS)))
@click.argument("source", metavar="SRC", type=click.Path(exists=True, path_type=Path))
@click.argument("out", type=_PATH)
@format_option
@rendering_options
def import_(name: str, source: Path, out: Path, form: str, asked: Asked) -> None:
    """Read a public data set from a folder or zip archive, render it, and align its gold.

    Prints for each field how many gold values were found on their pages. What was not found is
    listed in the manifest of the corpus, and gives no label. Exits with 1 if a page failed.
    """
    made = import_corpus(name, source, asked.start())
    made.save(out)
    alignment, failed = made.notes["alignment"], made.notes["failed"]
    print_rows(alignment if isinstance(alignment, list) else [], form)
    click.echo(f"{len(made)} pages of {len(made.sites)} sites written to {out}", err=True)
    if isinstance(failed, dict) and failed:
        for page, why in failed.items():
            click.echo(f"error: {page}: {why}", err=True)
        raise click.exceptions.Exit(1)


@corpus.command("info", epilog="Example:  structce corpus info data/sample --format json")
@click.argument("path", metavar="CORPUS", type=_PATH)
@format_option
@renderer_option
@browser_option
def info(path: Path, form: str, renderer: str | None, browser: str | None) -> None:
    """Print pages, sites, languages and labels of a corpus."""
    opened = open_for(path, renderer, browser)
    if form == "json":
        print_rows([_summary(opened)], form)
        return
    summary = {name: value for name, value in _summary(opened).items() if name != "labels"}
    click.echo(tabulate(summary.items(), tablefmt="plain"))
    click.echo()
    rows = [{"label": name, "regions": n, "pages": _pages_with(opened, name)} for name, n in
            opened.counts.items()]  # fmt: skip
    print_rows(rows, form)


@corpus.command("synthesise", epilog="Example:  structce corpus synthesise out --seed 1 --sites 40")
@click.argument("out", type=_PATH)
@click.option("--sites", default=20, show_default=True, type=click.IntRange(1), help="Sites.")
@click.option("--pages", default=3, show_default=True, type=click.IntRange(1), help="Pages a site.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same bytes.")
def synthesise_(out: Path, sites: int, pages: int, seed: int) -> None:
    """Write invented news pages of varied sites, with exact labels."""
    written = write_sample(out, sites, pages, seed=seed)
    click.echo(f"{written} pages of {sites} sites written to {out}", err=True)


def _summary(opened: Corpus) -> dict[str, object]:
    regions = [len(page.page) for page in opened]
    languages = Counter(page.page.lang.split("-")[0].lower() or "?" for page in opened)
    return {
        "name": opened.name,
        "licence": opened.licence,
        "renderer": opened.renderer,
        "pages": len(opened),
        "sites": len(opened.sites),
        "families": len({page.family for page in opened}),
        "regions": sum(regions),
        "regions a page": round(sum(regions) / max(len(opened), 1), 1),
        "largest page": max(regions, default=0),
        "languages": " ".join(f"{name}:{n}" for name, n in languages.most_common()),
        "digest": opened.digest,
        "labels": opened.counts,
    }


def _pages_with(opened: Corpus, label: str) -> int:
    return sum(label in page.labels for page in opened)
