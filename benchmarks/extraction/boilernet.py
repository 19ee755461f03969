"""BoilerNet on CleanEval, counted by text leaves as in Table 1 of Leonhardt et al. (2020).

    python3 -m benchmarks.extraction.boilernet ../shared/data/cleaneval.zip --rows rows.jsonl
    python3 -m benchmarks.extraction.boilernet ../shared/data/cleaneval.zip --beside boilerpipe

The paper takes 55 pages of CleanEval's development part to learn from, 5 to choose the epoch, and
the final part, 676 pages, to test. The archive contains 58 pages of the development part, of which
one has no text: the last 5 choose the epoch, the others are learnt from; the tested pages are those
of the final part with a text, without those that are also in the development part. Every leaf of
all tested pages counts alike. The results of finished seeds are kept in `--rows` and not computed
again. Tags and words are counted on the pages that are learnt from; `--all-words` counts them on
all pages, as the paper's program does with whatever files it is given. Other extractors are
compared by the leaves with which their texts align.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import numpy as np
from tabulate import tabulate

from benchmarks.extraction.cleaneval import CLASS_COLUMNS, N_VALIDATION, PAPER
from structce.datasets import READERS, GoldPage
from structce.errors import StructceError
from structce.extraction import (
    BoilerNet,
    BoilerNetTraining,
    Extractor,
    ParsedDocument,
    make_extractor,
)
from structce.extraction.boilernet import Vocabulary, class_overlaps, leaf_labels, text_leaves
from structce.rendering import Document, with_bar

_COLUMNS = ("", *CLASS_COLUMNS)


@dataclass(frozen=True)
class Page:
    """A page, its text, and whether it is of the development part."""

    source: Document
    text: str
    is_development: bool

    @property
    def document(self) -> ParsedDocument:
        """The page, parsed again each time: all pages at once would take gigabytes."""
        return ParsedDocument.of(self.source)


@dataclass(frozen=True)
class Row:
    """Scores of a system on the tested pages.

    Parameters
    ----------
    scores
        Precision, recall and F1 of boilerplate, then of content.
    seconds_per_epoch
        Seconds of training; 0 for a method that is not trained.
    """

    system: str
    scores: tuple[float, ...]
    n_pages: int
    n_leaves: int
    n_failures: int = 0
    seconds_per_epoch: float = 0.0


def read_pages(path: Path) -> list[Page]:
    """Return the pages with a text; a page in both parts is in the development part."""
    pages, known = [], set()
    for item in READERS["cleaneval"].read(path):
        if isinstance(item, GoldPage) and item.data not in known:
            known.add(item.data)
            is_development = item.id.startswith("dev-")
            pages.append(Page(item.document(), item.gold.text, is_development))
    return pages


def measure(system: str, extractor: Extractor, pages: Iterable[Page], seconds: float = 0.0) -> Row:
    """Return the row of an extractor; a page that it fails on counts as without content."""
    labels, gold, n_pages, n_failures = [], [], 0, 0
    for page in pages:
        document = page.document
        leaves = text_leaves(document)
        if isinstance(extractor, BoilerNet):
            labels.append(extractor.probabilities(leaves) >= extractor.threshold)
        else:
            text, is_failure = text_of(extractor, document)
            labels.append(leaf_labels(leaves, text))
            n_failures += is_failure
        gold.append(leaf_labels(leaves, page.text))
        n_pages += 1
    ours, theirs = np.concatenate(labels), np.concatenate(gold)
    scores = [
        x
        for overlap in class_overlaps(ours, theirs)
        for x in (overlap.precision, overlap.recall, overlap.f1)
    ]
    return Row(system, tuple(scores), n_pages, len(theirs), n_failures, seconds)


def text_of(extractor: Extractor, document: ParsedDocument) -> tuple[str, bool]:
    """Return what an extractor finds, and whether it failed."""
    try:
        return extractor.extract(document).text, False
    except StructceError as error:
        click.echo(f"error: {error}", err=True)
        return "", True


def train(
    pages: Sequence[Page], training: BoilerNetTraining, vocabulary: Vocabulary | None
) -> tuple[Extractor, float]:
    """Return the extractor that the pages teach, and the seconds of an epoch."""
    start = time.perf_counter()
    leaves = [text_leaves(page.document) for page in pages]
    labels = [leaf_labels(own, page.text) for own, page in zip(leaves, pages, strict=True)]
    extractor = training.fit_leaves(leaves, labels, vocabulary)
    return extractor, (time.perf_counter() - start) / training.n_epochs


def read_rows(path: Path | None) -> Iterator[Row]:
    """Yield the rows of a file, if there is one."""
    if path is not None and path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            entries = json.loads(line)
            yield Row(**{**entries, "scores": tuple(entries["scores"])})


def add_row(path: Path | None, row: Row) -> None:
    """Add a row to a file, if one is named."""
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(row)) + "\n")


def table(rows: Sequence[Row]) -> str:
    """Return our rows, their mean over seeds, and the paper's, as Markdown."""
    lines = [(row.system, *row.scores) for row in rows]
    seeds = [row.scores for row in rows if "seed" in row.system]
    if seeds:
        mean, spread = np.mean(seeds, axis=0), np.std(seeds, axis=0, ddof=len(seeds) > 1)
        lines.append(("BoilerNet, mean", *mean))
        lines.append(("BoilerNet, standard deviation", *spread))
    lines += [(f"{name}, paper", *scores) for name, scores in PAPER.items()]
    return tabulate(lines, headers=_COLUMNS, floatfmt=".3f", tablefmt="github")


