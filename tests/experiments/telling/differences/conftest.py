"""Reports of few numbers, to be compared."""

from dataclasses import replace

import numpy as np
import pytest

from structce.evaluation.metrics import SegmentScores, score_confusion
from structce.experiments.config import Candidate, Experiment
from structce.experiments.results import (
    CandidateResult,
    CorpusRecord,
    LearnerResult,
    PartRecord,
    Report,
    SplitRecord,
    Study,
)
from structce.labels import LabelSet

LABELS = LabelSet(("Author", "None", "Title"), background="None")
GOOD, BAD = [[0, 0, 0], [0, 8, 0], [0, 0, 2]], [[0, 0, 0], [0, 8, 0], [0, 2, 0]]
PAGES = tuple(f"{site}-{number}" for site in "abcde" for number in range(2))


@pytest.fixture(scope="session")
def pages():
    """The test pages: two of each of five sites."""
    return PAGES


@pytest.fixture(scope="session")
def bad():
    """A confusion matrix without any Title found; that of an arm by default has them all."""
    return BAD


@pytest.fixture(scope="session")
def low():
    """Accuracies of the test pages."""
    return dict.fromkeys(PAGES, 0.5)


@pytest.fixture(scope="session")
def high():
    """Better ones, each page by another amount: all 45 ranks speak for it."""
    return {page: 0.51 + 0.01 * number for number, page in enumerate(PAGES)}


@pytest.fixture(scope="session")
def make_arm():
    """Return a function that makes an arm."""

    def make(name, page_accuracy, matrix=GOOD):
        scores = score_confusion(np.array(matrix), LABELS)
        row = LearnerResult(
            scores=scores,
            segments=SegmentScores((), scores.macro, scores.macro),
            fields=(),
            page_exactness=0.0,
            confusion=tuple(map(tuple, matrix)),
            page_accuracy=page_accuracy,
            intervals={},
            trials=(),
        )
        return CandidateResult(name, row)

    return make


@pytest.fixture(scope="session")
def make_study():
    """Return a function that makes a study of arms."""

    def make(*arms, name="news by site", tested=PAGES, trained=("z-0",), **changes):
        counts = {"Author": 0, "None": 8, "Title": 2}
        source = CorpusRecord("data/news", "news", "ab12", 11, ("a", "z"), "static", counts, "None")
        study = Study(
            name=name,
            source=source,
            by="site",
            splits=(
                SplitRecord(
                    0, PartRecord(trained, ("z",)), PartRecord((), ()), PartRecord(tested, ()), 9
                ),
            ),
            n_train={},
            n_test={},
            arms=arms,
            page_sites={page: page[0] for page in tested},
        )
        return replace(study, **changes)

    return make


@pytest.fixture(scope="session")
def make_report():
    """Return a function that makes a report of studies."""

    def make(*studies, **changes):
        experiment = Experiment("Which?", ("data/news",), (Candidate("crf"),))
        return replace(Report(experiment, "", {"numpy": "2.0"}, studies), **changes)

    return make
