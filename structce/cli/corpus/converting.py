"""``structce corpus convert``: a corpus to a test package of another framework, and back."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from structce.cli.options import DataSet, format_option, print_rows
from structce.cli.pages import Asked, rendering_options
from structce.corpora import READERS, import_corpus, open_corpus
from structce.corpora.gottron_writing import raw_pages, write_package
from structce.corpora.readers import GoldPage, Lost
from structce.corpus import read_manifest

FORMATS = ("gottron",)


@click.command(
    epilog="Examples:  structce corpus convert data/sample package --to gottron;  "
    "structce corpus convert news package --to gottron --html fundus.zip;  "
    "structce corpus convert package news --from gottron"
)
@click.argument("source", metavar="SRC", type=click.Path(exists=True, path_type=Path))
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--to", "to", type=click.Choice(FORMATS), help="SRC is a corpus, OUT a package.")
@click.option("--from", "from_", type=click.Choice(FORMATS), help="SRC is a package, OUT a corpus.")
@click.option(
    "--html",
    metavar="DATA",
    type=click.Path(exists=True, path_type=Path),
    help="With --to: the data set that the corpus was imported from. A corpus of rendered pages "
    "keeps no HTML, and a package needs it.",
)
@click.option(
    "--reader",
    metavar="NAME",
    type=DataSet(),
    help="With --html: its name. Default: the name of the corpus.",
)
@format_option
@rendering_options
def convert(
    source: Path,
    out: Path,
    to: str | None,
    from_: str | None,
    html: Path | None,
    reader: str | None,
    form: str,
    asked: Asked,
) -> None:
    """Bring a corpus into another form, or back.

    gottron is a test package of Gottron (2007): for each page its HTML, its main text, and
    metadata, tied by extension. The main text is that of the data set, or that of the regions
    labelled Title, Paragraph and Subtitle. Exits with 1 if a page is not in what was written.
    """
    if (to is None) == (from_ is None):
        raise click.UsageError("give one of --to and --from")
    if to is None and (html or reader):
        raise click.UsageError("--html and --reader go with --to; a package holds its HTML")
    if to is None:
        lost = _from_package(source, out, form, asked)
    else:
        lost = _to_package(source, out, html, reader, asked)
    for page, why in lost.items():
        click.echo(f"error: {page}: {why}", err=True)
    if lost:
        raise click.exceptions.Exit(1)


def _to_package(
    source: Path, out: Path, html: Path | None, reader: str | None, asked: Asked
) -> dict[str, str]:
    """Write the package; return why pages are not in it."""
    originals = _originals(source, html, reader)
    corpus = open_corpus(source, asked.renderer, asked.start)
    lost = write_package(corpus, originals, out)
    click.echo(f"{len(corpus) - len(lost)} of {len(corpus)} pages written to {out}", err=True)
    return lost


def _originals(source: Path, html: Path | None, reader: str | None) -> Iterable[GoldPage | Lost]:
    """Return the pages of the corpus with their HTML."""
    _, manifest = read_manifest(source)
    if not manifest["renderer"]:
        if html or reader:
            raise click.UsageError(f"{source} keeps its HTML; leave out --html and --reader")
        return raw_pages(source)
    name = reader or manifest["name"]
    if html is None:
        raise click.UsageError(
            f"{source} keeps rendered pages without their HTML; "
            f"give the data set that it was imported from: --html {name}.zip"
        )
    if name not in READERS:
        raise click.UsageError(f"{source} is called {name!r}, which is no data set; give --reader")
    return READERS[name].read(html)


def _from_package(source: Path, out: Path, form: str, asked: Asked) -> dict[str, str]:
    """Write the corpus and print how well its gold was found; return why pages are not in it."""
    made = import_corpus("gottron", source, asked.start(), out)
    alignment, failed = made.notes["alignment"], made.notes["failed"]
    print_rows(alignment if isinstance(alignment, list) else [], form)
    click.echo(f"{len(made)} pages of {len(made.sites)} sites written to {out}", err=True)
    return dict(failed) if isinstance(failed, dict) else {}
