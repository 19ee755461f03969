"""Training by a recipe: from data sets to a model that is measured on unseen sites.

Trees that choose values and body must learn from label probabilities of unseen sites; those of a
model's own training pages are more confident (Wolpert 1992, Stacked generalization, Neural Networks
5(2)). The same folds give articles of unseen sites: the pages of each fold are read by trees and by
a byline reader fitted to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from zlib import crc32

import numpy as np
from msgspec import structs

from structce.article import (
    Evidence,
    Example,
    Favour,
    Reading,
    evidence_of,
    fit_trees,
    make_body_example,
    make_example,
    read_labelling,
)
from structce.bylines import BylineReader, use_reader
from structce.corpus import Corpus, LabelledPage, keep_regions
from structce.gold import Gold
from structce.labelling import ArticleTrees, RegionLabeller, corpus_card
from structce.labels import allowed_names
from structce.recipes.bylines import readers_without
from structce.recipes.cross_validation import (
    UnseenPage,
    body_view,
    draw_views,
    fit_views,
    label_unseen,
    measure_unseen,
)
from structce.recipes.ingredients import Log, collect_copies, collect_corpus
from structce.recipes.recipe import Recipe
from structce.rendering import Renderer

ARTICLE = "article"
"""Page type of articles in gold; data sets of articles alone may omit it."""

SHORT_WEIGHT = 0.5
"""Weight of a short article. On news of 2011 and 2012 in Russian, Polish and Greek, which no model
learns from, the F1 of words is .853, .924 and .931 without short articles, and .866, .939 and .938
with a weight of 0.3; the higher the weight, the more listings lose (.02 of .77 at 0.3)."""

_BODY = frozenset({"Paragraph", "Subtitle", "Caption"})
_LONG_BLOCK = 80  # characters of a block that counts as a paragraph
_LEAST_BLOCKS = 4  # paragraphs of an article that may be cut
_MOST_KEPT = 3  # paragraphs of a short article


def fit_model(
    corpus: Corpus, recipe: Recipe, unseen: Sequence[UnseenPage], examples: Sequence[Example],
    copies: Corpus | None = None, *, say: Log = lambda line: None,
) -> RegionLabeller:  # fmt: skip
    """Return the model of a recipe: a labeller fitted to all pages, and trees above it.

    Unseen pages, labelled by :func:`label_unseen`, give the calibration of the labeller, and the
    examples, by :func:`make_examples`; without any, the model has no trees.
    """
    say("training the labeller on all pages")
    labeller = fit_views(draw_views(corpus, recipe, copies), recipe)
    if not unseen:
        return labeller
    if (like := unseen[0].labelling.labeller) is not None:
        labeller.learner.take_calibration(like.learner)
        labeller.card["calibrated"] = recipe.calibration is not None
    say("fitting the trees that choose values, body and roles")
    return replace(labeller, trees=fit_trees(examples, seed=recipe.seed))


def follow_recipe(
    recipe: Recipe, data: Path, corpora: Path, start: Callable[[], Renderer], *,
    is_measured: bool = True, say: Log = lambda line: None,
) -> RegionLabeller:  # fmt: skip
    """Return the model of a recipe, with its card, from a folder of data sets.

    For ``data``, ``corpora`` and ``start`` see
    :func:`structce.recipes.ingredients.collect_corpus`. Unless it ``is_measured``, by
    cross-validation, which takes ``recipe.folds`` times as long again, the model has neither scores
    nor trees, which are fitted to the result. Raises CorpusError if the corpus cannot be collected,
    or has fewer groups of sites than folds.
    """
    corpus = collect_corpus(recipe, data, corpora, start, say=say)
    say(f"{len(corpus)} pages of {len(corpus.sites)} sites")
    copies = collect_copies(recipe, data, corpora, start, corpus, say=say)
    unseen = label_unseen(corpus, recipe, copies, say=say) if is_measured else []
    readers = unseen_readers(unseen, say=say)
    examples = make_examples(unseen, readers)
    say("answers for pages of unseen sites")
    trees = trees_without(examples, seed=recipe.seed)
    answers = answered(read_unseen(unseen, trees, readers))
    scores = measure_unseen(answers, corpus.label_set, seed=recipe.seed)
    labeller = fit_model(corpus, recipe, unseen, examples, copies, say=say)
    labeller.card |= card_of(corpus, recipe, scores)
    return labeller


def card_of(
    corpus: Corpus, recipe: Recipe, scores: Mapping[str, Mapping[str, float]]
) -> dict[str, object]:
    """Return the entries of a model's card on data, views and scores, as plain JSON values."""
    shares = ", ".join(f"{view} {share:g}" for view, share in recipe.views.shares.items())
    how = (
        f"Scores are the F1 of labels over {recipe.folds} folds, each tested by a model of the "
        "other folds that saw no site, copy, template or publisher of it: pages as they are "
        "(stated) and without metadata (bare). From and to are the ends of an interval of 95 % "
        "over sites; rows of languages and page types are means over labels without background."
    )
    views = f"Each page was trained on in {recipe.views.per_page} of the views {shares}"
    views += ", and so was a perturbed copy of it." if recipe.perturbed else "."
    return {
        "recipe": recipe.name,
        **corpus_card(corpus),
        "groups": len({page.family for page in corpus}),
        "views": recipe.views.shares,
        "data": [{"name": each.name, "sha256": each.sha256} for each in recipe.data],
        "scores": dict(scores),
        "model_licence": recipe.model_licence,
        "notes": " ".join(part for part in (recipe.notes, views, how if scores else "") if part),
    }


