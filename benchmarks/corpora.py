"""What the import of data sets finds, and corpora of regions with splits that have no leak.

    python3 -m benchmarks.corpora FOLDER --out figures
    python3 -m benchmarks.corpora FOLDER --part regions --out figures

- ``alignment``: every data set of a folder read to its end, pages given and lost, gold values found
  by field. What was not found is looked for once more: are its words in the text that a plain
  parser sees, scripts and style sheets left out? Of such values the page has most hidden, or cut by
  other text.
- ``regions``: three corpora of labelled regions from real pages, their union, and a split of each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import click
from selectolax.lexbor import LexborHTMLParser

from structce.cli.options import format_option, print_table
from structce.corpus import Corpus, LabelledPage
from structce.corpus.duplicates import (
    find_duplicates,
    refuse_leaks,
    with_families,
    without_duplicates,
)
from structce.corpus.merge import merge
from structce.datasets import READERS, GoldPage, Skipped, aligned_pages, write_corpus
from structce.datasets.base import DataSetReader
from structce.errors import CorpusError, StructceError
from structce.gold import AlignmentTally
from structce.language import normalise
from structce.rendering import RENDERERS, StaticRenderer, start_renderer

NAMES = {"big9": "ir-research-data", "dragnet": "dragnet_data", "swde": "swde-sample"}
"""Archives whose name differs from that of their data set."""

SOURCES, UNION = ("fundus", "wcxb", "trafilatura"), "union"
ARTICLES = "article-"  # prefix of the ids of the articles of WCXB
SPLIT = {"train": 0.5, "validation": 0.17, "test": 0.33}
PARTS = ("alignment", "regions")


def data_sets(folder: Path) -> Iterator[tuple[DataSetReader, Path]]:
    """Yield the data sets that a folder has an archive or a folder of, by name."""
    for name in sorted(READERS):
        stem = NAMES.get(name, name)
        paths = (folder / f"{stem}.zip", folder / stem)
        if path := next((path for path in paths if path.exists()), None):
            yield READERS[name], path


def alignment_rows(reader: DataSetReader, path: Path) -> list[dict[str, object]]:
    """Read, render without a browser and align every page; return a row for each field."""
    tally, counts = AlignmentTally(), Counter[str]()
    waiting: dict[str, GoldPage | Skipped] = {}

    def remembered(items: Iterable[GoldPage | Skipped]) -> Iterator[GoldPage | Skipped]:
        for item in items:
            waiting[item.id] = item
            yield item

    with StaticRenderer() as renderer:
        for item in aligned_pages(remembered(reader.read(path)), renderer, reader.labels):
            gold_page = waiting.pop(item.id)
            if isinstance(item, Skipped):
                counts["left out" if item.is_known else "failed"] += 1
                continue
            counts["pages"] += 1
            tally.add(item.matches)
            if isinstance(gold_page, GoldPage):
                counts.update(f"in text {field}" for field in _in_text(gold_page, item))
    about = {name: counts[name] for name in ("pages", "left out", "failed")}
    return [
        {"data set": reader.name, **about, **row, "lost in text": counts[f"in text {row['field']}"]}
        for row in tally.rows()
    ]


def _in_text(gold_page: GoldPage, page: LabelledPage) -> Iterator[str]:
    """Yield the field of each missing value whose words are in the text of the document."""
    missing = [match for match in page.matches if match.state == "missing"]
    if not missing:
        return
    tree = LexborHTMLParser(gold_page.document().html)
    tree.strip_tags(["script", "style", "noscript", "template", "title"])
    text = normalise(tree.root.text(separator=" ") if tree.root else "")
    for match in missing:
        words = normalise(match.value)
        if words and words in text:
            yield match.field


def build_corpora(
    data: Path, out: Path, renderer: str | None, workers: int, seed: int
) -> Iterator[dict[str, object]]:
    """Write the three corpora, their union and the split of each; yield a row for each part.

    Near-duplicate pages are written once; sites that share a template in a corpus or in the union
    get one family, the same everywhere.

    Raises
    ------
    CorpusError
        If a split still has a near-duplicate or a template on two sides.
    """
    corpora = []
    for name in SOURCES:
        if not READERS[name].may_train:
            raise CorpusError(f"{name}: its licence forbids shipping models trained on it")
        folder = out / "imported" / name
        write_corpus(name, data / f"{name}.zip", start_renderer(renderer, workers=workers), folder)
        corpus = Corpus.load(folder)
        if name == "wcxb":
            corpus = corpus.subset(page.id for page in corpus if page.id.startswith(ARTICLES))
        corpora.append(with_families(corpus))
    union = merge(corpora, UNION)
    union = with_families(without_duplicates(union, find_duplicates(union)))
    family = {page.site: page.family for page in union}
    kept = {page.id for page in union}
    for corpus in corpora:
        pages = tuple(
            replace(page, family=family[page.site])
            for page in corpus
            if {page.id, f"{corpus.name}-{page.id}"} & kept
        )
        yield from _written(replace(corpus, pages=pages), out, seed)
    yield from _written(union, out, seed)


def _written(corpus: Corpus, out: Path, seed: int) -> Iterator[dict[str, object]]:
    corpus.save(out / corpus.name)
    split = corpus.draw_split(SPLIT, by="site", seed=seed)
    parts = corpus.parts(split)
    refuse_leaks(parts)
    split.save(out / f"{corpus.name}.split.json")
    for name, part in {"all": corpus, **parts}.items():
        yield {
            "corpus": corpus.name,
            "part": name,
            "pages": len(part),
            "sites": len(part.sites),
            "families": len({page.family for page in part}),
            "regions": sum(len(page.page) for page in part),
            "known": sum(page.n_known for page in part),
            **part.counts,
            "digest": part.digest[:12],
        }


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True)
@click.option("--part", "parts", multiple=True, type=click.Choice(PARTS), default=PARTS)
@click.option(
    "--renderer", type=click.Choice(RENDERERS), help="Renderer of the corpora of regions."
)
@click.option("--workers", default=1, show_default=True, help="Workers for the corpora of regions.")
@click.option("--seed", default=7, show_default=True, help="Seed of the splits.")
@format_option
def main(
    folder: Path,
    out: Path,
    parts: tuple[str, ...],
    renderer: str | None,
    workers: int,
    seed: int,
    form: str,
) -> None:
    """Measure the import of the data sets in a folder."""
    try:
        if "alignment" in parts:
            found = (alignment_rows(reader, path) for reader, path in data_sets(folder))
            print_table([row for rows in found for row in rows], form)
        if "regions" in parts:
            rows = build_corpora(folder, out / "regions", renderer, workers, seed)
            print_table(list(rows), form)
    except StructceError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
