"""Trials of features: what they say about labels, and whether they improve them."""

import json

import numpy as np
import pytest

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError, FeatureError
from structce.evaluation import confusion, score, site_draws
from structce.experiments.config import FRACTIONS
from structce.experiments.feature_trials import score_changes, try_features
from structce.features.registry import REGISTRY, feature
from structce.labels import LabelSet

WORDS = ("boat", "quay", "rope", "mast", "sail", "deck")
LABELS = LabelSet(("A", "B", "C", "D"), background="D")

pytestmark = pytest.mark.usefixtures("own_features")


@pytest.fixture(scope="module")
def riddles(make_page):
    """Pages of equal paragraphs; a mark that no shipped feature sees tells the author."""
    random = np.random.default_rng(0)
    pages = []
    for n in range(48):
        chosen = int(random.integers(3))
        lines = [" ".join(random.choice(WORDS, size=4)) for _ in range(3)]
        marks = ["x" if i == chosen else "y" for i in range(3)]
        html = "".join(f"<p style='--mark: {marks[i]}'>{lines[i]}</p>" for i in range(3))
        labels = tuple("Author" if i == chosen else "None" for i in range(3))
        page = make_page(html, url=f"https://site{n}.example/1")
        pages.append(LabelledPage(f"page{n:02d}", f"site{n}", f"site{n}", page, labels))
    return Corpus("riddles", tuple(pages))


def register_oracle():
    @feature("text")
    def zz_oracle(page):
        """Paragraph has the mark that tells the author of the riddle."""
        return ["x" in row["style"].split(":")[1] for row in page.attributes]


def register_noise():
    @feature("text")
    def zz_noise(page):
        """First letter of the text is early in the alphabet, which tells nothing."""
        return [text[0] < "n" for text in page.text]


@pytest.fixture(scope="module")
def trials(riddles):
    """Noise and the oracle, tried beside each other."""
    register_oracle()
    register_noise()
    try:
        return try_features(["text.zz-noise", "text.zz-oracle", "text.zz-noise"], riddles)
    finally:
        REGISTRY.forget(["text.zz-noise", "text.zz-oracle"])


def test_a_feature_that_says_what_no_other_does_is_better(trials):
    noise, trial = trials
    assert trial["macro_f1"]["verdict"] == trial["labels"]["Author"]["f1"]["verdict"] == "better"
    assert trial["regions_known"] == pytest.approx(1 / 3)
    assert trial["pages_known"] == 1
    macro = trial["macro_f1"]
    assert noise["macro_f1"]["before"] == macro["before"] < 0.9 < macro["after"]
    assert noise["macro_f1"]["difference"] < macro["difference"] / 3


def test_the_same_seed_gives_the_same_trial(riddles):
    register_noise()
    few = riddles.subset([page.id for page in riddles][:18])
    both = [try_features(["text.zz-noise"], few, seed=3) for _ in range(2)]
    first, second = (json.loads(json.dumps(own, allow_nan=False)) for (own,) in both)
    assert first | {"milliseconds": 0} == second | {"milliseconds": 0}


def test_test_pages_are_not_seen(riddles):
    seen = set()

    @feature("text")
    def zz_spy(page):
        """Is never true, and so of no use."""
        seen.add(page.url)
        return [False] * len(page)

    (trial,) = try_features(["text.zz-spy"], riddles)
    change = trial["macro_f1"]
    assert (trial["columns"], change["difference"], change["low"]) == (0, 0, 0)
    test = {page.page.url for page in riddles.split(FRACTIONS, by="site", seed=0)[2]}
    assert {page.page.url for page in riddles} & seen == {p.page.url for p in riddles} - test


def test_odd_features_are_refused(riddles):
    @feature("text")
    def zz_host(page):
        """Address of the page, which no feature may look at."""
        return [page.url] * len(page)

    for names, message in ((["text.zz-host"], "learns sites"), ([], "no feature")):
        with pytest.raises(FeatureError, match=message):
            try_features(names, riddles)
    with pytest.raises(CorpusError, match="too few"):
        try_features(["text.zz-host"], riddles.subset(["page00", "page01"]))


def by_site(gold, predictions, sites):
    """Return the confusion matrix of each site, in the order of the names."""
    counts = {site: np.zeros((4, 4), dtype=np.int64) for site in sorted(set(sites))}
    for y_true, y_pred, site in zip(gold, predictions, sites, strict=True):
        counts[site] += confusion(y_true, y_pred, 4)
    return np.stack(list(counts.values()))


def noisy_labels(n_pages, rate, seed):
    """Return gold labels, none of which is C, and labels of which a share is right."""
    random = np.random.default_rng(seed)
    gold = [random.choice([0, 1, 3], size=30) for _ in range(n_pages)]
    wrong = [random.choice([0, 1, 3], size=30) for _ in range(n_pages)]
    is_right = [random.random(30) < rate for _ in range(n_pages)]
    return gold, [np.where(r, g, w) for r, g, w in zip(is_right, gold, wrong, strict=True)]


def test_changes_are_those_of_drawing_sites_one_by_one():
    gold, before = noisy_labels(10, 0.6, 1)
    _, after = noisy_labels(10, 0.7, 1)
    sites = [str(n // 2) for n in range(10)]
    counted = [by_site(gold, given, sites) for given in (before, after)]
    found = score_changes(*counted, LABELS.names, 3)
    macro, labels = found["macro_f1"], [row["f1"] for row in found["labels"].values()]
    whole = [score(np.concatenate(gold), np.concatenate(own), LABELS) for own in (before, after)]
    assert (macro["before"], macro["after"]) == pytest.approx([own.macro.f1 for own in whole])
    for i in (0, 1, 3):
        expected = [own.labels[i].measures.f1 for own in whole]
        assert (labels[i]["before"], labels[i]["after"]) == pytest.approx(expected)
    assert {labels[2][key] for key in ("before", "difference", "low")} == {None}
    differences = []
    for drawn in site_draws(5, 3):
        rows = [n for place in drawn for n, site in enumerate(sites) if int(site) == place]
        y = np.concatenate([gold[n] for n in rows])
        found = [np.concatenate([given[n] for n in rows]) for given in (after, before)]
        better, worse = (score(y, own, LABELS).macro.f1 for own in found)
        differences.append(better - worse)
    low, high = np.quantile(differences, (0.025, 0.975))
    assert (macro["low"], macro["high"]) == pytest.approx((low, high))
