"""Evidence of a page: what is known of elements, regions and blocks, by hand on small pages."""

import numpy as np
import pytest

from structce.article.evidence import SURROUNDINGS, Evidence, likely_blocks, surroundings_of
from structce.labels import NEWS

HTML = """<main class="article-body"><h2 class="headline">One <b>two</b></h2>
<p>Three <a href=/x>four</a></p><div id=comments><p class="x">Five</p></div></main>"""


@pytest.fixture(scope="module")
def evidence(make_page, see):
    page = make_page(HTML)
    assert page.text == ("One", "two", "Three", "four", "Five")
    return see(page, ["Title", "Title", "Paragraph", "Subtitle", "None"], [0.9, 0.8, 0.7, 0.6, 1])


@pytest.mark.parametrize("html", ["", "<html></html>", "<body></body>"])
def test_a_page_without_regions_has_no_evidence(html, make_page, see):
    evidence = see(make_page(html))
    assert evidence.n_blocks == 0
    for name in ("p_body", "block_starts", "chars", "level", "in_link"):
        assert getattr(evidence, name).shape == (0,)
    assert evidence.block_max(np.zeros(0)).shape == (0,)
    assert (evidence.body_begin, evidence.body_end, evidence.title_region) == (0, 0, 0)
    assert evidence.normalised == []
    assert evidence.n_regions_with("one") == 0
    assert likely_blocks(evidence, np.zeros(0), least=0.1, n_most=3) == []
    first, end = evidence.region_ranges
    assert len(first) == len(end) == len(evidence.page.elements)
    assert (first == end).all()


def test_names_speak_of_all_that_is_inside_them(evidence):
    rows = [evidence.name_features(i) for i in range(5)]
    assert [row["in_content"] for row in rows] == [1] * 5
    assert [row["in_comment"] for row in rows] == [0, 0, 0, 0, 1]
    assert [row["named_title"] for row in rows] == [1, 1, 0, 0, 0]
    others = {"named_author", "named_date", "named_title", "in_time"}
    assert set(rows[0]) == {f"in_{name}" for name in SURROUNDINGS} | others


def test_regions_that_contain_a_text_are_counted(make_page, see):
    evidence = see(make_page(f"<p>Ann<p>Ann.<p>Ann Lee, Ann<p>{'Ann ' * 99}<p>Tom"))
    assert [evidence.n_regions_with(key) for key in ("ann", "lee", "tom", "zoe")] == [3, 1, 1, 0]


KINDS = """comments-area=comment related-posts=related c-Newsletter=promotion share-bar=share
author-bio=profile site-nav=frame cookie-wall=notice entry-content=content standfirst=lead
wp-caption-text=caption""".split()


@pytest.mark.parametrize("row", KINDS)
def test_each_kind_of_surroundings_has_its_bit(row):
    names, kind = row.split("=")
    bits = surroundings_of(["zzz", f"zzz {names}", "zz\nzz"])
    assert bits[f"zzz {names}"] >> list(SURROUNDINGS).index(kind) & 1
    assert bits["zzz"] == bits["zz\nzz"] == 0


def test_the_likeliest_blocks_come_first_and_of_equals_the_first(make_page):
    page = make_page("<p>a</p><p>b</p><p>c</p><p>d</p>")
    p = np.array([0.2, 0.5, 0.5, 0.05])
    evidence = Evidence(page, np.zeros((4, len(NEWS))), NEWS.names)
    assert likely_blocks(evidence, p, least=0.1, n_most=3) == [1, 2, 0]
    assert likely_blocks(evidence, p, least=0.1, n_most=1) == [1]
    assert likely_blocks(evidence, p, least=0.9, n_most=3) == []
