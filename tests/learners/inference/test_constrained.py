from itertools import combinations

import numpy as np
import pytest

from structce.errors import LearnerError
from structce.learners.inference.constrained import constrained_greedy, constrained_viterbi
from structce.learners.inference.viterbi import sequence_score


def meets(y, fixed, at_most_once):
    once = all((y == label).sum() <= 1 for label in at_most_once)
    return once and all(y[region] == label for region, label in fixed.items())


def best_allowed(emissions, transitions, sequences, fixed, at_most_once):
    """The best sequence that meets the constraints, ties by the labels from the end; or None."""
    scored = [
        (-sequence_score(emissions, transitions, y), y.tolist()[::-1])
        for y in sequences
        if meets(y, fixed, at_most_once)
    ]
    total, labels = min(scored, default=(np.inf, []))
    return labels[::-1] if total < np.inf else None


def random_fixed(random, n_regions, n_labels):
    regions = random.choice(
        n_regions, size=random.integers(0, min(3, n_regions + 1)), replace=False
    )
    return {int(region): int(random.integers(n_labels)) for region in regions}


@pytest.mark.parametrize("kind", ["random", "tied", "forbidden"])
@pytest.mark.parametrize("n_labels", [2, 3, 4])
def test_it_is_the_best_sequence_that_meets_the_constraints(all_sequences, kind, n_labels):
    random = np.random.default_rng(n_labels)
    choices = [
        set(combination)
        for size in range(n_labels + 1)
        for combination in combinations(range(n_labels), size)
    ]
    outcomes = set()
    for trial in range(150):
        n_regions = int(random.integers(1, 6 if n_labels < 4 else 5))
        emissions = 2 * random.normal(size=(n_regions, n_labels))
        transitions = random.normal(size=(n_labels, n_labels))
        if kind != "random":
            emissions, transitions = emissions.round() // 2, transitions.round()
        if kind == "forbidden":
            emissions[random.random(emissions.shape) < 0.3] = -np.inf
        fixed, once = random_fixed(random, n_regions, n_labels), choices[trial % len(choices)]
        sequences = all_sequences(n_regions, n_labels)
        expected = best_allowed(emissions, transitions, sequences, fixed, once)
        outcomes.add(expected is None)
        if expected is None:
            with pytest.raises(LearnerError):
                constrained_viterbi(emissions, transitions, fixed=fixed, at_most_once=once)
        else:
            best = constrained_viterbi(emissions, transitions, fixed=fixed, at_most_once=once)
            assert best.tolist() == expected
            assert best.dtype == np.int64
    assert outcomes == {True, False}


@pytest.mark.parametrize(
    ("fixed", "once", "message"),
    [
        ({4: 0}, [], r"region 4 .* the page has 4"),
        ({-1: 0}, [], "region -1 "),
        ({0: 2, 1: 0, 3: 2}, [2], "regions 0 and 3 are both fixed to label 2"),
        ({1: 0}, [], "region 1: the constraints leave it no label"),
        ({0: 2}, [2], "region 2: the constraints leave it no label"),
    ],
)
def test_contradictory_constraints_name_the_region(fixed, once, message):
    emissions = np.zeros((4, 3))
    emissions[1, 0] = emissions[2, 0] = emissions[2, 1] = -np.inf
    with pytest.raises(LearnerError, match=message):
        constrained_viterbi(emissions, np.zeros((3, 3)), fixed=fixed, at_most_once=once)
    with pytest.raises(LearnerError, match=message):
        constrained_greedy(emissions, np.zeros((2, 3, 3)), fixed=fixed, at_most_once=once)


def test_too_few_labels_to_use_once_are_an_error():
    with pytest.raises(LearnerError, match="no label sequence"):
        constrained_viterbi(np.zeros((3, 2)), np.zeros((2, 2)), at_most_once=[0, 1])
    with pytest.raises(LearnerError, match="region 2: all labels"):
        constrained_greedy(np.zeros((3, 2)), np.zeros((1, 2, 2)), at_most_once=[0, 1])


def test_greedy_accepts_fixed_labels_and_skips_used_ones():
    random = np.random.default_rng(4)
    for _ in range(60):
        n_regions, context = random.integers(1, 9), random.integers(0, 4)
        emissions = random.integers(-3, 4, size=(n_regions, 4)).astype(float)
        weights = random.integers(-3, 4, size=(context, 4, 4)).astype(float)
        fixed = random_fixed(random, n_regions, 4)
        once = {int(random.integers(4))}
        if sum(label in once for label in fixed.values()) > 1:
            continue
        decoded = constrained_greedy(emissions, weights, fixed=fixed, at_most_once=once)
        assert meets(decoded, fixed, once)
        for r, chosen in enumerate(decoded):
            seen = decoded[:r][::-1][:context]
            scores = emissions[r] + sum(weights[k][label] for k, label in enumerate(seen))
            used = once & (set(decoded[:r].tolist()) | set(fixed.values()))
            free = [label for label in range(4) if label not in used]
            assert chosen == fixed.get(r, max(free, key=lambda label: (scores[label], -label)))
