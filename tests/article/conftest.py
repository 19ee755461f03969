"""Evidence that tests make up by hand, and trees fitted once to small pages."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from structce.article import evidence_of, fitting
from structce.article.evidence import Evidence
from structce.article.fitting import SETTINGS, fit_trees, make_example
from structce.corpus.views import hide_metadata
from structce.features.feature_set import FeatureSet
from structce.gold import Gold
from structce.labelling import Labelling, RegionLabeller
from structce.labels import NEWS
from structce.learners import LEARNERS

N_PAGES = 24

LISTING = """<html lang=en><head><title>Latest | The Harbour Post</title></head><body>
<nav><a href=/>Home</a></nav><h1>Latest {n}</h1><ul>{items}</ul><p>Page {n} of ninety, updated
every morning by the night desk.</p></body></html>"""


def see(page, labels=(), sure=()):
    """Return evidence of a page whose regions have these labels, this surely."""
    names = tuple(labels) or ("None",) * len(page)
    confidence = np.array(sure or [1.0] * len(page))
    return evidence_of(Labelling(page, names, confidence, NEWS))


@pytest.fixture(name="see", scope="session")
def see_fixture():
    return see


def unsure(page, labels, noise, seed):
    """Return evidence of a labeller that is wrong here and there."""
    rng = np.random.default_rng(seed)
    scores = rng.gumbel(size=(len(page), len(NEWS))) * noise
    scores[np.arange(len(page)), NEWS.encode(labels)] += 2.0
    odds = np.exp(2 * scores)
    return Evidence(page, odds / odds.sum(axis=1, keepdims=True), NEWS.names)


def _gold(example, n):
    page = example.page
    of_label = [pair for pair in zip(example.labels, page.text, strict=True) if pair[1]]
    body = tuple((kind, text) for kind, text in of_label if kind in ("Paragraph", "Subtitle"))
    values = dict(of_label)
    title = values["Title"] if n % 3 else "A headline that stands nowhere"
    day = date(2026, 3, 1 + n % 28) if n % 3 else date(1999, 1, 1)
    about = {"about": {"page_type": "article"}, "covers": frozenset(NEWS.names)}
    return Gold(title, (values["Author"],), day, body, **about)


def _listing(n, make_page):
    items = "".join(f"<li><a href=/{k}>Story {n} of {k} boats</a></li>" for k in range(6 + n % 5))
    url = f"https://site{n}.example/news/"
    page = make_page(LISTING.format(n=n, items=items), url=url)
    start = "Page" if n % 4 > 1 else "Story"  # annotators who do not agree
    labels = tuple("Paragraph" if text.startswith(start) else "None" for text in page.text)
    text = " ".join(text for text in page.text if text.startswith(start))
    return page, labels, Gold(body=(("Paragraph", text),), about={"page_type": "listing"})


def _swapped(labels):
    return tuple("Paragraph" if label == "None" else "None" for label in labels)


@pytest.fixture(scope="session")
def examples(make_corpus, make_page):
    """What articles and listings teach, half of them without metadata, in two folds."""
    examples = []
    for n, example in enumerate(make_corpus(N_PAGES)):
        page = hide_metadata(example.page, "bare") if n % 4 > 1 else example.page
        evidence = unsure(page, example.labels, 1.0 + n % 3, n)
        examples.append(make_example(evidence, example.labels, _gold(example, n), fold=n % 2))
        listing, labels, gold = _listing(n, make_page)
        seen = _swapped(labels) if n % 6 == 1 else labels  # a labeller sees the contrary
        examples.append(make_example(unsure(listing, seen, 0.3, n), labels, gold, fold=n % 2))
    return examples


@pytest.fixture(scope="session")
def trees(examples):
    """Trees of all kinds, fewer than a model has."""
    with pytest.MonkeyPatch.context() as patch:
        few(patch)
        return fit_trees(examples, seed=1)


def few(patch):
    """Let ensembles be of few, coarse trees, which take as many paths through the code."""
    few_and_coarse = {"n_trees": 8, "learning_rate": 0.5, "min_leaf": 5, "max_bins": 16}
    settings = {name: {**of_trees, **few_and_coarse} for name, of_trees in SETTINGS.items()}
    patch.setattr(fitting, "SETTINGS", settings)


@pytest.fixture
def few_trees(monkeypatch):
    few(monkeypatch)


@pytest.fixture(scope="session")
def labeller(make_corpus, trees):
    """A labeller of small articles, with trees."""
    learner = LEARNERS["structured-svm"](max_epochs=10, tol=0.1)
    fitted = RegionLabeller(FeatureSet(["text", "dom"]), learner).fit(make_corpus(6))
    return replace(fitted, trees=trees)
