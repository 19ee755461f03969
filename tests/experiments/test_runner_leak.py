"""A planted leak: what a feature knows of the site helps by page, and does not help by site."""

from urllib.parse import urlsplit

import numpy as np
import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.experiments.config import Candidate, Experiment, Splits
from structce.features.registry import feature
from structce.labels import LabelSet
from structce.learners.registry import LEARNERS
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer

LABELS = LabelSet(("Author", "Date", "None", "Title"), background="None")
N_SITES, N_PAGES = 6, 5
HTML = "<title>News</title><body><ul><li>Home</ul><h1>News</h1><address>Jo</address><p>More.</body>"


@pytest.fixture(scope="module")
def guessed():
    """Pages that are all the same; what the address is labelled is the whim of the site."""
    whims = np.random.default_rng(4).permutation(["Author", "Date"] * (N_SITES // 2)).tolist()
    pages = []
    for i, whim in enumerate(whims):
        site = f"site{i}.example"
        for number in range(N_PAGES):
            page = StaticRenderer().render(Document(HTML, url=f"https://{site}/{number}"))
            names = {"h1": "Title", "address": whim}
            labels = tuple(names.get(tag, "None") for tag in page.tag)
            pages.append(LabelledPage(f"{site}-{number}", site, site, page, labels))
    return Corpus("guessed", tuple(pages), LABELS)


@pytest.fixture
def scores(guessed, report_of, own_features):
    """F1 of the two labels, in the mean: by site and by page, with and without the leak."""

    @feature("dom", name="zz-site")
    def site(page):
        """The site of the page: the leak."""
        return [urlsplit(page.url).hostname] * len(page)

    mean_f1 = {}
    for name, leaks in (("with", ("dom.zz-site",)), ("without", ())):
        asked = Experiment(
            question="Does it leak?",
            corpora=("guessed",),
            candidates=(Candidate("multiclass-svm", {"lambda_": (0.001,), "max_epochs": (4,)}),),
            splits=Splits(by=("site", "page"), folds=3),
            families=(),
            include=("dom.tag", *leaks),
            min_count=1,
        )
        for study in report_of(asked, guessed, LEARNERS).studies:
            (candidate,) = study.candidates
            f1 = {label.name: label.measures.f1 for label in candidate.row.scores.labels}
            mean_f1[name, study.by] = (f1["Author"] + f1["Date"]) / 2
    return mean_f1


def test_a_leak_of_the_site_shows_by_page_and_does_not_help_by_site(scores):
    assert scores["with", "page"] > 0.8
    # Nothing tells the two labels apart: at best one of them is always guessed, with luck.
    assert scores["without", "page"] < 0.7
    assert scores["without", "site"] < 0.7
    assert scores["with", "site"] <= scores["without", "site"] + 0.05
    assert scores["with", "page"] > scores["with", "site"] + 0.3
