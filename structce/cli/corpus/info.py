"""``structce corpus info``: what a corpus holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from structce.corpora.plots import draw_plots, load_matplotlib
from structce.corpora.summary import Summary, summarise

MOST_LANGUAGES = 12
"""Languages that the table names; JSON has all. Our choice, about a line."""


@click.command(
    epilog="Examples:  structce corpus info data/sample --format json;  "
    "structce corpus info news --plots pictures"
)
@click.argument("path", metavar="CORPUS", type=click.Path(path_type=Path))
@click.option(
    "--plots",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Draw labels, sizes, languages and sites, too, each as SVG and as PNG.",
)
@format_option
@renderer_option
@browser_option
def info(
    path: Path, plots: Path | None, form: str, renderer: str | None, browser: str | None
) -> None:
    """Print pages, sites, languages, labels and sizes of a corpus, and what became of its gold."""
    if plots is not None:
        load_matplotlib()  # before the pages are read, which may take long
    summary = summarise(open_for(path, renderer, browser))
    if form == "json":
        print_rows([summary.as_dict()], form)
    else:
        click.echo("\n\n".join(_tables(summary)))
    if plots is not None:
        files = draw_plots(summary, plots)
        click.echo(f"{len(files)} pictures written to {plots}", err=True)


def _tables(summary: Summary) -> Iterator[str]:
    """Yield what people read: facts, labels, sizes, and the gold where there is any."""
    yield tabulate(_facts(summary).items(), tablefmt="plain", disable_numparse=True)
    labels = [
        [
            one.label,
            f"{one.regions:,}",
            f"{one.regions / max(sum(summary.regions) - summary.n_unknown, 1):.2%}",
            f"{one.pages:,}",
            f"{one.sites:,}",
            "" if one.is_covered else "the gold does not tell of it",
        ]
        for one in summary.labels
    ]
    headers = ["label", "regions", "of known", "pages", "sites", ""]
    alignment = ["left", *["right"] * 4, "left"]
    yield tabulate(labels, headers, disable_numparse=True, colalign=alignment)
    if summary.regions:
        sizes = [{"a page": name, **values} for name, values in summary.sizes.items()]
        yield tabulate(sizes, headers="keys", floatfmt=",.0f")
    if summary.gold:
        yield tabulate([dict(row) for row in summary.gold], headers="keys")


def _facts(summary: Summary) -> dict[str, str]:
    n_pages, n_sites = len(summary.regions), len(summary.pages_by_site)
    n_regions = sum(summary.regions)
    largest = next(
        (f"; most pages: {n:,} of {name}" for name, n in summary.pages_by_site.items()), ""
    )
    return {
        "name": summary.name,
        "licence": summary.licence,
        "renderer": summary.renderer,
        "pages": f"{n_pages:,}",
        "sites": f"{n_sites:,}{largest}",
        "families": f"{summary.n_families:,}",
        "languages": _shortened(summary.languages),
        "regions": f"{n_regions:,}",
        "of these unknown": f"{summary.n_unknown:,} ({summary.n_unknown / max(n_regions, 1):.1%})",
        "digest": summary.digest,
    }


def _shortened(languages: Mapping[str, int]) -> str:
    """Return the most frequent languages with their pages, and how many others there are."""
    named = [f"{name}:{n}" for name, n in languages.items()]
    others = len(named) - MOST_LANGUAGES
    return " ".join(named[:MOST_LANGUAGES]) + (f" and {others} others" if others > 0 else "")
