"""``structce train`` and ``structce evaluate``: fit a model to a corpus, and measure one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
from click.core import ParameterSource

from structce.article import read_labelling
from structce.cli.corpus_options import CorpusOpener, LearnerName, corpus_options
from structce.cli.options import PATH, format_option, print_table, read_settings, workers_option
from structce.corpus import Corpus
from structce.errors import CorpusError, LearnerError
from structce.evaluation import score
from structce.features import FAMILIES, FeatureSet
from structce.labelling import MODEL_MANIFEST, RegionLabeller, check_target
from structce.learners import CALIBRATION_METHODS, LEARNERS, CalibrationMethod
from structce.recipes import Recipe, follow_recipe, read_recipe
from structce.rendering import Renderer, start_renderer

_MIN_CALIBRATION_SITES = 5
"""Minimum number of families of sites for calibration: four to fit on, one to calibrate on."""


@click.command(
    "train",
    epilog="Examples:  structce train data/sample --learner linear-chain-crf --set lambda=0.1 "
    "--out model;  structce train --recipe news --data sets --renderer static --out news-static;  "
    "structce train --method block-svm --data package --out news.trained",
)
@click.argument("path", metavar="[CORPUS]", type=PATH, required=False)
@click.option(
    "--recipe",
    metavar="NAME|FILE.toml",
    help="Instead of CORPUS: make the model of a recipe, such as 'news', from its data sets.",
)
@click.option(
    "--method",
    metavar="NAME",
    help="Instead of CORPUS: train a method of extraction, such as 'block-svm', optionally with "
    "parameters after its name ('block-svm C=10'); 'structce extract --list' shows the names.",
)
@click.option(
    "--data",
    type=PATH,
    multiple=True,
    help="Folder with the archives of a recipe's data sets; with --method a test package, "
    "repeat for several.",
)
@click.option(
    "--corpora",
    type=PATH,
    help="Folder for the imported data sets of a recipe, from which an interrupted run continues. "
    "Default: the folder of the model, followed by '-corpora'.",
)
@click.option("--any-archive", is_flag=True, help="Accept archives that a recipe does not know.")
@click.option(
    "--score/--no-score",
    "is_measured",
    default=True,
    help="Measure a recipe's model on unseen sites; adds several times the training time.",
)
@workers_option
@click.option("--learner", type=LearnerName(), default="structured-svm", help="Learner to train.")
@click.option(
    "--out", required=True, type=PATH, help="Folder of the model, or file of the --method."
)
@click.option("--force", is_flag=True, help="Overwrite an existing model or file.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Hyper-parameter of the learner, such as lambda=0.1; repeat for several.",
)
@click.option(
    "--min-count", default=3, help="Leave out columns that are set in fewer regions than this."
)
@click.option(
    "--min-pages", default=2, help="Leave out columns that are set on fewer pages than this."
)
@click.option(
    "--families",
    default=",".join(FAMILIES),
    help="Families of features; 'site', if added, compares the pages of a site with one another.",
)
@click.option(
    "--calibrate/--no-calibrate",
    default=True,
    help="Calibrate confidences on a fifth of the sites; takes as long again.",
)
@click.option(
    "--calibration",
    type=click.Choice(CALIBRATION_METHODS),
    default="temperature",
    help="How to calibrate: one number, or a curve, which needs more pages.",
)
@click.option("--seed", default=0, help="The same seed gives the same model.")
@corpus_options
@click.pass_context
def train_command(
    context: click.Context, /, path: Path | None, recipe: str | None, method: str | None,
    data: tuple[Path, ...], corpora: Path | None, any_archive: bool, is_measured: bool,
    workers: int, out: Path, force: bool, opener: CorpusOpener, **chosen: Any,
) -> None:  # fmt: skip
    """Train a model on every page of a corpus, or by a recipe on its data sets.

    With --method, train a method of content extraction on pages and their main texts; 'structce
    extract --method trained:FILE' then uses the result.
    """
    _check_usage(context, path, recipe, method)
    if not force and (out.is_file() or (out / MODEL_MANIFEST).exists()):
        raise click.UsageError(f"{out} already exists; --force overwrites it")
    if method is not None:
        from structce.cli.train_method import train_method  # late: models need no extraction

        train_method(method, data, out)
        return
    check_target(out)
    if path is not None:
        labeller = _train_on_corpus(opener.open(path), TrainingChoice(**chosen))
    else:
        read = read_recipe(recipe or "")
        labeller = follow_recipe(
            read,
            data[0],
            corpora or out.with_name(f"{out.name}-corpora"),
            _renderers(read, opener, workers),
            any_archive=any_archive,
            is_measured=is_measured,
            say=partial(click.echo, err=True),
        )
    labeller.save(out)
    click.echo(
        f"{labeller.learner.name} trained on {labeller.card['pages']} pages of "
        f"{labeller.card['sites']} sites ({len(labeller.features.columns_):,} columns, "
        f"{labeller.renderer} renderer), written to {out}",
        err=True,
    )


@dataclass(frozen=True)
class TrainingChoice:
    """Learner, features and calibration that a user chose for a corpus."""

    learner: str
    settings: tuple[str, ...]
    min_count: int
    min_pages: int
    families: str
    calibrate: bool
    calibration: CalibrationMethod
    seed: int


_OPTIONS = {
    "corpus": {field.name for field in fields(TrainingChoice)} | {"renderer", "browser"},
    "recipe": {*"renderer browser data corpora any_archive is_measured workers".split()},
    "method": {"data"},
}
"""Options of each way of training; ``--out`` applies to all."""

_REFUSALS = {
    "corpus": "is for a --recipe",
    "recipe": "is set by the recipe",
    "method": "does not apply to a --method",
}


def _check_usage(
    context: click.Context, path: Path | None, recipe: str | None, method: str | None
) -> None:
    """Refuse options that belong to another way of training."""
    given = {"corpus": path, "recipe": recipe, "method": method}
    ways = [way for way, value in given.items() if value is not None]
    if len(ways) != 1:
        raise click.UsageError("expected exactly one of CORPUS, --recipe and --method")
    (way,) = ways
    n_data = len(context.params["data"])
    if way == "recipe" and n_data != 1:
        raise click.UsageError("a --recipe needs --data, once: the folder with its data sets")
    if way == "method" and not n_data:
        raise click.UsageError("a --method needs --data: one or more test packages")
    foreign = set().union(*_OPTIONS.values()) - _OPTIONS[way]
    for option in context.command.params:
        name = str(option.name)
        is_given = context.get_parameter_source(name) is not ParameterSource.DEFAULT
        if is_given and name in foreign:
            raise click.UsageError(f"{option.opts[0]} {_REFUSALS[way]}")


def _renderers(recipe: Recipe, opener: CorpusOpener, workers: int) -> Callable[[], Renderer]:
    """Return the function that starts the chosen renderer, by default the recipe's first."""
    name = opener.renderer or recipe.renderers[0]
    if name not in recipe.renderers:
        names = ", ".join(recipe.renderers)
        raise click.UsageError(f"--renderer {name}: the recipe {recipe.name} is for {names}")
    return partial(start_renderer, name, browser=opener.browser, workers=workers)


