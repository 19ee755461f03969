"""``structce corpus list``: the public data sets that can be imported."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from structce.cli.between import END, write_between
from structce.cli.options import DataSet, format_option, print_rows
from structce.corpora import READERS, Reader
from structce.corpora.retrieval.archives import archive_of
from structce.rendering.addresses import is_url

BEGIN = "<!-- structce corpus list --markdown -->"
"""Line of a Markdown file below which the table goes."""

_LICENCE, _WIDTH = 30, 100  # columns of the terminal; our choice


@click.command("list", epilog="Examples:  structce corpus list;  structce corpus list fundus")
@click.argument("name", required=False, metavar="NAME", type=DataSet())
@click.option("--markdown", is_flag=True, help="As Markdown, all of every data set.")
@click.option(
    "--into",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE.md",
    help=f"Put the Markdown into a file, between {BEGIN} and {END}.",
)
@format_option
def list_corpora(name: str | None, markdown: bool, into: Path | None, form: str) -> None:
    """List the public data sets that 'structce corpus import' reads; with NAME, all of one.

    For each: which gold it has, under which licence, whether models learnt from it may be passed
    on (train), and whether 'structce corpus fetch' can download it (fetch).
    """
    chosen = [one for key, one in sorted(READERS.items()) if name in (None, key)]
    if markdown or into is not None:
        text = "\n".join(as_markdown(chosen))
        if into is None:
            click.echo(text)
        else:
            write_between(into, BEGIN, text)
    elif form == "json":
        print_rows([describe(one) for one in chosen], form)
    elif name is not None:
        click.echo("\n".join(_all_of(chosen[0])))
    else:
        print_rows([_row(one) for one in chosen], form)


def describe(reader: Reader) -> dict[str, object]:
    """Return what is known of a data set, as JSON values."""
    archive = archive_of(reader)
    return {
        "name": reader.name,
        "title": reader.title,
        "gold": list(reader.gold),
        "labels": list(reader.labels),
        "licence": reader.licence,
        "may_train": reader.may_train,
        "citation": reader.citation,
        "home": reader.home,
        "archive": archive.address if archive else "",
        "digest": archive.digest if archive else "",
        "note": archive.note if archive else "",
    }


def as_markdown(readers: Sequence[Reader]) -> Iterator[str]:
    """Yield the lines of a table of data sets, and of what to cite for each."""
    yield "| Data set | What it is | Gold | Labels | Licence | Train | Fetch |"
    yield "|---|---|---|---|---|---|---|"
    for one in readers:
        cells = (
            f"[{one.name}]({one.home})" if is_url(one.home) else one.name,
            one.title,
            ", ".join(one.gold),
            ", ".join(one.labels),
            one.licence,
            "yes" if one.may_train else "no",
            "yes" if archive_of(one) else "no",
        )
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"
    yield ""
    yield "To cite:"
    yield ""
    yield from (f"- **{one.name}**: {one.citation}" for one in readers)


def _row(reader: Reader) -> dict[str, object]:
    return {
        "name": reader.name,
        "gold": " ".join(reader.gold),
        "licence": _short(reader.licence),
        "train": "yes" if reader.may_train else "no",
        "fetch": "yes" if archive_of(reader) else "no",
    }


def _short(licence: str) -> str:
    """Return the licence of the gold, cut to a column."""
    first = licence.partition(";")[0].removeprefix("gold: ")
    return textwrap.shorten(first, _LICENCE, placeholder=" …")


def _all_of(reader: Reader) -> Iterator[str]:
    archive = archive_of(reader)
    may = "may" if reader.may_train else "may not"
    rows = {
        "name": reader.name,
        "title": reader.title,
        "gold": ", ".join(reader.gold),
        "labels": ", ".join(reader.labels),
        "licence": reader.licence,
        "train": f"what is learnt from it {may} be passed on",
        "cite": reader.citation,
        "home": reader.home,
        "archive": archive.address if archive else "none that can be read as it is; see home",
        "digest": archive.digest if archive else "",
        "note": archive.note if archive else "",
    }
    for name, value in rows.items():
        if value:
            yield textwrap.fill(
                value,
                _WIDTH,
                initial_indent=f"{name:<10}",
                subsequent_indent=" " * 10,
                break_long_words=False,
                break_on_hyphens=False,
            )
