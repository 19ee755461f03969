"""``structce benchmark``: measure extractors and proxies on test packages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

import click

from structce import extraction
from structce.cli import options
from structce.cli.inputs import show_progress
from structce.cli.messages import FAILED, INTERRUPTED, show_errors, show_message
from structce.errors import StructceError
from structce.evaluation import FOUR, PERTURBATIONS


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
    "--perturbed", is_flag=True, help="Measure how much texts move if the page around changes."
)
@click.option(
    "--seconds", type=click.FloatRange(0, min_open=True), default=60.0, help="Limit of a proxy."
)
@click.option("--serve-at", default=extraction.LOOPBACK, help="Address to serve documents at.")
@click.option(
    "--out",
    type=options.FILE,
    help="File for the table, in which the same command continues after an interruption.",
)
def command(
    paths: Sequence[Path], methods: Sequence[str], proxies: Sequence[str],
    measures: Sequence[str], perturbed: bool, seconds: float, serve_at: str, out: Path | None,
) -> None:  # fmt: skip
    """Measure content extractors on test packages, as Gottron (2007) does.

    The table is tab-separated: one row per document with precision, recall and F1, and seconds
    per kB; then mean and standard deviation for each package and system. If a system fails on a
    document, the row states the reason, the document counts as if nothing had been extracted, and
    the command exits with 1. 'structce corpus import --package' makes packages.
    """
    if not methods and not proxies:
        raise click.UsageError("give --method NAME or --proxy HOST:PORT, or several")
    chosen: list[extraction.System] = []
    for name in methods:
        chosen += _every_method() if name == "all" else [extraction.MethodSystem(name)]
    for proxy in proxies:
        chosen.append(extraction.ProxySystem(proxy, seconds=seconds, address=serve_at))
    systems = list({system.name: system for system in chosen}.values())
    packages = [extraction.read_package(path) for path in paths]
    names = [package.name for package in packages]
    if twice := {name for name in names if names.count(name) > 1}:
        raise click.UsageError(f"several packages are called {', '.join(sorted(twice))}")
    measure_names = tuple(name for name in extraction.MEASURES if name in {*FOUR, *measures})
    results = extraction.ResultFile(out, measure_names) if out else None
    rows: list[extraction.DocumentRow] = []
    total = sum(len(package.pages) for package in packages) * len(systems)
    total *= len(PERTURBATIONS) if perturbed else 1
    measure = extraction.measure_perturbed if perturbed else extraction.measure
    measured = measure(packages, systems, results.known if results else {}, measure_names)
    try:
        with results or nullcontext():
            for row in show_progress(measured, total, what="documents"):
                rows.append(row)
                if results:
                    results.add(row)
    except KeyboardInterrupt:
        where = f"; run the same command to continue from {out}" if out else ""
        show_message(f"stopped after {len(rows)} rows{where}")
        raise INTERRUPTED from None
    if results:
        results.finish(rows)
    else:
        cells = map(extraction.document_cells, rows)
        click.echo(extraction.table(cells, measure_names), nl=False)
    lost = [f"{p.name}: {page}: {reason}" for p in packages for page, reason in p.lost.items()]
    lost += [f"{r.package}: {r.document}: {r.system}: {r.error}" for r in rows if r.error]
    if lost:
        show_errors(lost)
        raise FAILED


def _every_method() -> Iterator[extraction.System]:
    """Yield every extractor that can be built here; report why each other one cannot."""
    for name in sorted(extraction.EXTRACTORS):
        try:
            yield extraction.MethodSystem(name)
        except StructceError as error:
            show_message(f"left out: {name}: {error}")
