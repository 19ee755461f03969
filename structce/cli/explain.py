"""``structce explain`` and ``model``: why a region has its label, and what a model has learnt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest

import click
from tabulate import tabulate

from structce import labelling
from structce.article import (
    PageReader,
    PageRecord,
    Reading,
    ValueExplanation,
    explain_regions,
    explain_value,
    explained_label,
    page_head,
    page_loaders,
)
from structce.cli import options
from structce.cli.messages import FAILED, show_error, show_message
from structce.cli.options import RenderingChoice, choose_models, rendering_options
from structce.language import printable

_FIELDS = ("title", "authors", "date")
_COLUMN_WIDTH, _TEXT_WIDTH = 48, 76
"""Widths of a column's name and a region's text in the terminal; a row fits into 150 columns."""

_MOST_CANDIDATES = 8  # rows of a field's candidates in the terminal

_Row = tuple[str, Sequence[str], Sequence[float]]
"""Row of a table: name, values, and what they add to scores."""


@click.command("explain", epilog="Example:  structce explain page.html --field title")
@click.argument("source", metavar="SRC")
@click.option("--region", "regions", type=int, multiple=True, help="Number of a region, from 0.")
@click.option("--label", help="All regions of this label. Default: Title, without --region.")
@click.option("--field", type=click.Choice(_FIELDS), help="Field whose value is explained instead.")
@options.model_option
@click.option("--columns", default=10, type=click.IntRange(0), help="Columns listed, at most.")
@options.format_option
@rendering_options
def command(
    source: str, regions: tuple[int, ...], label: str | None, field: str | None, model: str | None,
    columns: int, form: str, chosen: RenderingChoice,
) -> None:  # fmt: skip
    """Explain why regions of a page have their label, not the runner-up, and what would change it.

    Prints for each region what its columns and the labels around it add to the scores of both
    labels; the differences add up to the margin. 'structce label' lists the numbers of regions.
    Models with linear learners and with boosted-trees can be explained.

    With --field, prints the candidates of a field, how likely each is right, and what the columns
    add to the log odds of the chosen one and of its rival.
    """
    if sum(map(bool, (regions, label is not None, field))) > 1:
        raise click.UsageError("--region, --label and --field exclude each other")
    renderer, models = choose_models(model, chosen)
    labeller, name = models.labeller(renderer.name), models.name(renderer.name)
    target = explained_label(labeller.label_set) if label is None else label
    if target not in labeller.label_set.names:
        names = ", ".join(labeller.label_set.names)
        raise click.BadParameter(f"{label!r}; expected one of {names}", param_hint="--label")
    work = partial(
        _explained, model=name, regions=regions, label=target, field=field, n_columns=columns
    )
    records: list[PageRecord] = []
    loaders = page_loaders([source], chosen.reader())
    for page, explained, error in PageReader(renderer, models).pipe(loaders, work):
        record, texts = explained or ({"source": page, "error": error}, [])
        records.append(record)
        if error:
            show_error(f"{page}: {error}")
        elif not texts:
            show_message(f"{page}: no region is labelled {target}")
        for text in texts if form == "table" else ():
            click.echo(f"{printable(page)}, {text}")
    if form == "json":
        options.print_json(records)
    if any("error" in record for record in records):
        raise FAILED


def _explained(
    source: str, reading: Reading, *, model: str, regions: Sequence[int], label: str,
    field: str | None, n_columns: int,
) -> tuple[PageRecord, list[str]]:  # fmt: skip
    head = page_head(source, reading.labelling.page, model)
    if field:
        why = explain_value(reading, field, n_columns=n_columns)
        return {**head, "explanation": why.as_dict()}, [_value_text(why)]
    explanations = explain_regions(reading, regions, label, n_columns=n_columns)
    return (
        {**head, "explanations": [part.as_dict() for part in explanations]},
        [_explanation_text(explanation, answer) for explanation, answer in explanations],
    )


def _value_text(why: ValueExplanation) -> str:
    chosen, rival = why.chosen, why.rival
    lines = [f"{why.field}: no value was likely enough", ""]
    if chosen is not None:
        value = printable(chosen.value, _TEXT_WIDTH)
        lines[0] = f"{why.field}: {value} (confidence {why.confidence:.4f})"
    candidates = [
        (
            "chosen" if candidate.is_chosen else "" if candidate.is_eligible else "excluded",
            f"{candidate.probability:.4f}",
            printable(candidate.value, _COLUMN_WIDTH),
            ", ".join([*(f"region {i}" for i in candidate.regions[:1]), *candidate.sources]),
        )
        for candidate in why.candidates[:_MOST_CANDIDATES]
    ]
    lines += [tabulate(candidates, ["", "probability", "candidate", "from"]), ""]
    if why.shares:
        over = f"over {printable(rival.value, _COLUMN_WIDTH)}" if rival else "without a rival"
        rows: list[_Row] = []
        for share in why.shares:
            values = ["" if value != value else f"{value:.4g}" for value in share[1:3]]
            numbers = [share.chosen, share.rival, share.difference]
            rows.append((printable(share.name, _COLUMN_WIDTH, tail=8), values, numbers))
        rows.append(("other columns", [""] * 4, [why.others]))
        rows.append(("sum", [""] * 4, [why.margin]))
        largest = max(max(abs(share.chosen), abs(share.rival)) for share in why.shares)
        headers = ["column", "value", "rival's value", "chosen", "rival", "difference"]
        lines += [f"margin {why.margin:.4g} {over}", "", _table(headers, rows, largest), ""]
    return "\n".join(lines)


def _explanation_text(why: labelling.Explanation, answer: str) -> str:
    rows: list[_Row] = []
    largest = 0.0
    for share in why.shares:
        value = f"{share.value + 0.0:.4g}" if share.value is not None else ""
        numbers = share.chosen, share.runner_up, share.difference
        rows.append((labelling.share_name(share, why, _COLUMN_WIDTH), [value], numbers))
        if share in why.near_shares:
            largest = max(largest, *map(abs, numbers))
    rows.append(("sum", [""], [sum(row[2][n] for row in rows) for n in range(3)]))
    headers = ["column or context", "value", why.label, why.runner_up, "difference"]
    sentences = [
        labelling.changes_sentence(why),
        printable(why.sentence),
        labelling.answer_sentence(why.label, answer),
    ]
    lines = [
        f"region {why.region}: {why.label} (confidence {why.confidence:.4f}, "
        f"margin {why.margin:.4g} over {why.runner_up})",
        printable(why.text, _TEXT_WIDTH) or printable(why.xpath),
        "",
        _table(headers, rows, largest),
        "",
    ]
    return "\n".join([*lines, *filter(None, sentences), ""])


def _table(headers: Sequence[str], rows: Sequence[_Row], largest: float) -> str:
    cells = [
        [name, *values, *(labelling.format_signed(x, largest, 3) for x in numbers)]
        for name, values, numbers in rows
    ]
    alignment = ("left", *["right"] * (len(headers) - 1))
    return tabulate(cells, headers, disable_numparse=True, colalign=alignment)


@click.group("model")
def model_command() -> None:
    """Inspect models."""


@model_command.command("show", epilog="Example:  structce model show news-static")
@click.argument("name", metavar="MODEL")
@click.option("--label", help="Only the columns of this label.")
@click.option("--columns", default=5, type=click.IntRange(0), help="Columns for and against each.")
@options.format_option
def show_command(name: str, label: str | None, columns: int, form: str) -> None:
    """Print what a model is, its strongest columns, and how labels follow each other.

    MODEL is a folder that 'structce train' wrote, or the name of a shipped model.
    """
    labeller = labelling.RegionLabeller.load(name)
    view = labelling.view_model(
        labeller.learner, labeller.features.columns_, labeller.label_set, label=label,
        n_columns=columns,
    )  # fmt: skip
    facts = _facts(labeller, name)
    if form == "json":
        options.print_json({**facts, **view._asdict()})
    else:
        click.echo("\n\n".join(_sections(facts, view)))


def _facts(labeller: labelling.RegionLabeller, name: str) -> dict[str, object]:
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


def _sections(facts: Mapping[str, object], view: labelling.ModelView) -> Iterator[str]:
    short = {key: x for key, x in facts.items() if isinstance(x, str | int | float)}
    parameters = facts["parameters"]
    if isinstance(parameters, dict):
        short["parameters"] = ", ".join(f"{key} = {value}" for key, value in parameters.items())
    cells = [(key.replace("_", " "), printable(str(x), 100)) for key, x in short.items()]
    yield tabulate(cells, tablefmt="plain", disable_numparse=True)
    counts = facts.get("labels")  # training regions by label
    yield _weights_table(view, counts if isinstance(counts, dict) else {})
    if view.transitions is None:
        yield "Regions are labelled one by one: there are no transitions."
        return
    largest = max(abs(x) for row in view.transitions.values() for x in row.values())
    rows = [
        [label, *(labelling.format_signed(value, largest) for value in row.values())]
        for label, row in view.transitions.items()
    ]
    alignment = ("left", *["right"] * len(view.transitions))
    headers = ["label, then", *view.transitions]
    yield tabulate(rows, headers, disable_numparse=True, colalign=alignment)
    if view.distances:
        sums = [(n + 1, value) for n, value in enumerate(view.distances)]
        yield tabulate(sums, ["regions before", "sum of absolute weights"], floatfmt=".4g")


def _weights_table(view: labelling.ModelView, counts: Mapping[str, int]) -> str:
    parts = view.columns.values()
    weights = [weight for sides in parts for side in sides.values() for _, weight in side]
    largest = max(map(abs, weights), default=0.0)
    rows = []
    for label, sides in view.columns.items():
        for n, pair in enumerate(zip_longest(sides["for"], sides["against"], fillvalue=None)):
            row = ["", ""] if n else [label, f"{counts.get(label, 0):,}"]
            for cell in pair:
                row.append(printable(cell[0], _COLUMN_WIDTH, tail=8) if cell else "")
                row.append(labelling.format_signed(cell[1], largest, 3) if cell else "")
            rows.append(row)
    headers = ["label", "regions", "strongest for", "weight", "strongest against", "weight"]
    return tabulate(rows, headers, disable_numparse=True, colalign=("left", "right") * 3)
