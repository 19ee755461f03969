"""The page of an experiment: one self-contained HTML file, no scripts, nothing loaded."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined

from structce.experiments.bars import bars
from structce.experiments.diagram import diagram
from structce.experiments.names import written_name
from structce.experiments.results import LearnerResult, Result
from structce.experiments.spec import Experiment, Parameters
from structce.experiments.tables import (
    ablation_notes,
    ablation_table,
    calibration_table,
    describe_comparison,
    label_table,
    learner_table,
    percent,
)

LEFT, RIGHT, ROW = 170.0, 730.0, 36.0
"""Of the chart, in units of its view box."""


@dataclass(frozen=True)
class Dot:
    """A learner's row in the chart: places and values of its two dots, in [0, 1]."""

    learner: str
    y: float
    x_all: float
    x_foreground: float
    f1_all: float
    f1_foreground: float


@dataclass(frozen=True)
class Chart:
    """Macro F1 of every learner as dots on a common axis.

    Parameters
    ----------
    ticks
        Place and value, in per cent, of each line of the axis.
    """

    dots: tuple[Dot, ...]
    ticks: tuple[tuple[float, int], ...]
    height: float


@dataclass(frozen=True)
class Cell:
    """A shaded cell: what it says, how strong its colour is in [0, 1], and whether that is good."""

    text: str
    shade: float
    is_good: bool = True


def render_html(result: Result, versions: Mapping[str, str], command: str) -> str:
    """Return the report as an HTML page.

    Parameters
    ----------
    versions
        Of the packages that the numbers depend on.
    command
        The command line that repeats the experiment; empty if there is none to show.
    """
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = percent
    page = environment.get_template("report.html").render(
        result=result,
        versions=versions,
        command=command,
        table=learner_table(result),
        best=_best(result),
        chart=chart(result),
        heat=tuple(_heat(result)),
        calibration_table=calibration_table(result),
        diagram=diagram,
        ablation_notes=ablation_notes,
        ablation_table=ablation_table,
        bars=bars,
        confusion=_confusion,
        label_table=label_table,
        describe=describe_comparison,
        parameters=_parameters,
        chosen=_chosen,
        asks_for_sites=result.experiment.feature_set().needs_sites,
        number=_number,
    )
    return page.strip() + "\n"


def _source(name: str) -> str:
    return resources.files("structce.experiments").joinpath(name).read_text(encoding="utf-8")


def chart(result: Result) -> Chart:
    """Return the dots of all learners that have scores; the axis ends at 100 per cent.

    It begins at the last multiple of ten below the smallest value, so that near learners can be
    told apart; dots, unlike bars, do not need a zero.
    """
    values = [
        (row.learner, row.scores.macro_f1, row.scores.macro_f1_foreground)
        for row in result.succeeded
    ]
    smallest = min((min(full, inner) for _, full, inner in values), default=0.0)
    first = min(90, 10 * math.floor(smallest * 10))

    def place(share: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * (100 * share - first) / (100 - first), 1)

    step = 10 if first >= 40 else 20
    ticks = tuple((place(tick / 100), tick) for tick in range(100, first - 1, -step))
    dots = tuple(
        Dot(name, 20 + ROW * i, place(full), place(inner), full, inner)
        for i, (name, full, inner) in enumerate(values)
    )
    return Chart(dots, ticks, ROW * len(dots) + 30)


def _best(result: Result) -> tuple[str, ...]:
    """Return the highest number of each column of Table 2; empty for columns without any."""
    columns = zip(*learner_table(result).rows, strict=True)
    numbers = ([cell for cell in column if cell[-1:].isdigit()] for column in columns)
    return tuple(max(column, key=float, default="") for column in numbers)


def _heat(result: Result) -> Iterator[tuple[str, list[Cell]]]:
    """Yield each label with its F1 by learner; shades are cubed, to tell good from better."""
    for i, name in enumerate(result.n_test):
        scores = [row.scores.labels[i] for row in result.succeeded]
        yield (
            name,
            [
                Cell(percent(one.measures.f1), one.measures.f1**3) if one.occurs else Cell("–", 0)
                for one in scores
            ],
        )


def _confusion(row: LearnerResult) -> list[list[Cell]]:
    """Return the confusion matrix, a colour as strong as its share of the gold label."""
    sums = row.confusion.sum(axis=1)
    return [
        [
            Cell(str(count) if count else "", count / sums[i] if count else 0, i == j)
            for j, count in enumerate(counts)
        ]
        for i, counts in enumerate(row.confusion.tolist())
    ]


def _chosen(experiment: Experiment) -> str:
    """Return which features an experiment took, in words."""
    parts = (
        ("of the families ", experiment.families),
        ("besides " if experiment.families else "", experiment.include),
        ("without ", experiment.exclude),
    )
    return f"Features {', '.join(start + ', '.join(names) for start, names in parts if names)}"


def _parameters(parameters: Parameters) -> str:
    """Return hyper-parameters as text: ``lambda = 0.1, context = 10``."""
    pairs = [f"{written_name(name)} = {value}" for name, value in parameters.items()]
    return ", ".join(pairs) or "defaults"


def _number(value: float | None) -> str:
    """Return a number of any size in a few digits; a dash if there is none."""
    return "–" if value is None else f"{value:.4g}"