@click.command()
@click.argument("data", type=click.Path(path_type=Path, exists=True))
@click.option("--seeds", default="0,1,2", show_default=True, help="Seeds of BoilerNet.")
@click.option("--rows", type=click.Path(path_type=Path), help="File that keeps finished rows.")
@click.option("--beside", multiple=True, help="Further extractor to measure.")
@click.option(
    "--size", default="256,256", show_default=True, help="Numbers of dense and hidden units."
)
@click.option("--epochs", default=50, show_default=True)
@click.option(
    "--all-words",
    is_flag=True,
    help="Count tags and words on all pages, including the tested ones.",
)
def main(
    data: Path,
    seeds: str,
    rows: Path | None,
    beside: tuple[str, ...],
    size: str,
    epochs: int,
    all_words: bool,
) -> None:
    """Train BoilerNet on DATA, which is CleanEval, and print the table."""
    n_dense, n_hidden = map(int, size.split(","))
    pages = read_pages(data)
    known = [page for page in pages if page.is_development]
    tested = [page for page in pages if not page.is_development]
    click.echo(f"{len(known)} pages to learn from, {N_VALIDATION} of them to choose the epoch")
    done = {row.system: row for row in read_rows(rows)}
    for name in beside:
        if name not in done:
            add_row(rows, done.setdefault(name, measure(name, make_extractor(name), tested)))
    vocabulary = Vocabulary.of_pages(text_leaves(p.document) for p in pages) if all_words else None
    of_all = ", words of all pages" if all_words else ""
    for seed in map(int, seeds.split(",")):
        name = f"BoilerNet {n_dense}/{n_hidden}, {epochs} epochs{of_all}, seed {seed}"
        if name in done:
            continue
        training = BoilerNetTraining(
            n_dense=n_dense,
            n_hidden=n_hidden,
            n_epochs=epochs,
            n_validation=N_VALIDATION,
            seed=seed,
        )
        extractor, seconds = train(known, training, vocabulary)
        shown = with_bar(tested, len(tested), what="pages")
        add_row(rows, done.setdefault(name, measure(name, extractor, shown, seconds)))
    results = list(done.values())
    click.echo(
        f"{results[0].n_pages} tested pages, {results[0].n_leaves} leaves\n" if results else ""
    )
    click.echo(table(results))


if __name__ == "__main__":
    main()
