"""``structce train`` and ``evaluate``: models and methods are fitted, and models measured."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click
import numpy as np
from click.core import ParameterSource

from structce import extraction
from structce.article import read_labelling
from structce.cli import options
from structce.cli.messages import fail_with, show_message
from structce.cli.options import RenderingChoice, rendering_options
from structce.corpus import Corpus
from structce.datasets import READERS, GoldPage, Skipped
from structce.errors import CorpusError, LearnerError, ModelError, SourceError, StructceError
from structce.evaluation import score
from structce.features import FeatureSet
from structce.labelling import MODEL_MANIFEST, RegionLabeller, check_target, make_learner
from structce.learners import LEARNERS, Learner
from structce.recipes import follow_recipe, read_recipe

_MIN_CALIBRATION_SITES = 5
"""Minimum number of families of sites for calibration: four to fit on, one to calibrate on."""

_FEW_PAGES = 5  # fewer are an example, not a training set

_OPTIONS = {
    "corpus": {*"learner settings seed".split()},
    "recipe": {*"data corpora".split()},
    "method": {"data"},
}
"""Options of each way of training; others apply to all."""


@click.command("train", epilog="Example:  structce train news --set lambda=1 --out model")
@click.argument("path", metavar="[CORPUS]", type=options.PATH, required=False)
@click.option("--recipe", help="Name or file of a recipe, such as 'news', instead of CORPUS.")
@click.option("--method", help="Method of extraction to train instead, as 'block-svm C=10'.")
@click.option(
    "--data", type=options.PATH, multiple=True, help="A recipe's data sets, or a test package."
)
@click.option(
    "--corpora", type=options.PATH, help="Imported data sets of a recipe. Default: OUT-corpora."
)
@click.option("--learner", default="structured-svm", help="Its name.")
@click.option("--out", required=True, type=options.PATH, help="Folder or file of the result.")
@options.force_option
@click.option(
    "--set", "settings", multiple=True, help="Hyper-parameter, as lambda=0.1; repeat for several."
)
@options.seed_option
@rendering_options
@click.pass_context
def command(
    context: click.Context, /, path: Path | None, recipe: str | None, method: str | None,
    data: tuple[Path, ...], corpora: Path | None, out: Path, force: bool,
    chosen: RenderingChoice, learner: str, settings: tuple[str, ...], seed: int,
) -> None:  # fmt: skip
    """Train a model on every page of a corpus, or by a recipe on its data sets.

    If a corpus has five sites or more, confidences are calibrated on a fifth of them.

    With --method, train a method of content extraction on pages and their main texts; 'structce
    extract --method trained:FILE' then uses the result.
    """
    _check_usage(context, {"corpus": path, "recipe": recipe, "method": method})
    if not force and (out.is_file() or (out / MODEL_MANIFEST).exists()):
        raise click.UsageError(f"{out} already exists; --force overwrites it")
    if method is not None:
        _train_method(method, data, out)
        return
    check_target(out)
    if path is not None:
        labeller = _fitted(_learner(learner, settings, seed), chosen.open_corpus(path))
    else:
        read = read_recipe(recipe or "")
        renderer = chosen.renderer or read.renderers[0]
        if renderer not in read.renderers:
            names = ", ".join(read.renderers)
            raise click.UsageError(f"--renderer {renderer}: the recipe {read.name} is for {names}")
        folder = corpora or out.with_name(f"{out.name}-corpora")
        start = partial(chosen.start, renderer)
        labeller = follow_recipe(read, data[0], folder, start, say=show_message)
    labeller.save(out)
    show_message(
        f"{labeller.learner.name} trained on {labeller.card['pages']} pages of "
        f"{labeller.card['sites']} sites ({len(labeller.features.columns_):,} columns, "
        f"{labeller.renderer} renderer), written to {out}"
    )


def _check_usage(context: click.Context, ways: dict[str, object]) -> None:
    """Refuse options that belong to another way of training."""
    given = [way for way, value in ways.items() if value is not None]
    if len(given) != 1:
        raise click.UsageError("expected exactly one of CORPUS, --recipe and --method")
    n_data = len(context.params["data"])
    if given == ["recipe"] and n_data != 1:
        raise click.UsageError("a --recipe needs --data, once: the folder with its data sets")
    if given == ["method"] and not n_data:
        raise click.UsageError("a --method needs --data: one or more test packages")
    foreign = set().union(*_OPTIONS.values()) - _OPTIONS[given[0]]
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if option.name in foreign and source is not ParameterSource.DEFAULT:
            raise click.UsageError(f"{option.opts[0]} does not apply to training by a {given[0]}")


def _learner(name: str, settings: Sequence[str], seed: int) -> Learner:
    """Return a learner with hyper-parameters from ``name=value`` texts."""
    factory = LEARNERS[name]
    if not factory.can_save:
        raise LearnerError(
            f"{name} can be compared, not saved: only pickle could store its classifier; "
            "train 'boosted-trees', or use it in Python"
        )
    known, parameters = factory().get_params(), dict[str, object]()
    for text in settings:
        key, separator, value = text.partition("=")
        key = "lambda_" if key == "lambda" else key.replace("-", "_")
        if not separator or key not in known:
            names = ", ".join(known_key.rstrip("_") for known_key in known)
            raise click.BadParameter(f"{text!r}; expected NAME=VALUE with one of {names}")
        try:
            parameters[key] = json.loads(value)
        except ValueError:
            parameters[key] = value
    return make_learner(factory, parameters, seed=seed)


def _fitted(learner: Learner, corpus: Corpus) -> RegionLabeller:
    """Return a fitted labeller, calibrated if the corpus has enough sites."""
    if n_unlabelled := sum(not page.n_known for page in corpus):
        show_message(
            f"{n_unlabelled:,} of {len(corpus):,} pages have no label yet, and teach nothing"
        )
    is_calibrated = len({page.family for page in corpus}) >= _MIN_CALIBRATION_SITES
    if not is_calibrated:
        show_message("warning: too few sites to calibrate; confidences are only a ranking")
    is_tiny = len(corpus) < _FEW_PAGES  # then columns of a single region are kept, too
    features = FeatureSet(min_count=1, min_pages=1) if is_tiny else FeatureSet()
    labeller = RegionLabeller(features, learner)
    return labeller.fit(corpus, calibrate="temperature" if is_calibrated else None)


def _train_method(name: str, paths: Sequence[Path], out: Path) -> None:
    """Train a method that learns from main contents on packages, and write the result."""
    method = extraction.TRAINABLE_METHODS.make(name)
    if out.is_dir() and not isinstance(method, extraction.BoilerNetTraining):
        raise ModelError(f"{out} is a folder; expected a file to write what {name} learns to")
    pages: list[GoldPage] = []
    lost = []
    for path in paths:
        for item in READERS["gottron"].read(path):
            try:
                if isinstance(item, Skipped):
                    raise SourceError(f"{path}: {item.id}: {item.reason}")
                item.document()
                pages.append(item)
            except StructceError as error:
                lost.append(str(error))
    texts = [page.gold.text for page in pages]
    documents = (extraction.ParsedDocument.of(page.document()) for page in pages)
    extractor = method.fit(documents, texts)
    sources = tuple(path.resolve().name.removesuffix(".zip") for path in paths)
    n_sites = len({page.site for page in pages})
    digest = extraction.training_digest((page.document() for page in pages), texts)
    if isinstance(extractor, extraction.BoilerNet):  # a folder, which browsers read, too
        counts = {"pages": len(pages), "sites": n_sites}
        about = {"sources": list(sources), "digest": digest, **counts}
        extraction.save_boilernet(out, extractor, training=about)
    else:
        training = extraction.Training(sources, len(pages), n_sites, digest)
        trained = extraction.TrainedExtractor(name.split()[0], extractor, training)
        extraction.save_trained(out, trained)
    scheme = "boilernet" if isinstance(extractor, extraction.BoilerNet) else "trained"
    show_message(
        f"{name} trained on {len(pages):,} pages of {n_sites:,} sites, written to {out}: "
        f"structce extract PAGE --method {scheme}:{out}"
    )
    fail_with(lost)


@click.command("evaluate", epilog="Example:  structce evaluate model data/sample --format json")
@click.argument("model")
@click.argument("path", metavar="CORPUS", type=options.PATH)
@options.format_option
@rendering_options
def evaluate_command(model: str, path: Path, form: str, chosen: RenderingChoice) -> None:
    """Measure a model on a labelled corpus; figures on its training pages are too good.

    A model that reads articles is measured by the labels of its answers, as given by 'structce
    label'; any other model by the labels of its labeller.
    """
    labeller = RegionLabeller.load(model)
    corpus = chosen.open_corpus(path, labeller.renderer or None)
    if corpus.label_set != labeller.label_set:
        raise CorpusError(
            f"{path}: labels {corpus.label_set.names}; the model has {labeller.label_set.names}"
        )
    corpus.check_known()
    if corpus.digest == labeller.card.get("corpus_digest"):
        show_message("warning: these are the pages that the model was trained on")
    elif corpus.name in labeller.training_sets:
        show_message(
            f"warning: the model was trained on pages of a corpus named {corpus.name}; if these "
            "are among them, the figures are too good"
        )
    labellings = [labeller.label(page.page) for page in corpus]
    if labeller.trees:
        labellings = [read_labelling(labelling).labelling for labelling in labellings]
    encode = corpus.label_set.encode
    gold = np.concatenate([encode(page.labels) for page in corpus])
    predicted = np.concatenate([encode(labelling.labels) for labelling in labellings])
    scores = score(gold, predicted, corpus.label_set)
    if corpus.n_unknown:
        show_message(f"{corpus.n_unknown:,} regions of unknown label are not counted")
    if corpus.n_several:
        show_message(f"for {corpus.n_several:,} regions any of several labels counts as right")
    rows = [
        *((label.name, label.measures, label.support) for label in scores.labels),
        ("micro", scores.micro, None),
        ("macro", scores.macro, None),
        ("micro without background", scores.micro_foreground, None),
        ("macro without background", scores.macro_foreground, None),
    ]
    options.print_table(({"label": name, **m._asdict(), "support": n} for name, m, n in rows), form)
