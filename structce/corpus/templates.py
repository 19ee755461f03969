"""Page templates that sites share, found by their class names, and the families of such sites."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array

from structce.corpus.corpus import Corpus
from structce.corpus.splits import families_of
from structce.errors import CorpusError
from structce.page import Page

TEMPLATE_THRESHOLD = 0.15
"""Least weighted share of steps in common. On the training and validation half of the Fundus
fixtures (split by site, seed 7) unlisted pairs stay below 0.03 and listed ones reach 0.33 or more,
so that anything between gives the same there. On WCXB, where nobody listed any, links by plugins
alone, such as a notice about cookies, begin below 0.12."""

LEAST_STEPS = 10
"""Steps that two sites must share: a site of few classes resembles others by chance."""

_ROWS = 500  # sites compared with all others at once
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class SimilarPair:
    """Two pages by their ids, or two sites by their names, and their similarity in [0, 1]."""

    first: str
    second: str
    similarity: float


def similar_pairs(
    names: Sequence[str], similar: Iterable[tuple[int, int, float]]
) -> list[SimilarPair]:
    """Return pairs of numbers by their names, the most alike first, then in the names' order."""
    pairs = [SimilarPair(names[i], names[j], round(likeness, 4)) for i, j, likeness in similar]
    return sorted(pairs, key=lambda pair: (-pair.similarity, pair.first, pair.second))


def check_threshold(threshold: float) -> None:
    """Raise a CorpusError unless a threshold of similarity is in (0, 1]."""
    if not 0 < threshold <= 1:
        raise CorpusError(f"threshold {threshold}; expected more than 0 and at most 1")


def page_steps(page: Page) -> set[str]:
    """Return name and classes of each element above a region: ``div.post.post-0``.

    Numbers count as one, since many distinguish pages of one template, and the order of classes
    does not count. Elements without classes are left out, and so are ``html`` and ``body``, whose
    classes name the page. Steps are compared one by one: whole paths break at one element more near
    the root, and find 13 of the 14 pairs of Fundus where steps find all.
    """
    rows = zip(page.elements.tag, page.elements.attributes, strict=True)
    named = {(tag, row.get("class", "")) for tag, row in rows if tag not in ("html", "body")}
    return {
        ".".join((tag, *sorted({_NUMBER.sub("0", name) for name in classes.split()})))
        for tag, classes in named
        if classes.strip()
    }


def find_templates(corpus: Corpus, *, threshold: float = TEMPLATE_THRESHOLD) -> list[SimilarPair]:
    """Return the pairs of sites that seem to share a page template, the most alike first.

    The similarity is the Jaccard similarity of the sites' steps, each weighted by
    ``log(1 + n / n_s)`` where ``n_s`` of the corpus's ``n`` sites have the step, so that the
    classes of a framework that everybody uses count little. What is rare is judged by the corpus:
    in one of few sites a framework may look like a template. Raises CorpusError if the threshold is
    out of range.
    """
    check_threshold(threshold)
    sites: dict[str, set[str]] = {}
    for page in corpus:
        sites.setdefault(page.site, set()).update(page_steps(page.page))
    names = sorted(sites)
    table = _table([sites[name] for name in names])
    return similar_pairs(names, _similar_sites(table, threshold))


def _table(steps: Sequence[set[str]]) -> csr_array:
    """Return one row per site: 1 for each of its steps, shape (n_sites, n_steps)."""
    columns: dict[str, int] = {}
    codes = [columns.setdefault(step, len(columns)) for row in steps for step in sorted(row)]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in steps])])
    return csr_array(
        (np.ones(len(codes)), np.array(codes, dtype=np.intp), starts),
        shape=(len(steps), max(len(columns), 1)),
    )


def _similar_sites(table: csr_array, threshold: float) -> Iterator[tuple[int, int, float]]:
    """Yield numbers and similarity of the sites that reach a threshold."""
    n_sites = np.maximum(np.bincount(table.indices, minlength=table.shape[1]), 1)
    weights = np.log1p(table.shape[0] / n_sites)
    whole = table @ weights
    weighted = table.multiply(weights).tocsr()
    for start in range(0, table.shape[0], _ROWS):
        rows = slice(start, start + _ROWS)
        shared = (weighted[rows] @ table.T).toarray()
        n_shared = (table[rows] @ table.T).toarray()
        every = whole[rows, None] + whole - shared
        likeness = np.divide(shared, every, out=np.zeros_like(shared), where=every > 0)
        chosen = (likeness >= threshold) & (n_shared >= LEAST_STEPS)
        for i, j in np.argwhere(np.triu(chosen, k=start + 1)).tolist():
            yield i + start, j, float(likeness[i, j])


def find_families(corpus: Corpus, *, pairs: Sequence[SimilarPair] | None = None) -> dict[str, str]:
    """Return the family of each site: sites that a row of pairs or of known families joins.

    A family is named by the first of the known families in it, in alphabetical order. ``pairs`` are
    sites that share a template, by default those of :func:`find_templates`.
    """
    pairs = find_templates(corpus) if pairs is None else pairs
    families = families_of(corpus.pages, [(pair.first, pair.second) for pair in pairs])
    return {page.site: family for page, family in zip(corpus, families, strict=True)}


def with_families(corpus: Corpus, *, pairs: Sequence[SimilarPair] | None = None) -> Corpus:
    """Return the corpus with the families of :func:`find_families`."""
    families = find_families(corpus, pairs=pairs)
    pages = tuple(replace(page, family=families[page.site]) for page in corpus)
    return replace(corpus, pages=pages)
