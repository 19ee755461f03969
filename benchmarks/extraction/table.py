"""One table of all methods and all published outputs, by data set and by complexity of pages.

    python3 -m benchmarks.extraction.table ../shared/data --out scores
    python3 -m benchmarks.extraction.table ../shared/data --out scores --pages 50 --method bte

The four sets of the study of Bevendorff et al. (2023) that are held here, with the study's gold;
the outputs are those of the study and of the article extraction benchmark. Every method and set is
measured once and kept in the folder, a file each, beside what ``benchmarks.extraction.published``
keeps there; published outputs are always measured on all pages. All rows of the table are means
over the same pages: those that every method has.

A page that a method fails on counts as if nothing had been extracted. A published output without a
text of a page has none there: its mean is over the others, and their number stands beside it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from statistics import fmean

import click
from tabulate import tabulate

from benchmarks.extraction.published import (
    PageRow,
    SystemRows,
    complexity_table,
    measure,
    page_complexity,
    score_page,
    sentence_splitter,
)
from benchmarks.extraction.study import SETS, Published, StudyPage, study_pages
from structce.errors import StructceError
from structce.extraction import EXTRACTORS, Extractor, ParsedDocument, make_extractor
from structce.io import encode_json, write_atomic
from structce.rendering import decode, with_bar

ORIGIN = "here"
"""What the table calls the source of texts that are extracted here."""

Pages = Mapping[str, Mapping[str, StudyPage]]
"""Pages of each set by file."""


def usable_methods() -> list[str]:
    """Return the names of the registered extractors that can be made here."""
    found = []
    for name in sorted(EXTRACTORS):
        try:
            make_extractor(name)
        except StructceError:
            continue
        found.append(name)
    return found


def draw_files(pages: Mapping[str, StudyPage], most: int | None) -> list[str]:
    """Return at most so many files, drawn by their digests; more hold all of fewer."""
    return sorted(pages, key=lambda file: hashlib.sha256(file.encode()).digest())[:most]


def measure_methods(
    methods: Sequence[str], pages: Pages, out: Path, n_pages: int | None
) -> Iterator[SystemRows]:
    """Yield the scores of every method and set, from the folder where they are there already."""
    split, _ = sentence_splitter()
    for method in methods:
        extractor = make_extractor(method)
        for name, own in pages.items():
            files = draw_files(own, n_pages)
            kept = out / f"{ORIGIN}.{name}.{method}.{n_pages or 'all'}.json"
            if not kept.exists():
                bar = with_bar(files, len(files), what=f"{name} {method}")
                texts = ((file, extracted(extractor, own[file])) for file in bar)
                rows = [score_page(file, text, own[file].gold, split) for file, text in texts]
                write_atomic(kept, encode_json([asdict(row) for row in rows], indent=None))
            found = [PageRow(**row) for row in json.loads(kept.read_bytes())]
            yield SystemRows(ORIGIN, name, method, tuple(found))


def extracted(extractor: Extractor, page: StudyPage) -> Published:
    """Return the text that an extractor finds on a page; empty where it fails."""
    try:
        document = ParsedDocument.of(decode(page.html, name=page.file))
        return Published(extractor.extract(document).text, None, None)
    except StructceError:
        return Published("", None, None)


def on_common_pages(ours: Sequence[SystemRows], theirs: Sequence[SystemRows]) -> list[SystemRows]:
    """Return all rows of the pages that every method has; those of other pages are left out."""
    common: dict[str, set[str]] = {}
    for one in ours:
        files = {page.file for page in one.pages}
        common[one.data_set] = common.get(one.data_set, files) & files
    return [
        replace(one, pages=tuple(page for page in one.pages if page.file in common[one.data_set]))
        for one in [*ours, *theirs]
        if one.data_set in common
    ]


def set_table(every: Sequence[SystemRows]) -> str:
    """Return mean ROUGE-LSum F1 of each system on each set, and their mean, the best first."""
    means: dict[tuple[str, str], dict[str, float]] = {}
    for one in every:
        if one.pages:
            own = means.setdefault((one.system, one.origin), {})
            own[one.data_set] = fmean(page.rouge for page in one.pages)
    rows = [
        (
            *system,
            *(own.get(name) for name in SETS),
            fmean(own.values()) if len(own) == len(SETS) else None,
        )
        for system, own in means.items()
    ]
    rows.sort(
        key=lambda row: -(row[-1] or fmean(value for value in row[2:-1] if value is not None))
    )
    names = ("system", "source", *SETS, "mean of the sets")
    return tabulate(rows, names, "github", floatfmt=".3f")


@click.command()
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of scores.")
@click.option("--pages", type=int, help="Pages of each set to read, instead of all.")
@click.option("--method", "methods", multiple=True, help="Method to measure; all that can be made.")
def main(data: Path, out: Path, pages: int | None, methods: tuple[str, ...]) -> None:
    """Measure methods and published outputs on the same pages, and print them as one table."""
    golds = {name: study_pages(data, name) for name in SETS}
    ours = list(measure_methods(methods or usable_methods(), golds, out, pages))
    every = on_common_pages(ours, list(measure(data, out, None)))
    files = {(one.data_set, page.file) for one in every for page in one.pages}
    values = {(name, file): page_complexity(golds[name][file]) for name, file in sorted(files)}
    click.echo(f"Sentences: {sentence_splitter()[1]}\n")
    click.echo(f"## By set: ROUGE-LSum F1\n\n{set_table(every)}\n")
    click.echo(f"## By complexity\n\n{complexity_table(every, values)}")


if __name__ == "__main__":
    main()
