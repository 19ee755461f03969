"""Families of features in an experiment: which are chosen, and which columns are whose."""

import numpy as np
import pytest

from structce.errors import ExperimentError
from structce.experiments import encoding
from structce.experiments.encoding import know_sites
from structce.experiments.families import (
    KINDS,
    Variant,
    chosen_families,
    family_of,
    feature_set,
    variants,
)
from structce.features import FAMILIES, REGISTRY, FeatureSet, Registry, feature
from structce.site import region_texts


@pytest.mark.parametrize(
    ("column", "family"),
    [
        ("bias", ""),
        ("text.length:2", "text"),
        ("text.token=next.dom.tag", "text"),
        ("previous.style.top", "style"),
        ("next.task.zone=a.b", "task"),
        ("previous-3.dom.tag=h1", "dom"),
        ("next-12.site.text-share", "site"),
    ],
)
def test_a_column_names_its_family_behind_the_region_it_looks_at(column, family):
    assert family_of(column) == family


def test_a_variant_keeps_the_bias_and_its_columns():
    columns = ("bias", "dom.tag=p", "next.text.length", "text.length")
    assert Variant("only", "text").places(columns).tolist() == [0, 2, 3]
    assert Variant("without", "text").places(columns).tolist() == [0, 1]
    assert Variant("only", "style").places(columns).tolist() == [0]
    assert Variant("without", "style").places(columns).tolist() == [0, 1, 2, 3]


def test_variants_first_leave_out_then_stand_alone():
    names = [str(one) for one in variants(("text", "dom"))]
    assert names == ["without text", "without dom", "only text", "only dom"]


@pytest.mark.parametrize("min_count", [1, 3, 20])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_choosing_columns_equals_encoding_with_these_families(corpus, min_count, kind, family):
    pages = [page.page for page in corpus]
    train, test = pages[:9], pages[9:]
    full = FeatureSet(FAMILIES, min_count=min_count).fit(train)
    others = [one for one in FAMILIES if one != family]
    alone = FeatureSet([family] if kind == "only" else others, min_count=min_count).fit(train)
    places = Variant(kind, family).places(full.columns_)
    assert tuple(full.columns_[i] for i in places) == alone.columns_
    assert 1 < len(places) < len(full.columns_)
    for page in test:
        chosen, encoded = full.transform(page)[:, places], alone.transform(page)
        assert chosen.shape == encoded.shape
        assert (chosen != encoded).nnz == 0
        assert np.array_equal(chosen.indices, encoded.indices)


def test_features_are_taken_besides_their_families_and_left_out_of_them():
    names = feature_set(("text",), ("dom.tag",), ("text.length",)).names
    assert "dom.tag" in names
    assert "text.length" not in names
    assert "text.token" in names
    assert {family_of(name) for name in names} == {"text", "dom"}


def test_an_alias_is_as_good_as_a_name():
    aliases = [(alias, one.name) for one in REGISTRY.values() for alias in one.aliases]
    for alias, name in aliases[:3]:
        assert name in feature_set((), (alias, "text.token", "dom.tag"), ()).names
        assert name not in feature_set(FAMILIES, (), (alias,)).names


def test_families_of_chosen_features_stand_in_the_order_of_the_registry():
    assert chosen_families(("dom", "text"), ("style.top",), ()) == ("text", "dom", "style")
    styles = [name for name in REGISTRY if name.startswith("style.")]
    assert chosen_families(FAMILIES, (), styles) == ("text", "dom", "task")


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (((), (), ()), "no feature family; expected some of .*'site'"),
        ((("text", "styel"), (), ()), "unknown 'styel' in features.families.*'style'"),
        ((("text", "text"), (), ()), "a name is twice in features.families: text, text"),
        ((("text",), ("dom.tga",), ()), "unknown 'dom.tga' in features.include.*'dom.tag'"),
        ((("text",), ("dom",), ()), "unknown 'dom' in features.include"),
        ((("text",), (), ("text.tokne",)), "unknown 'text.tokne' in features.exclude.*text.token"),
        ((("text",), ([],), ()), r"unknown \[\] in features.include"),
        ((("dom",), ("dom.tag",), ("dom.tag",)), "'dom.tag' is in features.include and in"),
        (((), ("dom.tag",), ("dom.depth", "dom.tag")), "'dom.tag' is in features.include and in"),
    ],
)
def test_a_choice_that_is_not_understood_is_refused(choice, message):
    with pytest.raises(ExperimentError, match=message):
        feature_set(*choice)


def test_leaving_everything_out_is_refused():
    names = [name for name in REGISTRY if name.startswith("task.")]
    with pytest.raises(ExperimentError, match="features: no feature is chosen"):
        feature_set(("task",), (), names)


def test_pages_learn_of_their_site_only_if_a_feature_asks_for_it(corpus):
    assert know_sites(corpus, FeatureSet(FAMILIES)) is corpus
    registry = Registry()

    @feature("site", needs="site", registry=registry)
    def everywhere(page):
        """Whether all pages of the site hold the region's text."""
        counts = page.site.texts
        return [counts.get(text, 0) == page.site.n_pages for text in region_texts(page)]

    features = FeatureSet(("site",), windows={}, registry=registry)
    known = know_sites(corpus, features)
    assert [page.id for page in known] == [page.id for page in corpus]
    assert known.digest == corpus.digest
    assert {page.page.site.n_pages for page in known} == {3}
    data, split = encoding.encode(features, known, known, known)
    assert split.n_columns == 2
    # The menu, the author and the second paragraph are the same on all three pages of a site.
    first = known.pages[0].page
    found = {first.text[i] for i in data.train.X[0][:, 1].nonzero()[0]}
    assert found == {"Home", "Sport", "By Jo North", "More of it."}
