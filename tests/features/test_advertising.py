"""Signs of advertisements, notices that ask for consent, and what only looks like either."""

import re

import numpy as np
import pytest
from msgspec.structs import replace

from structce.features import REGISTRY, consent

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


ASKS = "We use cookies. <a>Accept all</a>"


def notices(page):
    return consent(page).tolist()


NAMES = """
id=onetrust-banner-sdk  id=didomi-host  id=CybotCookiebotDialog  id=usercentrics-root
class='qc-cmp2-container'  id=sp_message_container_1042  class='BorlabsCookie'  id=cmpbox2
class=fc-consent-root  class='box cookie-banner-v2'  class=cookieNotice  class=site_gdpr__popup
class='cc-window cc-bottom'
"""
UNNAMED = """
class=header  class='banner cookie'  class=recipe-cookies  class=cmp-modal  class=scmpWindow
class=no-consent  class=didomi-reopen-link  class=onetrust-show-settings  class=tag-gdpr
role=dialog  class=sp-message  title=x
"""


@pytest.mark.parametrize("attributes", re.split(r"  |\n", NAMES.strip()))
def test_a_notice_is_known_by_its_name_whatever_it_says(make_page, attributes):
    page = make_page(f"{REST}<div {attributes}>Hei<b>OK</b><img></div>")
    assert notices(page) == [False] * 20 + [True] * 3


@pytest.mark.parametrize("attributes", re.split(r"  |\n", UNNAMED.strip()))
def test_other_names_need_the_words_of_a_notice(make_page, attributes):
    assert not any(notices(make_page(f"{REST}<div {attributes}>Hello<b>OK</b></div>")))


@pytest.mark.parametrize(
    ("html", "asks"),
    [
        (f"<div role=dialog>{ASKS}</div>", True),
        (f"<dialog open>{ASKS}</dialog>", True),
        (f"<div aria-modal=true>{ASKS}</div>", True),
        (f"<div class=website-cookies>{ASKS}</div>", True),
        (f"<div class=cmp-modal>{ASKS}</div>", True),
        ("<div role=dialog>Diese Seite nutzt Cookies. <b>Einverstanden</b></div>", True),
        ("<div role=dialog>Çerez kullanıyoruz <b>Kabul et</b></div>", True),
        ("<div role=dialog>クッキーを使用しています <b>同意する</b></div>", True),
        ("<div role=dialog>Мы используем куки <b>Принять</b></div>", True),
        ("<div role=dialog>Our newsletter <b>Accept</b></div>", False),
        ("<div role=dialog>Cookies, ten recipes <b>Read</b></div>", False),
        (f"<div>{ASKS}</div>", False),
        (f"<div class=cmp-text>{ASKS}</div>", False),
        (f"<a class=cookie-banner>{ASKS}</a>", False),
    ],
)
def test_dialog_about_cookies_is_a_consent_notice(make_page, html, asks):
    page = make_page(REST + html)
    assert notices(page) == [False] * 20 + [asks] * (len(page) - 20)


def test_what_stands_fixed_in_front_of_the_page_may_be_a_notice(make_page):
    page = make_page(f"<header>News</header>{REST}<div>{ASKS}</div>")
    elements = page.elements
    position = np.array(["fixed" if tag in ("header", "div") else "static" for tag in elements.tag])
    styles = {**elements.styles, "position": position}
    laid_out = replace(page, renderer="chromium", elements=replace(elements, styles=styles))
    assert notices(laid_out) == [False] * 21 + [True] * 2


@pytest.mark.parametrize(
    "html",
    [
        f"<body class='cookie-banner didomi-popup'>{REST}",
        f"<div class=cookie-banner>{REST}</div>",
        f"<div class=cookie-notice><main><p>text</main></div>{REST}",
        f"<div class=gdpr-modal><div><article>text</article></div></div>{REST}",
        f"<article class=cookie-banner>text</article>{REST}",
    ],
)
def test_what_holds_the_article_or_most_of_the_page_is_no_notice(make_page, html):
    assert not any(notices(make_page(html)))
