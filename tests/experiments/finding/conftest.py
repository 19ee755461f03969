"""Test pages that are nothing but labels, and what is pooled of predictions for them."""

import numpy as np
import pytest

from structce.experiments import statistics
from structce.labels import LabelSet

LETTERS = LabelSet(("A", "B", "N"), background="N")


@pytest.fixture(scope="session")
def make_tests():
    """Return a function that makes test pages from ids, and labels in one word: ``"AN?"``.

    The site of a page is the first letter of its id; two regions each are a block.
    """

    def make(pages):
        gold = [LETTERS.encode(word) for _, word in pages]
        return statistics.TestPages(
            label_set=LETTERS,
            ids=tuple(name for name, _ in pages),
            sites=tuple(name[0] for name, _ in pages),
            gold=tuple(gold),
            blocks=tuple(np.arange(len(y), dtype=np.int32) // 2 for y in gold),
        )

    return make


@pytest.fixture(scope="session")
def pool_words(make_tests):
    """Return a function that pools predictions, in one word a page, for test pages."""

    def find(pages, words, seed=0):
        return statistics.pool(make_tests(pages), indices(words), (), seed)

    return find


@pytest.fixture(scope="session")
def indices_of():
    return indices


def indices(words):
    return [LETTERS.encode(word).tolist() for word in words]
