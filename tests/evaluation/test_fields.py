import numpy as np

from structce.evaluation.metrics import field_counts
from structce.labels import UNKNOWN_INDEX

AUTHOR, NONE, TITLE = range(3)


def by_sets(gold, predicted, n_labels):
    """Compare for each label the regions that gold and prediction give it to."""
    counts = np.zeros((2, n_labels), dtype=int)
    for label in range(n_labels):
        known = [i for i in range(len(gold)) if gold[i] != UNKNOWN_INDEX]
        right = {i for i in known if gold[i] == label}
        given = {i for i in known if predicted[i] == label}
        counts[:, label] = bool(right | given), bool(right | given) and right == given
    return counts


def test_a_field_is_exact_if_all_its_regions_are_found_and_no_other():
    gold = np.array([TITLE, TITLE, AUTHOR, NONE])
    assert field_counts(gold, gold, 3).tolist() == [[1, 1, 1], [1, 1, 1]]
    part = np.array([TITLE, NONE, AUTHOR, NONE])
    assert field_counts(gold, part, 3).tolist() == [[1, 1, 1], [1, 0, 0]]
    more = np.array([TITLE, TITLE, AUTHOR, AUTHOR])
    assert field_counts(gold, more, 3).tolist() == [[1, 1, 1], [0, 0, 1]]


def test_fields_are_those_of_comparing_sets_of_regions():
    random = np.random.default_rng(0)
    for n_regions in [0, 1, *random.integers(2, 9, size=300)]:
        gold = random.integers(-1, 3, size=n_regions)
        predicted = np.where(
            random.random(n_regions) < 0.2, random.integers(3, size=n_regions), gold
        )
        expected = by_sets(gold, predicted, 3)
        np.testing.assert_array_equal(field_counts(gold, predicted, 3), expected)
