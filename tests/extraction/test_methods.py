"""Methods of the literature: cases worked by hand, and the definitions in their plainest form."""

import math
import random

import numpy as np
import pytest

from structce.extraction import ParsedDocument
from structce.extraction.element_methods import Crunch, LinkQuotaFilter
from structce.extraction.token_methods import (
    BodyTextExtraction,
    ContentCodeBlurring,
    DocumentSlopeCurve,
    blur,
    low_areas,
    maximum_sum_run,
)


def text(system, html):
    return system.extract(ParsedDocument(html)).text


def test_body_text_is_the_optimum_of_the_quadratic_definition():
    rng = random.Random(1)
    for _ in range(300):
        tags = [rng.random() < 0.5 for _ in range(rng.randint(1, 12))]  # B of the paper
        first, end = maximum_sum_run(np.where(tags, -1.0, 1.0))
        best, value = body_text_by_definition(tags)
        if value == sum(tags):  # no stretch is better than none
            assert (first, end) == (0, 0)
        else:
            assert (first, end) == best


def body_text_by_definition(tags):
    """The stretch i..j with the largest T(i, j); the first one, then the shortest, on a tie."""
    n = len(tags)
    best, value = (0, 0), sum(tags)
    for i in range(n):
        for j in range(i, n):
            inside = sum(1 - tag for tag in tags[i : j + 1])
            total = sum(tags[:i]) + inside + sum(tags[j + 1 :])
            if total > value:
                best, value = (i, j + 1), total
    return best, value


def test_the_tokens_of_the_program_are_cut_from_the_source():
    comment = "<!-- <b></b> -->" * 9
    html = f"<body><p>one two three four</p>{comment}<p>five six seven eight nine</p></body>"
    assert text(BodyTextExtraction(), html).split()[0] == "one"
    assert text(BodyTextExtraction(tokens="source"), html) == "five six seven eight nine"


def test_low_areas_open_and_close_after_three_windows():
    low = [bool(int(digit)) for digit in "0110111011100010011111"]
    # Opened by the windows 4 to 6, at 4; closed by 11 to 13, at 11; opened again by 17 to 19.
    assert list(low_areas(np.array(low))) == [(4, 11), (17, 22)]


def test_the_slope_curve_finds_several_stretches():
    menu = "<i></i>" * 10  # 20 tokens
    body = "w " * 20
    html = menu + body.replace("w", "a") + menu + body.replace("w", "b") + menu
    system = DocumentSlopeCurve(window=4)
    # 20 tags, 20 words, ...: windows at 0, 2, 4, ...; the slope of the page is 60 / 100. Those at
    # 20, 22, ..., 36 hold no tag and the one at 18 a half, so an area reaches from 20 until the
    # first of three that are not low, which begins at 38.
    assert text(system, html).split() == ["a"] * 18 + ["b"] * 18


QUOTAS = "<div>{}<p>abcd<a href=x>efgh</a></p></div>"


@pytest.mark.parametrize(
    ("threshold", "kept"), [(0.25, ""), (0.49, ""), (0.5, "abcdefgh"), (0.75, "abcdefgh")]
)
def test_a_block_is_kept_up_to_its_quota_of_links(threshold, kept):
    assert text(LinkQuotaFilter(threshold), QUOTAS.format("")) == kept


def test_crunch_removes_links_and_forms():
    html = "<p>One <a href=x>two</a> three</p><form>four<input></form><a name=y>five</a>"
    assert text(Crunch(), html) == "One three\nfive"


@pytest.mark.parametrize(("n_letters", "kept"), [(19, ""), (20, "x")])
def test_a_cell_of_more_than_a_link_for_four_words_is_a_list(n_letters, kept):
    word = "x" * n_letters
    html = f"<table><tr><td>{word} <a href=x>link</a></td></tr></table>"
    assert text(Crunch(), html) == word * len(kept)


def test_blurring_is_the_weighted_mean_of_the_neighbourhood():
    rng = np.random.default_rng(6)
    vector = rng.random(30)
    radius = 4
    expected = np.empty(30)
    for i in range(30):
        weights = {j: math.exp(-0.5 * (j / (radius / 2)) ** 2) for j in range(-radius, radius + 1)}
        values = {j: vector[min(max(i + j, 0), 29)] for j in weights}
        total = sum(weights.values())
        expected[i] = sum(weights[j] * values[j] for j in weights) / total
    assert np.allclose(blur(vector, radius, 1), expected)
    assert np.allclose(blur(vector, radius, 2), blur(expected, radius, 1))
    assert np.allclose(blur(vector, radius, 0), vector)


def test_links_in_a_text_hurt_only_where_their_tags_count():
    words = "<a href='https://example.org/a/rather/long/address'>link</a> word " * 30
    assert text(ContentCodeBlurring(), words) == ""
    assert text(ContentCodeBlurring(skips_links=True), words).split() == ["link", "word"] * 30
