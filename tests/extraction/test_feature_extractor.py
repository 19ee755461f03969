"""FeatureExtractor and K-FeatureExtractor: cases worked by hand, those of the paper first."""

import numpy as np
import pytest

from structce.extraction import PAGE_CLASS_METHODS, ParsedDocument, make_extractor
from structce.extraction.feature_extractor import (
    FEATURES,
    FeatureExtractor,
    clusters,
    feature_values,
    inner_counts,
    winner_basket,
)

MAXIMA = {"text": 2000, "image": 4, "link": 50, "object": 3}
COUNTS = {"text": 1000, "image": 2, "link": 3, "object": 1}


def columns(*blocks):
    """Counts of blocks as columns."""
    return {name: np.array([block.get(name, 0) for block in blocks]) for name in FEATURES}


def words(n):
    return "word " * n


def text(system, html):
    return system.extract(ParsedDocument(html)).text


def test_values_of_features_are_those_of_the_paper():
    values = feature_values(columns(COUNTS), MAXIMA)
    first_block = {name: values[name][0] for name in MAXIMA}
    assert first_block == pytest.approx({"text": 0.5, "image": 0.5, "link": 0.06, "object": 1 / 3})
    assert sum(values[name][0] for name in FEATURES) == pytest.approx(sum(first_block.values()))


@pytest.mark.parametrize(
    ("desired", "is_in"),
    [
        (("text",), False),  # 0.5 against 0.5 + 0.06 + 0.33
        (("text", "image"), True),  # 1 against 0.39
        (("image", "link"), False),  # 0.56 against 0.83
        (("image", "object"), True),  # 0.83 against 0.56
    ],
)
def test_wanted_features_outweigh_the_rest_in_the_basket(desired, is_in):
    assert winner_basket(columns(COUNTS), desired, MAXIMA).tolist() == [is_in]


def test_values_are_computed_anew_in_the_basket():
    # by the values of the page the first has 0.8 + 0.1, the second 0.5 + 0.3; in the basket, which
    # is without the third, the first has 1 + 1/3, the second 5/8 + 1
    blocks = [
        f"<div>{words(80)}<img></div>",
        f"<div>{words(50)}{'<img>' * 3}</div>",
        f"<div>{words(100)}{'<img>' * 10}{'<a>x</a>' * 9}{'<b>y</b>' * 9}{'<input>' * 9}</div>",
    ]
    html = "".join(blocks)
    assert text(FeatureExtractor(desired="text,image"), html) == words(50).strip()


def test_a_table_without_another_is_one_block_and_a_row_is_none():
    table = f"<table><tr><td>{words(5)}<td><div>more</div><tr><td>rows</table>"
    html = f"<table><tr><td>{table}<td>{words(4)}</table>"
    extracted = text(FeatureExtractor(desired="text,table"), html)
    assert extracted.split() == [*("word",) * 5, "more", "rows"]


def test_the_tag_that_a_block_is_cut_at_is_none_of_its_features():
    document = ParsedDocument("<p>a</p><p>b<em>c</em></p><ul><li>d</ul>")
    blocks = FeatureExtractor(tags="p,ul").blocks(document)
    counts = inner_counts(blocks, ("p", "ul"))
    assert counts["text-tag"].tolist() == [0, 1, 0]
    assert counts["list"].tolist() == [0, 0, 1]
    assert inner_counts(blocks, ())["text-tag"].tolist() == [1, 2, 0]


def test_the_largest_counts_may_be_learnt_from_pages():
    """Alone the first page is all words; beside one of 40 its ten weigh 1/4, its link 1 of 1."""
    first = f"<div>{words(10)}<a href=/>one</a></div>"
    second = f"<div>{words(40)}</div>"
    learnt = PAGE_CLASS_METHODS.make("feature-extractor-text-data").learn(
        map(ParsedDocument, (first, second))
    )
    assert learnt.maxima["text"] == 40
    assert learnt.maxima["link"] == 1
    assert text(make_extractor('feature-extractor-text maxima={"text":11,"link":9}'), first)
    assert not text(learnt, first)
    assert text(learnt, second)


@pytest.mark.parametrize(
    ("values", "k", "expected"),
    [
        ([1, 2, 10, 11], 2, [0, 0, 1, 1]),
        ([11, 2, 10, 1], 2, [1, 0, 1, 0]),
        ([1, 1, 1], 3, [0, 0, 0]),
        ([5], 3, [0]),
        ([0, 1, 10, 11, 100], 3, [0, 0, 1, 1, 2]),
        ([0, 4, 8], 2, [0, 0, 1]),  # 4 lies between both: to the lower
    ],
)
def test_clusters_are_those_found_by_hand(values, k, expected):
    assert clusters(np.array(values, dtype=float), k).tolist() == expected
