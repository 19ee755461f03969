"""What features and labellers remember of a page goes when the page goes."""

import copy
import gc
import pickle
from weakref import ref

import pytest

from structce.features import REGISTRY, FeatureSet, lay_out
from structce.features.registry import once_a_page
from structce.labelling import RegionLabeller

N_PAGES = 30


@pytest.fixture(scope="module")
def without_collection():
    """Pages go by themselves, not only when Python looks for cycles."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def living(references):
    """Return how many pages are still there."""
    return sum(reference() is not None for reference in references)


@pytest.mark.usefixtures("without_collection")
def test_no_page_stays_after_its_labelling(make_page, article_html):
    labeller = RegionLabeller.load("news-static")
    seen = []
    for n in range(N_PAGES):
        page = make_page(article_html(n), url=f"https://post.example/{n}")
        labelling = labeller.label(page)
        assert labelling.explain(0).label == labelling.labels[0]
        seen.append(ref(page))
        assert living(seen) == 1
        del page, labelling
        assert living(seen) == 0


@pytest.mark.usefixtures("without_collection")
@pytest.mark.parametrize("name", list(REGISTRY))
def test_no_feature_keeps_a_page(name, make_page, article_html):
    page = lay_out(make_page(article_html(3)))
    REGISTRY[name].values(page)
    seen = [ref(page)]
    del page
    assert living(seen) == 0


@pytest.mark.usefixtures("without_collection")
def test_a_fitted_set_keeps_no_page(make_page, article_html):
    pages = [make_page(article_html(n)) for n in range(4)]
    features = FeatureSet(min_count=1).fit(pages)
    seen = list(map(ref, pages))
    features.transform_all(pages)
    del pages
    assert living(seen) == 0
    assert len(features.columns_) > 0


def test_what_is_known_of_a_page_does_not_travel_with_it(make_page):
    calls = []

    @once_a_page
    def size(page):
        calls.append(page.url)
        return len(page)

    page = make_page("<p>a</p>")
    assert size(page) == size(page) == 1
    assert len(calls) == 1
    other = pickle.loads(pickle.dumps(page))
    assert (size(other), len(calls)) == (1, 2)
    assert (size(copy.deepcopy(page)), len(calls)) == (1, 3)
