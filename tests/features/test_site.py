import numpy as np
import pytest

from structce.features.registry import REGISTRY
from structce.page import with_sites

UNKNOWN = np.nan
NAMES = [name for name, feature in REGISTRY.items() if feature.family == "site"]

HTML = """<body class="page-{n}"><nav><a>Home</a><a>{menu}</a><img src="{logo}"></nav>
<h1>Story {n}</h1><p class="text">Part {n} by <a>Ann</a></p><p class="text">More {n}</p>
<img src="/photo{n}.jpg"><div class="only{n}">Only</div><p>|</p></body>"""

REGIONS = ("home", "menu", "logo", "title", "text", "author", "more", "photo", "only", "sign")


@pytest.fixture(scope="module")
def page_of_site(make_page):
    """First of three pages of one site: the second has another menu and logo, the third no Ann."""
    first = HTML.format(n=1, menu="Sport", logo="https://a.example/logo.svg?v=1")
    two = HTML.format(n=2, menu="Town", logo="/other.svg")
    three = HTML.format(n=3, menu="Sport", logo="//b.example/logo.svg?v=2").replace("Ann", "Eve")
    other = make_page(HTML.format(n=1, menu="Sport", logo="/logo.svg"))
    pages = [*(make_page(html) for html in (first, two, three)), other]
    return with_sites(pages, ["a", "a", "a", "b"])[0]


def values(page, name):
    return REGISTRY[f"site.{name}"].values(page)


def expect(page, name, expected):
    assert len(page) == len(REGIONS)
    np.testing.assert_allclose(np.asarray(values(page, name)), expected, err_msg=str(REGIONS))


def where(page, name):
    """Regions where a truth value holds."""
    return {region for region, holds in zip(REGIONS, values(page, name), strict=True) if holds}


def test_a_text_counts_on_the_other_pages_of_its_own_site(page_of_site):
    expect(page_of_site, "same-text-share",
           [1, 0.5, UNKNOWN, 0, 0, 0.5, 0, UNKNOWN, 1, UNKNOWN])  # fmt: skip


def test_a_file_is_known_again_on_another_host(page_of_site):
    expect(
        page_of_site, "same-file-share", [UNKNOWN] * 2 + [0.5] + [UNKNOWN] * 4 + [0] + [UNKNOWN] * 2
    )


def test_a_path_comes_back_whatever_the_body_is_called(page_of_site):
    expect(page_of_site, "same-path-share", [1, 1, 1, 1, 1, 1, 1, 1, 0, 1])


def test_the_inverse_frequency_counts_the_page_itself(page_of_site):
    expect(page_of_site, "inverse-frequency", [1 / 3, 0.5, 0.5, 1, 1, 0.5, 1, 1, 1 / 3, UNKNOWN])


@pytest.mark.parametrize("name", NAMES)
def test_a_page_alone_knows_nothing(name, make_page):
    page = make_page("<p>Home</p><img src=/a.png>")
    feature = REGISTRY[name]
    assert not feature.is_known(page)
    known = np.asarray(feature.values(page), dtype=float)
    assert len(known) == 2
    assert not np.nan_to_num(known).any()


@pytest.mark.parametrize("name", NAMES)
def test_pages_without_regions_give_no_values(name, make_page):
    page = with_sites([make_page("<html></html>")] * 2, ["a", "a"])[0]
    assert len(REGISTRY[name].values(page)) == 0
