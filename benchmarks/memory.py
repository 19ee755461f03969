"""Memory of one process that labels many pages, measured after some and after many of them.

    python3 benchmarks/memory.py pages/ --after 200 --after 2000

Pages of a folder are labelled and read as articles, as by ``structce label`` in one process
without a browser, again and again from the first until enough are done. At each count garbage is
collected, and the resident memory of the process is recorded, with its peak so far and the number
of pages that are alive: without a leak all but the peak stay the same, except that tables of words
and languages grow at first.
"""

from __future__ import annotations

import gc
import resource
import sys
from collections.abc import Iterator, Sequence
from itertools import chain, islice, repeat
from pathlib import Path

import click
import psutil

from structce.article import label_files
from structce.cli.options import format_option, print_table
from structce.labelling import DEFAULT_MODELS
from structce.page import Page

_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes in which the system states a peak


def label_pages(folder: Path, n_pages: int, model: str) -> Iterator[None]:
    """Yield once for every page that is labelled; those that cannot be do not count."""
    outcomes = label_files(chain.from_iterable(repeat([str(folder)])), model=model)
    labelled = (None for outcome in outcomes if outcome.value is not None)
    yield from islice(labelled, n_pages)


def living_pages() -> int:
    """Return how many pages are alive after garbage is collected."""
    gc.collect()
    return sum(isinstance(value, Page) for value in gc.get_objects())


def measure(folder: Path, counts: Sequence[int], model: str) -> list[dict[str, float]]:
    """Return megabytes, their peak and the living pages after so many pages each."""
    rows: list[dict[str, float]] = []
    process = psutil.Process()
    for n_done, _ in enumerate(label_pages(folder, max(counts), model), start=1):
        if n_done in counts:
            alive = living_pages()
            megabytes = process.memory_info().rss / 1e6
            first = rows[0]["MB"] if rows else megabytes
            rows.append(
                {
                    "pages": n_done,
                    "MB": megabytes,
                    "of the first": megabytes / first,
                    "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT / 1e6,
                    "alive": alive,
                }
            )
    return rows


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--after", "counts", type=click.IntRange(1), multiple=True, default=[200, 2_000])
@click.option("--model", default=DEFAULT_MODELS["static"], show_default=True)
@format_option
def main(folder: Path, counts: tuple[int, ...], model: str, form: str) -> None:
    """Measure the memory of a process that labels the pages of a folder."""
    print_table(measure(folder, sorted(counts), model), form)


if __name__ == "__main__":
    main()
