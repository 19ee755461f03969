"""``structce features try``: measure what a feature is worth on a corpus."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import numpy as np
from tabulate import tabulate
from tqdm import tqdm

from structce.cli.corpus_options import CorpusOpener, LearnerName, corpus_options
from structce.cli.options import PATH, format_option
from structce.errors import FeatureError
from structce.experiments import (
    N_TRIAL_FOLDS,
    TRIAL_LEARNER,
    FeatureTrial,
    ScoreChange,
    count_steps,
    percent,
    percentage_points,
    try_features,
)
from structce.features import REGISTRY, import_features

TRIAL_HEADERS = (
    "label", "regions", "bits", "of", "F1 without", "F1 with", "change", "95 % interval", "",
)  # fmt: skip
"""Headers of the table of a trial; the last column holds the verdict."""


@click.command(
    "try",
    epilog="Examples:  structce features try my_cue.py --corpus news;  structce features try "
    "dom.depth --corpus news",
)
@click.argument("what", metavar="FILE.py|MODULE|NAME...", nargs=-1, required=True)
@click.option("--corpus", "path", required=True, type=PATH, help="Labelled pages to try it on.")
@click.option(
    "--learner",
    type=LearnerName(),
    default=TRIAL_LEARNER,
    help="Learner to train, for a few epochs.",
)
@click.option("--seed", default=0, help="The same seed gives the same figures.")
@click.option(
    "--folds",
    type=click.IntRange(2),
    default=N_TRIAL_FOLDS,
    help="Parts by site, each labelled by a model trained on the others.",
)
@format_option
@corpus_options
def try_features_command(
    what: tuple[str, ...], path: Path, learner: str, seed: int, folds: int, form: str,
    opener: CorpusOpener,
) -> None:  # fmt: skip
    """Measure what each feature of a file adds to all others.

    Prints how often it has a value, how much it says about each label by itself (bits), and how F1
    changes with it, on unseen sites, with a 95 % interval over sites. A name instead of a file
    tries an existing feature. The pages that 'structce compare' tests on with the same seed are
    not used.
    """
    names = [name for target in what for name in _feature_names(target)]
    corpus, n_steps = opener.open(path), count_steps(len(names), folds)
    with tqdm(total=n_steps, unit="step", disable=None, file=sys.stderr) as bar:
        step_numbers = itertools.count()

        def show_step(step: str) -> None:
            bar.update(next(step_numbers) - bar.n)
            bar.set_description(step)

        trials = try_features(
            names, corpus, learner=learner, seed=seed, n_folds=folds, notify=show_step
        )
        bar.update(n_steps - bar.n)
    if form == "json":
        click.echo(json.dumps([trial.as_dict() for trial in trials], ensure_ascii=False, indent=1))
        return
    click.echo("\n\n".join("\n".join(_trial_lines(trial)) for trial in trials))


def _trial_lines(trial: FeatureTrial) -> Iterator[str]:
    """Yield the lines of a trial as readable text, F1 in per cent."""
    seen = trial.values
    yield trial.feature.name
    yield (
        f"says something of {seen.regions:.1%} of the regions, on {seen.pages:.1%} of the pages; "
        f"columns: {trial.n_columns:,}; time: {seen.milliseconds:.2f} ms per page"
    )
    yield ""
    rows = [
        [
            name,
            trial.support[name],
            f"{trial.information[name]:.4f}",
            f"{trial.entropy[name]:.4f}",
            *_score_cells(change),
        ]
        for name, change in trial.labels.items()
    ]
    alignment = ("left", *["right"] * 7, "left")
    yield tabulate(rows, TRIAL_HEADERS, disable_numparse=True, colalign=alignment)
    yield ""
    yield _conclusion(trial)


def _feature_names(what: str) -> Sequence[str]:
    """Return the features that a file or module registers, or the named feature."""
    if what in REGISTRY:
        return [REGISTRY[what].name]
    (module,) = import_features([what])
    if not module.features:
        raise FeatureError(f"{what}: no feature is registered here; decorate one with @feature")
    return module.features


def _score_cells(change: ScoreChange) -> list[str]:
    if np.isnan([change.before, change.after]).any():
        return ["", "", "", "", "does not occur"]
    interval = f"{percentage_points(change.low)} to {percentage_points(change.high)}"
    verdict = "" if change.is_noise else change.verdict
    numbers = [percent(change.before), percent(change.after)]
    return [*numbers, percentage_points(change.difference), interval, verdict]


def _conclusion(trial: FeatureTrial) -> str:
    if not trial.n_columns:
        return "It adds no column: it says nothing, or the same thing in fewer than 3 regions."
    macro = trial.macro
    _, _, difference, interval, _ = _score_cells(macro)
    says = "the change is within noise" if macro.is_noise else f"labels get {macro.verdict}"
    return (
        f"Macro F1 {percent(macro.before)} without, {percent(macro.after)} with: {difference} "
        f"points, 95 % interval {interval} over {trial.n_sites} sites: {says}."
    )
