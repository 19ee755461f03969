"""The learners side by side with CRFsuite and pystruct.

    python3 -m benchmarks.learners --corpus news --json report.json

Three parts, each measurement in a fresh process, on one thread, one after the other:

- ``synthetic``: pages of News600's size, drawn at random (`benchmarks.learners.synthetic`)
- ``corpus``: a labelled corpus, encoded and split by site as an experiment does it
- ``pystruct``: its Frank-Wolfe and ours on the same problem, as large as its dense arrays allow

Lines of progress go to standard error, tables to standard output, all figures to ``--json``.
"""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import click

from benchmarks.learners.contenders import Job, Measurement
from benchmarks.learners.problems import Facts, Problem, encode_corpus
from benchmarks.learners.report import Row, comparison, to_text
from benchmarks.learners.runner import machine, measure_apart
from benchmarks.learners.synthetic import MEAN_LENGTH, make_problem

EPOCHS = {
    "structured-svm": 300,
    "linear-chain-crf": 500,
    "greedy-svm": 300,
    "multiclass-svm": 300,
    "crfsuite": 500,
}
"""The contenders, and after how many epochs they stop in any case."""

LOG_LOSS = ("linear-chain-crf", "crfsuite")
LAMBDAS = {"hinge": 1.0, "log": 0.01}

REFEREE_EPOCHS = 15
DENSE_COPIES = 1.25  # peak memory of pystruct over that of the dense pages, with a margin


def dense_size(n_pages: int, n_columns: int, gigabytes: float) -> tuple[int, int]:
    """Return pages and columns of pystruct's problem: both cut by the same factor."""
    n_bytes = 8 * MEAN_LENGTH * n_pages * n_columns * DENSE_COPIES
    factor = min(1.0, math.sqrt(gigabytes * 1e9 / n_bytes))
    return max(1, int(factor * n_pages)), max(1, int(factor * n_columns))


def dense_problem(n_pages: int, n_columns: int, seed: int, n_kept: int) -> Problem:
    """Return the most frequent columns of a synthetic problem."""
    return make_problem(n_pages, n_columns, seed).narrowed(n_kept)


def stored_apart(make: Callable[[], Problem], file: Path) -> Facts:
    """Make and store a problem in a process of its own, and return its facts.

    A child process starts with its parent's peak of memory, so this one stays small.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(store, make, file).result()


def store(make: Callable[[], Problem], file: Path) -> Facts:
    """Make a problem, store it, and return its facts."""
    problem = make()
    problem.save(file)
    return problem.facts()


@click.command()
@click.option("--corpus", type=click.Path(exists=True, path_type=Path), help="Folder of a corpus.")
@click.option("--pages", default=300, show_default=True, help="Number of synthetic training pages.")
@click.option("--columns", default=100_000, show_default=True, help="Number of synthetic columns.")
@click.option("--memory", default=3.0, show_default=True, help="Gigabytes that pystruct may take.")
@click.option("--seed", default=0, show_default=True, help="Seed of synthetic pages and learners.")
@click.option("--split-seed", default=7, show_default=True, help="Seed of the corpus's split.")
@click.option("--clock", type=click.Choice(["wall", "processor"]), default="wall",
              show_default=True, help="Clock: processor time or wall-clock time.")  # fmt: skip
@click.option("--limit", default=3600.0, show_default=True, help="Seconds for one measurement.")
@click.option("--json", "file", type=click.Path(path_type=Path), help="File for all figures.")
def main(
    corpus: Path | None,
    pages: int,
    columns: int,
    memory: float,
    seed: int,
    split_seed: int,
    clock: str,
    limit: float,
    file: Path | None,
) -> None:
    """Measure the learners side by side with CRFsuite and pystruct.

    The exit code is 1 if a measurement failed; the others are still in the tables.
    """
    n_pages, n_kept = dense_size(pages, columns, memory)
    referees = dict.fromkeys(("structured-svm", "pystruct"), REFEREE_EPOCHS)
    parts: dict[str, tuple[Callable[[], Problem], dict[str, int]]] = {
        "synthetic": (partial(make_problem, pages, columns, seed), EPOCHS),
        "pystruct": (partial(dense_problem, n_pages, columns, seed, n_kept), referees),
    }
    if corpus:
        parts["corpus"] = partial(encode_corpus, corpus, split_seed), EPOCHS
    tables: dict[str, list[Row]] = {}
    figures: dict[str, dict[str, Measurement]] = {}
    errors: list[Row] = []
    for part, (make, epochs) in parts.items():
        figures[part] = {}
        with tempfile.TemporaryDirectory() as folder:
            facts = stored_apart(make, Path(folder, "problem.npz"))
            for name, most in epochs.items():
                lambda_ = LAMBDAS["log" if name in LOG_LOSS else "hinge"]
                job = Job(name, lambda_, most, seed, clock)
                measured = measure_apart(Path(folder, "problem.npz"), job, limit)
                if isinstance(measured, str):
                    errors.append({"part": part, "contender": name, "error": measured})
                else:
                    figures[part][name] = measured
                click.echo(f"{part}: {name} measured", err=True)
        title = f"{part} ({facts['source']}): {facts['n_pages'][0]:,} pages, "
        title += f"{facts['n_regions']:,} regions, {facts['n_columns']:,} columns"
        tables[title] = comparison(figures[part])
    if errors:
        tables["Failed"] = errors
    click.echo(to_text({title: rows for title, rows in tables.items() if rows}))
    if file:
        report = {"machine": machine(), "figures": figures, "tables": tables}
        file.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    raise SystemExit(bool(errors))


if __name__ == "__main__":
    main()
