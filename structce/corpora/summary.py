"""What a corpus holds, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from structce.corpora.importing import Tally
from structce.corpus import Corpus
from structce.labels import UNKNOWN

QUARTILES = ("least", "quarter", "median", "three quarters", "most")
"""What is told of sizes: no page is smaller than the least, a quarter is not above the next."""


@dataclass(frozen=True)
class LabelCount:
    """How often a label occurs.

    Parameters
    ----------
    regions
        That have it.
    pages, sites
        With at least one such region.
    is_covered
        Whether the corpus tells of it; the background is always told of.
    """

    label: str
    regions: int
    pages: int
    sites: int
    is_covered: bool = True


@dataclass(frozen=True)
class Summary:
    """What a corpus holds.

    Parameters
    ----------
    n_unknown
        Regions whose label nobody knows.
    labels
        In the order of the label set.
    regions, characters
        One number a page: its regions, and the characters of their texts.
    languages
        Pages by the language that they state, without its country; ``?`` where they state none;
        the most frequent first.
    pages_by_site
        The largest first.
    gold
        One row a field: values of the gold, how many of them stand on their pages, and how they
        were found; see :class:`structce.corpora.importing.Tally`.
    """

    name: str
    licence: str
    renderer: str
    digest: str
    n_families: int
    n_unknown: int
    labels: tuple[LabelCount, ...]
    regions: tuple[int, ...]
    characters: tuple[int, ...]
    languages: Mapping[str, int]
    pages_by_site: Mapping[str, int]
    gold: tuple[Mapping[str, object], ...]

    @property
    def sizes(self) -> dict[str, dict[str, float]]:
        """Quartiles of regions and of characters a page; none without pages."""
        return {"regions": quartiles(self.regions), "characters": quartiles(self.characters)}

    def as_dict(self) -> dict[str, object]:
        """Return the summary as plain JSON values."""
        return {
            "name": self.name,
            "licence": self.licence,
            "renderer": self.renderer,
            "pages": len(self.regions),
            "sites": len(self.pages_by_site),
            "families": self.n_families,
            "languages": dict(self.languages),
            "regions": sum(self.regions),
            "unknown": self.n_unknown,
            "covered": [one.label for one in self.labels if one.is_covered],
            "digest": self.digest,
            "labels": {one.label: one.regions for one in self.labels},
            "pages_by_label": {one.label: one.pages for one in self.labels},
            "sites_by_label": {one.label: one.sites for one in self.labels},
            "sizes": self.sizes,
            "pages_by_site": dict(self.pages_by_site),
            "gold": [dict(row) for row in self.gold],
        }


def summarise(corpus: Corpus) -> Summary:
    """Return what a corpus holds."""
    tally = Tally()
    for page in corpus:
        tally.add(page.matches)
    return Summary(
        name=corpus.name,
        licence=corpus.licence,
        renderer=corpus.renderer,
        digest=corpus.digest,
        n_families=len({page.family for page in corpus}),
        n_unknown=corpus.n_unknown,
        labels=_labels(corpus),
        regions=tuple(len(page.page) for page in corpus),
        characters=tuple(sum(map(len, page.page.text)) for page in corpus),
        languages=_by_count(language_of(page.page.lang) for page in corpus),
        pages_by_site=_by_count(page.site for page in corpus),
        gold=tuple(tally.rows()),
    )


def quartiles(numbers: Sequence[int]) -> dict[str, float]:
    """Return the least, the three quartiles and the most by their names; nothing of nothing."""
    if not numbers:
        return {}
    found = np.quantile(numbers, (0, 0.25, 0.5, 0.75, 1)).tolist()
    return dict(zip(QUARTILES, found, strict=True))


def language_of(stated: str) -> str:
    """Return a stated language without country, in small letters: ``de`` of ``de_AT``."""
    return stated.replace("_", "-").split("-")[0].strip().lower() or "?"


def _labels(corpus: Corpus) -> tuple[LabelCount, ...]:
    sets = [(set(page.labels) - {UNKNOWN}, page.site) for page in corpus]
    pages = Counter(label for labels, _ in sets for label in labels)
    sites = Counter(label for label, _ in {(one, site) for labels, site in sets for one in labels})
    told = {*corpus.covered, corpus.label_set.background}
    return tuple(
        LabelCount(label, n, pages[label], sites[label], label in told)
        for label, n in corpus.counts.items()
    )


def _by_count(names: Iterable[str]) -> dict[str, int]:
    """Return how often each name occurs, the most frequent first, then by name."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))
