"""Pieces of the main text on small pages whose right places a reader sees at once."""

import itertools
import random

import pytest

from structce.alignment.body import in_order, place_body
from structce.page import TextIndex

FIRST = "The ferry will not sail before noon, the company said on Monday."
SECOND = "Nobody could say how long the works would take, or who would pay."


def places(page, *texts):
    return place_body(TextIndex(page), texts)


def test_a_drop_cap_is_part_of_its_paragraph(make_page):
    page = make_page(f"<p><span>{FIRST[0]}</span>{FIRST[1:]}</p>")
    assert places(page, FIRST)[0].regions == (0, 1)


def test_a_paragraph_around_an_advertisement_is_found(make_page):
    page = make_page(
        f"<p>{FIRST}</p><p>Nobody could say how long</p><div>Buy boots at Botts</div>"
        "<p>the works would take, or who would pay.</p>"
    )
    matches = places(page, FIRST, SECOND)
    assert matches[1].regions == (1, 3)
    assert (matches[1].method, matches[1].score) == ("ordered", 1.0)


def test_notes_in_the_page_that_the_value_lacks_do_not_hide_it(make_page):
    page = make_page(f"<p>{SECOND[:31]}<sup>[1]</sup> {SECOND[31:]}</p><p>{FIRST}</p>")
    match, _ = places(page, SECOND, FIRST)
    assert (match.method, match.regions) == ("ordered", (0, 2))


def test_a_short_piece_is_not_taken_from_far_away(make_page):
    page = make_page(f"<p>{FIRST}</p><p>{SECOND}</p><footer>Read more</footer>")
    assert places(page, "Read more", FIRST, SECOND)[0].regions == ()


def test_a_long_piece_out_of_order_is_found(make_page):
    page = make_page(f"<aside>{SECOND}</aside><p>{FIRST}</p><p>A third one of some length.</p>")
    matches = places(page, FIRST, SECOND, "A third one of some length.")
    assert [place.regions for place in matches] == [(1,), (0,), (2,)]


def test_equal_lines_between_the_same_neighbours_are_rivals(make_page):
    page = make_page(f"<p>{FIRST}</p><p>Yes.</p><p>Yes.</p><p>{SECOND}</p>")
    matches = places(page, FIRST, "Yes.", SECOND)
    assert {*matches[1].regions, *matches[1].rivals} == {1, 2}


def test_a_region_that_holds_a_little_of_a_piece_is_touched(make_page):
    page = make_page(f"<p>Noon today.</p><p>{SECOND} And then much more than that: {FIRST}</p>")
    assert places(page, f"Noon today. {SECOND}")[0].touched == (1,)


def test_words_without_spaces_are_aligned_by_characters(make_page):
    text = "港の工事はいつ終わるのか、誰が費用を払うのか、町の誰も答えられなかった。"
    page = make_page(f"<p>{text[:20]}</p><div>広告</div><p>{text[20:]}</p>")
    assert places(page, text)[0].regions == (0, 2)


def best_by_trying_all(index, spans_of):
    """Return the weight of the best way to place some of the texts in order."""
    best = 0.0
    for chosen in itertools.product(*([None, *spans] for spans in spans_of)):
        spans = [span for span in chosen if span is not None]
        if all(a.end <= b.start for a, b in itertools.pairwise(spans)):
            best = max(best, weight(index, spans))
    return best


def weight(index, spans):
    return sum(len(span) * (1.5 if index.fills_block(span) else 1.0) for span in spans)


@pytest.mark.parametrize("seed", range(12))
def test_no_other_way_covers_more(make_page, seed):
    rng = random.Random(seed)
    words = [rng.choice(("ab", "cde", "fg", "hijk")) for _ in range(12)]
    index = TextIndex(make_page("".join(f"<p>{word}</p>" for word in words)))
    candidates = [index.find(rng.choice(words)) for _ in range(4)]
    places = [span for span in in_order(index, candidates) if span is not None]
    assert all(a.end <= b.start for a, b in itertools.pairwise(places))
    assert weight(index, places) == best_by_trying_all(index, candidates)
