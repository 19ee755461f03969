"""``structce corpus dedupe``: pages that are nearly the same, sites that share a template."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from structce.cli.options import (
    browser_option,
    format_option,
    open_for,
    print_rows,
    renderer_option,
)
from structce.corpora.duplicates import (
    Pair,
    find_duplicates,
    find_templates,
    refuse_leaks,
    with_families,
    without_duplicates,
)
from structce.corpora.duplicates.pages import DUPLICATE
from structce.corpus import Corpus
from structce.errors import CorpusError


@click.command(
    epilog="Examples:  structce corpus dedupe news --out news-clean;  "
    "structce corpus dedupe news --split news.split.json"
)
@click.argument("path", metavar="CORPUS", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder for the corpus with one page of each group of duplicates, and joined families.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    default=DUPLICATE,
    show_default=True,
    help="Least share of text that two pages have in common to be duplicates.",
)
@click.option(
    "--split",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="SPLIT.json",
    help="Only check this split: exit with 1 if duplicates or a template stand on two sides.",
)
@format_option
@renderer_option
@browser_option
def dedupe(
    path: Path,
    out: Path | None,
    threshold: float,
    split: Path | None,
    form: str,
    renderer: str | None,
    browser: str | None,
) -> None:
    """List near-duplicate pages, and sites that share a page template.

    A model that learnt from a copy of a test page, or from a site of the same template, looks
    better than it is. Pages are compared by their running text, without what comes back on the
    pages of a site; sites by the names and classes of their elements, rare ones counting most.

    With --out the page with most known labels stays of each group of duplicates, and sites that
    share a template become one family, which splits by site keep whole.
    """
    if out is not None and split is not None:
        raise click.UsageError("--out and --split together; write the corpus, then split that")
    if out is not None and out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CorpusError(f"{out}: is there already; name a new folder")
    corpus = open_for(path, renderer, browser)
    if split is not None:
        refuse_leaks(read_parts(split, corpus), threshold=threshold)
        click.echo(f"no duplicates and no templates on two sides of {split}", err=True)
        return
    pages, sites = find_duplicates(corpus, threshold=threshold), find_templates(corpus)
    joined = with_families(corpus, pairs=sites)
    print_rows([*_rows("duplicate", pages, {}), *_rows("template", sites, _families(joined))], form)
    click.echo(_summary(pages, joined), err=True)
    if out is not None:
        made = without_duplicates(joined, pages)
        made.save(out)
        click.echo(f"{len(made)} of {len(corpus)} pages written to {out}", err=True)


def read_parts(path: Path, corpus: Corpus) -> dict[str, Corpus]:
    """Return the parts of a corpus that a file names: ``{"parts": {name: [ids]}}``.

    Raises
    ------
    CorpusError
        If the file has another form, or a page is not in the corpus.
    """
    try:
        parts = json.loads(path.read_bytes())["parts"]
        named = {str(name): [str(one) for one in ids] for name, ids in parts.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorpusError(
            f'{path}: {type(error).__name__}: {error}; expected {{"parts": {{NAME: [IDS]}}}}, '
            "as 'structce corpus split' writes it"
        ) from error
    return {name: corpus.subset(ids) for name, ids in named.items()}


def _rows(kind: str, pairs: Sequence[Pair], families: Mapping[str, str]) -> list[dict[str, object]]:
    return [
        {
            "kind": kind,
            "first": pair.first,
            "second": pair.second,
            "similarity": pair.similarity,
            "family": families.get(pair.first, ""),
        }
        for pair in pairs
    ]


def _families(corpus: Corpus) -> dict[str, str]:
    return {page.site: page.family for page in corpus}


def _summary(pages: Sequence[Pair], joined: Corpus) -> str:
    """Return what was found, in one line; families count that have several sites."""
    sizes = Counter(_families(joined).values())
    shared = [n for n in sizes.values() if n > 1]
    return (
        f"{len(joined)} pages, pairs of near-duplicates: {len(pages)}; {len(joined.sites)} sites, "
        f"in families with others: {sum(shared)}, families: {len(shared)}"
    )
