"""Count contradictions between the fields of a page and the labels of its regions.

    python3 -m benchmarks.agreement corpora/*-static
    python3 -m benchmarks.agreement FOLDER/*.zip --renderer static

Labels every page of some corpora, folders or archives with the shipped model, and counts
contradictions of the labeller alone and of the final answer: values from a region that lacks their
label, further titles, regions that stay Author although the article has no author from them, and
paragraphs that the article's text leaves out.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
from tabulate import tabulate
from tqdm import tqdm

from structce.article import Article, page_loaders, read_labelling
from structce.corpus import Corpus
from structce.labelling import DEFAULT_MODELS, Labelling, RegionLabeller
from structce.language import normalise
from structce.page import Page
from structce.rendering import Document, Source, check_markup, render_all, start_renderer

KINDS = (
    "title elsewhere",
    "date elsewhere",
    "author elsewhere",
    "further titles",
    "refused author",
    "paragraph elsewhere",
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
    counts: Counter[str] = Counter()
    for region, names in held.items():
        if labels[region] not in names:
            counts.update(f"{name.lower()} elsewhere" for name in names)
    titles = {int(blocks[i]) for i, label in enumerate(labels) if label == "Title"}
    counts["further titles"] += max(0, len(titles) - (article.title is not None))
    names = [normalise(author.value) for author in article.authors]
    for i, label in enumerate(labels):
        if label == "Author" and "Author" not in held.get(i, ()):
            text = normalise(texts[i])
            # A line from which a name was read in pieces contains a part of it.
            counts["refused author"] += not any(name in text or text in name for name in names)
    body = {i for block in article.blocks for i in block.regions}
    counts["paragraph elsewhere"] = sum(
        label == "Paragraph" and i not in body for i, label in enumerate(labels)
    )
    return counts


def read_pages(path: Path, renderer: str) -> Iterator[Page]:
    """Yield the pages of a corpus, or of a folder or archive; other files are skipped."""
    if (path / "manifest.json").exists():
        for page in Corpus.load(path):
            yield page.page
        return
    with start_renderer(renderer) as opened:
        for result in render_all(page_loaders([str(path)], _read_markup), opened):
            if result.page is not None:
                yield result.page


def _read_markup(source: Source) -> Document:
    return check_markup(source.read())


@click.command()
@click.argument("sources", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--renderer",
    default="static",
    show_default=True,
    help="Renderer of sources that are not a corpus.",
)
def main(sources: tuple[Path, ...], renderer: str) -> None:
    """Count contradictions before and after fields and regions are made to agree."""
    alone: Counter[str] = Counter()
    agreed: Counter[str] = Counter()
    n_pages = n_changed = n_regions = 0
    models: dict[str, RegionLabeller] = {}
    for path in sources:
        for page in tqdm(read_pages(path, renderer), path.name, disable=None, file=sys.stderr):
            name = page.renderer
            if name not in models:
                models[name] = RegionLabeller.load(DEFAULT_MODELS[name])
            labelling = models[name].label(page)
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
