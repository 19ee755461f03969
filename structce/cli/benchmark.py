"""``structce benchmark``: an experiment on extractors and proxies, from its options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from structce import experiments, extraction
from structce.cli import options
from structce.cli.compare import run_experiment, run_options
from structce.cli.messages import show_message
from structce.errors import StructceError
from structce.evaluation import FOUR


@click.command(
    "benchmark",
    epilog="Example:  structce benchmark package --method plain --method bte --out report",
)
@click.argument("paths", metavar="PACKAGE...", nargs=-1, required=True, type=options.EXISTING_PATH)
@click.option(
    "--method",
    "methods",
    multiple=True,
    required=True,
    help="Extractor, or proxy:HOST:PORT for an HTTP proxy in any language, or 'all' extractors "
    "that need nothing else; repeat for several. Others are tested against the first.",
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    default=FOUR,
    type=click.Choice(extraction.MEASURES),
    help="Measure; repeat for several. Methods are ranked and tested by the first.",
)
@run_options("out/benchmark")
def command(
    paths: Sequence[Path], methods: Sequence[str], measures: Sequence[str],
    overrides: Sequence[str], **run: Any,
) -> None:  # fmt: skip
    """Measure content extractors on test packages, as Gottron (2007) does.

    This is a short way to write a file for 'structce compare' with tables [package.NAME] and
    [method.NAME]: the report and its journal are the same. A method that fails on a page is a row
    of the report, the page counts as if nothing had been extracted, and the command exits with 1.
    'structce corpus import --package' makes packages.
    """
    names = [path.resolve().name.removesuffix(".zip") for path in paths]
    if twice := {name for name in names if names.count(name) > 1}:
        raise click.UsageError(f"several packages are called {', '.join(sorted(twice))}")
    packages = {name: str(path.resolve()) for name, path in zip(names, paths, strict=True)}
    named = [name for given in methods for name in (_usable() if given == "all" else [given])]
    experiment = experiments.quick_extraction(packages, named, measures, overrides=overrides)
    run_experiment(experiment, None, **run)


def _usable() -> Iterator[str]:
    """Yield the name of every extractor that can be built here; report why others cannot."""
    for name in sorted(extraction.EXTRACTORS):
        try:
            extraction.make_extractor(name)
        except StructceError as error:
            show_message(f"left out: {name}: {error}")
        else:
            yield name
