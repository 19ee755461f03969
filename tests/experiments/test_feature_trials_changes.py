import numpy as np
import pytest

from structce.evaluation.bootstrap import site_draws
from structce.evaluation.metrics import score
from structce.experiments.feature_trials import (
    ScoreChange,
    count_by_site,
    score_changes,
)
from structce.labels import LabelSet

LABELS = LabelSet(("A", "B", "C", "D"), background="D")


def pages(n_pages: int, rate: float, seed: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return gold labels, none of which is C, and labels of which a share is right."""
    random = np.random.default_rng(seed)
    gold = [random.choice([0, 1, 3], size=30) for _ in range(n_pages)]
    wrong = [random.choice([0, 1, 3], size=30) for _ in range(n_pages)]
    is_right = [random.random(30) < rate for _ in range(n_pages)]
    return gold, [np.where(r, g, w) for r, g, w in zip(is_right, gold, wrong, strict=True)]


def test_counts_are_those_of_each_site() -> None:
    gold = [np.array([0, 1]), np.array([1, 1]), np.array([3])]
    predictions = [np.array([0, 3]), np.array([1, 0]), np.array([3])]
    counts = count_by_site(gold, predictions, ["b", "a", "b"], 4)
    assert counts[0].tolist() == [[0, 1, 0, 0], [0, 2, 0, 0], [1, 1, 0, 0]]
    assert counts[1].tolist() == [[1, 0, 0, 1], [1, 1, 0, 1], [1, 0, 0, 2]]


def test_f1_is_that_of_the_evaluation() -> None:
    gold, before = pages(8, 0.6, 0)
    _, after = pages(8, 0.9, 0)
    sites = [str(n // 2) for n in range(8)]
    macro, labels = score_changes(
        count_by_site(gold, before, sites, 4), count_by_site(gold, after, sites, 4), seed=0
    )
    old = score(np.concatenate(gold), np.concatenate(before), LABELS)
    new = score(np.concatenate(gold), np.concatenate(after), LABELS)
    assert (macro.before, macro.after) == pytest.approx((old.macro_f1, new.macro_f1))
    for i in (0, 1, 3):
        expected = old.labels[i].measures.f1, new.labels[i].measures.f1
        assert (labels[i].before, labels[i].after) == pytest.approx(expected)
    assert np.isnan([labels[2].before, labels[2].difference, labels[2].low]).all()


def test_intervals_are_those_of_drawing_sites_again_one_by_one() -> None:
    gold, before = pages(10, 0.6, 1)
    _, after = pages(10, 0.7, 1)
    sites = [str(n // 2) for n in range(10)]
    counted = [count_by_site(gold, predictions, sites, 4) for predictions in (before, after)]
    macro, labels = score_changes(*counted, seed=3)
    differences = []
    for drawn in site_draws(5, 3):
        rows = [n for place in drawn for n, site in enumerate(sites) if int(site) == place]
        y = np.concatenate([gold[n] for n in rows])
        f1 = [
            score(y, np.concatenate([predictions[n] for n in rows]), LABELS).macro_f1
            for predictions in (before, after)
        ]
        differences.append(f1[1] - f1[0])
    expected = np.quantile(differences, (0.025, 0.975))
    assert (macro.low, macro.high) == pytest.approx(tuple(expected))
    assert labels[0].low <= labels[0].difference <= labels[0].high


def test_a_large_change_on_every_site_is_no_noise_and_none_is() -> None:
    gold, before = pages(12, 0.2, 2)
    sites = [str(n) for n in range(12)]
    poor, perfect = (count_by_site(gold, predictions, sites, 4) for predictions in (before, gold))
    assert score_changes(poor, perfect, seed=0)[0].verdict == "better"
    assert score_changes(perfect, poor, seed=0)[0].verdict == "worse"
    same, _ = score_changes(poor, poor, seed=0)
    assert (same.difference, same.low, same.high, same.verdict) == (0, 0, 0, "within noise")


def test_a_change_on_one_site_of_many_is_within_noise() -> None:
    gold, before = pages(20, 0.5, 4)
    after = [gold[0], *before[1:]]
    sites = [str(n) for n in range(20)]
    macro, _ = score_changes(
        count_by_site(gold, before, sites, 4), count_by_site(gold, after, sites, 4), seed=0
    )
    assert macro.difference > 0
    assert macro.is_noise


def test_the_same_seed_gives_the_same_interval() -> None:
    gold, before = pages(6, 0.5, 5)
    _, after = pages(6, 0.6, 5)
    counted = [
        count_by_site(gold, predictions, list("abcdef"), 4) for predictions in (before, after)
    ]
    assert score_changes(*counted, seed=1)[0] == score_changes(*counted, seed=1)[0]
    assert score_changes(*counted, seed=1)[0] != score_changes(*counted, seed=2)[0]


def test_an_interval_that_is_not_known_is_noise() -> None:
    assert ScoreChange(0.1, 0.2, float("nan"), float("nan")).verdict == "within noise"
