"""Trials of features: what they say about labels, and whether they improve them."""

import json

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError, FeatureError
from structce.evaluation import confusion, score, site_draws
from structce.experiments.config import FRACTIONS
from structce.experiments.feature_trials import (
    MIN_VALUE_COUNT,
    ScoreChange,
    count_steps,
    score_changes,
    summarise_values,
    trial_pages,
    try_features,
)
from structce.features.registry import REGISTRY, FeatureRegistry, feature
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
        html = "".join(
            f"<p style='--mark: {'x' if i == chosen else 'y'}'>{line}</p>"
            for i, line in enumerate(lines)
        )
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
    assert trial.macro.verdict == trial.labels["Author"].verdict == "better"
    assert trial.values.regions == pytest.approx(1 / 3)
    assert trial.entropy["Author"] == pytest.approx(0.918, abs=0.001)  # of 1 in 3, by hand
    assert trial.information["Author"] == pytest.approx(trial.entropy["Author"])
    assert (trial.entropy["Title"], trial.information["Title"]) == (0, 0)
    assert noise.macro.before == trial.macro.before < 0.9 < trial.macro.after
    assert noise.macro.difference < trial.macro.difference / 3


def test_the_same_seed_gives_the_same_trial(riddles):
    register_noise()
    steps = []
    ways = {"seed": 3, "n_folds": 3}
    few = riddles.subset([page.id for page in riddles][:18])
    both = (
        try_features(["text.zz-noise"], few, notify=steps.append, **ways),
        try_features(["text.zz-noise"], few, **ways),
    )
    assert len(steps) == count_steps(1, 3)
    first, second = (json.loads(json.dumps(own.as_dict(), allow_nan=False)) for (own,) in both)
    assert first | {"milliseconds": 0} == second | {"milliseconds": 0}


def test_odd_features_are_refused_or_change_nothing(riddles):
    @feature("text")
    def zz_never(page):
        """Is never true, and so of no use."""
        return [False] * len(page)

    @feature("text")
    def zz_host(page):
        """Address of the page, which no feature may look at."""
        return [page.url] * len(page)

    (trial,) = try_features(["text.zz-never"], riddles)
    assert (trial.n_columns, trial.macro.difference, trial.macro.low) == (0, 0, 0)
    for names, message in ((["text.zz-host"], "learns sites"), ([], "no feature")):
        with pytest.raises(FeatureError, match=message):
            try_features(names, riddles)
    with pytest.raises(CorpusError, match="too few"):
        try_features(["text.zz-never"], riddles.subset(["page00", "page01"]))


def test_test_pages_are_not_seen_and_sites_stay_in_one_fold(make_corpus):
    corpus = make_corpus(24, pages_per_site=2)
    trial = trial_pages(corpus, seed=5, n_folds=2, needs_sites=True)
    test = corpus.split(FRACTIONS, by="site", seed=5)[2]
    assert len(trial.corpus) == len(corpus) - len(test)
    assert not {page.id for page in test} & {page.id for page in trial.corpus}
    folds = {(page.site, fold) for page, fold in zip(trial.corpus, trial.fold, strict=True)}
    assert len(folds) == len(trial.corpus.sites)


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
    macro, labels = score_changes(*counted, seed=3)
    whole = [score(np.concatenate(gold), np.concatenate(own), LABELS) for own in (before, after)]
    assert (macro.before, macro.after) == pytest.approx([own.macro_f1 for own in whole])
    for i in (0, 1, 3):
        expected = [own.labels[i].measures.f1 for own in whole]
        assert (labels[i].before, labels[i].after) == pytest.approx(expected)
    assert np.isnan([labels[2].before, labels[2].difference, labels[2].low]).all()
    differences = []
    for drawn in site_draws(5, 3):
        rows = [n for place in drawn for n, site in enumerate(sites) if int(site) == place]
        y = np.concatenate([gold[n] for n in rows])
        f1 = [
            score(y, np.concatenate([given[n] for n in rows]), LABELS).macro_f1
            for given in (before, after)
        ]
        differences.append(f1[1] - f1[0])
    assert (macro.low, macro.high) == pytest.approx(tuple(np.quantile(differences, (0.025, 0.975))))


def test_only_changes_on_most_sites_are_no_noise():
    gold, poor = noisy_labels(12, 0.2, 2)
    sites = [str(n) for n in range(12)]
    one = [gold[0], *poor[1:]]
    bad, good, some = (by_site(gold, given, sites) for given in (poor, gold, one))
    verdicts = [
        score_changes(*pair, seed=0)[0].verdict
        for pair in ((bad, good), (good, bad), (bad, bad), (bad, some))
    ]
    assert verdicts == ["better", "worse", "within noise", "within noise"]
    assert ScoreChange(0.1, 0.2, float("nan"), float("nan")).verdict == "within noise"


