"""Memory of one process that labels many pages, measured after some and after many of them.

    python3 benchmarks/memory.py pages/ --after 200 --after 2000

Pages of a folder are rendered without a browser, labelled and read as articles, again and again
from the first until enough are done. At each count garbage is collected, and the resident memory of
the process is recorded, with the number of pages that are alive: without a leak both stay the same,
except that caches of texts and words grow at first.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

import click
import psutil

from structce.article import read_article
from structce.cli.options import format_option, print_table
from structce.labelling import DEFAULT_MODELS, RegionLabeller
from structce.page import Page
from structce.rendering import StaticRenderer, open_sources, render_all


def label_pages(folder: Path, n_pages: int, labeller: RegionLabeller) -> Iterator[None]:
    """Yield once for every page that is labelled; those that cannot be rendered do not count."""
    sources = cycle([(source.name, source.read) for source in open_sources([str(folder)])])
    with StaticRenderer() as renderer:
        pages = (result.page for result in render_all(sources, renderer))
        for page in islice((page for page in pages if page is not None), n_pages):
            read_article(labeller.label(page))
            yield


def living_pages() -> int:
    """Return how many pages are alive after garbage is collected."""
    gc.collect()
    return sum(isinstance(value, Page) for value in gc.get_objects())


def measure(
    folder: Path, counts: Sequence[int], labeller: RegionLabeller
) -> list[dict[str, float]]:
    """Return megabytes and living pages after so many pages each."""
    rows: list[dict[str, float]] = []
    process = psutil.Process()
    for n_done, _ in enumerate(label_pages(folder, max(counts), labeller), start=1):
        if n_done in counts:
            alive = living_pages()
            megabytes = process.memory_info().rss / 1e6
            first = rows[0]["MB"] if rows else megabytes
            rows.append(
                {
                    "pages": n_done,
                    "MB": megabytes,
                    "of the first": megabytes / first,
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
    print_table(measure(folder, sorted(counts), RegionLabeller.load(model)), form)


if __name__ == "__main__":
    main()
