"""``structce train`` and ``structce evaluate``: fit a model to a corpus, and measure one."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
import numpy as np

from structce.cli.corpus_options import CorpusOpener, corpus_options
from structce.cli.options import format_option, print_table, read_settings
from structce.errors import CorpusError
from structce.evaluation import score
from structce.features import FAMILIES, FeatureSet
from structce.labeller import RegionLabeller
from structce.learners import CALIBRATION_METHODS, LEARNERS, CalibrationMethod
from structce.model_io import check_target

_PATH = click.Path(path_type=Path)
_MIN_CALIBRATION_SITES = 5
"""Families of sites that calibration needs: four to fit on, one to calibrate on."""


@click.command(
    "train",
    epilog="Example:  structce train data/sample --learner linear-chain-crf --set lambda=0.1 "
    "--out model",
)
@click.argument("path", metavar="CORPUS", type=_PATH)
@click.option(
    "--learner",
    type=click.Choice(sorted(LEARNERS)),
    default="structured-svm",
    show_default=True,
    help="What learns.",
)
@click.option("--out", required=True, type=_PATH, help="Folder to write the model to.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A hyper-parameter of the learner, such as lambda=0.1; may be given again.",
)
@click.option("--min-count", default=3, show_default=True, help="Least regions a column is set in.")
@click.option("--min-pages", default=2, show_default=True, help="Least pages a column is set on.")
@click.option(
    "--families",
    default=",".join(FAMILIES),
    show_default=True,
    help="Families of features; 'site', besides, compares the pages of a site with one another.",
)
@click.option(
    "--calibrate/--no-calibrate",
    default=True,
    show_default=True,
    help="Find on a fifth of the sites how sure the model may be; takes as long again.",
)
@click.option(
    "--calibration",
    type=click.Choice(CALIBRATION_METHODS),
    default="temperature",
    show_default=True,
    help="How: one number, or a curve, which needs more pages.",
)
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same model.")
@corpus_options
def train_command(
    path: Path,
    learner: str,
    out: Path,
    settings: tuple[str, ...],
    min_count: int,
    min_pages: int,
    families: str,
    calibrate: bool,
    calibration: CalibrationMethod,
    seed: int,
    opener: CorpusOpener,
) -> None:
    """Train a model on every page of a corpus."""
    check_target(out)
    corpus = opener.open(path)
    model = LEARNERS[learner](**read_settings(settings, LEARNERS[learner], seed))
    features = FeatureSet(families.split(","), min_count=min_count, min_pages=min_pages)
    if calibrate and len({page.family for page in corpus}) < _MIN_CALIBRATION_SITES:
        click.echo("warning: too few sites to calibrate; confidences only rank", err=True)
        calibrate = False
    if "site" in features.families and len(corpus.sites) == len(corpus):
        click.echo("warning: no site has two pages; the family 'site' says nothing", err=True)
    labeller = RegionLabeller(features, model).fit(
        corpus, calibrate=calibration if calibrate else None
    )
    labeller.save(out)
    click.echo(
        f"{learner} trained on {len(corpus)} pages of {len(corpus.sites)} sites "
        f"({len(features.columns_):,} columns, {corpus.renderer} renderer), written to {out}",
        err=True,
    )


@click.command("evaluate", epilog="Example:  structce evaluate model data/sample --format json")
@click.argument("model", metavar="MODEL")
@click.argument("path", metavar="CORPUS", type=_PATH)
@format_option
@corpus_options
def evaluate_command(model: str, path: Path, form: str, opener: CorpusOpener) -> None:
    """Measure a model on a labelled corpus; on pages it was trained on this flatters."""
    labeller = RegionLabeller.load(model)
    corpus = opener.open(path, labeller.renderer or None)
    if corpus.label_set != labeller.label_set:
        raise CorpusError(
            f"{path}: labels {corpus.label_set.names}; the model has {labeller.label_set.names}"
        )
    if corpus.digest == labeller.card.get("corpus_digest"):
        click.echo("warning: these are the pages that the model was trained on", err=True)
    encode = corpus.label_set.encode
    gold = np.concatenate([encode(page.labels) for page in corpus])
    pages, sites = [page.page for page in corpus], [page.site for page in corpus]
    found = np.concatenate([encode(one.labels) for one in labeller.label_all(pages, sites)])
    scores = score(gold, found, corpus.label_set)
    if corpus.n_unknown:
        click.echo(f"{corpus.n_unknown:,} regions of unknown label are not counted", err=True)
    rows = [
        *((label.name, label.measures, label.support) for label in scores.labels),
        ("micro", scores.micro, None),
        ("macro", scores.macro, None),
        ("micro without background", scores.micro_foreground, None),
        ("macro without background", scores.macro_foreground, None),
    ]
    print_table([{"label": name, **asdict(m), "support": n} for name, m, n in rows], form)
