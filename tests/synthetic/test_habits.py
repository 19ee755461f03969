"""What makes generated pages hard: texts cut, altered and repeated, dates said twice."""

import re
from dataclasses import replace

import pytest

from structce.synthetic.generate import draw_page
from structce.synthetic.renderer import template_families
from structce.synthetic.sites import draw_site

SOFT_HYPHEN = "\u00ad"


@pytest.fixture(scope="module")
def site():
    """An English site of the plainest habits, with no flags at all."""
    drawn = draw_site(0, list(template_families()), seed=0)
    habits = {**drawn.habits, "byline": "name-only", "date": "plain", "entities": "plain"}
    return replace(drawn, family="broadsheet", flags=frozenset(), habits=habits)


def page_of(site, *flags, family="broadsheet", **habits):
    changed = replace(site, family=family, flags=frozenset(flags), habits={**site.habits, **habits})
    return draw_page(changed, 0, seed=3)


def texts(shown, gold):
    return [leaf.text for leaf in shown if leaf.gold == gold]


@pytest.mark.parametrize("flag", ["breadcrumb", "sticky", "more-from"])
def test_a_repeated_headline_is_title_once(site, leaves, flag):
    pages = [page_of(replace(site, index=i), flag, family="portal") for i in range(4)]
    shown_pages = [(page, leaves(page)) for page in pages]  # half of the breadcrumbs end with it
    assert all("".join(texts(shown, "Title")) == page.title for page, shown in shown_pages)
    assert any(page.title in texts(shown, "None") for page, shown in shown_pages)


@pytest.mark.parametrize("flag", ["author-box", "more-from"])
def test_an_author_named_outside_of_bylines_is_none(site, leaves, flag):
    drawn = [page_of(replace(site, index=i), flag, family="portal") for i in range(6)]
    assert any(page.authors[0] in text for page in drawn for text in texts(leaves(page), "None"))
    assert all(page.authors[0] in texts(leaves(page), "Author") for page in drawn)


def test_soft_hyphens_are_in_the_page_and_not_in_the_values(site, leaves):
    page = page_of(site, "soft-hyphens")
    assert SOFT_HYPHEN in "".join(texts(leaves(page), "Paragraph"))
    assert SOFT_HYPHEN not in (page.title or "")
    assert SOFT_HYPHEN not in page_of(site).html


@pytest.mark.parametrize("habit", ["numeric", "named"])
def test_references_stand_for_what_they_replace(site, leaves, habit):
    plain, written = page_of(site), page_of(site, entities=habit)
    assert written.html.partition("<body")[2].isascii()
    assert not plain.html.isascii()
    assert leaves(written) == leaves(plain)


@pytest.mark.parametrize(("flag", "value"), [("anonymous", "authors"), ("undated", "date")])
def test_a_site_may_leave_out_authors_and_dates(site, leaves, flag, value):
    page = page_of(site, flag)
    label = {"authors": "Author", "date": "Date"}[value]
    assert not getattr(page, value)
    assert not texts(leaves(page), label)
    assert texts(leaves(page_of(site)), label)
    assert "datePublished" not in page.html or value != "date"


def test_replies_and_prices_are_none(site, leaves):
    spoken = set(site.language.lists["replies"]) | set(site.language.lists["nicknames"])
    for family in ("board_table", "discussion", "comment_tree", "votes"):
        shown = leaves(page_of(site, family=family))
        labelled = {leaf.text for leaf in shown if leaf.gold in ("Author", "Date", "Paragraph")}
        assert not labelled & spoken
    prices = re.compile(r"[£$]\d+(\.\d\d)?")
    for family in ("product", "auction", "landing_page", "locked", "event_page"):
        shown = leaves(page_of(site, family=family))
        assert {leaf.gold for leaf in shown if prices.fullmatch(leaf.text)} == {"None"}
