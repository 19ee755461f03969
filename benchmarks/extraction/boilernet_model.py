"""Train the shipped model of BoilerNet: pages of five data sets, a small network, its card.

    python3 -m benchmarks.extraction.boilernet_model ../shared/data structce/models/boilernet

It learns from data sets whose licence allows redistribution and whose gold is the whole main text.
Sites of the sets that measure content extraction are left out, so that these stay unseen
(`UNSEEN_SETS`). Of the other sites a tenth, by the digest of its name, chooses the epoch, and a
tenth is measured for the card. Today's pages have no layout tables around their text, unlike those
of twenty years ago; a third of the training pages are converted to such tables (`as_tables`).
PyTorch runs on one thread, so that the same archives give the same model wherever PyTorch rounds
alike.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
import numpy as np
from tabulate import tabulate

from structce.arrays import Flags
from structce.datasets import READERS, GoldPage
from structce.errors import StructceError
from structce.evaluation import Overlap
from structce.extraction import BoilerNet, BoilerNetTraining, ParsedDocument, save_boilernet
from structce.extraction.boilernet import TextLeaves, class_overlaps, leaf_labels, text_leaves
from structce.rendering import with_bar

TRAINING_SETS = ("chinese-articles", "fundus", "fundus-history", "newspaper4k", "wcxb")
UNSEEN_SETS = ("article-extraction-benchmark", "cleanportaleval", "l3s-gn1", "readability")

_PARTS = {0: "validation", 1: "test"}  # tenths of the sites; the others are learnt from


TABLE_SHARE = 1 / 3
"""Share of the pages that are learnt from with tables for their layout."""

_BOXES = frozenset("article aside div figure footer header main nav section".split())
_CELL = ("table", "tbody", "tr", "td")
_LISTS = frozenset("dd dl dt li ol ul".split())
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())


@dataclass(frozen=True)
class LabelledLeaves:
    """Text leaves of a page, which of them are main content, and where the page comes from."""

    leaves: TextLeaves
    labels: Flags
    data_set: str
    family: str

    @property
    def part(self) -> str:
        """Purpose of the page, by the digest of its family's name."""
        number = int(hashlib.sha256(self.family.encode()).hexdigest(), 16) % 10
        return _PARTS.get(number, "training")


def gold_pages(data: Path, name: str) -> Iterator[GoldPage]:
    """Yield the pages of a data set that have a text."""
    for item in READERS[name].read(data / f"{name}.zip"):
        if isinstance(item, GoldPage) and item.gold.text.strip():
            yield item


def labelled_pages(data: Path, names: Sequence[str]) -> list[LabelledLeaves]:
    """Return the pages of data sets, except those of sites that stay unseen."""
    unseen = {page.site for name in UNSEEN_SETS for page in gold_pages(data, name)}
    examples = []
    for name in names:
        pages = [page for page in gold_pages(data, name) if page.site not in unseen]
        for page in with_bar(pages, len(pages), what=name):
            try:
                leaves = text_leaves(ParsedDocument.of(page.document()))
            except StructceError as error:
                click.echo(f"error: {error}", err=True)
                continue
            labels = leaf_labels(leaves, page.gold.text)
            if labels.any():
                examples.append(LabelledLeaves(leaves, labels, name, page.family))
    return examples


def as_tables(leaves: TextLeaves, rng: np.random.Generator) -> TextLeaves:
    """Return a page as if it were laid out by tables, as it was the custom until about 2008.

    Half of the boxes are cells of tables of their own, the others are not there; ``span`` is
    ``font``, and so are, or are kept, or are not there, as the page's author likes it, paragraphs,
    headings and lists.
    """
    habits = (("p", "font", ""), ("h", "font", "b"), ("li", "font", ""))
    paragraph, heading, item = (str(rng.choice(choices)) for choices in habits)
    tags: list[str] = []
    parents: list[int] = []
    places: list[int] = []  # of the elements as they were
    for tag, parent in zip(leaves.tag, leaves.parent.tolist(), strict=True):
        names: tuple[str, ...] = (tag,)
        if tag in _BOXES:
            names = _CELL if rng.random() < 0.5 else ()
        elif tag == "p":
            names = (paragraph,) if paragraph else ()
        elif tag in _LISTS:
            names = () if not item else (tag,) if item == "li" else ("font",)
        elif tag in _HEADINGS:
            names = (tag,) if heading == "h" else (heading,)
        elif tag == "span":
            names = ("font",)
        place = places[parent] if parent >= 0 else -1
        for name in names:
            tags.append(name)
            parents.append(place)
            place = len(tags) - 1
        places.append(place)
    element = np.array(places, dtype=np.int64)[leaves.element]
    return TextLeaves(leaves.text, element, tags, np.array(parents, dtype=np.int64))


