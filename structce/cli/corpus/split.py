"""``structce corpus split``: named parts of a corpus, for training and tests."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path

import click

from structce import corpus as corpora
from structce.cli import options
from structce.cli.inputs import RenderingChoice, corpus_options
from structce.cli.messages import show_message

_DEFAULT_PARTS = "train=0.5,validation=0.17,test=0.33"
"""Default parts, the same as those of 'structce compare'."""


@click.command(
    "split", epilog="Example:  structce corpus split news split.json --parts train=0.7,test=0.3"
)
@click.argument("path", metavar="CORPUS", type=options.PATH)
@click.argument("out", metavar="OUT.json", type=options.FILE)
@click.option(
    "--by", type=click.Choice(corpora.SPLIT_BY), default="site", help="What stays together."
)
@click.option("--parts", default=_DEFAULT_PARTS, help="Shares of the pages, or numbers of pages.")
@options.seed_option
@options.format_option
@corpus_options
def command(
    path: Path, out: Path, by: corpora.SplitBy, parts: str, seed: int, form: str,
    chosen: RenderingChoice,
) -> None:  # fmt: skip
    """Divide the pages of a corpus into named parts, write the split, and print its parts.

    By site, sites stay whole, and so do families of sites that share a template. If pages in two
    parts are nearly the same, or sites share a template that was not known, nothing is written:
    'structce corpus export --dedupe' fixes that. By time, the first part gets the oldest pages and
    the last the newest. By page, pages are drawn at random, as in Spengler et al. (2010): every
    figure on such a split is too good. The file fits no other corpus.
    """
    sizes: dict[str, float] = {}
    for name, _, value in (piece.partition("=") for piece in parts.split(",")):
        size = math.nan
        with suppress(ValueError):
            size = float(value)
        if not name or name in sizes or not 0 < size < math.inf:
            raise click.BadParameter(
                f"--parts {parts!r}: {name}={value}; expected distinct names with sizes above 0, "
                f"such as {_DEFAULT_PARTS}"
            )
        sizes[name] = size
    corpus = chosen.open_corpus(path)
    drawn = corpus.draw_split(sizes, by=by, seed=seed)
    divided = corpus.parts(drawn)
    if by == "site":
        corpora.refuse_leaks(divided)
    drawn.save(out)
    rows: list[dict[str, object]] = []
    for name, part in divided.items():
        n_regions = sum(len(page.page) for page in part)
        row = {"part": name, "pages": len(part), "sites": len(part.sites), "regions": n_regions}
        rows.append({**row, **part.counts, "?": part.n_unknown})
    options.print_table(rows, form)
    straddling = drawn.straddling_families(corpus.pages)
    if by != "site" and straddling:
        show_message(f"warning: {len(straddling)} families of sites are in several parts")
    show_message(f"split by {by} written to {out}")