def _train_on_corpus(corpus: Corpus, chosen: TrainingChoice) -> RegionLabeller:
    learner = LEARNERS[chosen.learner]
    if not learner.can_save:
        raise LearnerError(
            f"{chosen.learner} can be compared, not saved: only pickle could store its classifier; "
            "train 'boosted-trees', or use it in Python"
        )
    model = learner(**read_settings(chosen.settings, learner, chosen.seed))
    features = FeatureSet(
        chosen.families.split(","), min_count=chosen.min_count, min_pages=chosen.min_pages
    )
    calibrate = chosen.calibrate
    if calibrate and len({page.family for page in corpus}) < _MIN_CALIBRATION_SITES:
        click.echo("warning: too few sites to calibrate; confidences are only a ranking", err=True)
        calibrate = False
    if "site" in features.families and len(corpus.sites) == len(corpus):
        click.echo("warning: no site has two pages; the family 'site' has no values", err=True)
    method = chosen.calibration if calibrate else None
    return RegionLabeller(features, model).fit(corpus, calibrate=method)


@click.command("evaluate", epilog="Example:  structce evaluate model data/sample --format json")
@click.argument("model", metavar="MODEL")
@click.argument("path", metavar="CORPUS", type=PATH)
@format_option
@corpus_options
def evaluate_command(model: str, path: Path, form: str, opener: CorpusOpener) -> None:
    """Measure a model on a labelled corpus; figures on its training pages are too good.

    A model that reads articles is measured by the labels of its answers, as given by 'structce
    label'; any other model by the labels of its labeller.
    """
    labeller = RegionLabeller.load(model)
    corpus = opener.open(path, labeller.renderer or None)
    if corpus.label_set != labeller.label_set:
        raise CorpusError(
            f"{path}: labels {corpus.label_set.names}; the model has {labeller.label_set.names}"
        )
    corpus.check_known()
    if corpus.digest == labeller.card.get("corpus_digest"):
        click.echo("warning: these are the pages that the model was trained on", err=True)
    elif corpus.name in labeller.training_sets:
        message = (
            f"warning: the model was trained on pages of a corpus named {corpus.name}; if these "
            "are among them, the figures are too good"
        )
        click.echo(message, err=True)
    encode = corpus.label_set.encode
    gold = np.concatenate([encode(page.labels) for page in corpus])
    pages, sites = [page.page for page in corpus], [page.site for page in corpus]
    labellings = labeller.label_all(pages, sites)
    if labeller.trees:
        labellings = [read_labelling(labelling).labelling for labelling in labellings]
    predicted = np.concatenate([encode(labelling.labels) for labelling in labellings])
    scores = score(gold, predicted, corpus.label_set)
    if corpus.n_unknown:
        click.echo(f"{corpus.n_unknown:,} regions of unknown label are not counted", err=True)
    if corpus.n_several:
        message = f"for {corpus.n_several:,} regions any of several labels counts as right"
        click.echo(message, err=True)
    rows = [
        *((label.name, label.measures, label.support) for label in scores.labels),
        ("micro", scores.micro, None),
        ("macro", scores.macro, None),
        ("micro without background", scores.micro_foreground, None),
        ("macro without background", scores.macro_foreground, None),
    ]
    print_table([{"label": name, **m._asdict(), "support": n} for name, m, n in rows], form)
