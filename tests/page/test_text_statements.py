"""Texts of articles, recipes, posts and parties that JSON-LD states."""

import json

import pytest

from structce.page import TEXT_KINDS, Metadata, stated_texts


def texts_of(*items):
    return stated_texts(Metadata(json_ld=items))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Below < 5 knots <b>all</b> sail.", "Below < 5 knots all sail."),
        ("<!-- hidden -->Nine > eight<br/>Ten", "Nine > eight Ten"),
        ("<" * 3 + "a", "<<<a"),
    ],
)
def test_only_mark_up_is_removed(text, plain):
    assert texts_of({"@type": "Article", "articleBody": text})["content"] == (plain,)


def test_ingredients_and_steps_are_stated_one_by_one():
    steps = [
        {"@type": "HowToStep", "name": "Mix", "text": "Mix flour and water."},
        {"@type": "HowToStep", "name": "Wait an hour."},
    ]
    section = {"@type": "HowToSection", "name": "Dough", "itemListElement": steps}
    ingredients = ("500 g flour", "1 cup water")
    recipe = {"@type": "Recipe", "recipeIngredient": [*ingredients]}
    recipe["recipeInstructions"] = [section, "Bake it."]
    expected = (*ingredients, "Mix flour and water.", "Wait an hour.", "Bake it.")
    assert texts_of(recipe)["content"] == expected


def test_posts_and_answers_are_found_wherever_they_are_nested():
    question = {
        "@type": "Question",
        "text": "When does it sail?",
        "acceptedAnswer": {"@type": "Answer", "text": "At nine."},
        "comment": [{"@type": "Comment", "text": "At ten on Sundays."}],
    }
    page = {"@type": ["QAPage"], "mainEntity": question}
    assert texts_of(page)["post"] == ("When does it sail?", "At nine.", "At ten on Sundays.")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("Product", "content"), ("Person", "party"), ("NewsMediaOrganization", "party")],
)
def test_a_description_is_of_goods_or_of_a_party(kind, expected):
    stated = texts_of({"@type": kind, "description": "Made in Osmere since 1890."})
    assert stated[expected] == ("Made in Osmere since 1890.",)


def test_reviews_and_descriptions_of_pages_are_left_out():
    review = {"@type": "Review", "reviewBody": "Fine.", "author": "Ann Lee"}
    product = {"@type": "Product", "name": "Oar", "review": [review | {"text": "Fine oar."}]}
    page = {"@type": "WebPage", "description": "All about oars."}
    assert texts_of(product, page) == dict.fromkeys(TEXT_KINDS, ())


def test_enormous_statements_are_read_in_part():
    posts = [{"@type": "Comment", "text": f"post {n} " + "x" * 1000} for n in range(5_000)]
    stated = texts_of({"@type": "Article", "comment": posts, "articleBody": "y" * 10**6})
    assert sum(map(len, stated["content"])) <= 10**6 / 2
    assert 0 <= len(stated["post"]) < len(posts)
    assert len(texts_of({"recipeIngredient": [str(n) for n in range(5_000)]})["content"]) < 5_000


@pytest.mark.parametrize("value", [None, 7, True, [], {}, [[None]], {"@type": None, "text": None}])
def test_values_of_other_types_state_nothing(value):
    item = {"@type": "Recipe", "recipeInstructions": value, "articleBody": value, "about": value}
    assert texts_of(json.loads(json.dumps(item))) == dict.fromkeys(TEXT_KINDS, ())
