"""``structce corpus export``: a corpus in the format of another tool."""

from __future__ import annotations

from pathlib import Path

import click

from structce.cli.options import browser_option, open_for, renderer_option
from structce.corpora.export import ENCODED, PLAIN, names_file
from structce.corpus import Corpus
from structce.errors import ModelError
from structce.features import FAMILIES, FeatureSet
from structce.features.registry import OPTIONAL_FAMILIES
from structce.labeller import RegionLabeller

_FAMILIES = (*FAMILIES, *OPTIONAL_FAMILIES)


@click.command(
    epilog="Examples:  structce corpus export news news.jsonl --to jsonl;  "
    "structce corpus export news news.crf --to crfsuite --features news-static"
)
@click.argument("path", metavar="CORPUS", type=click.Path(path_type=Path))
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--to", "form", required=True, type=click.Choice((*PLAIN, *ENCODED)), help="Format.")
@click.option(
    "--features",
    metavar="MODEL|FAMILIES",
    help="For crfsuite and svmlight: the columns of a model, or those that the corpus itself gives "
    f"for families of features with commas between.  [default: {','.join(FAMILIES)}]",
)
@renderer_option
@browser_option
def export(
    path: Path,
    out: Path,
    form: str,
    features: str | None,
    renderer: str | None,
    browser: str | None,
) -> None:
    """Write a corpus as one file that other tools read.

    jsonl has a page a line, with its regions (text, address, box, label) and its gold; parquet a
    region a row, in typed columns; tsv a region a line in the manner of CoNLL, with blank lines
    between pages. Unknown labels are '?' in them.

    crfsuite has a region a line, with its label and its columns by name; svmlight the same in
    numbers, whose names stand in OUT.names.json. They know no unknown labels: such regions are
    left out, in crfsuite the sequence ends there, and the number of them is told.
    """
    if form in PLAIN:
        if features is not None:
            raise click.UsageError(f"--features is for {' and '.join(ENCODED)}, not for {form}")
        corpus = open_for(path, renderer, browser)
        PLAIN[form](corpus, out)
    else:
        model = _model(features or ",".join(FAMILIES))
        corpus = open_for(path, renderer or (model.renderer if model else None) or None, browser)
        _encoded(corpus, out, form, model.features if model else _fitted(features, corpus))
    click.echo(f"{len(corpus)} pages written to {out}", err=True)


def _encoded(corpus: Corpus, out: Path, form: str, features: FeatureSet) -> None:
    if features.needs_sites:
        corpus = corpus.with_sites()
    if left_out := ENCODED[form](corpus, out, features):
        total = left_out + sum(corpus.counts.values())
        click.echo(f"{left_out:,} of {total:,} regions have no known label: left out", err=True)
    if form == "svmlight":
        click.echo(f"names of labels, pages and columns written to {names_file(out)}", err=True)


def _model(text: str) -> RegionLabeller | None:
    """Return the model that an option names; None where it names families of features."""
    if all(name in _FAMILIES for name in text.split(",")):
        return None
    try:
        return RegionLabeller.load(text)
    except ModelError as error:
        raise click.BadParameter(
            f"--features {text!r}: no families of {', '.join(_FAMILIES)}, and no model: {error}"
        ) from error


def _fitted(families: str | None, corpus: Corpus) -> FeatureSet:
    chosen = FeatureSet(families.split(",") if families else FAMILIES)
    pages = corpus.with_sites() if chosen.needs_sites else corpus
    return chosen.fit(one.page for one in pages)
