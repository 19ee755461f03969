"""Notices that ask for consent, and what is only called like one."""

import re
from dataclasses import replace

import numpy as np
import pytest

from structce.features import consent

REST = "<p>text</p>" * 20
ASKS = "We use cookies. <a>Accept all</a>"


def values(page):
    return consent(page).tolist()


NAMES = """
id=onetrust-banner-sdk  id=didomi-host  id=CybotCookiebotDialog  id=usercentrics-root
class='qc-cmp2-container'  id=sp_message_container_1042  class='BorlabsCookie'  id=cmpbox2
class=fc-consent-root  class='box cookie-banner-v2'  class=cookieNotice  class=site_gdpr__popup
class='cc-window cc-bottom'
"""
OTHERS = """
class=header  class='banner cookie'  class=recipe-cookies  class=cmp-modal  class=scmpWindow
class=no-consent  class=didomi-reopen-link  class=onetrust-show-settings  class=tag-gdpr
role=dialog  class=sp-message  title=x
"""


@pytest.mark.parametrize("attributes", re.split(r"  |\n", NAMES.strip()))
def test_a_notice_is_known_by_its_name_whatever_it_says(make_page, attributes):
    page = make_page(f"{REST}<div {attributes}>Hei<b>OK</b><img></div>")
    assert values(page) == [False] * 20 + [True] * 3


@pytest.mark.parametrize("attributes", re.split(r"  |\n", OTHERS.strip()))
def test_other_names_need_the_words_of_a_notice(make_page, attributes):
    assert not any(values(make_page(f"{REST}<div {attributes}>Hello<b>OK</b></div>")))


@pytest.mark.parametrize(
    ("html", "asks"),
    [
        (f"<div role=dialog>{ASKS}</div>", True),
        (f"<dialog open>{ASKS}</dialog>", True),
        (f"<div aria-modal=true>{ASKS}</div>", True),
        (f"<div class=website-cookies>{ASKS}</div>", True),
        (f"<div class=cmp-modal>{ASKS}</div>", True),
        ("<div role=dialog>Diese Seite nutzt Cookies. <b>Einverstanden</b></div>", True),
        ("<div role=dialog>Мы используем куки <b>Принять</b></div>", True),
        ("<div role=dialog>Our newsletter <b>Accept</b></div>", False),
        ("<div role=dialog>Cookies, ten recipes <b>Read</b></div>", False),
        (f"<div>{ASKS}</div>", False),
        (f"<div class=cmp-text>{ASKS}</div>", False),
        (f"<a class=cookie-banner>{ASKS}</a>", False),
    ],
)
def test_a_dialog_is_a_notice_if_it_speaks_of_cookies_and_accepting(make_page, html, asks):
    page = make_page(REST + html)
    assert values(page) == [False] * 20 + [asks] * (len(page) - 20)


def test_what_stands_fixed_in_front_of_the_page_may_be_a_notice(make_page):
    page = make_page(f"<header>News</header>{REST}<div>{ASKS}</div>")
    elements = page.elements
    position = np.array(["fixed" if tag in ("header", "div") else "static" for tag in elements.tag])
    styles = {**elements.styles, "position": position}
    laid_out = replace(page, renderer="chromium", elements=replace(elements, styles=styles))
    assert values(laid_out) == [False] * 21 + [True] * 2


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
    assert not any(values(make_page(html)))
