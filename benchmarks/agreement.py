"""Contradictions between the fields of a page and the labels of its regions, counted.

    python3 -m benchmarks.agreement corpora/*-static

Labels every page of some corpora with the shipped model, and counts contradictions of the labeller
alone and of the answer that is given: values of a region that has the label of none of them,
further titles, and regions that stay Author although the article names nobody from them.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click
from tabulate import tabulate
from tqdm import tqdm

from structce.article import Article, read_labelling
from structce.corpus import Corpus
from structce.labeller import DEFAULT_MODELS, Labelling, RegionLabeller
from structce.language import normalise

KINDS = (
    "title elsewhere",
    "date elsewhere",
    "author elsewhere",
    "further titles",
    "refused author",
)


def contradictions(article: Article, labelling: Labelling) -> Counter[str]:
    """Return how often labels contradict the article, by kind."""
    labels, blocks, texts = labelling.labels, labelling.page.blocks, labelling.page.text
    values = [("Title", article.title), ("Date", article.date)]
    values += [("Author", author) for author in article.authors]
    held: dict[int, set[str]] = {}
    for name, value in values:
        if value is not None and value.region is not None:
            held.setdefault(value.region, set()).add(name)
    found: Counter[str] = Counter()
    for region, names in held.items():
        if labels[region] not in names:
            found.update(f"{name.lower()} elsewhere" for name in names)
    titles = {int(blocks[i]) for i, label in enumerate(labels) if label == "Title"}
    found["further titles"] += max(0, len(titles) - (article.title is not None))
    names = [normalise(author.value) for author in article.authors]
    for i, label in enumerate(labels):
        if label == "Author" and "Author" not in held.get(i, ()):
            text = normalise(texts[i])
            # A line that a name was read from in pieces holds a part of it.
            found["refused author"] += not any(name in text or text in name for name in names)
    return found


@click.command()
@click.argument("corpora", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def main(corpora: tuple[Path, ...]) -> None:
    """Count contradictions before and after fields and regions are made to agree."""
    alone: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    n_pages = n_changed = n_regions = 0
    models: dict[str, RegionLabeller] = {}
    for path in corpora:
        for one in tqdm(Corpus.load(path), path.name, disable=None, file=sys.stderr):
            name = one.page.renderer
            if name not in models:
                models[name] = RegionLabeller.load(DEFAULT_MODELS[name])
            labelling = models[name].label(one.page)
            reading = read_labelling(labelling)
            alone += contradictions(reading.article, labelling)
            agreed += contradictions(reading.article, reading.labelling)
            pairs = zip(labelling.labels, reading.labelling.labels, strict=True)
            n_changed += sum(before != after for before, after in pairs)
            n_regions += len(labelling.labels)
            n_pages += 1
    rows = [[kind, alone[kind], agreed[kind]] for kind in KINDS]
    click.echo(f"{n_pages:,} pages, {n_changed:,} of {n_regions:,} labels changed\n")
    head = ("contradiction", "labeller alone", "answer")
    click.echo(tabulate(rows, headers=head, tablefmt="github", intfmt=","))


if __name__ == "__main__":
    main()
