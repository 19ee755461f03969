"""``structce corpus merge``: several corpora as one."""

from __future__ import annotations

from pathlib import Path

import click

from structce import corpus
from structce.cli import options
from structce.cli.inputs import RenderingChoice, corpus_options
from structce.cli.messages import show_message
from structce.errors import CorpusError


@click.command("merge", epilog="Example:  structce corpus merge fundus wcxb --out news")
@click.argument("paths", metavar="CORPUS CORPUS...", nargs=-1, required=True, type=options.PATH)
@click.option("--out", required=True, type=options.PATH, help="Folder to write the corpus to.")
@corpus_options
def command(paths: tuple[Path, ...], out: Path, chosen: RenderingChoice) -> None:
    """Write the pages of several corpora as one.

    A background region that could have a label that its corpus does not cover may be either from
    then on. Ids that two corpora use get the name of their corpus in front.
    """
    if len(paths) < 2:
        raise click.UsageError("expected at least two corpora")
    check_new_folder(out)
    merged = corpus.merge([chosen.open_corpus(path) for path in paths])
    merged.save(out)
    rows = merged.notes["merged"]
    for row in rows if isinstance(rows, list) else ():
        show_message(
            f"{row['name']}: {row['n_pages']} pages; {row['n_turned_several']:,} background "
            f"regions may have another label, {len(row['renamed'])} ids changed"
        )
    show_message(f"{len(merged)} pages of {len(merged.sites)} sites written to {out}")


def check_new_folder(out: Path) -> None:
    """Raise a CorpusError if a folder is not empty: its files would be mixed with the corpus."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CorpusError(f"{out}: already exists; name a new folder")
