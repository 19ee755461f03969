"""Small corpora, learners whose answers are known, files of questions, and pages of labels."""

import gc
import importlib.util
import sys
from dataclasses import replace

import numpy as np
import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.errors import LearnerError
from structce.experiments import schedule, statistics
from structce.experiments.config import Candidate, Experiment
from structce.experiments.runner import run
from structce.labels import LabelSet
from structce.learners.registry import LEARNERS as REGISTERED
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer

LETTERS = LabelSet(("A", "B", "N"), background="N")
LABELS = LabelSet(("Author", "Date", "None", "Paragraph", "Title"), background="None")
NAMES = {"h1": "Title", "address": "Author", "p": "Paragraph", "li": "None"}

GOOD = """\
# A question.
question = "Why?"
corpus = "data/sample"
splits = { train = 0.6, validation = 0.2, test = 0.2, by = "page" }
seed = 7

[features]
families = ["text", "dom"]
min_count = 2

[learner.centroids]
lambda = [0.1, 1.0]

[learner.background]
random_state = 3
"""

MINE = """
import os
import numpy as np


class Mine:
    \"\"\"Gives every region one label; some of them end their process.\"\"\"

    class Inner:
        def fit(self, X, y, *, n_labels):
            return self

        def predict(self, X):
            return [np.full(x.shape[0], 3) for x in X]

    def __init__(self, *, label=2, deadly=-1):
        self.label, self.deadly = label, deadly

    def fit(self, X, y, *, n_labels):
        if self.label == self.deadly:
            os._exit(9)
        return self

    def predict(self, X):
        return [np.full(x.shape[0], self.label) for x in X]
"""

QUICK = {"max_epochs": (1,)}


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


@pytest.fixture(autouse=True, scope="session")
def digested_code():
    """The code counts as unchanged all through the tests; digesting it anew takes its time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schedule, "code_digest", lambda *_: "the code of today")
        gc.freeze()  # statsmodels collects garbage whenever it corrects p-values
        yield
        gc.unfreeze()


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
        candidates=(
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
        loaded.append(name)
        return import_file(tmp_path, name, text)

    yield load
    for name in loaded:
        sys.modules.pop(name, None)


def import_file(folder, name, text):
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Checked:
    """Has hyper-parameters, and checks them, but learns nothing."""

    def __init__(self, *, lambda_=1.0, random_state=0):
        if lambda_ < 0:
            raise LearnerError(f"lambda_={lambda_!r}; expected 0 or more")
        if lambda_ == 5 and random_state == 5:
            raise LearnerError("not five and five")


@pytest.fixture
def checked_learners():
    """Learners that only need to have parameters."""
    return {"centroids": Checked, "background": Checked}


@pytest.fixture
def good():
    """A file that can be read with the learners of :func:`checked_learners`."""
    return GOOD


@pytest.fixture
def write(tmp_path):
    """Write a question to a file."""

    def write(text):
        path = tmp_path / "question.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def mine(load_file):
    """A file of somebody's own, imported as no package knows it."""
    return load_file("learners_of_mine", MINE)


@pytest.fixture(scope="session")
def mixed(experiment):
    """Learners of the house, learners of a file, one that raises, and a part of the features."""
    candidates = (
        Candidate("multiclass-svm", {**QUICK, "lambda_": (0.1, 1.0)}),
        Candidate("structured-svm", QUICK),
        Candidate("mine", {"label": (0, 2)}),
        Candidate("inner"),
        Candidate("raising"),
    )
    return replace(experiment, candidates=candidates, ablation=("text",), learning_curve=(0.5,))


@pytest.fixture(scope="session")
def known(learners, tmp_path_factory):
    """All learners, among them two of a file that stays the same."""
    name = "learners_of_a_file"
    module = import_file(tmp_path_factory.mktemp("learners"), name, MINE)
    yield {**REGISTERED, **learners, "mine": module.Mine, "inner": module.Mine.Inner}
    del sys.modules[name]


@pytest.fixture(scope="session")
def mixed_report(mixed, corpus, known, report_of):
    """What a single process finds, for those that run the same jobs elsewhere."""
    return report_of(mixed, corpus, known)


@pytest.fixture(scope="session")
def make_tests():
    """Return a function that makes test pages from ids, and labels in one word: ``"AN?"``.

    The site of a page is the first letter of its id; two regions each are a block.
    """

    def make(pages):
        gold = [LETTERS.encode(word) for _, word in pages]
        return statistics.TestPages(
            label_set=LETTERS,
            ids=tuple(name for name, _ in pages),
            sites=tuple(name[0] for name, _ in pages),
            gold=tuple(gold),
            blocks=tuple(np.arange(len(y), dtype=np.int32) // 2 for y in gold),
        )

    return make


@pytest.fixture(scope="session")
def pool_words(make_tests):
    """Return a function that pools predictions, in one word a page, for test pages."""

    def find(pages, words, seed=0):
        return statistics.pool(make_tests(pages), indices(words), (), seed)

    return find


@pytest.fixture(scope="session")
def indices_of():
    return indices


def indices(words):
    return [LETTERS.encode(word).tolist() for word in words]
