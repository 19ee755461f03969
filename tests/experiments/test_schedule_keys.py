"""What a finished job depends on: with any of it changed, it is done again."""

from dataclasses import replace

import numpy as np
import pytest

from structce.corpus.corpus import Corpus
from structce.experiments import schedule
from structce.experiments.config import Candidate, Splits
from structce.labels import UNKNOWN, LabelSet


@pytest.fixture(scope="module")
def simple(experiment):
    """One job that tests, for which nothing is tuned."""
    return replace(experiment, candidates=(Candidate("counting"),), families=("dom",))


@pytest.fixture(scope="module")
def counting(learners):
    """A learner that notes its fits."""
    seen = []

    class Counting(learners["background"]):
        def fit(self, X, y, *, n_labels):
            seen.append(len(X))
            return super().fit(X, y, n_labels=n_labels)

    Counting.seen = seen
    return Counting


@pytest.fixture(scope="module")
def n_fits_of(simple, corpus, counting, study_of, tmp_path_factory):
    """Return a function that counts the fits of a question after the simple one was asked."""
    store = tmp_path_factory.mktemp("jobs")

    def count(experiment, corpus):
        counting.seen.clear()
        study_of(experiment, corpus, {"counting": counting}, cache=store)
        return len(counting.seen)

    assert count(simple, corpus) == 1
    return count


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 8},
        {"families": ("text",)},
        {"families": ("dom", "text")},
        {"exclude": ("dom.tag",)},
        {"min_count": 2},
        {"min_pages": 2},
        {"measure": "accuracy"},
        {"candidates": (Candidate("counting", {"lambda_": (0.5,)}),)},
        {"splits": Splits(by=("page",))},
        {"splits": Splits(fractions=(0.34, 0.33, 0.33))},
    ],
    ids=lambda changes: "-".join(changes),
)
def test_what_is_asked_otherwise_is_done(simple, corpus, n_fits_of, changes):
    assert n_fits_of(replace(simple, **changes), corpus) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"question": "Is it so?"},
        {"corpora": ("elsewhere/compass",)},
        {"candidates": (Candidate("counting", name="another name"),)},
        {"splits": Splits(by=("family",))},
    ],
    ids=lambda changes: "-".join(changes),
)
def test_jobs_do_not_depend_on_names(simple, corpus, n_fits_of, changes):
    assert n_fits_of(replace(simple, **changes), corpus) == 0


def test_more_questions_of_the_same_jobs_add_what_is_new(simple, corpus, n_fits_of):
    more = replace(simple, families=("dom", "style"))
    assert n_fits_of(more, corpus) == 1
    assert n_fits_of(replace(more, ablation=("dom",)), corpus) == 2
    assert n_fits_of(replace(more, learning_curve=(0.5,)), corpus) == 1
    assert n_fits_of(replace(more, ablation=("dom",), learning_curve=(0.25, 0.5)), corpus) == 1


def changed(corpus, place, **changes):
    """Return the corpus, one of its pages changed."""
    pages = [replace(page, **changes) if i == place else page for i, page in enumerate(corpus)]
    return replace(corpus, pages=tuple(pages))


def test_jobs_depend_on_each_label_of_the_corpus(simple, corpus, n_fits_of):
    for place in range(0, len(corpus), 6):
        labels = (UNKNOWN, *corpus.pages[place].labels[1:])
        assert n_fits_of(simple, changed(corpus, place, labels=labels)) == 1


def test_jobs_depend_on_how_pages_were_rendered(simple, corpus, n_fits_of):
    page = corpus.pages[0].page
    for name in ("digest", "browser", "settings"):
        provenance = replace(page.provenance, **{name: "another"})
        other = changed(corpus, 0, page=replace(page, provenance=provenance))
        assert n_fits_of(simple, other) == 1


def test_jobs_depend_on_the_code(simple, corpus, n_fits_of, monkeypatch):
    monkeypatch.setattr(schedule, "code_digest", lambda *_: "the code of tomorrow")
    assert n_fits_of(simple, corpus) == 1


def test_jobs_depend_on_the_label_set(simple, corpus, n_fits_of):
    names = corpus.label_set.names
    for other in (LabelSet(names[::-1], "None"), LabelSet(names, "Date")):
        assert n_fits_of(simple, Corpus(corpus.name, corpus.pages, other)) == 1


def test_jobs_depend_on_what_a_style_sheet_changes(simple, corpus, n_fits_of):
    first, *others = corpus.pages
    boxes = np.zeros_like(first.page.boxes)
    moved = replace(first, page=replace(first.page, boxes=boxes))
    changed = Corpus(corpus.name, (moved, *others), corpus.label_set)
    assert changed.digest == corpus.digest
    assert n_fits_of(simple, changed) == 1


LEARNER = """
import numpy as np

class Mine:
    def fit(self, X, y, *, n_labels):
        fitted.append(1)
        return self

    def predict(self, X):
        return [np.full(x.shape[0], {label}) for x in X]

fitted = []
"""


def test_jobs_depend_on_the_file_of_their_learner(
    experiment, corpus, study_of, load_file, tmp_path
):
    chosen = replace(experiment, candidates=(Candidate("mine"),), families=("dom",))
    runs = []
    for label in (2, 2, 3):
        module = load_file("my_learner", LEARNER.format(label=label))
        study = study_of(chosen, corpus, {"mine": module.Mine}, cache=tmp_path / "jobs")
        runs.append((len(module.fitted), study.candidate("mine").row.scores.accuracy))
    # Two of six regions are None, and two are paragraphs.
    third = pytest.approx(1 / 3)
    assert runs == [(1, third), (0, third), (1, third)]


CUES = """
from structce.features import feature

@feature("dom", name="zz-{name}")
def cue(page):
    '''Nothing of use.'''
    return [{value} for text in page.text]
"""


def test_jobs_depend_on_the_file_of_a_feature(simple, corpus, n_fits_of, load_file, own_features):
    for n_fits, value in ((1, "True"), (0, "True"), (1, "len(text) > 3")):
        own_features()
        load_file("my_cues", CUES.format(name="cue", value=value))
        assert n_fits_of(simple, corpus) == n_fits
