"""Stacking: the trees above a labeller, fitted to labels of pages that it did not see.

Trees that choose values and body must learn from label probabilities of unseen sites: those of a
model's own training pages are surer (Wolpert 1992, Stacked generalization, Neural Networks 5(2)).
The same folds give articles of unseen sites: the pages of one fold are read by trees, and by a
byline reader, of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from zlib import crc32

from structce.article import (
    Example,
    Reading,
    evidence_of,
    fit_trees,
    make_body_example,
    make_example,
    read_labelling,
)
from structce.bylines import BylineReader, use_reader
from structce.corpus import LabelledPage, View
from structce.gold import Gold
from structce.labeller import Labelling
from structce.learners import BoostedTrees
from structce.recipes.bylines import readers_without
from structce.recipes.cross_validation import TESTED_VIEWS, UnseenPage
from structce.recipes.ingredients import Say
from structce.recipes.short_articles import short_article

ARTICLE = "article"
"""Type of a page that gold gives to articles; they may have none in sets of articles alone."""

SHORT_WEIGHT = 0.5
"""How much a short article counts. On news of 2011 and 2012 in Russian, Polish and Greek, which no
model learns from, the F1 of words is .853, .924 and .931 without any, and .866, .939 and .938 at
0.3; the more they count, the more listings lose (.02 of .77 at 0.3)."""


def unseen_readers(
    unseen: Iterable[UnseenPage], *, say: Say = lambda line: None
) -> list[BylineReader]:
    """Return for each fold a byline reader that learnt nothing from its pages, by its number."""
    folds: dict[int, dict[str, LabelledPage]] = {}
    for one in unseen:
        folds.setdefault(one.fold, {})[one.page.id] = one.page
    parts = [folds.get(fold, {}).values() for fold in range(max(folds, default=-1) + 1)]
    return readers_without(parts, say=say)


def make_examples(
    unseen: Iterable[UnseenPage], readers: Sequence[BylineReader] = ()
) -> list[Example]:
    """Return what pages with gold teach about values, in all views, and about bodies, in one.

    Parameters
    ----------
    readers
        What reads the bylines of each fold, see :func:`unseen_readers`; the shipped reader where
        none is given.
    """
    return [
        example
        for one in unseen
        if one.page.gold is not None
        for example in _examples(one, one.page.gold, _reader_of(one, readers))
    ]


def _reader_of(one: UnseenPage, readers: Sequence[BylineReader]) -> BylineReader | None:
    return readers[one.fold] if readers else None


def body_view(page_id: str) -> View:
    """Return the one view in which a page teaches what bodies and regions are."""
    return TESTED_VIEWS[crc32(page_id.encode()) % len(TESTED_VIEWS)]


def _examples(one: UnseenPage, gold: Gold, reader: BylineReader | None) -> Iterator[Example]:
    """Yield what a page teaches, in one view also with a part of its body."""
    evidence, labels = evidence_of(one.labelling), one.page.labels
    teaches_body = one.view == body_view(one.page.id)
    with use_reader(reader):
        yield make_example(evidence, labels, gold, fold=one.fold, with_blocks=teaches_body)
    kind = gold.about.get("page_type", ARTICLE)
    if teaches_body and kind == ARTICLE and (short := short_article(evidence, labels, one.page.id)):
        yield make_body_example(*short, gold, fold=one.fold, weight=SHORT_WEIGHT)


def read_unseen(
    unseen: Sequence[UnseenPage],
    examples: Sequence[Example],
    readers: Sequence[BylineReader] = (),
    *,
    seed: int = 0,
) -> Iterator[tuple[UnseenPage, Reading]]:
    """Yield every page with its answer, given by trees that learnt nothing from its fold.

    Parameters
    ----------
    readers
        As of :func:`make_examples`.
    """
    for fold in sorted({one.fold for one in unseen}):
        trees = fit_trees([one for one in examples if one.fold != fold], seed=seed)
        for one in unseen:
            if one.fold == fold:
                with use_reader(_reader_of(one, readers)):
                    reading = read_labelling(with_trees(one.labelling, trees))
                yield one, reading


def answered(read: Iterable[tuple[UnseenPage, Reading]]) -> list[UnseenPage]:
    """Return pages with the labels of the answers that were given, instead of the labeller's."""
    return [replace(one, labelling=reading.labelling) for one, reading in read]


def with_trees(labelling: Labelling, trees: Mapping[str, BoostedTrees]) -> Labelling:
    """Return a labelling whose labeller has these trees; one without labeller as it is."""
    if labelling.labeller is None:
        return labelling
    return replace(labelling, labeller=replace(labelling.labeller, trees=dict(trees)))
