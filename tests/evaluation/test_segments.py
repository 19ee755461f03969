from itertools import groupby

import numpy as np
import pytest

from structce.errors import LabelError
from structce.evaluation.metrics import label_scores, macro, pooled, segment_counts
from structce.labels import UNKNOWN_INDEX, LabelSet

LABELS = LabelSet(("Author", "None", "Title"), background="None")
AUTHOR, NONE, TITLE = range(3)


def one_by_one(labels, blocks, known):
    """Segments as (label, first region, last region), by walking over the known regions."""
    places = [i for i in range(len(labels)) if known[i]]
    runs = [list(run) for _, run in groupby(places, key=lambda i: (blocks[i], labels[i]))]
    return {(int(labels[run[0]]), run[0], run[-1]) for run in runs}


def count(gold, predicted, blocks, n_labels=3):
    return segment_counts(np.array(gold), np.array(predicted), np.array(blocks), n_labels)


def columns(gold, predicted, blocks):
    """Hits, gold and found segments of each label."""
    return dict(zip(LABELS.names, count(gold, predicted, blocks).T.tolist(), strict=True))


def test_a_title_over_three_regions_is_one_segment():
    gold = predicted = [NONE, TITLE, TITLE, TITLE, NONE]
    expected = {"Author": [0] * 3, "None": [2] * 3, "Title": [1] * 3}
    assert columns(gold, predicted, [0] * 5) == expected


def test_segment_spans_unknown_regions_of_its_block():
    gold = [TITLE, UNKNOWN_INDEX, TITLE, UNKNOWN_INDEX, TITLE]
    predicted = [TITLE, AUTHOR, TITLE, TITLE, TITLE]
    expected = {"Author": [0] * 3, "None": [0] * 3, "Title": [2] * 3}
    assert columns(gold, predicted, [0, 0, 0, 1, 1]) == expected


def test_segments_are_those_found_by_walking_over_the_regions():
    random = np.random.default_rng(0)
    for n_regions in [0, 1, 2, 3, *random.integers(4, 40, size=300)]:
        gold = random.integers(-1, 3, size=n_regions)
        is_other = random.random(n_regions) < 0.3
        predicted = np.where(is_other, random.integers(3, size=n_regions), gold)
        blocks = np.cumsum(random.random(n_regions) < 0.3)
        expected = np.zeros((3, 3), dtype=int)
        runs = [one_by_one(y, blocks, gold != UNKNOWN_INDEX) for y in (gold, predicted)]
        for row, segments in enumerate([runs[0] & runs[1], *runs]):
            for label, _, _ in segments:
                expected[row, label] += 1
        np.testing.assert_array_equal(segment_counts(gold, predicted, blocks, 3), expected)


def test_segments_are_measured_from_their_counts():
    # Author: 1 of 2 hit, 1 found. Title: 1 of 1 hit, 2 found.
    counts = np.array([[1, 1], [2, 1], [1, 2]])
    author, title = scores = label_scores(counts, ["Author", "Title"])
    assert (author.name, author.support, author.n_predicted) == ("Author", 2, 1)
    assert (author.measures.precision, author.measures.recall) == (1.0, 0.5)
    assert (title.measures.precision, title.measures.recall) == (0.5, 1.0)
    assert author.measures.f1 == title.measures.f1 == pytest.approx(2 / 3)
    assert pooled(counts).precision == pooled(counts).recall == pytest.approx(2 / 3)
    assert (macro(scores).precision, macro(scores).recall) == (0.75, 0.75)
    assert macro(scores).f1 == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("gold", "predicted", "blocks", "message"),
    [
        ([0, 1], [0], [0, 0], "gold labels have shape"),
        ([0, 1], [0, 1], [0], "blocks have shape"),
        ([0, 3], [0, 1], [0, 0], "gold label index out of range; expected 0 to 2"),
        ([0, 1], [0, -1], [0, 0], "predicted label index out of range"),
    ],
)
def test_what_does_not_fit_is_refused(gold, predicted, blocks, message):
    with pytest.raises(LabelError, match=message):
        count(gold, predicted, blocks)
