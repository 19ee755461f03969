"""Three corpora of labelled regions from real pages, their union, and a split without leaks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypedDict

from structce.corpus.corpus import Corpus
from structce.corpus.duplicates import (
    find_duplicates,
    refuse_leaks,
    with_families,
    without_duplicates,
)
from structce.corpus.merge import merge
from structce.datasets.base import READERS
from structce.datasets.build import write_corpus
from structce.errors import CorpusError
from structce.rendering.renderers import start_renderer

SOURCES = ("fundus", "wcxb", "trafilatura")
UNION = "union"
ARTICLES = "article-"
"""Prefix of the ids of the articles of WCXB."""

PARTS = {"train": 0.5, "validation": 0.17, "test": 0.33}


class CorpusFigures(TypedDict):
    """Figures of a corpus or of one of its parts."""

    corpus: str
    part: str
    pages: int
    sites: int
    families: int
    regions: int
    known: int
    labels: dict[str, int]
    digest: str


def build(
    data: Path, out: Path, renderer: str | None, workers: int, seed: int
) -> list[CorpusFigures]:
    """Write the three corpora, their union and the split of each; return their sizes.

    Near-duplicate pages are written once; sites that share a template in a corpus or in the union
    get one family, the same everywhere.

    Raises
    ------
    CorpusError
        If a split still has a near-duplicate or a template on two sides.
    """
    imported = out / "imported"
    corpora = [
        with_families(_imported(name, data, imported / name, renderer, workers)) for name in SOURCES
    ]
    union = merge(corpora, "all", UNION)
    union = with_families(without_duplicates(union, find_duplicates(union)))
    family = {page.site: page.family for page in union}
    kept = {page.id for page in union}
    figures: list[CorpusFigures] = []
    for corpus in corpora:
        pages = tuple(
            replace(page, family=family[page.site])
            for page in corpus
            if {page.id, f"{corpus.name}-{page.id}"} & kept
        )
        figures += _written(replace(corpus, pages=pages), out, seed)
    return figures + _written(union, out, seed)


def _imported(name: str, data: Path, out: Path, renderer: str | None, workers: int) -> Corpus:
    """Return a corpus of the sites that may be trained on; of WCXB the articles alone."""
    if not READERS[name].may_train:
        raise CorpusError(f"{name}: its licence forbids shipping models trained on it")
    write_corpus(name, data / f"{name}.zip", start_renderer(renderer, workers=workers), out)
    corpus = Corpus.load(out)
    if name == "wcxb":
        return corpus.subset(page.id for page in corpus if page.id.startswith(ARTICLES))
    return corpus


def _written(corpus: Corpus, out: Path, seed: int) -> list[CorpusFigures]:
    corpus.save(out / corpus.name)
    split = corpus.draw_split(PARTS, by="site", seed=seed)
    parts = corpus.parts(split)
    refuse_leaks(parts)
    split.save(out / f"{corpus.name}.split.json")
    return [
        _figures(corpus, corpus.name, "all"),
        *(_figures(p, corpus.name, n) for n, p in parts.items()),
    ]


def _figures(corpus: Corpus, name: str, part: str) -> CorpusFigures:
    return {
        "corpus": name,
        "part": part,
        "pages": len(corpus),
        "sites": len(corpus.sites),
        "families": len({page.family for page in corpus}),
        "regions": sum(len(page.page) for page in corpus),
        "known": sum(page.n_known for page in corpus),
        "labels": corpus.counts,
        "digest": corpus.digest[:12],
    }
