"""Time and memory of learning a template, and the bytes that storing each block once saves.

    python3 -m benchmarks.extraction.template_scale pages --out figures
    python3 -m benchmarks.extraction.template_scale storage ir-research-data.zip

``pages`` learns a template of ContentExtractor from more and more pages of one invented site, each
number in a process of its own: processor seconds of parsing and of comparing blocks, without those
of drawing the pages, and the highest memory. The texts of invented sites have some two thousand
different words however many pages there are, so that blocks share rare words sooner than in
language: a hard case for the index. The exponent is the slope of the logarithm of seconds over that
of pages; 1 is linear, 2 is what comparing all with all would have.

``storage`` sums the bytes of the texts of blocks of Big9, ten pages of a site and year together:
all, each distinct one once, and those that are content.
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np

from benchmarks.rendering.plots import Series, draw_chart
from structce.cli.options import format_option, print_table
from structce.datasets import READERS, GoldPage
from structce.extraction import ContentExtractor, ContentTemplate, ParsedDocument, save_template
from structce.io import encode_json, write_atomic
from structce.synthetic.generate import draw_page
from structce.synthetic.renderer import template_families
from structce.synthetic.sites import draw_site

COUNTS = (250, 500, 1_000, 2_000, 4_000)
_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes of the unit in which memory is reported
_MANY = 50  # further pages that a template is applied to


@dataclass(frozen=True)
class ScaleRow:
    """Costs of learning from a number of pages.

    Parameters
    ----------
    blocks, distinct, repeated
        Blocks of all pages, how many of them differ, and how many of these are not content.
    read_s, compare_s
        Processor seconds of parsing and cutting, and of comparing blocks.
    apply_ms
        Processor milliseconds for a page that is not among them, parsing included.
    file_mb
        Size of the file of the template.
    peak_mb
        Highest memory of the process, with all that it imports.
    """

    pages: int
    blocks: int
    distinct: int
    repeated: int
    read_s: float
    compare_s: float
    apply_ms: float
    file_mb: float
    peak_mb: float

    @property
    def seconds(self) -> float:
        """Processor seconds of learning."""
        return self.read_s + self.compare_s


@dataclass
class DrawnPages:
    """Pages of an invented site, drawn one by one; and when that was over, and what it took."""

    site: int
    numbers: range
    seconds: float = 0.0
    end: float = 0.0

    def __iter__(self) -> Iterator[ParsedDocument]:
        site = draw_site(self.site, list(template_families()), seed=0)
        for number in self.numbers:
            start = time.process_time()
            document = ParsedDocument(draw_page(site, number, seed=0).html)
            self.seconds += time.process_time() - start
            yield document
        self.end = time.process_time()


def measure(n_pages: int, site: int) -> ScaleRow:
    """Return what learning from a number of pages took in this process."""
    pages = DrawnPages(site, range(n_pages))
    start = time.process_time()
    template = ContentExtractor().learn(pages)
    learnt = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT / 1e6
    return ScaleRow(
        n_pages,
        sum(end - first for block in template.stored for first, end in block.pages),
        len(template.stored),
        len(template.repeated),
        round(pages.end - start - pages.seconds, 2),
        round(learnt - pages.end, 2),
        round(_application_ms(template, DrawnPages(site, range(n_pages, n_pages + _MANY))), 2),
        round(_file_bytes(template) / 1e6, 2),
        round(peak),
    )


def _application_ms(template: ContentTemplate, pages: DrawnPages) -> float:
    documents = list(pages)
    template.extract(documents[0])  # makes the index
    start = time.process_time()
    for document in documents[1:]:
        template.extract(document)
    return 1000 * (time.process_time() - start) / (len(documents) - 1)


def _file_bytes(template: ContentTemplate) -> int:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "template"
        save_template(template, path)
        return path.stat().st_size


def exponent(rows: Sequence[ScaleRow]) -> float:
    """Return the slope of the logarithm of seconds over that of pages, by least squares."""
    pages, seconds = (np.log([getattr(row, name) for row in rows]) for name in ("pages", "seconds"))
    return float(np.polyfit(pages, seconds, 1)[0])


def plot(rows: Sequence[ScaleRow]) -> str:
    """Return seconds and memory over pages as an SVG document."""
    x = [float(row.pages) for row in rows]
    series = [
        Series("parsing, s", x, [row.read_s for row in rows], "line"),
        Series("with comparing, s", x, [row.seconds for row in rows], "line"),
        Series("memory, 10 MB", x, [row.peak_mb / 10 for row in rows], "line"),
    ]
    return draw_chart("Learning a template", ("pages of one site", "seconds; 10 MB"), series)


@dataclass(frozen=True)
class StorageRow:
    """Kilobytes of the texts of blocks: all, each distinct one once, and those that are content."""

    group: str
    pages: int
    source_kb: float
    all_kb: float
    distinct_kb: float
    content_kb: float

    def cells(self) -> dict[str, object]:
        """Return the row with the shares of all."""
        shares = {
            f"{name} %": round(100 * value / self.all_kb, 1)
            for name, value in (("distinct", self.distinct_kb), ("content", self.content_kb))
        }
        return {**asdict(self), **shares}


def storage(group: str, pages: Sequence[GoldPage]) -> StorageRow:
    """Return what the blocks of the pages of a class take."""
    template = ContentExtractor().learn(ParsedDocument.of(page.document()) for page in pages)
    sizes = [(block, len(block.text.encode()) / 1000) for block in template.stored]
    return StorageRow(
        group,
        len(pages),
        sum(len(page.data) for page in pages) / 1000,
        sum(size * sum(end - first for first, end in block.pages) for block, size in sizes),
        sum(size for _, size in sizes),
        sum(size for block, size in sizes if block.frequency <= template.limit),
    )


def total(group: str, rows: Sequence[StorageRow]) -> StorageRow:
    """Return the sums of rows, as a row."""
    columns = zip(*(list(asdict(row).values())[1:] for row in rows), strict=True)
    return StorageRow(group, *(round(sum(column)) for column in columns))


@click.group()
def main() -> None:
    """Measure what learning a template takes, and what it saves."""


@main.command("pages")
@click.option("--count", "counts", multiple=True, type=click.IntRange(3), default=COUNTS)
@click.option("--site", default=0, show_default=True, help="Number of the invented site.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder of figures.")
@format_option
def pages_command(counts: tuple[int, ...], site: int, out: Path | None, form: str) -> None:
    """Measure time and memory over the number of pages."""
    rows = []
    for count in sorted(counts):
        click.echo(f"{count} pages ...", err=True)
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            rows.append(pool.apply(measure, (count, site)))
    print_table([asdict(row) for row in rows], form)
    if len(rows) > 1:
        click.echo(f"exponent of time over pages: {exponent(rows):.2f}", err=True)
    if out is not None:
        write_atomic(out / "template-scale.json", encode_json([asdict(row) for row in rows]))
        write_atomic(out / "template-scale.svg", plot(rows).encode())


@main.command("storage")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@format_option
def storage_command(path: Path, form: str) -> None:
    """Measure the bytes of blocks of Big9: one row per year, and one for all."""
    classes: dict[tuple[str, str], list[GoldPage]] = defaultdict(list)
    for page in READERS["big9"].read(path):
        if isinstance(page, GoldPage):
            classes[page.id.partition("-")[0], page.site].append(page)
    by_year: dict[str, list[StorageRow]] = defaultdict(list)
    for (year, site), pages in classes.items():
        by_year[year].append(storage(site, pages))
    rows = [total(year, year_rows) for year, year_rows in sorted(by_year.items())]
    print_table([row.cells() for row in (*rows, total("all", rows))], form)


if __name__ == "__main__":
    main()