def unseen_readers(
    unseen: Iterable[UnseenPage], *, say: Log = lambda line: None
) -> list[BylineReader]:
    """Return for each fold, in order, a byline reader that was not fitted to its pages."""
    folds: dict[int, dict[str, LabelledPage]] = {}
    for page in unseen:
        folds.setdefault(page.fold, {})[page.page.id] = page.page
    return readers_without([folds[fold].values() for fold in sorted(folds)], say=say)


def make_examples(
    unseen: Iterable[UnseenPage], readers: Sequence[BylineReader] = ()
) -> list[Example]:
    """Return pages with gold as examples of values, in all views, and of bodies, in one view.

    Without a byline reader for each fold (see :func:`unseen_readers`), the shipped one is used.
    """
    return [
        example
        for page in unseen
        if page.page.gold is not None
        for example in _examples(page, page.page.gold, readers)
    ]


def _use_reader(
    page: UnseenPage, readers: Sequence[BylineReader]
) -> AbstractContextManager[object]:
    """Use the byline reader of the page's fold; the shipped one without any."""
    return use_reader(readers[page.fold] if readers else None)


def _examples(page: UnseenPage, gold: Gold, readers: Sequence[BylineReader]) -> Iterator[Example]:
    """Yield a page as an example, in one view also with only a part of its body."""
    evidence, labels = evidence_of(page.labelling), page.page.labels
    teaches_body = page.view == body_view(page.page.id)
    with _use_reader(page, readers):
        yield make_example(evidence, labels, gold, fold=page.fold, with_blocks=teaches_body)
    is_article = gold.about.get("page_type", ARTICLE) == ARTICLE and not page.is_copy
    if teaches_body and is_article and (short := short_article(evidence, labels, page.page.id)):
        yield make_body_example(*short, gold, fold=page.fold, weight=SHORT_WEIGHT)


def short_article(
    evidence: Evidence, labels: Sequence[str], name: str
) -> tuple[Evidence, list[str]] | None:
    """Return a page with the first paragraphs of its body only, and its labels; None if too short.

    On a news page, a report of a hundred words may be surrounded by teasers that are longer. Few
    pages with gold are of this kind, and trees that have seen none take the teasers for the
    article. The name of the page determines how many paragraphs are kept, one to three.
    """
    sets = [allowed_names(label) for label in labels]
    is_body = np.array([not names.isdisjoint(_BODY) for names in sets], dtype=bool)
    is_known = np.array([bool(names) for names in sets], dtype=bool)
    chars = np.add.reduceat(evidence.chars * is_body, evidence.block_starts)
    paragraphs = np.flatnonzero(chars >= _LONG_BLOCK)
    if len(paragraphs) < _LEAST_BLOCKS:
        return None
    n_kept = 1 + crc32(name.encode()) % _MOST_KEPT
    blocks = evidence.page.blocks
    is_inside = (blocks > paragraphs[n_kept - 1]) & (blocks <= paragraphs[-1])
    kept = ~(is_inside & (is_body | ~is_known))
    page = keep_regions(evidence.page, kept)
    left = [label for label, is_kept in zip(labels, kept.tolist(), strict=True) if is_kept]
    return Evidence(page, evidence.marginals[kept], evidence.labels), left


def trees_without(examples: Sequence[Example], *, seed: int = 0) -> list[ArticleTrees]:
    """Return for each fold, in order, trees that were not fitted to its pages."""
    folds = range(max((example.fold for example in examples), default=-1) + 1)
    return [
        fit_trees([example for example in examples if example.fold != fold], seed=seed)
        for fold in folds
    ]


def read_unseen(
    unseen: Iterable[UnseenPage], trees: Sequence[ArticleTrees],
    readers: Sequence[BylineReader] = (), *, favour: Favour = "balance",
) -> Iterator[tuple[UnseenPage, Reading]]:  # fmt: skip
    """Yield each page, except the copies, with its article, read by the trees of its fold."""
    for page in unseen:
        if not page.is_copy:
            labelling = page.labelling
            if labelling.labeller is not None:
                labeller = replace(labelling.labeller, trees=trees[page.fold])
                labelling = structs.replace(labelling, labeller=labeller)
            with _use_reader(page, readers):
                reading = read_labelling(labelling, favour=favour)
            yield page, reading


def answered(read: Iterable[tuple[UnseenPage, Reading]]) -> list[UnseenPage]:
    """Return the pages with the labels of their readings instead of the labeller's."""
    return [replace(page, labelling=reading.labelling) for page, reading in read]
