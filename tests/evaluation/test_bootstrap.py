import numpy as np
import pytest

from structce.errors import LabelError
from structce.evaluation.bootstrap import (
    confusion_intervals,
    macro_difference_interval,
    share_interval,
    site_draws,
    site_interval,
)
from structce.evaluation.metrics import score_confusion
from structce.labels import LabelSet

LABELS = LabelSet(("Author", "Date", "None", "Title"), background="None")
MEASURES = ("accuracy", "macro_f1", "macro_f1_foreground")


@pytest.fixture
def matrices():
    """Six sites; only one of them has a date, one has background alone, and none a title."""
    random = np.random.default_rng(5)
    counts = random.integers(1, 9, size=(6, 4, 4))
    counts[1:, 1, :] = counts[:, :, 1] = counts[:, 3, :] = counts[:, :, 3] = 0
    counts[0, 1, 1] = 3
    counts[4] = 0
    counts[4, 2, 2] = 7
    return counts


def slow_scores(matrices, seed, n_resamples):
    draws = site_draws(len(matrices), seed, n_resamples)
    return [score_confusion(sum(matrices[site] for site in draw), LABELS) for draw in draws]


def ends(values):
    return pytest.approx(tuple(np.percentile(values, (2.5, 97.5))), abs=1e-12)


def test_pages_of_one_site_are_drawn_together():
    differences = np.tile([0.1, -0.1], 50)
    wide = site_interval(np.sort(differences), ["a"] * 50 + ["b"] * 50, seed=0)
    narrow = site_interval(differences, [str(i) for i in range(100)], seed=0)
    assert wide == pytest.approx((-0.1, 0.1))
    assert -0.05 < narrow[0] < 0 < narrow[1] < 0.05


def test_intervals_are_those_of_scoring_every_draw(matrices):
    intervals = confusion_intervals(matrices, LABELS, 3, n_resamples=200)
    scores = slow_scores(matrices, 3, 200)
    assert list(intervals) == [*MEASURES, "f1.Author", "f1.Date", "f1.None"]
    for name in MEASURES:
        assert intervals[name] == ends([score.value(name) for score in scores])
    for i, name in enumerate(LABELS.names[:3]):
        labels = [score.labels[i] for score in scores]
        known = [label.measures.f1 for label in labels if label.occurs]
        assert intervals[f"f1.{name}"] == ends(known)


def test_a_draw_without_a_label_is_left_out_of_its_interval(matrices):
    scores = slow_scores(matrices, 3, 200)
    n_without = sum(not score.labels[1].support for score in scores)
    assert 20 < n_without < 180
    # However often the one site with dates is drawn: 3 of its 13 dates are found, and no others.
    intervals = confusion_intervals(matrices, LABELS, 3, n_resamples=200)
    assert intervals["f1.Date"] == (2 * 3 / 16, 2 * 3 / 16)


def test_difference_scores_both_on_the_same_draws(matrices):
    other = np.roll(matrices, 1, axis=2)
    ours, theirs = (slow_scores(counts, 9, 200) for counts in (matrices, other))
    differences = [a.macro.f1 - b.macro.f1 for a, b in zip(ours, theirs, strict=True)]
    assert len({bool(a.labels[1].support) for a in ours}) > 1
    interval = macro_difference_interval(matrices, other, 9, n_resamples=200)
    assert interval == ends(differences)
    low, high = macro_difference_interval(other, matrices, 9, n_resamples=200)
    assert (-high, -low) == pytest.approx(interval)


def test_label_sets_accept_either_prediction():
    first = np.zeros((3, 4, 4), dtype=np.int64)
    first[:, 0, 0], first[:, 1, 1] = 3, 2
    second = first.copy()
    second[:, 0, 0], second[:, 1, 1] = 2, 3  # a region that may be either
    second[:, 0, 0] -= 1
    second[:, 0, 1] += 1
    low, high = macro_difference_interval(first, second, 0)
    assert 0 < low <= high < 1


def test_a_share_is_that_of_summing_every_draw():
    exact, pages = np.array([3, 0, 5, 1]), np.array([4, 0, 5, 9])
    drawn = site_draws(4, 2, 300)
    pairs = [(sum(exact[draw]), sum(pages[draw])) for draw in drawn]
    shares = [part / whole for part, whole in pairs if whole]
    assert len(shares) < 300
    assert share_interval(exact, pages, 2, n_resamples=300) == ends(shares)


def test_matrices_that_do_not_fit_are_refused(matrices):
    with pytest.raises(LabelError, match=r"shape \(6, 3, 3\); expected \(6, 4, 4\)"):
        confusion_intervals(matrices[:, :3, :3], LABELS, 0)
    for other in (matrices[:5], matrices[::-1]):
        with pytest.raises(LabelError, match="different numbers of regions"):
            macro_difference_interval(matrices, other, 0)


def test_fewer_than_two_sites_give_no_interval(matrices):
    assert site_interval(np.array([0.1, 0.2]), ["a", "a"], seed=0) is None
    assert confusion_intervals(matrices[:1], LABELS, 0) == {}
    assert macro_difference_interval(matrices[:1], matrices[:1], 0) is None
    assert share_interval(np.array([3]), np.array([4]), 0) is None
    assert share_interval(np.zeros(3, dtype=int), np.zeros(3, dtype=int), 0) == (0.0, 1.0)
