"""Signs of advertisements, and what only looks like one."""

import numpy as np
import pytest

from structce.features.registry import REGISTRY

REST = "<p>text</p>" * 20


def first(name, page):
    return next(iter(REGISTRY[name].values(page)))


@pytest.mark.parametrize(
    ("attributes", "is_named"),
    [
        ("class=ad", True),
        ("class='box ad-slot-1'", True),
        ("id=div-gpt-ad-123-0", True),
        ("id=google_ads_iframe_1", True),
        ("class=topAdBanner", True),
        ("class=OUTBRAIN", True),
        ("class=advertisement", True),
        ("class=c-sponsored__label", True),
        ("class=werbung-oben", True),
        ("class=ad-300x250", True),
        ("class=ad300x250", True),
        ("data-ad-slot=12", True),
        ("aria-label=Advertisement", True),
        ("aria-label=Anzeige", True),
        ("class=header", False),
        ("class=shadow", False),
        ("class=download", False),
        ("class=addressBook", False),
        ("class='page-heading loaded'", False),
        ("class=banner", False),
        ("class=cookie-banner", False),
        ("class=ad8anwq", False),
        ("class=sponsors", False),
        ("data-added=1", False),
        ("", False),
    ],
)
def test_whole_words_name_an_advertisement(make_page, attributes, is_named):
    page = make_page(f"<html lang=de><div {attributes}><img></div>{REST}")
    assert first("task.advertisement-name", page) == ("near" if is_named else None)


def test_a_name_counts_by_how_far_above_it_stands(make_page):
    page = make_page(f"<div class=ad>a<i>b</i><i><i><i><i>c</i></i></i></i></div>{REST}")
    assert list(REGISTRY["task.advertisement-name"].values(page))[:4] == [
        "own",
        "near",
        "far",
        None,
    ]


def test_an_element_that_holds_much_of_the_page_is_no_advertisement(make_page):
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
