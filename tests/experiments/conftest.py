"""Small corpora and learners whose answers are known."""

import importlib.util
import sys

import numpy as np
import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.experiments.config import Candidate, Experiment
from structce.experiments.runner import run
from structce.features.registry import REGISTRY
from structce.labels import LabelSet
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer

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


@pytest.fixture(scope="session")
def learners():
    return dict(LEARNERS)


@pytest.fixture(scope="session")
def corpus():
    sites = ("north", "south", "east", "west", "upper", "lower")
    pages = tuple(make_page(site, number) for site in sites for number in range(3))
    return Corpus("compass", pages, LABELS)


@pytest.fixture(scope="session")
def experiment():
    return Experiment(
        question="Is <i>anything</i> better than nothing?",
        corpora=("data/compass",),
        arms=(
            Candidate("centroids", {"lambda_": (0.0, 1.0)}),
            Candidate("background"),
            Candidate("raising", {"lambda_": (1.0, 2.0)}),
        ),
        seed=7,
        families=("text", "dom"),
        min_count=1,
    )


@pytest.fixture(scope="session")
def report_of():
    """Return a function that runs an experiment without a bar and returns its report."""

    def find(experiment, corpora, learners, **options):
        return run(experiment, corpora, learners=learners, progress=False, **options).report

    return find


@pytest.fixture(scope="session")
def study_of(report_of):
    """Return a function that runs an experiment of one study and returns the study."""

    def find(experiment, corpus, learners, **options):
        (study,) = report_of(experiment, corpus, learners, **options).studies
        return study

    return find


@pytest.fixture(scope="session")
def study(experiment, corpus, learners, study_of):
    return study_of(experiment, corpus, learners)


@pytest.fixture
def load_file(tmp_path):
    """Write a file of somebody's own, and import it as a module of its name."""
    loaded = []

    def load(name, text):
        path = tmp_path / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        loaded.append(name)
        spec.loader.exec_module(module)
        return module

    yield load
    for name in loaded:
        sys.modules.pop(name, None)


@pytest.fixture
def forgets_features(monkeypatch):
    """Return a function that forgets the features which a test registered; so does the end."""
    features, aliases = dict(REGISTRY._features), dict(REGISTRY._aliases)

    def forget():
        monkeypatch.setattr(REGISTRY, "_features", dict(features))
        monkeypatch.setattr(REGISTRY, "_aliases", dict(aliases))

    forget()
    return forget
