"""Recipes followed from two small data sets to a model with its card."""

import hashlib
import json

import pytest
from msgspec.structs import replace

from structce.errors import CorpusError
from structce.recipes import cross_validation, training
from structce.recipes.ingredients import find_sources
from structce.recipes.training import follow_recipe, make_examples
from structce.rendering.static import StaticRenderer


def test_data_sets_share_groups_of_sites(recipe_corpus):
    assert len(recipe_corpus) == 10
    assert recipe_corpus.covered == ("Date", "Paragraph", "Subtitle")
    assert len({page.family for page in recipe_corpus}) == 8
    dated = next(page for page in recipe_corpus if page.id == "7")
    assert dated.labels.count("Date") == 1
    assert "Paragraph" not in dated.labels
    assert "None|Paragraph|Subtitle" in dated.labels
    for part in recipe_corpus.folds(2):
        others = {page.site for page in recipe_corpus} - {page.site for page in part}
        assert len(others) + len(part.sites) == 8


def test_data_sets_that_are_not_there_are_all_named(recipe, tmp_path):
    with pytest.raises(CorpusError, match=r"benchmark\.zip, htmldate\.zip"):
        find_sources(recipe, tmp_path)


def test_another_archive_is_refused_unless_no_digest_is_known(recipe, two_data_sets):
    first, second = recipe.data
    right = hashlib.sha256((two_data_sets / first.file).read_bytes()).hexdigest()
    known = replace(first, sha256=right), replace(second, sha256="0" * 64)
    with pytest.raises(CorpusError, match=r"htmldate\.zip has SHA-256") as error:
        find_sources(replace(recipe, data=known), two_data_sets)
    assert first.file not in str(error.value)
    unknown = known[0], replace(second, sha256="")
    sources = find_sources(replace(recipe, data=unknown), two_data_sets)
    assert [path.name for path in sources.values()] == [first.file, second.file]
    assert list(find_sources(replace(recipe, data=known[:1]), two_data_sets)) == [known[0]]


@pytest.mark.usefixtures("few_bylines")
def test_a_model_is_made_measured_and_described(recipe, two_data_sets, tmp_path):
    model = follow_recipe(recipe, two_data_sets, tmp_path / "corpora", StaticRenderer)
    card = model.card
    assert (card["recipe"], card["pages"], card["sites"], card["groups"]) == ("small", 10, 8, 8)
    assert card["views"] == {"stated": 0.5, "bare": 0.5}
    assert [source["name"] for source in card["data"]] == [source.name for source in recipe.data]
    assert "gold: MIT" in card["licence"]
    assert "Apache-2.0" in card["licence"]
    assert {"stated", "bare"} <= set(card["scores"]["Paragraph"])
    assert card["scores"]["Paragraph"]["bare"] > 0.5
    model.save(tmp_path / "model")
    page = (tmp_path / "model" / "README.md").read_text()
    assert "Made in a test." in page
    assert "no site, copy, template or publisher" in page
    json.dumps(card)


def test_a_model_that_is_not_measured_says_so_and_has_no_trees(
    recipe, two_data_sets, tmp_path, monkeypatch
):
    fitted = []

    def fit(views, recipe):
        fitted.append(len(views))
        return cross_validation.fit_views(views, recipe)

    monkeypatch.setattr(training, "fit_views", fit)
    places = two_data_sets, tmp_path / "corpora"
    model = follow_recipe(recipe, *places, StaticRenderer, is_measured=False)
    assert fitted == [10]
    assert model.card["scores"] == {}
    assert not model.trees


def test_a_model_is_as_sure_as_unseen_sites_have_taught(recipe, recipe_corpus):
    calibrating = replace(recipe, calibration="temperature")
    unseen = cross_validation.label_unseen(recipe_corpus, calibrating)
    model = training.fit_model(recipe_corpus, calibrating, unseen, make_examples(unseen))
    learnt = unseen[0].labelling.labeller
    assert model.learner.temperature_ == learnt.learner.temperature_ != 1.0
    assert model.card["calibrated"] is True
    unseen = cross_validation.label_unseen(recipe_corpus, recipe)
    plain = training.fit_model(recipe_corpus, recipe, unseen, [])
    assert (plain.learner.temperature_, plain.card["calibrated"]) == (1.0, False)
