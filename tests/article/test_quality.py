"""Quality of an article: how sure the choice of its body is, and what trees make of it."""

import numpy as np
import pytest

import structce
from structce.article.page_type import (
    PAGE_COLUMNS,
    QUALITY_COLUMNS,
    doubt_facts,
    page_facts,
    page_quality,
)
from structce.features.contract import ODD_HTML

DOUBTS = QUALITY_COLUMNS[len(PAGE_COLUMNS) :]


def test_every_column_is_named_once():
    assert len(set(QUALITY_COLUMNS)) == len(QUALITY_COLUMNS)


def test_doubts_are_those_of_the_hand():
    chars = np.array([100.0, 50.0, 50.0, 200.0])
    doubts = doubt_facts(chars, np.array([0.0, 0.8, 0.4, 0.95]))
    assert tuple(doubts) == DOUBTS
    assert doubts["doubt"] == pytest.approx((50 * 0.2 + 50 * 0.4 + 200 * 0.05) / 250)
    assert doubts["chars_inside"] == pytest.approx(np.log1p(250))
    assert doubts["sure_share"] == pytest.approx(300 / 400)
    assert doubts["mean_inside"] == pytest.approx((40 + 190) / 250)
    assert doubts["mean_outside"] == pytest.approx(20 / 150)
    assert doubts["n_runs"] == 2


def test_a_page_that_is_all_body_or_none_of_it_is_borne():
    for p in (1.0, 0.0):
        facts = doubt_facts(np.array([10.0, 10.0]), np.full(2, p))
        assert np.isfinite([*facts.values()]).all()
    assert np.isfinite([*doubt_facts(np.zeros(0), np.zeros(0)).values()]).all()


def test_characters_of_blocks_are_counted(make_page, see):
    evidence = see(make_page("<p>one <b>two</b></p><img src=a.png><p>three</p>"))
    assert evidence.block_chars.tolist()[:1] == [6]
    assert evidence.block_chars.sum() == 11
    assert see(make_page("")).block_chars.shape == (0,)


@pytest.mark.parametrize("name", ODD_HTML)
def test_a_quality_is_a_probability(name, trees, make_page, see):
    evidence = see(make_page(ODD_HTML[name]))
    rng = np.random.default_rng(1)
    p, facts = rng.random(evidence.n_blocks), page_facts(evidence)
    assert 0 <= page_quality(evidence, p, facts, trees.quality) <= 1


def test_without_trees_there_is_none(make_page, see):
    assert page_quality(see(make_page("<p>x")), np.zeros(1), {}, None) is None


@pytest.mark.parametrize("html", ["<p hidden>a", "<script>a</script>", "<div></div>", "<!-- a -->"])
def test_a_page_without_anything_visible_is_read_badly_and_said_to_be_so(html, tmp_path, caplog):
    (tmp_path / "a.html").write_text(html)
    (outcome,) = structce.label_files([tmp_path / "a.html"])
    assert outcome.value.quality == 0
    assert "a.html: nothing is visible" in caplog.text
