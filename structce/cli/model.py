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
    view = view_model(
        labeller.learner, labeller.features.columns_, labeller.label_set, label=label,
        n_columns=columns,
    )  # fmt: skip
    facts = _facts(labeller, name)
    if form == "json":
        options.print_json({**facts, **view._asdict()})
    else:
        click.echo("\n\n".join(_sections(facts, view)))


def _facts(labeller: RegionLabeller, name: str) -> dict[str, object]:
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
    short = {key: x for key, x in facts.items() if isinstance(x, str | int | float)}
    parameters = facts["parameters"]
    if isinstance(parameters, dict):
        short["parameters"] = ", ".join(f"{key} = {value}" for key, value in parameters.items())
    cells = [(key.replace("_", " "), printable(str(x), 100)) for key, x in short.items()]
    yield tabulate(cells, tablefmt="plain", disable_numparse=True)
    counts = facts.get("labels")  # training regions by label
    yield _columns_table(view, counts if isinstance(counts, dict) else {})
    if view.transitions is None:
        yield "Regions are labelled one by one: there are no transitions."
        return
    largest = max(abs(x) for row in view.transitions.values() for x in row.values())
    rows = [
        [label, *(format_signed(value, largest) for value in row.values())]
        for label, row in view.transitions.items()
    ]
    alignment = ("left", *["right"] * len(view.transitions))
    headers = ["label, then", *view.transitions]
    yield tabulate(rows, headers, disable_numparse=True, colalign=alignment)
    if view.distances:
        sums = [(n + 1, value) for n, value in enumerate(view.distances)]
        yield tabulate(sums, ["regions before", "sum of absolute weights"], floatfmt=".4g")


def _columns_table(view: ModelView, counts: Mapping[str, int]) -> str:
    parts = view.columns.values()
    weights = [weight for sides in parts for side in sides.values() for _, weight in side]
    largest = max(map(abs, weights), default=0.0)
    rows = []
    for label, sides in view.columns.items():
        for n, pair in enumerate(zip_longest(sides["for"], sides["against"], fillvalue=None)):
            row = ["", ""] if n else [label, f"{counts.get(label, 0):,}"]
            for cell in pair:
                row.append(printable(cell[0], _WIDTH, tail=8) if cell else "")
                row.append(format_signed(cell[1], largest, 3) if cell else "")
            rows.append(row)
    headers = ["label", "regions", "strongest for", "weight", "strongest against", "weight"]
    return tabulate(rows, headers, disable_numparse=True, colalign=("left", "right") * 3)
