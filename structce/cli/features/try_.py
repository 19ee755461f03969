"""``structce features try``: measure what a feature is worth on a corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from tabulate import tabulate

from structce import experiments
from structce.cli import options
from structce.cli.inputs import RenderingChoice, corpus_options
from structce.errors import FeatureError
from structce.experiments import percent, percentage_points
from structce.features import REGISTRY, import_features

TRIAL_HEADERS = (
    "label", "regions", "F1 without", "F1 with", "change", "95 % interval", "",
)  # fmt: skip
"""Headers of the table of a trial; the last column holds the verdict."""


@click.command("try", epilog="Example:  structce features try my_cue.py --corpus news")
@click.argument("what", metavar="FILE.py|MODULE|NAME...", nargs=-1, required=True)
@click.option("--corpus", "path", required=True, type=options.PATH, help="Labelled pages.")
@options.seed_option
@options.format_option
@corpus_options
def command(
    what: tuple[str, ...], path: Path, seed: int, form: str, chosen: RenderingChoice
) -> None:  # fmt: skip
    """Measure what each feature of a file adds to all others.

    Prints how often it has a value, and how F1 changes with it, on unseen sites, with a 95 %
    interval over sites. The pages that 'structce compare' tests on with the same seed are not used.
    """
    names = [name for target in what for name in _feature_names(target)]
    corpus = chosen.open_corpus(path)
    trials = experiments.try_features(names, corpus, seed=seed, progress=True)
    if form == "json":
        options.print_json(trials)
    else:
        click.echo("\n\n".join("\n".join(_trial_lines(trial)) for trial in trials))


def _feature_names(what: str) -> Sequence[str]:
    """Return the features that a file or module registers, or the named feature."""
    if what in REGISTRY:
        return [REGISTRY[what].name]
    (module,) = import_features([what])
    if not module.features:
        raise FeatureError(f"{what}: no feature is registered here; decorate one with @feature")
    return module.features


def _trial_lines(trial: dict[str, Any]) -> Iterator[str]:
    yield trial["name"]
    yield (
        f"says something of {trial['regions_known']:.1%} of the regions, on "
        f"{trial['pages_known']:.1%} of the pages; columns: {trial['columns']:,}; "
        f"time: {trial['milliseconds']:.2f} ms per page\n"
    )
    rows = [[name, own["regions"], *_cells(own["f1"])] for name, own in trial["labels"].items()]
    alignment = ("left", *["right"] * 5, "left")
    yield tabulate(rows, TRIAL_HEADERS, disable_numparse=True, colalign=alignment) + "\n"
    if not trial["columns"]:
        yield "It adds no column: it says nothing, or the same thing in fewer than 3 regions."
        return
    macro = trial["macro_f1"]
    before, after, difference, interval, _ = _cells(macro)
    is_noise = macro["verdict"] == "within noise"
    says = "the change is within noise" if is_noise else f"labels get {macro['verdict']}"
    yield (
        f"Macro F1 {before} without, {after} with: {difference} points, 95 % interval {interval} "
        f"over {trial['sites']} sites: {says}."
    )


def _cells(change: dict[str, Any]) -> list[str]:
    if change["difference"] is None:
        return ["", "", "", "", "does not occur"]
    interval = f"{percentage_points(change['low'])} to {percentage_points(change['high'])}"
    numbers = [percent(change["before"]), percent(change["after"])]
    verdict = "" if change["verdict"] == "within noise" else change["verdict"]
    return [*numbers, percentage_points(change["difference"]), interval, verdict]
