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


EXPECTED = {
    "same-text-share": [1, 0.5, UNKNOWN, 0, 0, 0.5, 0, UNKNOWN, 1, UNKNOWN],
    "same-file-share": [UNKNOWN] * 2 + [0.5] + [UNKNOWN] * 4 + [0] + [UNKNOWN] * 2,
    "same-path-share": [1, 1, 1, 1, 1, 1, 1, 1, 0, 1],
    "inverse-frequency": [1 / 3, 0.5, 0.5, 1, 1, 0.5, 1, 1, 1 / 3, UNKNOWN],
    "on-every-page": [1, 0, 0, 0, 0, 0, 0, 0, 1, 0],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_regions_are_looked_for_on_the_other_pages_of_the_site(page_of_site, name):
    assert len(page_of_site) == len(REGIONS)
    found = np.asarray(REGISTRY[f"site.{name}"].values(page_of_site), dtype=float)
    np.testing.assert_allclose(found, EXPECTED[name], err_msg=str(REGIONS))


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
