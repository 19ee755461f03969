from pathlib import Path

import pytest

from structce.features.registry import FAMILIES, REGISTRY, FeatureRegistry, feature
from structce.features.spengler2010 import REST, markdown_tables, rows


def register(registry, family, name, doc, **options):
    def compute(page):
        return [True] * len(page)

    compute.__doc__ = doc
    made = feature(family, name=name, registry=registry, **options)
    made(compute)


@pytest.fixture
def small_registry():
    registry = FeatureRegistry()
    register(registry, "dom", "tag", "Name of the element.", aliases=["dom-name"])
    register(registry, "dom", "mine", "This | that, in `code`.", source="Me (2020)", needs="layout")
    register(registry, "text", "token", "Words of\n    the text.")
    return registry


def test_every_row_of_the_table_has_a_feature_of_ours():
    lacking = [f"{row.family}: {row.paper}" for row in rows() if not row.ours]
    assert not lacking, "\n".join(lacking)


def test_every_feature_of_the_four_families_stands_in_a_row():
    placed = {name for row in rows() for name in row.ours}
    assert placed == {entry.name for entry in REGISTRY.values() if entry.family in FAMILIES}


def test_a_row_shows_our_name_and_the_last_what_no_row_has(small_registry):
    by_paper = {(row.family, row.paper): row.ours for row in rows(small_registry)}
    assert by_paper["dom", "dom-name"] == ("dom.tag",)
    assert by_paper["dom", REST] == ("dom.mine",)
    assert by_paper["dom", "dom-depth"] == ()
    assert by_paper["text", "all tokens in text content"] == ("text.token",)
    assert by_paper["text", REST] == ()


def test_the_page_on_features_has_these_tables():
    page = (Path(__file__).parents[2] / "docs" / "features.md").read_text("utf-8")
    assert "\n".join(markdown_tables()).strip() in page


def test_markdown_has_one_line_a_row_and_one_a_feature(small_registry):
    lines = list(markdown_tables(registry=small_registry))
    assert "| dom | dom-name | `dom.tag` |  |" in lines
    assert "| dom | dom-depth | not yet |  |" in lines
    assert "### All 3 features" in lines
    assert "| dom | `dom.mine` | layout | Me (2020) | This \\| that, in `code`. |" in lines
    assert "| text | `text.token` |  | ours | Words of the text. |" in lines
    listed = lines[lines.index("### All 3 features") :]
    names = [line.split("`")[1] for line in listed if "`" in line]
    assert names == ["text.token", "dom.tag", "dom.mine"]  # families in the order of the paper


def test_markdown_of_one_family_has_no_other(small_registry):
    lines = list(markdown_tables(["dom"], registry=small_registry))
    assert "### All 2 features" in lines
    assert not any(line.startswith("| text ") for line in lines)
