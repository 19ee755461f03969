"""Families of features in an experiment: which are chosen, and which columns are whose."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from structce.errors import ExperimentError
from structce.experiments.config import (
    VARIANT_KINDS,
    Candidate,
    Experiment,
    Variant,
    chosen_families,
    family_of,
    feature_set,
    own_places,
)
from structce.features import preset_features
from structce.features.feature_set import FeatureSet
from structce.features.registry import FAMILIES, REGISTRY

PLAIN = Experiment("Which?", ("news",), (Candidate("structured-svm"),))


@pytest.fixture(scope="module")
def pages(make_corpus):
    return [page.page for page in make_corpus(6)]


@pytest.fixture(scope="module")
def encode(pages):
    """Return a function that encodes all pages with the columns of four; each choice once."""

    @cache
    def encoded(families, min_count):
        features = FeatureSet(families, min_count=min_count).fit(pages[:4])
        return features.columns_, [features.transform(page) for page in pages]

    return encoded


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
    candidates = (Candidate("structured-svm"),)
    experiment = Experiment("Which?", ("news",), candidates, ablation=("text", "dom"))
    names = [str(variant) for variant in experiment.variants]
    assert [Variant.read(name) for name in names] == list(experiment.variants)
    assert names == ["without text", "without dom", "only text", "only dom"]


@pytest.mark.parametrize("min_count", [1, 3, 9])
@pytest.mark.parametrize("kind", VARIANT_KINDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_choosing_columns_equals_encoding_with_these_families(encode, min_count, kind, family):
    others = tuple(name for name in FAMILIES if name != family)
    columns, full = encode(tuple(FAMILIES), min_count)
    own_columns, alone = encode((family,) if kind == "only" else others, min_count)
    places = Variant(kind, family).places(columns)
    assert tuple(columns[i] for i in places) == own_columns
    assert 1 < len(places) < len(columns)
    for page, encoded in zip(full, alone, strict=True):
        chosen = page[:, places]
        assert chosen.shape == encoded.shape
        assert (chosen != encoded).nnz == 0
        assert np.array_equal(chosen.indices, encoded.indices)


def test_features_are_taken_besides_their_families_and_left_out_of_them():
    names = feature_set(("text",), ("dom.tag",), ("text.length",)).names
    assert "dom.tag" in names
    assert "text.length" not in names
    assert "text.token" in names
    assert {family_of(name) for name in names} == {"text", "dom"}


def test_a_preset_is_the_papers_table_and_nothing_else():
    experiment = replace(PLAIN, presets=("spengler2010",), windows={}, strengths={})
    features = experiment.feature_set()
    assert len(features.names) == 49
    assert {"text.all-tokens", "style.right-in-pixels", "text.string-length"} < set(features.names)
    assert {"dom.class-and-name-token", "task.page-title-distance"} < set(features.names)
    assert {"style.text-colour-value", "style.background-colour-value"} < set(features.names)
    assert not {"text.token", "style.right", "dom.token", "text.length"} & set(features.names)
    assert features.windows == features.strengths == {}
    assert set(preset_features("spengler2010")) == set(features.names)


def test_a_feature_that_is_optional_is_taken_by_name_alone():
    assert "text.all-tokens" not in feature_set(FAMILIES, (), ()).names
    assert "text.all-tokens" in feature_set(FAMILIES, ("text.all-tokens",), ()).names


def test_several_presets_have_their_own_features():
    experiment = replace(PLAIN, presets=("all", "spengler2010"))
    assert experiment.feature_set("all").names == feature_set(FAMILIES, (), ()).names
    assert "text.first-token" not in experiment.feature_set("spengler2010").names


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"presets": ("spengler",)}, "features.preset: unknown 'spengler'.*'spengler2010'"),
        ({"presets": ()}, "features.preset: expected a preset"),
        ({"windows": {"text.tokn": (1,)}}, "neither a feature nor a family; .*'text.token'"),
        ({"strengths": {"text.token": 0.0}}, "the strength of text.token is 0.0"),
    ],
)
def test_a_preset_window_or_strength_that_cannot_be_is_refused(given, message):
    with pytest.raises(ExperimentError, match=message):
        replace(PLAIN, **given)


def test_columns_of_the_region_itself_are_told_from_its_neighbours():
    columns = (
        "bias",
        "text.token=by",
        "previous.text.token=by",
        "next-2.dom.tag=p",
        "dom.tag=next.",
    )
    assert own_places(columns).tolist() == [0, 1, 4]


def test_an_alias_is_as_good_as_a_name():
    aliases = [(alias, feature.name) for feature in REGISTRY.values() for alias in feature.aliases]
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
        (((), (), ()), "features.families: no feature family; expected some of .*'site'"),
        ((("text", "styel"), (), ()), "features.families: unknown 'styel'.*'style'"),
        ((("text", "text"), (), ()), "features.families: 'text' occurs twice"),
        ((("text",), ("dom.tga",), ()), "features.include: unknown 'dom.tga'.*'dom.tag'"),
        ((("text",), ("dom",), ()), "features.include: unknown 'dom'"),
        ((("text",), (), ("text.tokne",)), "features.exclude: unknown 'text.tokne'.*text.token"),
        ((("text",), ([],), ()), r"features.include: unknown \[\]"),
        ((("dom",), ("dom.tag",), ("dom.tag",)), "include: 'dom.tag' is in features.exclude, too"),
        (((), ("dom.tag",), ("dom.depth", "dom.tag")), "'dom.tag' is in features.exclude, too"),
    ],
)
def test_a_choice_that_is_not_understood_is_refused(choice, message):
    with pytest.raises(ExperimentError, match=message):
        feature_set(*choice)


def test_leaving_everything_out_is_refused():
    names = [name for name in REGISTRY if name.startswith("task.")]
    with pytest.raises(ExperimentError, match="features: no feature is chosen"):
        feature_set(("task",), (), names)
