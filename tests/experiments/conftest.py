"""Small corpora and packages, learners whose answers are known, and files of experiments."""

import importlib.util
import sys

import msgspec
import numpy as np
import pytest
from package_files import write_package

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.errors import ExtractionError, LearnerError
from structce.experiments import extractors as extractor_jobs
from structce.experiments import learners as learner_jobs
from structce.experiments.config import (
    Candidate,
    Experiment,
    ExtractionExperiment,
    Features,
    PackageSource,
)
from structce.experiments.runner import run
from structce.extraction import EXTRACTORS, Method
from structce.extraction.registry import MethodRegistry
from structce.labels import LabelSet
from structce.learners.registry import LEARNERS as REGISTERED
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer

LABELS = LabelSet(("Author", "Date", "None", "Paragraph", "Title"), background="None")
NAMES = {"h1": "Title", "address": "Author", "p": "Paragraph", "li": "None"}
STORY = "The ferry to the island will stop in June because a bridge takes its place."
MENU = "".join(f"<li><a href=/{word}>{word}</a></li>" for word in ("News", "Sport", "Weather"))

MINE = """
import os
import numpy as np


class Mine:
    def __init__(self, *, label=2, deadly=-1):
        self.label, self.deadly = label, deadly

    def fit(self, X, y, *, classes):
        if self.label == self.deadly:
            os._exit(9)
        return self

    def predict(self, X):
        return [np.full(x.shape[0], self.label) for x in X]
"""


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
        if lambda_ < 0:
            raise LearnerError(f"lambda_={lambda_!r}; expected 0 or more")
        if lambda_ == 5 and random_state == 5:
            raise LearnerError("not five and five")

    def fit(self, X, y, *, classes):
        rows, labels = np.vstack([x.toarray() for x in X]), np.concatenate(y)
        self.centroids_ = np.full((len(classes), rows.shape[1]), np.inf)
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

    def fit(self, X, y, *, classes):
        raise ArithmeticError("<b>no</b> minimum")


LEARNERS = {"centroids": Centroids, "background": Background, "raising": Raising}


@pytest.fixture(autouse=True, scope="session")
def digested_code():
    """Do not digest the code in each test, which takes longer than the test."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (learner_jobs, extractor_jobs):
            patch.setattr(module, "code_digest", lambda *_: "the code of today")
        yield


@pytest.fixture(scope="session")
def learners():
    return dict(LEARNERS)


@pytest.fixture(scope="session")
def known():
    return {**REGISTERED, **LEARNERS}


@pytest.fixture(scope="session")
def corpus():
    sites = ("north", "south", "east", "west", "upper", "lower")
    pages = tuple(make_page(site, number) for site in sites for number in range(3))
    return Corpus("compass", pages, LABELS)


def with_candidates(experiment, *candidates, **changes):
    """Return an experiment with other candidates: names, or a name with values."""
    named = {}
    for given in candidates:
        name, values = (given, {}) if isinstance(given, str) else given
        named[name] = Candidate(name, name, values)
    return msgspec.structs.replace(experiment, learner=named, **changes)


@pytest.fixture(scope="session")
def choose():
    return with_candidates


@pytest.fixture(scope="session")
def experiment():
    plain = Experiment(
        question="Is <i>anything</i> better than nothing?",
        corpus=("data/compass",),
        seed=7,
        features=Features(families=("text", "dom"), min_count=1),
        learner={"background": Candidate("background", "background")},
    )
    failing = ("raising", {"lambda_": (1.0, 2.0)})
    return with_candidates(plain, ("centroids", {"lambda_": (0.0, 1.0)}), "background", failing)


@pytest.fixture(scope="session")
def run_quietly():
    """Return a function that runs an experiment without a bar."""

    def find(experiment, corpora=None, learners=LEARNERS, **options):
        return run(experiment, corpora, learners=learners, progress=False, **options)

    return find


@pytest.fixture(scope="session")
def report(experiment, corpus, run_quietly):
    return run_quietly(experiment, corpus)


@pytest.fixture(scope="session")
def rich_report(experiment, corpus, run_quietly, known):
    """Two studies of two learners with everything that a report may have."""
    svm = {"max_epochs": (2,), "lambda_": (0.1, 1.0)}
    features = Features(families=("text", "dom"), min_count=1, ablation=True)
    changes = {"features": features, "learning_curve": (0.5,), "question": "What differs?"}
    changes["splits"] = msgspec.structs.replace(experiment.splits, by=("site", "page"))
    asked = with_candidates(experiment, ("multiclass-svm", svm), "background", **changes)
    return run_quietly(asked, corpus, known)


@pytest.fixture
def mine(tmp_path):
    """A file of a user's learner, imported as a module that no other process knows."""
    name = "learners_of_mine"
    yield import_file(tmp_path, name, MINE)
    sys.modules.pop(name, None)


def import_file(folder, name, text):
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def data(tmp_path):
    """A folder with the test packages ``alpha``, of two sites in two languages, and ``beta``."""
    pages = {}
    for n in range(4):
        text = f"{STORY} It is day {n}."
        html = f"<title>Day {n}</title><ul>{MENU}</ul><p>{text}</p>"
        facts = f"url: https://site{n % 2}.example/{n}\nlanguage: {('de', 'en')[n % 2]}\n"
        pages[f"page-{n}"] = (html, f"{text}\n", facts)
    for name, n_pages in (("alpha", 4), ("beta", 3)):
        write_package(tmp_path / "data" / name, dict(list(pages.items())[:n_pages]))
    return tmp_path / "data"


@pytest.fixture
def extraction(data):
    """Plain and two heuristics on both packages."""
    names = ("plain", "bte", "link-quota-50")
    sources = {name: PackageSource(name, "gottron", name) for name in ("alpha", "beta")}
    asked = {"package": sources, "method": {name: Method(name, name) for name in names}}
    return ExtractionExperiment(question="Which?", data=str(data), reference="bte", **asked)


@pytest.fixture
def extractors(monkeypatch):
    """The registry of extractors; what a test registers is gone after it."""
    copy = MethodRegistry("extractor", ExtractionError, EXTRACTORS)
    for module in ("extraction.registry", "extraction.measurement", "experiments.config"):
        monkeypatch.setattr(f"structce.{module}.EXTRACTORS", copy)
    monkeypatch.setattr("structce.extraction.extractor", copy.register)
    return copy


@pytest.fixture
def write(tmp_path):
    """Return a function that writes an experiment to a file."""

    def write_text(text):
        path = tmp_path / "question.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write_text