def made(compute, **options):
    """Return the function as a feature."""
    registry = FeatureRegistry()
    feature("text", name="mine", registry=registry, **options)(compute)
    return registry["text.mine"]


def by_letter(values):
    return lambda page: [values.get(text) for text in page.text]


def by_letter_number(values):
    return lambda page: np.array([values.get(text, np.nan) for text in page.text])


def bits(codes, is_label):
    return float(mutual_info_score(codes, is_label)) / np.log(2)


@pytest.fixture
def pages(make_page):
    return [make_page("<p>a</p><p>b</p><p>c</p><p>d</p>"), make_page("<p>e</p><p>f</p>")]


@pytest.mark.parametrize(
    ("compute", "regions", "n_pages"),
    [
        (by_letter({"a": True, "b": True, "c": False}), 2 / 6, 1 / 2),
        (by_letter({"a": "x", "b": "", "e": "y"}), 2 / 6, 1),
        (by_letter({"a": frozenset({"x"}), "b": frozenset()}), 1 / 6, 1 / 2),
        (by_letter_number({"a": 0.0, "f": 3.0}), 2 / 6, 1),
        (lambda page: np.array([text == "e" for text in page.text]), 1 / 6, 1 / 2),
    ],
)
def test_known_values_are_counted_by_region_and_page(compute, regions, n_pages, pages):
    summary = summarise_values(made(compute), pages)
    assert (summary.regions, summary.pages) == pytest.approx((regions, n_pages))


def test_pages_without_values_say_nothing(pages, make_page):
    needy = made(lambda page: page.boxes[:, 0] / 0, needs="layout")
    always = made(lambda page: [True] * len(page))
    for own, given in ((needy, pages), (always, []), (always, [make_page("<html></html>")])):
        summary = summarise_values(own, given)
        assert (summary.regions, summary.pages) == (0, 0)
        labels = np.zeros(sum(map(len, given)), dtype=np.int64)
        assert summary.information(labels, 2) == [0, 0]
    with pytest.raises(FeatureError, match="return numbers as a NumPy array"):
        summarise_values(made(lambda page: [0.5] * len(page)), pages)


SETS = {"a": {"x", "z"}, "b": {"y", "z"}, "c": {"x"}, "d": set(), "e": {"x", "z"}, "f": {"y"}}
NUMBERS = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0, "e": 5.0}


@pytest.mark.parametrize(
    ("own", "labels", "expected"),
    [
        (made(by_letter({"a": True, "c": True, "e": True})), [1, 0, 1, 0, 1, 0], 1),  # one bit
        (
            made(by_letter_number(NUMBERS), bins=(3,)),
            [0, 0, 1, 1, 1, 0],
            bits([0, 0, 1, 1, 1, 2], [0, 0, 1, 1, 1, 0]),
        ),
        (
            made(by_letter({key: frozenset(letters) for key, letters in SETS.items()})),
            [1, 0, 1, 0, 1, 0],
            max(bits([n in own for own in SETS.values()], [1, 0, 1, 0, 1, 0]) for n in "xyz"),
        ),
    ],
)
def test_information_is_that_worked_by_hand(own, labels, expected, pages):
    summary = summarise_values(own, pages)
    assert summary.information(np.array(labels), 2)[1] == pytest.approx(expected)


def test_many_numbers_are_cut_into_tenths_the_least_apart(make_page):
    page, random = make_page("<p>x</p>" * 500), np.random.default_rng(0)
    values = random.normal(size=500)
    labels = (values + random.normal(size=500) > 0).astype(np.int64)
    tenths = (10 * values.argsort().argsort()) // 500
    counts = np.maximum(np.arange(500) - 480, 0)
    for own, given, codes in ((values, labels, tenths), (counts, counts > 0, counts > 0)):
        summary = summarise_values(made(lambda page, own=own: own.copy()), [page])
        found = summary.information(given.astype(np.int64), 2)[1]
        assert found == pytest.approx(bits(codes, given))


def test_rare_texts_are_merged(make_page):
    page = make_page("".join(f"<p>{n}</p>" for n in range(2 * MIN_VALUE_COUNT)))
    labels = np.arange(2 * MIN_VALUE_COUNT, dtype=np.int64) % 2
    alone = summarise_values(made(lambda page: list(page.text)), [page])
    often = summarise_values(made(lambda page: [str(int(text) % 2) for text in page.text]), [page])
    assert alone.information(labels, 2) == [0, 0]
    assert often.information(labels, 2) == pytest.approx([1, 1])
