"""Trees on features of blocks like those of Dragnet."""

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier

from structce.extraction import ParsedDocument
from structce.extraction.dragnet_like import (
    DragnetLike,
    dragnet_blocks,
    dragnet_rows,
    grow_trees,
    readability,
)

SENTENCE = "The ferry to the island, which is old, will stop in June, number {} said. "


def page(n):
    """A page, and its text."""
    text = "".join(SENTENCE.format(n * 10 + i) for i in range(4 + n % 3))
    items = "".join(f"<p><a href=x>Item {i}</a>" for i in range(5))
    html = (
        f"<body><div class=nav>{items}</div><div id=main><p>{text}</p><p>{text.upper()}</p></div>"
        f"<fieldset>{text}</fieldset><div class=footer><p>Words of the house</div>"
    )
    return ParsedDocument(html), f"{text}\n{text.upper()}"


PAGES, TEXTS = zip(*map(page, range(10)), strict=True)


def fit():
    return DragnetLike(min_leaf=3).fit(PAGES, TEXTS)


def blocks_of(html):
    return dragnet_blocks(ParsedDocument(html))


def column(html, i):
    return dragnet_rows(blocks_of(html))[:, i].tolist()


def test_densities_of_a_block_and_its_neighbours():
    html = "<p><a>a b</a></p><p>c <a>d</a> e f</p><p>g</p>"
    of_links, of_words = [0, 1, 1 / 4, 0, 0], [0, 2, 4, 1, 0]
    expected = [own[i : i + 3] for own in (of_links, of_words) for i in range(3)]
    assert [column(html, i) for i in range(6)] == expected


def test_ratios_of_characters_and_tags_are_smoothed():
    html = "<p>aaaa</p><p><b>bbbb</b></p><p>cc</p>"  # 4, 4 / 2 and 2 characters a tag
    weights = np.exp(-(np.arange(-4, 5) ** 2) / 2)
    padded = [4, 4, 4, 4, 4, 2, 2, 2, 2, 2, 2]
    sums = [float(weights @ padded[i : i + 9]) for i in range(len(padded) - 8)]
    assert column(html, 6) == pytest.approx(np.array(sums) / weights.sum())


def test_readability_goes_to_the_elements_above_a_paragraph():
    paragraph = "Twenty five characters, or more."  # 32 characters, a comma: 2 points
    html = f"<section><div id=article><p>{paragraph}</p><p>{paragraph}</p></div></section><p>x</p>"
    # div: 5 by its name, 25 by its id, twice 2 points; section: twice 1 point
    assert readability(blocks_of(html)).tolist() == [34, 34, 0]
    sidebar = html.replace("article", "sidebar")  # -16; the section's 2 are more
    assert readability(blocks_of(sidebar)).tolist() == [2, 2, 0]


@pytest.fixture(scope="module")
def grown():
    """Rows, and trees grown on them, by us and by scikit-learn."""
    rng = np.random.default_rng(0)
    rows, weights = rng.normal(size=(500, 4)), rng.random(500)
    is_content = (rows[:, 0] * rows[:, 1] > 0) ^ (rng.random(500) < 0.1)
    ours = grow_trees(rows, is_content, weights=weights, n_trees=5, min_leaf=7, seed=3)
    peer = ExtraTreesClassifier(5, max_features=None, min_samples_leaf=7, random_state=3)
    return rows, ours, peer.fit(rows, is_content, sample_weight=weights)


def test_probabilities_are_those_of_scikit_learn(grown):
    rows, ours, peer = grown
    unseen = np.concatenate((rows, np.random.default_rng(1).normal(size=(500, 4))))
    means = ours.leaf_sums(unseen, np.zeros(1, dtype=int))[:, 0] / 5
    assert means == pytest.approx(peer.predict_proba(unseen)[:, 1], abs=1e-6)
