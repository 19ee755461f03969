import pytest

from structce.page import region_files, region_paths, site_of
from structce.page.page import MAX_COMPARED_TEXT

FRAME = """<html class=js><body class='home id-7'>
<div class='menu top'><a>Home</a></div>{}<p>Legal</p></body></html>"""


def test_a_path_names_elements_and_classes_from_the_root_down(make_page):
    page = make_page(FRAME.format("<main><p class=a>x <b>y</b> z</p></main>"))
    assert region_paths(page) == [
        "html/body/div.menu.top/a",
        "html/body/main/p.a",
        "html/body/main/p.a/b",
        "html/body/main/p.a",
        "html/body/p",
    ]


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("src=/i/logo.png", "/i/logo.png"),
        ("src='https://cdn.example/i/logo.png?v=3#x'", "/i/logo.png"),
        ("src='//a.example/resize/https://b.example/i/logo.png'", "/i/logo.png"),
        ("src='/resize?url=https%3A%2F%2Fb.example%2Fi%2Flogo.png&amp;w=640'", "/i/logo.png"),
        ("src=https://a.example", ""),
        ("src='/image?id=1'", ""),
        ("src='/image?id=1' data-srcset='/i/logo.png 2x, /i/large.png 4x'", "/i/logo.png"),
        ("src=/blank.gif data-src=/i/logo.png", "/i/logo.png"),
        ("src='data:image/gif;base64,R0lG//x/y' srcset='/i/logo.png 640w'", "/i/logo.png"),
        ("src=https://[bad/i/logo.png", "/i/logo.png"),
        (f"src=/{'i' * 2 * MAX_COMPARED_TEXT}.png", f"{'i' * (MAX_COMPARED_TEXT - 4)}.png"),
        ("src=' '", ""),
        ("alt=/i/logo.png", ""),
    ],
)
def test_a_file_is_where_it_lies_on_its_server(make_page, attributes, expected):
    assert region_files(make_page(f"<p>x <img {attributes}></p>")) == ["", expected]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.news.example.co.uk/a", "example.co.uk"),
        ("HTTP://User@News.BBC.com:8080/?q=//x.org", "bbc.com"),
        ("https://bücher.de", "bücher.de"),
        ("http://localhost:8000/a", "localhost"),
        ("http://192.168.0.1/a", "192.168.0.1"),
        ("https://www.intranet/a", "intranet"),
        ("https://[bad", ""),
        ("pages/a.html", ""),
        ("", ""),
    ],
)
def test_a_site_is_a_registrable_domain_or_else_a_host(url, expected):
    assert site_of(url) == expected
