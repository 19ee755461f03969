"""What an experiment was given, as values: the corpus and its splits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from structce.corpus import Corpus


@dataclass(frozen=True)
class Part:
    """The pages and the sites of one part of a split; both sorted."""

    pages: tuple[str, ...]
    sites: tuple[str, ...]

    @classmethod
    def of(cls, corpus: Corpus) -> Part:
        """Return the part that a corpus is."""
        return cls(tuple(sorted(page.id for page in corpus)), corpus.sites)


@dataclass(frozen=True)
class Split:
    """Which pages served for what, and how many columns the training pages gave."""

    seed: int
    train: Part
    validation: Part
    test: Part
    n_columns: int


@dataclass(frozen=True)
class Source:
    """The corpus of an experiment, without its pages.

    Parameters
    ----------
    path
        Where it stands, as the experiment writes it.
    counts
        Regions by label, in the order of the label set.
    n_unknown
        Regions whose label nobody knows: nothing is learnt from them, and no score counts them.
    """

    path: str
    name: str
    digest: str
    n_pages: int
    sites: tuple[str, ...]
    renderer: str
    counts: Mapping[str, int]
    background: str
    n_unknown: int = 0

    @classmethod
    def of(cls, corpus: Corpus, path: str) -> Source:
        """Return what a report says of a corpus."""
        return cls(
            path=path,
            name=corpus.name,
            digest=corpus.digest,
            n_pages=len(corpus),
            sites=corpus.sites,
            renderer=corpus.renderer,
            counts=corpus.counts,
            background=corpus.label_set.background,
            n_unknown=corpus.n_unknown,
        )
