"""``structce benchmark``: measure extractors and proxies on test packages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

import click

from structce.cli.inputs import show_progress
from structce.cli.messages import FAILED, INTERRUPTED
from structce.cli.options import EXISTING_PATH, FILE
from structce.errors import StructceError
from structce.evaluation import FOUR, PERTURBATIONS
from structce.extraction import (
    EXTRACTORS,
    LOOPBACK,
    MEASURES,
    SECONDS,
    DocumentRow,
    MethodSystem,
    Package,
    ProxySystem,
    ResultFile,
    System,
    document_cells,
    measure,
    measure_perturbed,
    read_package,
    table,
)

_MAX_LISTED = 10  # failures that are listed one by one


@click.command(
    "benchmark",
    epilog="Examples:  structce benchmark package --method plain --method bte --out results.tsv;  "
    "structce benchmark package --proxy 127.0.0.1:8000;  "
    "structce benchmark heise wiki --method all --out results.tsv",
)
@click.argument("paths", metavar="PACKAGE...", nargs=-1, required=True, type=EXISTING_PATH)
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="Extractor to measure in this process; repeat for several, or 'all' for every one that "
    "needs nothing besides this package. 'structce extract --list' shows the names.",
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="HOST:PORT",
    help="HTTP proxy to measure, in any language; repeat for several. It is asked to fetch each "
    "document from a web server in this process.",
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    type=click.Choice(MEASURES),
    help="Measure besides the four on texts; repeat for several: pieces found, such as text nodes "
    "that are content (leaf) and text nodes that are not (leaf-boilerplate).",
)
@click.option(
    "--perturbed",
    is_flag=True,
    help="Measure how much each text moves if the page around it changes: the gold is the text "
    "that the system gave before, and each perturbation makes a package of rows.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    default=SECONDS,
    help="Time limit for one document through a proxy.",
)
@click.option(
    "--serve-at",
    metavar="ADDRESS",
    default=LOOPBACK,
    help="Address of this machine that documents are served at; change it only for a proxy on "
    "another machine, which then reaches it, as does everyone else on that network.",
)
@click.option(
    "--out",
    type=FILE,
    help="File for the table, instead of standard output. Rows are written as they are measured; "
    "the same command continues where it stopped, and retries failed documents.",
)
def benchmark_command(
    paths: Sequence[Path], methods: Sequence[str], proxies: Sequence[str],
    measures: Sequence[str], perturbed: bool, seconds: float, serve_at: str, out: Path | None,
) -> None:  # fmt: skip
    """Measure content extractors on test packages, as Gottron (2007) does.

    The table is tab-separated: one row per document with precision, recall and F1 of characters,
    word sequence, bag and set of words, the measures of --measure, and seconds per kB; then mean
    and standard deviation for each package and system. If a system fails on a document, the row
    states the reason, and the document counts as if nothing had been extracted.

    'structce corpus convert' makes packages. Exits with 1 if a document could not be read, or a
    system failed on one.
    """
    systems = _systems(methods, proxies, seconds, serve_at)
    packages = _packages(paths)
    measure_names = tuple(name for name in MEASURES if name in {*FOUR, *measures})
    results = ResultFile(out, measure_names) if out else None
    known = results.known if results else {}
    rows: list[DocumentRow] = []
    total = sum(len(package.pages) for package in packages) * len(systems)
    total *= len(PERTURBATIONS) if perturbed else 1
    measured = (measure_perturbed if perturbed else measure)(
        packages, systems, known, measure_names
    )
    try:
        with results or nullcontext():
            for row in show_progress(measured, total, what="documents"):
                rows.append(row)
                if results:
                    results.add(row)
    except KeyboardInterrupt:
        where = f"; run the same command to continue from {out}" if out else ""
        click.echo(f"stopped after {len(rows)} rows{where}", err=True)
        raise INTERRUPTED from None
    if results:
        results.finish(rows)
    else:
        click.echo(table(map(document_cells, rows), measure_names), nl=False)
    _report_failures(rows, packages)


def _systems(
    methods: Sequence[str], proxies: Sequence[str], seconds: float, serve_at: str
) -> list[System]:
    if not methods and not proxies:
        raise click.UsageError("give --method NAME or --proxy HOST:PORT, or several")
    systems: list[System] = []
    for name in methods:
        systems += _every_method() if name == "all" else [MethodSystem(name)]
    systems += (ProxySystem(proxy, seconds=seconds, address=serve_at) for proxy in proxies)
    by_name = {system.name: system for system in systems}
    return list(by_name.values())


def _every_method() -> Iterator[System]:
    """Yield every extractor that can be built here; report why each other one cannot."""
    for name in sorted(EXTRACTORS):
        try:
            yield MethodSystem(name)
        except StructceError as error:
            click.echo(f"left out: {name}: {error}", err=True)


def _packages(paths: Sequence[Path]) -> list[Package]:
    packages = [read_package(path) for path in paths]
    names = [package.name for package in packages]
    if twice := {name for name in names if names.count(name) > 1}:
        raise click.UsageError(f"several packages are called {', '.join(sorted(twice))}")
    return packages


def _report_failures(rows: Sequence[DocumentRow], packages: Sequence[Package]) -> None:
    lost = [
        (package.name, name, reason)
        for package in packages
        for name, reason in package.lost.items()
    ]
    for package, document, reason in lost:
        click.echo(f"error: {package}: {document}: {reason}", err=True)
    failed = [row for row in rows if row.error]
    for row in failed[:_MAX_LISTED]:
        click.echo(f"error: {row.package}: {row.document}: {row.system}: {row.error}", err=True)
    if len(failed) > _MAX_LISTED:
        click.echo(f"and {len(failed) - _MAX_LISTED} more; see the table", err=True)
    if lost or failed:
        raise FAILED
