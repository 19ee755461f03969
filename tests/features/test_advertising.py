"""Signs of advertisements, and what only looks like one."""

import numpy as np
import pytest

from structce.features.registry import REGISTRY

REST = "<p>text</p>" * 20


def first(name, page):
    return next(iter(REGISTRY[name].values(page)))


NAMED = """
class=ad  id=div-gpt-ad-123-0  id=google_ads_iframe_1  class=topAdBanner  class=OUTBRAIN
class=advertisement  class=c-sponsored__label  class=werbung-oben  class=ad-300x250
class=ad300x250  data-ad-slot=12  aria-label=Advertisement  aria-label=Anzeige
""".split()
OTHERS = """
class=header  class=shadow  class=download  class=addressBook  class=page-heading
class=banner  class=cookie-banner  class=ad8anwq  class=sponsors  data-added=1  title=x
""".split()


@pytest.mark.parametrize("attributes", ["class='box ad-slot-1'", *NAMED, *OTHERS])
def test_whole_words_name_an_advertisement(make_page, attributes):
    page = make_page(f"<html lang=de><div {attributes}><img></div>{REST}")
    assert first("task.advertisement-name", page) == (None if attributes in OTHERS else "near")


def test_a_name_counts_by_how_far_above_it_stands(make_page):
    page = make_page(f"<div class=ad>a<i>b</i><i><i><i><i>c</i></i></i></i></div>{REST}")
    names = list(REGISTRY["task.advertisement-name"].values(page))
    assert names[:4] == ["own", "near", "far", None]


def test_large_element_is_not_an_advertisement(make_page):
    page = make_page(f"<main class=has-ads>{REST}</main>{REST}")
    assert set(REGISTRY["task.advertisement-name"].values(page)) == {None}


@pytest.mark.parametrize(
    ("html", "is_served"),
    [
        ("<iframe src='https://securepubads.g.doubleclick.net/x'></iframe>", True),
        ("<img src='//cdn.taboola.com/x.png'>", True),
        ("<a href='https://ad.doubleclick.net/ddm'><img src='/x.png'></a>", True),
        ("<img src='https://ads.shop.example/x.png'>", True),
        ("<img src='https://post.example/taboola/x.png'>", False),
        ("<img src='https://roads.example/x.png'>", False),
        ("<img src='https://'>", False),
        ("<img>", False),
    ],
)
def test_a_host_serves_advertisements(make_page, html, is_served):
    assert bool(first("task.advertisement-host", make_page(html + REST))) is is_served


def test_a_link_that_is_paid_for_says_so(make_page):
    page = make_page("<a rel='nofollow sponsored'><b>x</b></a><a rel=nofollow>y</a>")
    assert np.asarray(REGISTRY["task.sponsored-link"].values(page)).tolist() == [True, False]
