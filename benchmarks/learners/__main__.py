"""The learners side by side with CRFsuite, scikit-learn and pystruct, in one run.

    python3 -m benchmarks.learners --corpus news --out measures --json report.json

Four parts, each measurement in a fresh process, on one thread, one after the other:

- ``synthetic``: pages of News600's size, drawn at random (`benchmarks.learners.synthetic`)
- ``corpus``: a labelled corpus, encoded and split by site as an experiment does it
- ``pystruct``: its Frank-Wolfe and ours on the same problem, as large as its dense arrays allow
- ``growth``: the synthetic problem at 1, 2, 4 and 8 times a base

Lines of progress go to standard error, tables to standard output, all figures to ``--json``.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from benchmarks.learners.jobs import EPOCHS, PARTS, Clock, PartName, Plan
from benchmarks.learners.report import Row, tables, to_text
from benchmarks.learners.runner import BenchmarkRunner, Outcome, machine

NO_BOUND = 10**6


def _chosen(context: click.Context, option: click.Parameter, text: str) -> tuple[str, ...]:
    """Return the names of a comma-separated option."""
    known = PARTS if option.name == "parts" else tuple(EPOCHS)
    names = tuple(known) if text == "all" else tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(known)}")
    return names


def _report(
    plan: Plan, outcomes: Sequence[Outcome], rows: Mapping[str, Sequence[Row]]
) -> dict[str, object]:
    """Return everything as JSON values; of the corpus's folder only its name."""
    steps = {
        outcome.step.name: {
            "job": asdict(outcome.step.job),
            "measured": outcome.measured,
            "error": outcome.error,
        }
        for outcome in outcomes
    }
    settings = {**asdict(plan), "corpus": Path(plan.corpus).name}
    return {"machine": machine(), "plan": settings, "steps": steps, "tables": rows}


@click.command()
@click.option("--parts", default="all", callback=_chosen, help=f"Some of {', '.join(PARTS)}.")
@click.option(
    "--contenders",
    default="all",
    callback=_chosen,
    help="Contenders, by their names in the tables.",
)
@click.option("--corpus", type=click.Path(exists=True, path_type=Path), help="Folder of a corpus.")
@click.option("--pages", default=300, show_default=True, help="Number of synthetic training pages.")
@click.option("--columns", default=100_000, show_default=True, help="Number of synthetic columns.")
@click.option(
    "--base",
    default=75,
    show_default=True,
    help="Pages of the smallest problem of the part on growth.",
)
@click.option("--memory", default=3.0, show_default=True, help="Gigabytes that pystruct may take.")
@click.option("--seed", default=0, show_default=True, help="Seed of synthetic pages and learners.")
@click.option("--split-seed", default=7, show_default=True, help="Seed of the corpus's split.")
@click.option(
    "--max-epochs", default=NO_BOUND, help="Epochs after which every contender is stopped."
)
@click.option("--clock", type=click.Choice(["wall", "processor"]), default="wall",
              show_default=True, help="Clock: processor time or wall-clock time.")  # fmt: skip
@click.option("--limit", default=3600.0, show_default=True, help="Seconds for one measurement.")
@click.option("--with-conversion", is_flag=True, help="Count conversion in the tables' seconds.")
@click.option("--quick", is_flag=True, help="Small sizes, to check that everything works.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder that keeps each measurement.")
@click.option("--resume", is_flag=True, help="Reuse the measurements of the same steps in --out.")
@click.option(
    "--json", "file", type=click.Path(path_type=Path), help="File for all figures, as JSON."
)
def main(
    parts: tuple[PartName, ...],
    contenders: tuple[str, ...],
    corpus: Path | None,
    pages: int,
    columns: int,
    base: int,
    memory: float,
    seed: int,
    split_seed: int,
    max_epochs: int,
    clock: Clock,
    limit: float,
    with_conversion: bool,
    quick: bool,
    out: Path | None,
    resume: bool,
    file: Path | None,
) -> None:
    """Measure the learners side by side with CRFsuite, scikit-learn and pystruct.

    Tables go to standard output, progress to standard error. Names in options are separated by
    commas. The exit code is 1 if a measurement failed; the others are still in the tables.
    """
    if quick:
        pages, columns, base, memory, max_epochs = 12, 2000, 4, 0.1, min(max_epochs, 20)
    if "corpus" in parts and corpus is None:
        click.echo("no --corpus, so that part is left out", err=True)
    folder = str(corpus.resolve()) if corpus else ""
    plan = Plan(parts, contenders, folder, pages, columns, base, memory, max_epochs, seed,
                split_seed, clock)  # fmt: skip
    with tempfile.TemporaryDirectory() as scratch:
        kept = out or Path(scratch) / "kept"
        runner = BenchmarkRunner(
            Path(scratch), kept, resume, limit, lambda line: click.echo(line, err=True)
        )
        outcomes = runner.run(list(plan.steps()))
    rows = tables(outcomes, with_conversion=with_conversion)
    click.echo(to_text(rows))
    if file:
        file.write_text(json.dumps(_report(plan, outcomes, rows), indent=1) + "\n", "utf-8")
    raise SystemExit(any(outcome.measured is None for outcome in outcomes))


if __name__ == "__main__":
    main()
