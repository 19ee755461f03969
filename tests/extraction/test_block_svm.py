"""Blocks classified by a support vector machine: the method of Yao and Zuo, and L-Extractor."""

import math

import numpy as np
import pytest
from sklearn.svm import SVC

from structce.errors import ExtractionError
from structce.extraction import TRAINABLE_METHODS, ParsedDocument, block_set, text_blocks
from structce.extraction.block_svm import FEATURES, BlockSVM, SupportVectors, feature_rows

SENTENCE = "The ferry to the island will stop in June, the harbour master number {} said. "


def page(n):
    """A page, and its text."""
    text = "".join(SENTENCE.format(n * 10 + i) for i in range(4 + n % 3))
    items = "".join(f"<li><a href=x>Item {i}</a>" for i in range(3 + n % 4))
    html = (
        f"<body><div class='site-nav'><ul>{items}</ul></div><div id=main><p>{text}</p>"
        f"<p>{text.upper()}</p></div><div class=footer><p>{'Words of the house. ' * (3 + n)}</p>"
    )
    return ParsedDocument(html), f"{text}\n{text.upper()}"


PAGES, TEXTS = zip(*map(page, range(8)), strict=True)
NAMES = ("block-svm", "block-svm-position", "block-svm-text")


@pytest.mark.parametrize(("name", "n_columns"), [*zip(NAMES, (7 + 1 + 3, 8, 7), strict=True)])
def test_feature_sets_are_those_of_the_figures(name, n_columns):
    columns = TRAINABLE_METHODS[name]().fit(PAGES, TEXTS).columns
    assert columns.n_columns == n_columns
    assert columns.rows(text_blocks(PAGES[0])).shape == (len(text_blocks(PAGES[0])), n_columns)


def test_tokens_are_the_strongest_signs_of_other_blocks():
    assert BlockSVM(n_tokens=2).fit(PAGES, TEXTS).tokens == ("nav", "site")


def rows_of(n, seed=0):
    """Random rows, many of them equal, and which are content: a disc, with noise."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 3)).round(1) * [1, 10, 100]
    return rows, (rows[:, 0] ** 2 + (rows[:, 1] / 10) ** 2 < 1) ^ (rng.random(n) < 0.05)


def test_decisions_are_those_of_scikit_learn():
    rows, is_content = rows_of(400)
    machine = SupportVectors.fit(rows, is_content, C=2.0)
    scaled = (rows - rows.min(axis=0)) / (rows.max(axis=0) - rows.min(axis=0))
    peer = SVC(C=2.0, gamma=1 / 3, tol=1e-6).fit(scaled, is_content)  # equal rows many times
    expected = peer.decision_function(scaled)
    decisions = machine.decision(rows)
    assert np.abs(decisions - expected).max() < 0.02  # libsvm stops at 0.001 of its own criterion
    assert (np.sign(decisions) == np.sign(expected))[np.abs(expected) > 0.02].all()
    far = rows.max(axis=0)[None]  # values beyond those of training count as the last
    assert machine.decision(far * 1000) == pytest.approx(machine.decision(far))


def test_rows_of_l_extractor_are_logarithms_and_flags():
    blocks = block_set(ParsedDocument("<p>one two three <img><img></p>"))
    (row,) = feature_rows(blocks)
    by_name = dict(zip(FEATURES, row, strict=False))
    assert by_name["text"] == pytest.approx(math.log(4))
    assert by_name["image"] == pytest.approx(math.log(3))
    assert by_name["link"] == 0
    present = dict(zip(FEATURES, row[len(FEATURES) :], strict=True))
    assert {name for name, value in present.items() if value == 1} == {"text", "image", "text-tag"}


@pytest.mark.parametrize("name", ["vectors", "coefficients", "low", "width", "constants"])
def test_damaged_arrays_are_refused(name):
    arrays = SupportVectors.fit(*rows_of(100)).arrays()
    with pytest.raises(ExtractionError, match="damaged"):
        SupportVectors.of_arrays(arrays | {name: arrays[name][:-1]}, 3)
