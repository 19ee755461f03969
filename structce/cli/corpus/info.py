"""``structce corpus info``: what a corpus holds."""

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
from structce.corpus import Corpus


@click.command(epilog="Example:  structce corpus info data/sample --format json")
@click.argument("path", metavar="CORPUS", type=click.Path(path_type=Path))
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
