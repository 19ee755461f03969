"""From pages to matrices, and what pages know of their sites."""

import numpy as np
import pytest

from structce.experiments.job import EncodedPages, EncodedSplit, encode_split
from structce.features.feature_set import FeatureSet
from structce.features.registry import FAMILIES, FeatureRegistry, feature
from structce.labels import UNKNOWN_INDEX
from structce.page import region_texts


@pytest.fixture(scope="module")
def data(corpus):
    features = FeatureSet(("text", "dom"), min_count=1)
    parts = (corpus.subset(page.id for page in corpus.pages[i::3]) for i in range(3))
    return encode_split(features, *parts)


def test_pages_learn_of_their_site_only_if_a_feature_asks_for_it(corpus):
    assert not FeatureSet(FAMILIES).needs_sites
    registry = FeatureRegistry()

    @feature("site", needs="site", registry=registry)
    def everywhere(page):
        """Whether all pages of the site hold the region's text."""
        counts = page.site.texts
        return [counts.get(text, 0) == page.site.n_pages for text in region_texts(page)]

    features = FeatureSet(("site",), windows={}, registry=registry)
    assert features.needs_sites
    known = corpus.with_sites()
    assert [page.id for page in known] == [page.id for page in corpus]
    assert known.digest == corpus.digest
    assert {page.page.site.n_pages for page in known} == {3}
    data = encode_split(features, known, known, known)
    assert len(data.columns) == 2
    # The menu, the author and the second paragraph are the same on all three pages of a site.
    first = known.pages[0].page
    texts = {first.text[i] for i in data.train.matrices[0][:, 1].nonzero()[0]}
    assert texts == {"Home", "Sport", "By Jo North", "More of it."}


def test_each_part_has_the_columns_of_the_training_pages(corpus, data):
    features = FeatureSet(("text", "dom"), min_count=1)
    pages = [corpus.pages[i::3] for i in range(3)]
    features.fit([page.page for page in pages[0]])
    assert data.columns == features.columns_
    assert data.label_set is corpus.label_set
    for part, chosen in zip((data.train, data.validation, data.test), pages, strict=True):
        assert len(part) == len(chosen) == 6
        for x, y, page in zip(part.matrices, part.targets, chosen, strict=True):
            assert (x != features.transform(page.page)).nnz == 0
            assert corpus.label_set.decode(y) == page.labels


def test_two_parts_are_one_after_the_other(data):
    both = data.train + data.validation
    assert len(both) == 12
    for i, (x, y) in enumerate(zip(both.matrices, both.targets, strict=True)):
        part = data.train if i < 6 else data.validation
        assert (x != part.matrices[i % 6]).nnz == 0
        assert np.array_equal(y, part.targets[i % 6])


def test_some_pages_and_some_columns_can_be_taken(data):
    few = data.train.pages((4, 1))
    for x, i in zip(few.matrices, (4, 1), strict=True):
        assert (x != data.train.matrices[i]).nnz == 0
    places = np.array([0, 5, 7])
    taken = data.take(places)
    assert isinstance(taken, EncodedSplit)
    assert taken.columns == tuple(data.columns[i] for i in (0, 5, 7))
    assert (taken.test.matrices[2] != data.test.matrices[2][:, places]).nnz == 0


def test_a_page_without_regions_and_a_part_without_pages_have_their_place(data):
    n_columns = len(data.columns)
    matrix = data.train.matrices[0]
    none = np.zeros(0, dtype=np.int64)
    part = EncodedPages.of(
        [matrix, matrix[:0], matrix], [np.zeros(6, int), none, np.full(6, -1)], n_columns
    )
    assert [x.shape for x in part.matrices] == [(6, n_columns), (0, n_columns), (6, n_columns)]
    assert [len(y) for y in part.targets] == [6, 0, 6]
    assert (part.targets[2] == UNKNOWN_INDEX).all()
    empty = EncodedPages.of([], [], n_columns)
    assert (len(empty), empty.rows.shape) == (0, (0, n_columns))
    assert len(empty + part) == len(part + empty) == 3