def with_tables(pages: Sequence[LabelledLeaves], seed: int) -> list[LabelledLeaves]:
    """Return pages of which a share is laid out by tables."""
    rng = np.random.default_rng(seed)
    return [
        replace(page, leaves=as_tables(page.leaves, rng)) if rng.random() < TABLE_SHARE else page
        for page in pages
    ]


def measure(extractor: BoilerNet, pages: Sequence[LabelledLeaves]) -> tuple[Overlap, Overlap]:
    """Return precision and recall of boilerplate and of content, every leaf counted alike."""
    chosen = [extractor.probabilities(page.leaves) >= extractor.threshold for page in pages]
    return class_overlaps(np.concatenate(chosen), np.concatenate([page.labels for page in pages]))


def card(training: dict[str, object], scores: tuple[Overlap, Overlap], n_tested: int) -> str:
    """Return the model card."""
    rows = [
        (name, overlap.precision, overlap.recall, overlap.f1)
        for name, overlap in zip(("boilerplate", "content"), scores, strict=True)
    ]
    table = tabulate(rows, ("leaves", "precision", "recall", "F1"), "github", floatfmt=".3f")
    sources = "\n".join(
        f"| {name} | {n} | {READERS[name].licence} |" for name, n in training["pages"].items()
    )
    settings = ", ".join(f"{name} {value}" for name, value in training["settings"].items())
    return f"""# boilernet: which texts of a page are its main content

A bidirectional LSTM over the text leaves of a page, after Leonhardt, Anand and Khosla (2020). It
needs no styles and no browser. `model.onnx` reads `rows`, float32 (n_rows, n_columns), and gives
`probabilities`, float32 (n_rows, 1); `vocabulary.json` says what the columns are: other tags, each
of `tags`, other words, each of `words`. The licence of the model is that of structce, MIT.

## How to use it

    structce extract --method boilernet-small PAGE

## What it was trained on

| data set | pages | licence |
|---|---|---|
{sources}

Sites of {", ".join(UNSEEN_SETS[:-1])}
and {UNSEEN_SETS[-1]} were left out. Of the others a tenth chose the epoch, and a tenth was neither
learnt from nor looked at: {n_tested} pages, on which the model reaches, every leaf counted alike,

{table}

A third of the pages were learnt from as if tables were their layout, as on pages of twenty years
ago; all were measured as they are. Leaves are labelled by alignment with the main text of the gold,
which for some pages holds title and captions and for others does not. Most pages are articles;
forums, listings, products and documentation are in English alone. Other languages than English are
known by tags and punctuation more than by words.

## Network

{settings}.
"""


@click.command()
@click.argument("data", type=click.Path(path_type=Path, exists=True))
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--size", default="64,64", show_default=True, help="Numbers of dense and hidden units."
)
@click.option("--epochs", default=12, show_default=True)
@click.option("--rate", default=0.002, show_default=True, help="Learning rate of Adam.")
@click.option("--seed", default=7, show_default=True)
def main(data: Path, out: Path, size: str, epochs: int, rate: float, seed: int) -> None:
    """Train the model on archives in DATA and write it to the folder OUT."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    n_dense, n_hidden = map(int, size.split(","))
    pages = labelled_pages(data, TRAINING_SETS)
    parts: dict[str, list[LabelledLeaves]] = {"training": [], "validation": [], "test": []}
    for page in pages:
        parts[page.part].append(page)
    click.echo(", ".join(f"{name}: {len(own)} pages" for name, own in parts.items()))
    known = with_tables(parts["training"] + parts["validation"], seed)
    training = BoilerNetTraining(
        n_dense=n_dense,
        n_hidden=n_hidden,
        n_epochs=epochs,
        learning_rate=rate,
        n_validation=len(parts["validation"]),
        seed=seed,
    )
    start = time.perf_counter()
    extractor = training.fit_leaves(
        [page.leaves for page in known], [page.labels for page in known]
    )
    click.echo(f"{(time.perf_counter() - start) / epochs:.1f} seconds per epoch")
    counts = Counter(page.data_set for page in known)
    settings = {"dense": n_dense, "hidden": n_hidden, "layers": training.n_layers}
    settings |= {"dropout": training.dropout, "epochs": epochs, "learning rate": rate, "seed": seed}
    facts: dict[str, object] = {"pages": dict(counts), "settings": settings}
    facts["sites"] = len({page.family for page in known})
    scores = measure(extractor, parts["test"])
    text = card(facts, scores, len(parts["test"]))
    save_boilernet(out, extractor, training=facts, card=text)
    click.echo(text)


if __name__ == "__main__":
    main()
