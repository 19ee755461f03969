"""``structce model``: show what a model is and what it has learnt."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
from tabulate import tabulate

from structce.cli.options import FILE, browser_option, format_option, json_option
from structce.io import write_atomic
from structce.labelling import RegionLabeller, format_signed
from structce.language import printable
from structce.rendering import ChromiumRenderer
from structce.visualisation import ModelView, Weight, draw_model, to_png, view_model

_COLUMN_WIDTH = 48
"""Width of a column's name in the terminal: two of them and their weights fit into 150."""

_PICTURE_SUFFIXES = (".svg", ".png")


@click.group("model")
def model_group() -> None:
    """Inspect models."""


@model_group.command(
    "show",
    epilog="Examples:  structce model show news-static;  structce model show model --label Author "
    "--columns 20;  structce model show model --picture model.svg",
)
@click.argument("name", metavar="MODEL")
@click.option("--label", help="Only the columns of this label.")
@click.option(
    "--columns",
    "n_columns",
    default=5,
    type=click.IntRange(0),
    help="At most this many columns for, and as many against, each label.",
)
@click.option(
    "--picture",
    type=FILE,
    metavar="FILE.svg|png",
    help="Also draw transitions and strongest columns; png needs a browser.",
)
@format_option
@json_option
@browser_option
def show_model_command(
    name: str, label: str | None, n_columns: int, picture: Path | None, form: str,
    as_json: bool, browser: str | None,
) -> None:  # fmt: skip
    """Print what a model is, its strongest columns, and how labels follow each other.

    MODEL is a folder that 'structce train' wrote, or the name of a shipped model.
    """
    if picture is not None and picture.suffix.lower() not in _PICTURE_SUFFIXES:
        raise click.BadParameter(f"{picture}; expected .svg or .png", param_hint="--picture")
    labeller = RegionLabeller.load(name)
    if label is not None and label not in labeller.label_set.names:
        names = ", ".join(labeller.label_set.names)
        raise click.BadParameter(f"{label!r}; expected one of {names}", param_hint="--label")
    view = view_model(
        labeller.learner,
        labeller.features.columns_,
        labeller.label_set,
        counts=_training_counts(labeller.card),
        label=label,
        n_columns=n_columns,
    )
    if as_json or form == "json":
        description = {**_description(labeller, name), **view.as_dict()}
        click.echo(json.dumps(description, ensure_ascii=False, indent=1))
    else:
        click.echo("\n\n".join(_model_sections(labeller, name, view)))
    if picture is not None:
        svg = draw_model(Path(name).name, _tiles(labeller), view)
        write_atomic(picture, _picture_bytes(svg, picture.suffix.lower(), browser))
        click.echo(f"written: {picture}", err=True)


def _picture_bytes(svg: str, suffix: str, browser: str | None) -> bytes:
    if suffix == ".svg":
        return svg.encode()
    with ChromiumRenderer(browser) as renderer:
        return to_png(svg, renderer)


def _description(labeller: RegionLabeller, name: str) -> dict[str, object]:
    """Return learner, settings, diagnostics and card of a model as JSON values."""
    learner = labeller.learner
    return {
        "model": name,
        "learner": learner.name,
        "parameters": {key.rstrip("_"): value for key, value in learner.get_params().items()},
        "diagnostics": {
            key.rstrip("_"): getattr(learner, key, None) for key in learner.diagnostic_names
        },
        "temperature": learner.temperature_,
        "renderer": labeller.renderer,
        "labels": list(labeller.label_set.names),
        "background": labeller.label_set.background,
        "n_columns": learner.n_columns_,
        "card": labeller.card,
    }


