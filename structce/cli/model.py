"""``structce model``: show what a model is and what it has learnt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest

import click
from tabulate import tabulate

from structce.cli import options
from structce.labelling import ModelView, RegionLabeller, format_signed, view_model
from structce.language import printable

_WIDTH = 48
"""Width of a column's name in the terminal: two of them and their weights fit into 150."""


@click.group("model")
def command() -> None:
    """Inspect models."""


@command.command("show", epilog="Example:  structce model show news-static")
@click.argument("name", metavar="MODEL")
@click.option("--label", help="Only the columns of this label.")
@click.option("--columns", default=5, type=click.IntRange(0), help="Columns for and against each.")
@options.format_option
def show_command(name: str, label: str | None, columns: int, form: str) -> None:
    """Print what a model is, its strongest columns, and how labels follow each other.

    MODEL is a folder that 'structce train' wrote, or the name of a shipped model.
    """
    labeller = RegionLabeller.load(name)
    names = labeller.label_set.names
    if label is not None and label not in names:
        expected = ", ".join(names)
        raise click.BadParameter(f"{label!r}; expected one of {expected}", param_hint="--label")
    counts = labeller.card.get("labels")  # training regions by label
    view = view_model(
        labeller.learner, labeller.features.columns_, labeller.label_set,
        counts=counts if isinstance(counts, dict) else None, label=label, n_columns=columns,
    )  # fmt: skip
    facts = _facts(labeller, name)
    if form == "json":
        options.print_json({**facts, **view.as_dict()})
    else:
        click.echo("\n\n".join(_sections(facts, view)))


def _facts(labeller: RegionLabeller, name: str) -> dict[str, object]:
    """Return learner, hyper-parameters, diagnostics and card of a model."""
    learner = labeller.learner
    known = {key: getattr(learner, key, None) for key in learner.diagnostic_names}
    return {
        "model": name,
        "learner": learner.name,
        "parameters": {key.rstrip("_"): value for key, value in learner.get_params().items()},
        **{key.rstrip("_"): value for key, value in known.items()},
        "columns used": learner.n_columns_,
        "renderer": labeller.renderer,
        **labeller.card,
    }


def _sections(facts: Mapping[str, object], view: ModelView) -> Iterator[str]:
    """Yield the sections of the readable text: facts, strongest columns, transitions."""
    short = {key: x for key, x in facts.items() if isinstance(x, str | int | float)}
    parameters = facts["parameters"]
    if isinstance(parameters, dict):
        short["parameters"] = ", ".join(f"{key} = {value}" for key, value in parameters.items())
    cells = [(key.replace("_", " "), printable(str(x), 100)) for key, x in short.items()]
    yield tabulate(cells, tablefmt="plain", disable_numparse=True)
    yield _columns_table(view)
    if view.transitions is None:
        yield "Regions are labelled one by one: there are no transitions."
        return
    largest = float(abs(view.transitions).max())
    rows = [
        [label, *(format_signed(value, largest) for value in values)]
        for label, values in zip(view.names, view.transitions.tolist(), strict=True)
    ]
    alignment = ("left", *["right"] * len(view.names))
    headers = ["label, then", *view.names]
    yield tabulate(rows, headers, disable_numparse=True, colalign=alignment)
    if view.distances:
        sums = [(n + 1, value) for n, value in enumerate(view.distances)]
        yield tabulate(sums, ["regions before", "sum of absolute weights"], floatfmt=".4g")


def _columns_table(view: ModelView) -> str:
    """Return a table of the strongest columns for and against every label."""
    sides = [side for part in view.labels for side in (part.supporting, part.opposing)]
    largest = max((abs(weight.weight) for side in sides for weight in side), default=0.0)
    rows = []
    for part in view.labels:
        for n, pair in enumerate(zip_longest(part.supporting, part.opposing)):
            row = ["", ""] if n else [part.label, f"{part.n_regions or 0:,}"]
            for weight in pair:
                row.append("" if weight is None else printable(weight.column, _WIDTH, tail=8))
                row.append("" if weight is None else format_signed(weight.weight, largest, 3))
            rows.append(row)
    headers = ["label", "regions", "strongest for", "weight", "strongest against", "weight"]
    return tabulate(rows, headers, disable_numparse=True, colalign=("left", "right") * 3)
