"""``structce corpus split``: which pages are for training, for validation, for tests."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path

import click
from tabulate import tabulate

from structce.cli.options import browser_option, format_option, open_for, renderer_option
from structce.corpora.duplicates import refuse_leaks
from structce.corpus import Corpus
from structce.corpus.drawing import UNITS, WHOLE, Unit
from structce.corpus.splitting import split_corpus, straddling_families
from structce.labels import UNKNOWN

USUAL = "train=0.5,validation=0.17,test=0.33"
"""Parts when none are asked for: those that 'structce compare' takes."""


@click.command(
    epilog="Example:  structce corpus split news news.split.json --by site "
    "--parts train=0.5,validation=0.17,test=0.33 --seed 7"
)
@click.argument("path", metavar="CORPUS", type=click.Path(path_type=Path))
@click.argument("out", metavar="OUT.json", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--by",
    type=click.Choice(UNITS),
    default="site",
    show_default=True,
    help="What stays together, or in which order pages come.",
)
@click.option(
    "--parts",
    default=USUAL,
    show_default=True,
    metavar="NAME=SHARE,...",
    help="Names of the parts with their shares of pages, sum 1.",
)
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same bytes.")
@click.option(
    "--undated",
    type=click.Choice(["error", "leave-out"]),
    default="error",
    show_default=True,
    help="With --by time, what becomes of pages without a date.",
)
@click.option(
    "--allow-leaks",
    is_flag=True,
    help="Also write a split by site that tears copies of a page, or sites of one template, apart.",
)
@format_option
@renderer_option
@browser_option
def split(
    path: Path,
    out: Path,
    by: Unit,
    parts: str,
    seed: int,
    undated: str,
    allow_leaks: bool,
    form: str,
    renderer: str | None,
    browser: str | None,
) -> None:
    """Divide the pages of a corpus into named parts, write who is where, and print what each has.

    By site, sites stay whole, and so do families of sites that share a template; family is the
    same under its other name. Where pages in two parts are nearly the same, or sites in two parts
    share a template that nobody knew of, nothing is written: 'structce corpus dedupe' mends that.

    By time, the first part gets the oldest pages and the last the newest; those of one day stay
    together. The date is that of the gold, else the one that the page states for machines. Sites
    may stand in several parts: this asks how a model ages, not what it does on unseen sites.

    By page, pages are drawn at random, as in Spengler et al. (2010). Pages of one site then stand
    in several parts, and every figure on such a split flatters.

    The file holds the digest of the corpus and fits no other one. A corpus of raw pages has
    another digest with another renderer.
    """
    shares = read_shares(parts)
    corpus = open_for(path, renderer, browser)
    made = split_corpus(corpus, shares, by=by, seed=seed, dated_only=undated == "leave-out")
    divided = corpus.parts(made)
    if by in WHOLE and not allow_leaks:
        refuse_leaks(divided)
    made.save(out)
    found = {name: describe(part) for name, part in divided.items()}
    if form == "json":
        rows = [{"part": name, **values} for name, values in found.items()]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=1))
    else:
        click.echo(_table(found))
    if made.left_out:
        click.echo(f"warning: {len(made.left_out)} pages without a date are in no part", err=True)
    if by not in WHOLE and (straddling := straddling_families(made, corpus)):
        click.echo(f"warning: {len(straddling)} families of sites are in several parts", err=True)
    click.echo(f"split by {by} written to {out}", err=True)


def read_shares(text: str) -> dict[str, float]:
    """Return the share of each part from ``name=share`` with commas between.

    Raises
    ------
    click.BadParameter
        If the text has another form, or a name comes twice.
    """
    shares: dict[str, float] = {}
    for piece in text.split(","):
        name, _, value = piece.partition("=")
        name = name.strip()
        try:
            share = float(value)
        except ValueError:
            share = math.nan
        if not name or name in shares or not 0 < share <= 1:
            raise click.BadParameter(
                f"--parts {text!r}: {piece!r}; expected distinct names with shares above 0, "
                f"such as {USUAL}"
            )
        shares[name] = share
    return shares


def describe(part: Corpus) -> dict[str, object]:
    """Return how many pages, sites, regions, and regions of each label a part has."""
    return {
        "pages": len(part),
        "sites": len(part.sites),
        "families": len({page.family for page in part}),
        "regions": sum(len(page.page) for page in part),
        "labels": part.counts,
        "unknown": part.n_unknown,
    }


def _table(found: Mapping[str, Mapping[str, object]]) -> str:
    """Return one column a part: pages, sites, regions, and below them the labels."""
    columns = []
    for values in found.values():
        labels = values["labels"]
        counts = labels if isinstance(labels, dict) else {}
        above = {name: values[name] for name in ("pages", "sites", "families", "regions")}
        columns.append({**above, **counts, f"{UNKNOWN} (label unknown)": values["unknown"]})
    rows = [[name, *(column[name] for column in columns)] for name in columns[0]]
    return tabulate(rows, headers=["", *found], intfmt=",")