def _model_sections(labeller: RegionLabeller, name: str, view: ModelView) -> Iterator[str]:
    """Yield the sections of the readable text: facts, strongest columns, transitions."""
    facts = [(key, printable(text, 100)) for key, text in _facts(labeller, name)]
    yield tabulate(facts, tablefmt="plain", disable_numparse=True)
    yield _columns_table(view)
    if view.transitions is None:
        yield "Regions are labelled one by one: there are no transitions."
        return
    largest = float(abs(view.transitions).max())
    rows = [
        [name, *(format_signed(value, largest) for value in values)]
        for name, values in zip(view.names, view.transitions.tolist(), strict=True)
    ]
    table = tabulate(
        rows,
        ["label, then", *view.names],
        disable_numparse=True,
        colalign=("left", *["right"] * len(view.names)),
    )
    if view.distances:
        yield f"Weights of a label after the label one region before:\n\n{table}"
        sums = [(n + 1, value) for n, value in enumerate(view.distances)]
        yield tabulate(sums, ["regions before", "sum of absolute weights"], floatfmt=".4g")
    else:
        yield f"Transitions:\n\n{table}"


def _facts(labeller: RegionLabeller, name: str) -> Iterator[tuple[str, str]]:
    """Yield the name and value of each fact about a model that is a single value."""
    learner = labeller.learner
    yield "model", name
    yield "learner", learner.name
    pairs = (f"{key.rstrip('_')} = {value}" for key, value in learner.get_params().items())
    yield "parameters", ", ".join(pairs)
    for key in learner.diagnostic_names:
        value = getattr(learner, key, None)
        if isinstance(value, int | float):
            yield key.rstrip("_").replace("_", " "), f"{value + 0.0:.6g}"
    yield "columns", f"{learner.n_columns_:,}"
    yield "renderer", labeller.renderer
    for key, value in labeller.card.items():
        if isinstance(value, str | int | float | bool):
            yield key.replace("_", " "), str(value)


def _columns_table(view: ModelView) -> str:
    """Return a table of the strongest columns for and against every label."""
    sides = [
        side for label_view in view.labels for side in (label_view.supporting, label_view.opposing)
    ]
    largest = max((abs(weight.weight) for side in sides for weight in side), default=0.0)

    def cells(side: tuple[Weight, ...], n: int) -> list[str]:
        if n >= len(side):
            return ["", ""]
        name = printable(side[n].column, _COLUMN_WIDTH, tail=8)
        return [name, format_signed(side[n].weight, largest, 3)]

    rows = []
    for label_view in view.labels:
        for n in range(max(len(label_view.supporting), len(label_view.opposing), 1)):
            first = [
                label_view.label,
                "" if label_view.n_regions is None else f"{label_view.n_regions:,}",
            ]
            row = [*cells(label_view.supporting, n), *cells(label_view.opposing, n)]
            rows.append([*(first if n == 0 else ["", ""]), *row])
    headers = ["label", "regions", "strongest for", "weight", "strongest against", "weight"]
    alignment = ("left", "right", "left", "right", "left", "right")
    return tabulate(rows, headers, disable_numparse=True, colalign=alignment)


def _tiles(labeller: RegionLabeller) -> list[tuple[str, str]]:
    """Return names and values for the tiles below the title of the picture."""
    learner, card = labeller.learner, labeller.card
    tiles = [("Learner", learner.name)]
    tiles += [("Lambda", f"{learner.lambda_:g}")] if hasattr(learner, "lambda_") else []
    tiles += [("Columns", f"{learner.n_columns_:,}")]
    if "pages" in card and "sites" in card:
        tiles += [("Training pages", f"{card['pages']} of {card['sites']} sites")]
    gap = getattr(learner, "gap_", None)
    tiles += [("Duality gap", f"{gap:.1%}")] if gap is not None else []
    return [*tiles, ("Renderer", labeller.renderer)] if labeller.renderer else tiles


def _training_counts(card: Mapping[str, object]) -> dict[str, int] | None:
    """Return the training regions by label; None if the model's card does not have them."""
    counts = card.get("labels")
    if not isinstance(counts, dict):
        return None
    return {str(label): n for label, n in counts.items() if isinstance(n, int)}
