"""Placing in order, against all ways that there are."""

import itertools
import random
from collections.abc import Callable

import pytest

from structce.alignment.body import in_order
from structce.page import Page
from structce.text_index import Span, TextIndex


def best_by_trying_all(index: TextIndex, found: list[list[Span]]) -> float:
    """Return the weight of the best way to place some of the texts in order."""
    best = 0.0
    for chosen in itertools.product(*([None, *spans] for spans in found)):
        spans = [span for span in chosen if span is not None]
        if all(a.end <= b.start for a, b in itertools.pairwise(spans)):
            best = max(best, weight(index, spans))
    return best


def weight(index: TextIndex, spans: list[Span]) -> float:
    return sum(len(span) * (1.5 if index.fills_block(span) else 1.0) for span in spans)


@pytest.mark.parametrize("seed", range(12))
def test_no_other_way_covers_more(make_page: Callable[..., Page], seed: int) -> None:
    rng = random.Random(seed)
    words = [rng.choice(("ab", "cde", "fg", "hijk")) for _ in range(12)]
    index = TextIndex(make_page("".join(f"<p>{word}</p>" for word in words)))
    found = [index.find(rng.choice(words)) for _ in range(4)]
    places = [span for span in in_order(index, found) if span is not None]
    assert all(a.end <= b.start for a, b in itertools.pairwise(places))
    assert weight(index, places) == best_by_trying_all(index, found)


def test_nothing_gives_nothing(make_page: Callable[..., Page]) -> None:
    assert in_order(TextIndex(make_page("<p>one</p>")), []) == []
    assert in_order(TextIndex(make_page("<p>one</p>")), [[], []]) == [None, None]


def test_many_repeated_lines_are_placed_one_after_the_other(make_page: Callable[..., Page]) -> None:
    index = TextIndex(make_page("<p>same</p>" * 60))
    places = in_order(index, [index.find("same")] * 60)
    assert [span and span.start for span in places] == [4 * n for n in range(60)]
