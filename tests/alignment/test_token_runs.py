import random

from structce.alignment import token_runs as module
from structce.alignment.token_runs import Run, common_runs


def longest(first: list[int], second: list[int]) -> int:
    """The length of a longest common subsequence, by the textbook table."""
    row = [0] * (len(second) + 1)
    for token in first:
        above = row
        row = [0]
        for j, other in enumerate(second):
            row.append(above[j] + 1 if token == other else max(above[j + 1], row[j]))
    return row[-1]


def shared(runs: list[Run], first: list[int], second: list[int]) -> int:
    """The number of tokens in runs, which must be the same on both sides, and in order."""
    a = b = 0
    for run in runs:
        assert run.first >= a
        assert run.second >= b
        assert run.length > 0
        a, b = run.first + run.length, run.second + run.length
        assert first[run.first : a] == second[run.second : b]
    return sum(run.length for run in runs)


def test_short_sequences_share_a_longest_subsequence():
    draw = random.Random(1)
    for _ in range(300):
        first = [draw.randrange(5) for _ in range(draw.randrange(13))]
        second = [draw.randrange(5) for _ in range(draw.randrange(13))]
        assert shared(common_runs(first, second), first, second) == longest(first, second)


def test_a_long_text_with_gaps_and_additions_is_found_whole():
    draw = random.Random(2)
    text = [draw.randrange(400) for _ in range(6_000)]
    first = text[:1_000] + [9_000 + i for i in range(300)] + text[1_500:]
    second = text[:4_000] + [8_000 + i for i in range(700)] + text[4_000:]
    assert shared(common_runs(first, second), first, second) == 5_500


def test_anchors_find_as_much_as_the_whole_table():
    draw = random.Random(3)
    first = [draw.randrange(60) for _ in range(400)]
    second = [draw.randrange(60) if draw.random() < 0.1 else token for token in first]
    n_shared = shared(common_runs(first, second), first, second)
    assert n_shared >= 0.98 * longest(first, second)


def test_a_repeated_run_is_found_beside_its_neighbours():
    menu = [1, 2, 3, 4, 5]
    first = [10, 11, 12, *menu, 20, 21, 22]
    second = [*menu, 10, 11, 12, *menu, 20, 21, 22]
    assert common_runs(first, second) == [Run(0, 5, 11)]


def test_what_is_too_large_to_compare_is_tied_by_single_tokens(monkeypatch):
    monkeypatch.setattr(module, "_SMALL", 0)
    monkeypatch.setattr(module, "_MAX_CELLS", 10)
    first, second = [1, 50, 2, 60, 3, 7, 7], [9, 50, 8, 60, 4, 6, 6]
    assert common_runs(first, second) == [Run(1, 1, 1), Run(3, 3, 1)]
