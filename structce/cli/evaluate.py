"""``structce evaluate``: measure a model on a labelled corpus."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from structce.article import read_labelling
from structce.cli import options
from structce.cli.messages import show_message
from structce.cli.options import RenderingChoice, corpus_options
from structce.errors import CorpusError
from structce.evaluation import score
from structce.labelling import RegionLabeller


@click.command("evaluate", epilog="Example:  structce evaluate model data/sample --format json")
@click.argument("model")
@click.argument("path", metavar="CORPUS", type=options.PATH)
@options.format_option
@corpus_options
def command(model: str, path: Path, form: str, chosen: RenderingChoice) -> None:
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
