"""``structce features``: list, show and measure features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
from tabulate import tabulate

from structce.article import page_loaders
from structce.cli import options
from structce.cli.messages import show_message
from structce.cli.options import RenderingChoice, rendering_options
from structce.errors import FeatureError, RenderError
from structce.features import REGISTRY, import_features, values_of
from structce.rendering import render_all

_TEXT_WIDTH = 60  # columns of a text in the terminal


@click.group("features")
def command() -> None:
    """List and show the features that describe a region, and measure your own."""


@command.command("list", epilog="Example:  structce features list --format json")
@options.format_option
def list_command(form: str) -> None:
    """List the registered features."""
    rows: list[dict[str, object]] = []
    for name in REGISTRY:
        feature = REGISTRY[name]
        row = {"name": feature.name, "family": feature.family, "needs": feature.needs or ""}
        rows.append({**row, "source": feature.source, "says": feature.summary})
    options.print_table(rows, form)


@command.command("show", epilog="Example:  structce features show dom.depth page.html")
@click.argument("name", metavar="NAME")
@click.argument("source", metavar="PAGE")
@options.format_option
@rendering_options
def show_command(name: str, source: str, form: str, chosen: RenderingChoice) -> None:
    """Print the value of a feature at every region of a page.

    NAME is a feature's name or its name in the paper, PAGE a file, an address, or - for standard
    input.
    """
    feature, renderer = REGISTRY[name], chosen.start()
    read = chosen.reader()
    with renderer:
        (result,) = render_all(page_loaders([source], read), renderer)
    page = result.page
    if page is None:
        raise RenderError(result.error)
    values: Sequence[object] = [None] * len(page)
    if feature.is_known(page):
        found = values_of(feature, page)
        values = found.tolist() if isinstance(found, np.ndarray) else found
    else:
        needs = "layout, which --renderer chromium computes"
        show_message(f"warning: {feature.name} has no values, as it needs {needs}")
    rows = [
        {"index": i, "value": _shown(value, form), "tag": region.tag, "text": region.text}
        for i, (value, region) in enumerate(zip(values, page, strict=True))
    ]
    options.print_table(rows, form, width=_TEXT_WIDTH)


def _shown(value: object, form: str) -> object:
    """Return a value for JSON, or for a cell; None if it is not known."""
    if value == "" or (isinstance(value, float) and not np.isfinite(value)):
        return None
    if isinstance(value, set | frozenset):
        return sorted(value) if form == "json" else " ".join(sorted(value))
    return value


_TRIAL_HEADERS = ("label", "regions", "F1 without", "F1 with", "change", "95 % interval", "")
"""Headers of the table of a trial; the last column holds the verdict."""


@command.command("try", epilog="Example:  structce features try my_cue.py --corpus news")
@click.argument("what", metavar="FILE.py|MODULE|NAME...", nargs=-1, required=True)
@click.option("--corpus", "path", required=True, type=options.PATH, help="Labelled pages.")
@options.seed_option
@options.format_option
@rendering_options
def try_command(
    what: tuple[str, ...], path: Path, seed: int, form: str, chosen: RenderingChoice
) -> None:
    """Measure what each feature of a file adds to all others.

    Prints how often it has a value, and how F1 changes with it, on unseen sites, with a 95 %
    interval over sites. The pages that 'structce compare' tests on with the same seed are not used.
    """
    from structce import experiments  # late: the other commands need none, and it takes 1 s

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
    yield tabulate(rows, _TRIAL_HEADERS, disable_numparse=True, colalign=alignment) + "\n"
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
    from structce.experiments import percent, percentage_points

    if change["difference"] is None:
        return ["", "", "", "", "does not occur"]
    interval = f"{percentage_points(change['low'])} to {percentage_points(change['high'])}"
    numbers = [percent(change["before"]), percent(change["after"])]
    verdict = "" if change["verdict"] == "within noise" else change["verdict"]
    return [*numbers, percentage_points(change["difference"]), interval, verdict]
