"""Import of public data sets: pages read, gold aligned, corpora of regions, memory.

    python3 -m benchmarks.corpora FOLDER --out figures

Three parts, on a folder of data sets as archives or folders:

- ``alignment``: every data set that is there, read to its end, rendered without a browser and
  aligned: pages given and lost with the reason, and by field how many gold values were found and
  how.
- ``regions``: corpora of labelled regions from Fundus, the articles of WCXB and Trafilatura, and
  their union, under ``regions/`` of the folder of ``--out``: near-duplicates left out, sites that
  share a template in one family, split by site. Fails if something leaks between parts.
- ``reading``: pages per second and resident memory while the largest archive is read, and while it
  is imported.

Lines of progress go to standard error, tables to standard output, all figures to ``figures.json``.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from tabulate import tabulate

from benchmarks.corpora import alignment, reading, regions
from benchmarks.corpora.archives import data_sets
from benchmarks.learners.runner import machine
from structce.errors import StructceError
from structce.gold import MATCH_METHODS
from structce.io import encode_json, write_atomic
from structce.rendering.renderers import RENDERERS

PARTS = ("alignment", "regions", "reading")
Rows = Sequence[Mapping[str, object]]


def tell(text: str) -> None:
    """Say how far the work is."""
    click.echo(text, err=True)


def show(title: str, rows: Rows) -> None:
    """Print a table."""
    click.echo(f"\n{title}\n")
    click.echo(tabulate(list(rows), headers="keys", floatfmt=".4g"))


def align_all(folder: Path) -> list[alignment.SetFigures]:
    """Read and align every data set of a folder."""
    figures = []
    for reader, path in data_sets(folder):
        tell(f"{reader.name}: {path.name}")
        figures.append(alignment.measure(reader, path))
    return figures


def set_rows(figures: Sequence[alignment.SetFigures]) -> Rows:
    """Return one row per data set and field."""
    rows = []
    for entry in figures:
        head: dict[str, object] = {
            "data set": entry["data_set"],
            "pages": entry["pages"],
            "left out": len(entry["left_out"]),
            "failed": len(entry["failed"]),
        }
        for field in entry["fields"]:
            rows.append({**head, **{name: field[name] or "" for name in field if name != "share"}})
            rows[-1]["share"] = field["share"]
            head = dict.fromkeys(head, "")
    return rows


def region_rows(figures: Sequence[regions.CorpusFigures]) -> Rows:
    """Return one row per corpus and part."""
    return [
        {**{k: v for k, v in corpus.items() if k not in ("labels", "digest")}, **corpus["labels"],
         "digest": corpus["digest"]}
        for corpus in figures
    ]  # fmt: skip


def read_largest(folder: Path) -> list[reading.ReadingFigures]:
    """Measure the largest archive of a folder."""
    sets = list(data_sets(folder))
    reader, path = max(sets, key=lambda pair: pair[1].stat().st_size)
    tell(f"reading {path.name}")
    return reading.measure(reader, path)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--part", "parts", multiple=True, type=click.Choice(PARTS), default=PARTS)
@click.option(
    "--renderer", type=click.Choice(RENDERERS), help="Renderer of the corpora of regions."
)
@click.option("--workers", default=1, show_default=True, help="Workers for the corpora of regions.")
@click.option("--seed", default=7, show_default=True, help="Seed of the splits.")
def main(
    folder: Path, out: Path, parts: tuple[str, ...], renderer: str | None, workers: int, seed: int
) -> None:
    """Measure the import of the data sets in a folder."""
    figures: dict[str, object] = {"machine": machine(), "methods": MATCH_METHODS}
    try:
        if "alignment" in parts:
            figures["alignment"] = sets = align_all(folder)
            show("Gold values found, by data set and field", set_rows(sets))
        if "regions" in parts:
            figures["regions"] = built = regions.build(
                folder, out / "regions", renderer, workers, seed
            )
            show("Corpora of regions", region_rows(built))
        if "reading" in parts:
            figures["reading"] = ways = read_largest(folder)
            show("Reading", [{k: v for k, v in way.items() if k != "samples"} for way in ways])
    except StructceError as error:
        sys.exit(f"error: {error}")
    write_atomic(out / "figures.json", encode_json(figures))


if __name__ == "__main__":
    main()
