import json
from collections.abc import Callable

import numpy as np
import pytest

from structce.cli.features.new import odd_pages
from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError, FeatureError
from structce.experiments import feature_trials
from structce.experiments.config import FRACTIONS
from structce.experiments.feature_trials import (
    TRIAL_PARAMETERS,
    FeatureTrial,
    TrialPages,
    beside,
    count_steps,
    try_features,
    without_bias,
)
from structce.features.encoding import BIAS
from structce.features.feature_set import FeatureSet
from structce.features.registry import REGISTRY, feature
from structce.learners.registry import LEARNERS
from structce.page import Page

WORDS = ("boat", "quay", "rope", "mast", "sail", "deck")


pytestmark = pytest.mark.usefixtures("own_features")


@pytest.fixture(scope="module")
def riddles(make_page: Callable[..., Page]) -> Corpus:
    """Pages of three paragraphs like any other; a mark that no feature of ours sees tells one."""
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


def register_oracle() -> None:
    @feature("text")
    def zz_oracle(page: Page) -> list[bool]:
        """Paragraph has the mark that tells the author of the riddle."""
        return ["x" in row["style"].split(":")[1] for row in page.attributes]


def register_noise() -> None:
    @feature("text")
    def zz_noise(page: Page) -> list[bool]:
        """First letter of the text is early in the alphabet, which tells nothing."""
        return [text[0] < "n" for text in page.text]


@pytest.fixture(scope="module")
def trials(riddles: Corpus) -> list[FeatureTrial]:
    """Of noise and of the oracle, beside each other."""
    register_oracle()
    register_noise()
    try:
        return try_features(["text.zz-noise", "text.zz-oracle", "text.zz-noise"], riddles)
    finally:
        REGISTRY.forget(["text.zz-noise", "text.zz-oracle"])


def test_a_feature_that_tells_what_no_other_does_is_found_better(
    trials: list[FeatureTrial],
) -> None:
    _, trial = trials
    assert trial.macro.verdict == "better"
    assert trial.macro.after > 0.9
    assert trial.labels["Author"].verdict == "better"
    assert trial.values.regions == pytest.approx(1 / 3)
    assert trial.entropy["Author"] == pytest.approx(0.918, abs=0.001)  # of 1 in 3, by hand
    assert trial.information["Author"] == pytest.approx(trial.entropy["Author"])
    assert trial.entropy["Title"] == 0
    assert trial.information["Title"] == 0
    assert trial.support["Author"] == trial.n_sites


def test_features_are_tried_one_by_one_beside_each_other(trials: list[FeatureTrial]) -> None:
    noise, oracle = trials
    assert noise.macro.before == oracle.macro.before < 0.9
    assert noise.macro.difference < oracle.macro.difference / 3
    assert noise.information["Author"] < 0.05


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learners stop early."""
    brief = {name: {**given, "max_epochs": 3} for name, given in TRIAL_PARAMETERS.items()}
    brief["linear-chain-crf"] = {"max_iterations": 10}
    brief["boosted-trees"] = {"n_rounds": 20}
    monkeypatch.setattr(feature_trials, "TRIAL_PARAMETERS", brief)


@pytest.mark.usefixtures("brief")
def test_the_same_seed_gives_the_same_figures_and_every_step_is_announced(riddles: Corpus) -> None:
    register_noise()
    steps: list[str] = []
    ways = {"seed": 3, "n_folds": 3, "learner": "multiclass-svm"}
    few = riddles.subset([page.id for page in riddles][:18])
    first = try_features(["text.zz-noise"], few, notify=steps.append, **ways)
    second = try_features(["text.zz-noise"], few, **ways)
    assert len(steps) == count_steps(1, 3)
    assert [written(change) for change in first] == [written(change) for change in second]


def written(trial: FeatureTrial) -> dict[str, object]:
    """Return a trial as JSON gives it back, without its time."""
    value: dict[str, object] = json.loads(json.dumps(trial.as_dict(), allow_nan=False))
    assert value.pop("milliseconds") is not None
    return value


def test_a_feature_without_columns_changes_nothing(riddles: Corpus) -> None:
    @feature("text")
    def zz_never(page: Page) -> list[bool]:
        """Is never true, and so of no use."""
        return [False] * len(page)

    (trial,) = try_features(["text.zz-never"], riddles)
    assert (trial.n_columns, trial.macro.difference, trial.macro.low) == (0, 0, 0)


def test_a_feature_that_breaks_its_contract_is_not_tried(riddles: Corpus) -> None:
    @feature("text")
    def zz_host(page: Page) -> list[str]:
        """Address of the page, which no feature may look at."""
        return [page.url] * len(page)

    with pytest.raises(FeatureError, match="learns sites"):
        try_features(["text.zz-host"], riddles)
    with pytest.raises(FeatureError, match="no feature"):
        try_features([], riddles)
    with pytest.raises(FeatureError, match="unknown feature"):
        try_features(["text.zz-nothing"], riddles)


def test_too_few_sites_are_an_error(riddles: Corpus) -> None:
    register_noise()
    with pytest.raises(CorpusError, match="too few"):
        try_features(["text.zz-noise"], riddles.subset(["page00", "page01"]))


def test_pages_for_tests_are_not_seen_and_no_site_is_in_two_folds(
    make_corpus: Callable[..., Corpus],
) -> None:
    corpus = make_corpus(24, pages_per_site=2)
    trial = TrialPages.of(corpus, seed=5, n_folds=2, needs_sites=True)
    test = corpus.split(FRACTIONS, by="site", seed=5)[2]
    assert len(trial.pages) == len(corpus) - len(test)
    assert not {page.id for page in test} & {page.id for page in trial.corpus}
    folds = {(page.site, fold) for page, fold in zip(trial.corpus, trial.fold, strict=True)}
    assert len(folds) == len(trial.corpus.sites)
    assert set(trial.fold) == {0, 1}
    assert all(page.site is not None for page in trial.pages)


def test_columns_put_beside_each_other_are_those_of_one_feature_set(
    make_corpus: Callable[..., Corpus],
) -> None:
    """Described apart and put together, pages are what they would be if described at once."""
    corpus = make_corpus(6)
    pages = TrialPages(corpus, [], [])
    name = "text.length"
    apart, alone = FeatureSet(["text"], exclude=[name]), FeatureSet((), include=[name])
    together = FeatureSet(["text"])
    X = beside(pages.encode(apart), without_bias(alone, pages.encode(alone)))
    names = [*apart.columns_, *(column for column in alone.columns_ if column != BIAS)]
    expected = pages.encode(together)
    assert sorted(names) == sorted(together.columns_)
    order = [names.index(column) for column in together.columns_]
    for got, wanted in zip(X, expected, strict=True):
        np.testing.assert_allclose(got[:, order].toarray(), wanted.toarray())


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("learner", sorted(LEARNERS))
def test_every_learner_can_be_the_judge(riddles: Corpus, learner: str) -> None:
    register_oracle()
    (trial,) = try_features(["text.zz-oracle"], riddles, learner=learner)
    assert trial.macro.difference > 0


def test_odd_pages_come_with_layout_and_without_and_some_know_their_site() -> None:
    pages = odd_pages()
    assert {page.has_layout for page in pages} == {True, False}
    assert min(len(page) for page in pages) == 0
    assert all(page.site is not None for page in pages)
