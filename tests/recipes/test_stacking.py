"""Stacking: no page is read by trees that learnt anything from its fold."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from structce.article import Example
from structce.article.candidates import TITLE_COLUMNS
from structce.corpus.corpus import Corpus
from structce.features.feature_set import FeatureSet
from structce.gold import Gold
from structce.labelling import ArticleTrees, RegionLabeller
from structce.learners import LEARNERS
from structce.recipes import stacking
from structce.recipes.cross_validation import UnseenPage
from structce.recipes.stacking import (
    answered,
    make_examples,
    read_unseen,
    trees_without,
)


@dataclass(eq=False)
class Fixed:
    """Trees that always say the same."""

    answer: float
    names: tuple[str, ...] = TITLE_COLUMNS

    @property
    def columns(self) -> np.ndarray:
        return np.arange(len(self.names))

    def probability(self, rows: np.ndarray) -> np.ndarray:
        return np.full(len(rows), self.answer)


@pytest.fixture(scope="module")
def unseen(make_corpus: Callable[..., Corpus]) -> list[UnseenPage]:
    corpus = make_corpus(6)
    learner = LEARNERS["multiclass-svm"](max_epochs=2, tol=0.5)
    labeller = RegionLabeller(FeatureSet(["dom"]), learner).fit(corpus)
    pages = []
    for n, labelled in enumerate(corpus):
        page = replace(labelled, gold=Gold(title=labelled.page.text[3]) if n != 5 else None)
        labelling = labeller.label(labelled.page)
        pages += [UnseenPage(n % 3, view, page, labelling) for view in ("stated", "bare")]
    return pages


def test_pages_teach_in_their_fold_and_views(
    unseen: list[UnseenPage],
) -> None:
    examples = make_examples(unseen)
    assert [example.fold for example in examples] == [
        labelled.fold for labelled in unseen if labelled.page.gold
    ]
    assert len(examples) == 10


def test_each_page_is_read_once_by_trees_of_other_folds(
    unseen: list[UnseenPage], monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted: list[set[int]] = []

    def fit(examples: Sequence[Example], *, seed: int) -> ArticleTrees:
        assert seed == 5
        fitted.append({example.fold for example in examples})
        return ArticleTrees({"title": Fixed(0.1 + 0.1 * len(fitted))})  # type: ignore[dict-item]

    monkeypatch.setattr(stacking, "fit_trees", fit)
    trees = trees_without(make_examples(unseen), seed=5)
    read = list(read_unseen(unseen, trees))
    assert fitted == [{1, 2}, {0, 2}, {0, 1}]
    assert sorted(id(labelled) for labelled, _ in read) == sorted(map(id, unseen))
    for labelled, reading in read:
        title = reading.article.title
        assert reading.article.url == labelled.page.page.url
        assert title is not None
        assert title.confidence == pytest.approx(0.1 + 0.1 * (labelled.fold + 1))
    for (labelled, reading), answer in zip(read, answered(read), strict=True):
        assert (answer.page, answer.view) == (labelled.page, labelled.view)
        assert answer.labelling is reading.labelling
        assert answer.labelling.labels.count("Title") == 1
