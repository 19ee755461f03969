"""Stacking: pages read by trees of other folds, and short articles to learn from."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from structce.article import Evidence
from structce.article.titles import TITLE_COLUMNS
from structce.features.feature_set import FeatureSet
from structce.gold import Gold
from structce.labelling import ArticleTrees, RegionLabeller
from structce.learners import LEARNERS
from structce.recipes import training
from structce.recipes.cross_validation import UnseenPage
from structce.recipes.training import (
    answered,
    make_examples,
    read_unseen,
    short_article,
    trees_without,
)


@dataclass(eq=False)
class Fixed:
    """Trees that always say the same."""

    answer: float
    names: tuple[str, ...] = TITLE_COLUMNS

    @property
    def columns(self):
        return np.arange(len(self.names))

    def probability(self, rows):
        return np.full(len(rows), self.answer)


@pytest.fixture(scope="module")
def unseen(make_corpus):
    corpus = make_corpus(6)
    learner = LEARNERS["multiclass-svm"](max_epochs=2, tol=0.5)
    labeller = RegionLabeller(FeatureSet(["dom"]), learner).fit(corpus)
    pages = []
    for n, labelled in enumerate(corpus):
        page = replace(labelled, gold=Gold(title=labelled.page.text[3]) if n != 5 else None)
        labelling = labeller.label(labelled.page)
        pages += [UnseenPage(n % 3, view, page, labelling) for view in ("stated", "bare")]
    return pages


def test_pages_teach_in_their_fold_and_views(unseen):
    examples = make_examples(unseen)
    folds = [labelled.fold for labelled in unseen if labelled.page.gold]
    assert [example.fold for example in examples] == folds
    assert len(examples) == 10


def test_each_page_is_read_once_by_trees_of_other_folds(unseen, monkeypatch):
    fitted = []

    def fit(examples, *, seed):
        assert seed == 5
        fitted.append({example.fold for example in examples})
        return ArticleTrees({"title": Fixed(0.1 + 0.1 * len(fitted))})

    monkeypatch.setattr(training, "fit_trees", fit)
    trees = trees_without(make_examples(unseen), seed=5)
    read = list(read_unseen(unseen, trees))
    assert fitted == [{1, 2}, {0, 2}, {0, 1}]
    assert sorted(id(labelled) for labelled, _ in read) == sorted(map(id, unseen))
    for labelled, reading in read:
        title = reading.article.title
        assert reading.article.url == labelled.page.page.url
        assert title.confidence == pytest.approx(0.1 + 0.1 * (labelled.fold + 1))
    for (labelled, reading), answer in zip(read, answered(read), strict=True):
        assert (answer.page, answer.view) == (labelled.page, labelled.view)
        assert answer.labelling is reading.labelling
        assert answer.labelling.labels.count("Title") == 1


TEXT = "The river rose in the night, and by the morning it stood in the fields of the town."
HTML = (
    "<title>Flood</title><h1>Flood</h1><div>"
    + "".join(f"<p>{n} {TEXT}</p>" for n in range(3))
    + f"<p>Read more</p><figure>A boat</figure><p>3 {TEXT}</p><p>4 {TEXT}</p></div>"
    + f"<p>Teaser {TEXT}</p>"
)
LABELS = ["Title", *["Paragraph"] * 3, "None", "Caption|None", *["Paragraph"] * 2, "None"]


@pytest.fixture
def evidence(make_page):
    page = make_page(HTML)
    assert len(page) == len(LABELS)
    marginals = np.arange(2.0 * len(page)).reshape(-1, 2)
    return Evidence(page, marginals, ("None", "Paragraph"))


@pytest.mark.parametrize("name", ["a", "b", "c", "d", "e"])
def test_short_article_keeps_one_to_three_paragraphs(name, evidence):
    cut, labels = short_article(evidence, LABELS, name)
    n_kept = labels.count("Paragraph")
    assert 1 <= n_kept <= 3
    paragraphs = [f"{n} {TEXT}" for n in range(n_kept)]
    assert list(cut.page.text) == ["Flood", *paragraphs, "Read more", f"Teaser {TEXT}"]
    places = [evidence.page.text.index(text) for text in cut.page.text]
    assert cut.marginals.tolist() == evidence.marginals[places].tolist()
    assert short_article(evidence, LABELS, name)[1] == labels
    assert {cut.page.elements.tag[i] for i in cut.page.element} == {"h1", "p"}
    assert cut.page.elements.tag.count("p") == n_kept + 2
