"""Columns of blocks, worked out by hand on a page of three."""

import numpy as np
import pytest

from structce.article.block_columns import BLOCK_COLUMNS, block_columns
from structce.features.contract import ODD_HTML
from structce.page import TEXT_KINDS

# characters of a region that count are at most 400; a mean has a thousandth of a character more
HTML = (
    f"<html><body><main><h1>0123456789</h1><ul><li>{'x' * 20}.</li><li>{'y' * 40}<a href=/>"
    f"{'z' * 40}</a></li></ul></main><p>end:</p></body></html>"
)


def named(evidence):
    return dict(zip(BLOCK_COLUMNS, block_columns(evidence), strict=True))


@pytest.fixture(scope="module")
def columns(make_page, see):
    page = make_page(HTML)
    labels = ["Title", "Paragraph", "Paragraph", "None", "None"]
    evidence = see(page, labels, [1, 0.8, 0.5, 1, 1])
    assert evidence.block_starts.tolist() == [0, 1, 2, 4]
    return named(evidence)


def close(values):
    return pytest.approx(values, abs=1e-3, nan_ok=True)


@pytest.mark.parametrize("name", ODD_HTML)
def test_odd_pages_have_a_row_a_block_and_nothing_infinite(name, make_page, see):
    evidence = see(make_page(ODD_HTML[name]))
    columns = named(evidence)
    assert {column.shape for column in columns.values()} == {(evidence.n_blocks,)}
    assert not any(np.isinf(column).any() for column in columns.values())
    unknown = {name for name, column in columns.items() if np.isnan(column).any()}
    beside = {f"body_{offset:+d}" for offset in (-3, -2, -1, 1, 2, 3)}
    beside |= set("chars_-1 chars_+1 link_-1 link_+1 stated_found from_stated".split())
    assert unknown <= beside | {f"stated_{kind}" for kind in TEXT_KINDS}


def test_a_block_has_the_mean_of_its_regions_by_their_length(columns):
    assert columns["body"] == close([0, 0.8, 0.25, 0])
    assert columns["body_highest"] == close([0, 0.8, 0.5, 0])
    assert columns["p_title"] == close([1, 0, 0, 0])
    assert columns["p_none"] == close([0, 0, 0.5, 1])


def test_what_a_block_is_made_of_is_counted(columns):
    assert np.expm1(columns["n_chars"]) == close([10, 21, 80, 4])
    assert columns["n_regions"].tolist() == [1, 1, 2, 1]
    assert np.expm1(columns["n_words"]) == close([1, 1, 2, 1])
    assert columns["link_share"] == close([0, 0, 0.5, 0])
    assert columns["kind"].tolist() == [8, 2, 2, 1]
    assert columns["level"].tolist() == [1, 0, 0, 0]
    assert columns["depth"].tolist() == [3, 4, 4, 2]


def test_places_on_the_page_and_its_totals(columns):
    total = 37.8
    assert columns["before"] == close([0, 0, 16.8 / total, 36.8 / total])
    assert columns["after"] == close([1, 1 - 16.8 / total, 1 - 36.8 / total, 1 - 36.8 / total])
    assert np.expm1(columns["page_mass"]) == close([total] * 4)
    assert columns["page_share"] == close([total / 116] * 4)
    assert np.expm1(columns["page_blocks"]) == close([4] * 4)
    assert columns["first_heading"].tolist() == [0, 1, 2, 3]
    assert columns["from_title"].tolist() == [0, 1, 2, 3]
    assert columns["n_same"].tolist() == [1, 1, 1, 1]
    assert columns["ends_sentence"].tolist() == [0, 1, 0, 1]
    assert columns["ends_colon"].tolist() == [0, 0, 0, 1]


TEASER = (
    "<title>Ferry stops - Post</title><div><div><h1>Ferry stops</h1><p>The ferry rests.</p></div>"
    "</div><div><h3><a href=/>Storm over ferry</a></h3><p>Wind.</p></div>"
)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("title_words", [0, 1 / 3, 1 / 3, 0]),
        ("title_words_2", [1 / 3] * 4),
        ("heading_in_link", [0, 0, 1, 1]),
        ("heading_words", [0, 0, 1 / 3, 1 / 3]),
        ("link_-1", [np.nan, 0, 0, 1]),
        ("link_+1", [0, 1, 0, np.nan]),
        ("title_levels", [0, 1, 3, 3]),
        ("column_links", [0, 0, 16 / 22, 16 / 22]),
        ("column_part", [0, 0.9412, 0, 0]),
        ("column_blocks", np.log1p([1, 1, 2, 2])),
    ],
)
def test_blocks_know_the_title_and_its_position(name, values, make_page, see):
    evidence = see(make_page(TEASER), ["Title", "Paragraph", "None", "None"])
    columns = named(evidence)
    assert columns[name] == close(values)


STATED = """<html><head><script type="application/ld+json">{"@graph": [
{"@type": "Recipe", "recipeIngredient": ["500 g flour", "Salt"], "recipeInstructions":
["Mix the flour, the salt and the water.", "Bake for an hour in a hot oven. Eat it hot."]},
{"@type": "Person", "description": "Ann Lee has baked bread in Osmere, on the coast, since 1990."}
]}</script></head><body><p>Menu</p><ul><li>500 g <b>flour</b></li><li>Salt</li></ul>
<p>Salt is cheap.</p><p>Mix the <i>flour</i>, the salt and the water.</p>
<p>Bake for an hour in a hot oven.</p>
<p>Ann Lee has baked bread in Osmere, on the coast, since 1990.</p></body></html>"""


def test_what_json_ld_states_of_a_recipe_is_found_in_its_blocks(make_page, see):
    columns = named(see(make_page(STATED)))
    assert columns["stated_content"] == close([0, 1, 1, 0, 1, 1, 0])
    assert columns["stated_party"] == close([0, 0, 0, 0, 0, 0, 1])
    assert np.isnan([columns["stated_post"], columns["stated_caption"]]).all()
    assert columns["from_stated"].tolist() == [-1, 0, 0, 0, 0, 0, 1]
    n_stated = len("500gflourSaltMixtheflourthesaltandthewaterBakeforanhourinahotovenEatithot")
    assert columns["stated_found"] == close([(n_stated - len("Eatithot")) / n_stated] * 7)
