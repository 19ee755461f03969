"""``structce corpus info``: what a corpus, or one page of it, contains."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from structce import corpus
from structce.cli import options
from structce.cli.inputs import RenderingChoice, corpus_options
from structce.language import printable

_WIDTH = 76  # columns of the line of languages


@click.command("info", epilog="Example:  structce corpus info news")
@click.argument("path", metavar="CORPUS", type=options.PATH)
@options.format_option
@corpus_options
def command(path: Path, form: str, chosen: RenderingChoice) -> None:
    """Print pages, sites, languages, labels and sizes of a corpus, and how its gold was matched.

    'structce annotate CORPUS' shows its pages with their labels, and where gold values were found.
    """
    summary = corpus.summarise(chosen.open_corpus(path))
    if form == "json":
        options.print_table([summary], form)
    else:
        _print_summary(summary)


def _print_summary(summary: dict[str, Any]) -> None:
    for name, value in summary.items():
        if isinstance(value, str | int):
            click.echo(f"{name.replace('_', ' '):<15} {value}")
    languages = " ".join(f"{name}:{n}" for name, n in summary["languages"].items())
    click.echo(f"{'languages':<15} {printable(languages, _WIDTH)}\n")
    rows: list[dict[str, object]] = []
    for name, n in summary["labels"].items():
        pages, sites = summary["pages_by_label"][name], summary["sites_by_label"][name]
        note = "" if name in summary["covered"] else "not covered by the gold"
        rows.append({"label": name, "regions": n, "pages": pages, "sites": sites, "": note})
    options.print_table(rows)
    sizes = [{"per page": name, **values} for name, values in summary["sizes"].items()]
    for table in filter(None, (sizes, summary["gold"])):
        click.echo()
        options.print_table(table)
