"""Small corpora and learners whose answers are known."""

from dataclasses import replace

import numpy as np
import pytest

from structce.corpus import Corpus, LabelledPage
from structce.experiments import Experiment, Grid, run
from structce.labels import LabelSet
from structce.rendering import Document, StaticRenderer

LABELS = LabelSet(("Author", "Date", "None", "Paragraph", "Title"), background="None")
NAMES = {"h1": "Title", "address": "Author", "p": "Paragraph", "li": "None"}


def make_page(site, number):
    words = f"{site} reports story {number} today"
    html = (
        f"<title>{words}</title><body><ul><li>Home<li>Sport</ul><h1>{words}</h1>"
        f"<address>By Jo {site.title()}</address><p>First {words}.<p>More of it.</body>"
    )
    page = StaticRenderer().render(Document(html, url=f"https://{site}.example/{number}"))
    labels = tuple(NAMES[tag] for tag in page.tag)
    return LabelledPage(f"{site}-{number}", site, site, page, labels)


class Centroids:
    """Gives each region the label whose mean row is nearest; with ``lambda_`` 0 always None."""

    def __init__(self, *, lambda_=1.0, random_state=0):
        self.lambda_ = lambda_
        self.random_state = random_state

    def fit(self, X, y, *, n_labels):
        rows, labels = np.vstack([x.toarray() for x in X]), np.concatenate(y)
        self.centroids_ = np.full((n_labels, rows.shape[1]), np.inf)
        for label in np.unique(labels):
            self.centroids_[label] = rows[labels == label].mean(axis=0)
        self.gap_, self.n_epochs_, self.objective_ = 0.001, 3, float("nan")
        return self

    def predict(self, X):
        if self.lambda_ == 0:
            return [np.full(x.shape[0], LABELS.index("None")) for x in X]
        return [self._nearest(x.toarray()) for x in X]

    def _nearest(self, rows):
        distances = ((rows[:, None, :] - self.centroids_[None]) ** 2).sum(axis=2)
        return distances.argmin(axis=1)


class Background(Centroids):
    """Gives every region the background."""

    def predict(self, X):
        return [np.full(x.shape[0], LABELS.index("None")) for x in X]


class Raising(Background):
    """Cannot be fitted."""

    def fit(self, X, y, *, n_labels):
        raise ArithmeticError("<b>no</b> minimum")


LEARNERS = {"centroids": Centroids, "background": Background, "raising": Raising}


@pytest.fixture
def learners():
    return dict(LEARNERS)


@pytest.fixture(scope="session")
def corpus():
    sites = ("north", "south", "east", "west", "upper", "lower")
    pages = tuple(make_page(site, number) for site in sites for number in range(3))
    return Corpus("compass", pages, LABELS)


@pytest.fixture
def experiment():
    return Experiment(
        question="Is <i>anything</i> better than nothing?",
        corpus="data/compass",
        learners=(
            Grid("centroids", {"lambda_": (0.0, 1.0)}),
            Grid("background", {}),
            Grid("raising", {"lambda_": (1.0, 2.0)}),
        ),
        seed=7,
        families=("text", "dom"),
        min_count=1,
    )


@pytest.fixture
def ablated(experiment):
    return replace(experiment, ablation=("text", "dom"))


@pytest.fixture
def result(ablated, corpus, learners):
    return run(ablated, corpus, learners=learners, progress=False)


@pytest.fixture
def picky(learners):
    """Fails where it gets few columns, as with the family dom alone."""

    class Picky(learners["centroids"]):
        def fit(self, X, y, *, n_labels):
            if X[0].shape[1] < self.lambda_:
                raise ArithmeticError("<b>too</b> few columns")
            return super().fit(X, y, n_labels=n_labels)

    return Picky
