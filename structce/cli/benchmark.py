"""``structce benchmark``: measure extractors and proxies on test packages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import click

from structce import extraction
from structce.cli import options
from structce.cli.messages import INTERRUPTED, fail_with, show_message
from structce.cli.options import show_progress
from structce.datasets import GoldPage
from structce.errors import StructceError
from structce.evaluation import FOUR
from structce.extraction import Method
from structce.io import Journal, json_line, write_atomic

Key = tuple[str, ...]  # package, system, document and digest
Cells = Mapping[str, str]  # of a row of the table, by column


@click.command(
    "benchmark",
    epilog="Example:  structce benchmark package --method plain --method bte --out results.tsv",
)
@click.argument("paths", metavar="PACKAGE...", nargs=-1, required=True, type=options.EXISTING_PATH)
@click.option(
    "--method",
    "methods",
    multiple=True,
    help="Extractor to measure, or 'all' that need nothing else; repeat for several.",
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="HOST:PORT",
    help="HTTP proxy to measure, in any language; repeat for several.",
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    type=click.Choice(extraction.MEASURES),
    help="Further measure, such as text nodes that are content (leaf); repeat for several.",
)
@click.option(
    "--seconds", type=click.FloatRange(0, min_open=True), default=60.0, help="Limit of a proxy."
)
@click.option(
    "--out",
    type=options.FILE,
    help="File for the table, in which the same command continues after an interruption.",
)
def command(
    paths: Sequence[Path], methods: Sequence[str], proxies: Sequence[str],
    measures: Sequence[str], seconds: float, out: Path | None,
) -> None:  # fmt: skip
    """Measure content extractors on test packages, as Gottron (2007) does.

    The table is tab-separated: one row per document with precision, recall and F1, and seconds
    per kB; then mean and standard deviation for each package and system. If a system fails on a
    document, the row states the reason, the document counts as if nothing had been extracted, and
    the command exits with 1. 'structce corpus import --package' makes packages.
    """
    if not methods and not proxies:
        raise click.UsageError("give --method NAME or --proxy HOST:PORT, or several")
    named = [name for given in methods for name in (_usable() if given == "all" else [given])]
    for name in named:
        extraction.make_extractor(name)  # an error says what a method needs first
    chosen = [Method(name, name) for name in dict.fromkeys(named)]
    for proxy in dict.fromkeys(proxies):
        chosen.append(Method(proxy, f"proxy:{proxy}", {"seconds": seconds}))
        chosen[-1].check()
    packages = [extraction.read_package(path) for path in paths]
    names = [package.name for package in packages]
    if twice := {name for name in names if names.count(name) > 1}:
        raise click.UsageError(f"several packages are called {', '.join(sorted(twice))}")
    chosen_measures = tuple(name for name in extraction.MEASURES if name in {*FOUR, *measures})
    rows: dict[Key, tuple[extraction.Package, Method, GoldPage]] = {
        (package.name, method.name, page.id, extraction.digest_of(page)): (package, method, page)
        for package in packages
        for page in package.pages
        for method in chosen
    }
    ordered, others = _measure(rows, chosen_measures, out)
    if out:
        write_atomic(out, extraction.table([*others, *ordered], chosen_measures).encode())
    else:
        click.echo(extraction.table(ordered, chosen_measures), nl=False)
    lost = [f"{p.name}: {page}: {reason}" for p in packages for page, reason in p.lost.items()]
    lost += [
        f"{row['package']}: {row['document']}: {row['system']}: {row['error']}"
        for row in ordered
        if row["error"]
    ]
    fail_with(lost)


def _measure(
    rows: Mapping[Key, tuple[extraction.Package, Method, GoldPage]],
    measures: tuple[str, ...],
    out: Path | None,
) -> tuple[list[Cells], list[Cells]]:
    """Return the cells of rows, and of those that earlier runs measured, by a journal beside `out`.

    Documents on which a system failed are tried again.
    """
    with ExitStack() as stack:
        known: dict[Key, Cells] = {}
        if out:
            path = out.with_name(f".{out.name}.journal")
            if out.exists() and not path.exists():
                raise click.UsageError(f"{out} is no table to continue; give another --out")
            journal = stack.enter_context(Journal(path, {"measures": measures}))
            known = {tuple(json.loads(key)): row for key, row in journal.items.items()}
        cells = {key: known[key] for key in rows if key in known and not known[key]["error"]}
        jobs = [
            extraction.MeasurementJob(p.name, method.name, method, (page,), measures=measures)
            for key, (p, method, page) in rows.items()
            if key not in cells
        ]
        try:
            for outcome in show_progress(extraction.run_jobs(jobs), len(jobs), what="documents"):
                (row,) = outcome.rows
                cells[row.key] = extraction.document_cells(row)
                if out:
                    journal.add(json_line(row.key), cells[row.key])
        except KeyboardInterrupt:
            where = f"; run the same command to continue from {out}" if out else ""
            show_message(f"stopped after {len(cells)} rows{where}")
            raise INTERRUPTED from None
    here = {key[:3] for key in rows}
    others = [row for key, row in known.items() if key[:3] not in here]
    return [cells[key] for key in rows], others


def _usable() -> Iterator[str]:
    """Yield the name of every extractor that can be built here; report why others cannot."""
    for name in sorted(extraction.EXTRACTORS):
        try:
            extraction.make_extractor(name)
        except StructceError as error:
            show_message(f"left out: {name}: {error}")
        else:
            yield name
