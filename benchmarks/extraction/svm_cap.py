"""Effect of a cap on the blocks that the support vector machine of Yao and Zuo (2013) learns from.

    python3 -m benchmarks.extraction.svm_cap ../shared/data --package dragnet-comments --folds 1

For the packages and folds of ``yao_zuo2013.toml``: blocks of the training pages, how many of those
that a cap leaves become support vectors, processor seconds of libsvm, and token F1 and LCS F1 of
the pages of the fold that is held out. Pages are parsed once for all caps and folds, then once more
to measure.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

import click
import numpy as np
from msgspec.structs import replace

import structce.experiments
from structce.cli.options import format_option, print_table
from structce.datasets import GoldPage
from structce.experiments import ExtractionExperiment, read_experiment
from structce.experiments.packages import draw_folds, read_packages
from structce.extraction import ParsedDocument
from structce.extraction.block_svm import BlockClassifier, BlockSVM, LabelledBlocks
from structce.extraction.measures import extraction_overlaps

QUESTION = Path(structce.experiments.__file__).parent / "yao_zuo2013.toml"
CAPS = (1_250, 5_000, 20_000)


@dataclass(frozen=True)
class CapRow:
    """Results of a machine that learnt from so many blocks, on the pages of one fold.

    Parameters
    ----------
    cap
        Most blocks that are learnt from; None for all.
    blocks
        Blocks of the training pages.
    vectors
        Support vectors among them.
    fit_s
        Processor seconds of choosing tokens and of libsvm.
    token_f1, lcs_f1
        Means over the pages that are held out.
    """

    package: str
    fold: int
    cap: int | None
    learnt_pages: int
    tested_pages: int
    blocks: int
    vectors: int
    fit_s: float
    token_f1: float
    lcs_f1: float


def measure_fold(
    package: str,
    folds: Sequence[Sequence[GoldPage]],
    number: int,
    blocks: Mapping[str, LabelledBlocks],
    caps: Sequence[int | None],
) -> Iterator[CapRow]:
    """Yield a row for each cap: learnt from all folds except one, measured on that one.

    Parameters
    ----------
    blocks
        Blocks of each page by its id.
    """
    learnt = [page for i, fold in enumerate(folds) if i != number for page in fold]
    examples = LabelledBlocks.join([blocks[page.id] for page in learnt])
    machines: list[tuple[int | None, BlockClassifier, float]] = []
    for cap in caps:
        start = time.process_time()
        machine = BlockSVM(max_blocks=cap).fit_blocks(examples)
        machines.append((cap, machine, time.process_time() - start))
    scores = np.array(list(_scores([machine for _, machine, _ in machines], folds[number])))
    for (cap, machine, seconds), (token, lcs) in zip(machines, scores.mean(axis=0), strict=True):
        yield CapRow(
            package=package,
            fold=number + 1,
            cap=cap,
            learnt_pages=len(learnt),
            tested_pages=len(folds[number]),
            blocks=len(examples.rows),
            vectors=len(machine.machine.vectors),
            fit_s=round(seconds, 1),
            token_f1=round(float(token), 4),
            lcs_f1=round(float(lcs), 4),
        )


def _label(page: GoldPage) -> LabelledBlocks:
    return BlockSVM().label([ParsedDocument.of(page.document())], [page.gold.text or ""])


def _scores(
    machines: Sequence[BlockClassifier], pages: Sequence[GoldPage]
) -> Iterator[list[tuple[float, float]]]:
    """Yield token F1 and LCS F1 of every machine, page by page."""
    for page in pages:
        document = ParsedDocument.of(page.document())
        gold = page.gold.text or ""
        by_machine = [
            extraction_overlaps(document, machine.extract(document), gold) for machine in machines
        ]
        yield [(overlaps["set"].f1, overlaps["sequence"].f1) for overlaps in by_machine]


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("data")
@click.option("--package", "names", multiple=True, help="Package of the experiment. Default: all.")
@click.option(
    "--pages", default=600, show_default=True, help="Largest number of pages of a package."
)
@click.option(
    "--folds", default=5, show_default=True, help="Number of the five folds that are held out."
)
@click.option("--cap", "caps", type=int, multiple=True, default=CAPS, show_default=True)
@click.option("--all/--no-all", "with_all", default=True, help="Also measure without a cap.")
@format_option
def main(
    data: str,
    names: Sequence[str],
    pages: int,
    folds: int,
    caps: Sequence[int],
    with_all: bool,
    form: str,
) -> None:
    """Print what a cap on the blocks learnt from costs."""
    overrides = [f"data={data}", f"pages={pages}"]
    experiment = cast(ExtractionExperiment, read_experiment(QUESTION, overrides=overrides))
    chosen = {name: own for name, own in experiment.package.items() if not names or name in names}
    all_caps = [*caps, *([None] if with_all else [])]
    rows: list[dict[str, object]] = []
    for source in read_packages(replace(experiment, package=chosen)):
        parts = draw_folds(source.pages, experiment.folds.n, "random", experiment.seed)
        click.echo(f"{source.name}: {len(source.pages)} pages, digest {source.digest}", err=True)
        blocks = {page.id: _label(page) for page in source.pages}
        for number in range(min(folds, len(parts))):
            for row in measure_fold(source.name, parts, number, blocks, all_caps):
                rows.append(asdict(row))
                click.echo(str(row), err=True)
    print_table(rows, form)


if __name__ == "__main__":
    main()
