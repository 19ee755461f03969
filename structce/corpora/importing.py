"""Public data set to corpus: every page rendered, its gold aligned, what was not found counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from structce.corpora import fundus
from structce.corpora.align import FIELDS, Alignment, align
from structce.corpora.fundus import GoldPage
from structce.corpus import Corpus, LabelledPage
from structce.errors import CorpusError
from structce.rendering import Renderer, decode, render_with_bar


@dataclass(frozen=True)
class Reader:
    """How one public data set is read."""

    name: str
    licence: str
    read: Callable[[Path], Iterator[GoldPage]]


READERS = {fundus.NAME: Reader(fundus.NAME, fundus.LICENCE, fundus.read_fundus)}
"""Readers by the name of their data set."""


def import_corpus(name: str, source: Path, renderer: Renderer) -> Corpus:
    """Return the corpus of a public data set, rendered and aligned.

    The corpus's notes hold, by field, how many gold values there are and how many were found,
    the values not found, and the pages that could not be read.

    Raises
    ------
    CorpusError
        If the data set is unknown, not there, or no page of it can be read.
    """
    if name not in READERS:
        raise CorpusError(f"unknown data set {name!r}; expected one of {', '.join(READERS)}")
    reader = READERS[name]
    pages: list[LabelledPage] = []
    alignments: list[tuple[str, Alignment]] = []
    failed: dict[str, str] = {}
    gold_pages = list(reader.read(source))
    reads = [(one.id, partial(decode, one.data, name=one.id, url=one.url)) for one in gold_pages]
    with renderer:
        for gold, one in zip(gold_pages, render_with_bar(reads, renderer), strict=True):
            if one.page is None:
                failed[gold.id] = one.error
                continue
            aligned = align(one.page, gold.gold)
            alignments.append((gold.id, aligned))
            pages.append(LabelledPage(gold.id, gold.site, gold.family, one.page, aligned.labels))
    if not pages:
        raise CorpusError(f"{source}: no page could be read: {next(iter(failed.values()), '')}")
    notes = {"alignment": _shares(alignment for _, alignment in alignments)}
    missing = [[page, *pair] for page, aligned in alignments for pair in aligned.missing]
    return Corpus(
        name=name,
        pages=tuple(pages),
        licence=reader.licence,
        notes={**notes, "missing": missing, "failed": failed},
    )


def _shares(alignments: Iterable[Alignment]) -> list[dict[str, object]]:
    """Return one row a field: gold values, how many were found, by what, and the share."""
    total: Counter[str] = Counter()
    found: Counter[str] = Counter()
    fuzzy: Counter[str] = Counter()
    for alignment in alignments:
        total += alignment.total
        found += alignment.found
        fuzzy += alignment.fuzzy
    return [
        {
            "field": name,
            "gold": total[name],
            "found": found[name],
            "fuzzy": fuzzy[name],
            "share": round(found[name] / total[name], 4),
        }
        for name in FIELDS
        if total[name]
    ]
