"""Documents in frames: walked, limited, or regions themselves."""

from html import escape

import pytest

from structce.errors import RenderError
from structce.page import Page
from structce.rendering.document import Document
from structce.rendering.html_rules import MAX_FRAMES
from structce.rendering.static import StaticRenderer

BODY = "/html[1]/body[1]"


def shown(page: Page) -> list[tuple[str, str]]:
    """Addresses below body, and text or, of media, the tag."""
    pairs = zip(page.xpath, page.text, page.tag, strict=True)
    return [(xpath.removeprefix(BODY + "/"), text or tag) for xpath, text, tag in pairs]


def test_a_frame_with_a_document_of_its_own_is_walked(make_page):
    page = make_page(
        "<iframe srcdoc='<title>t</title><p>a<!-- c --> &amp;amp; b</p><img src=x>'>old</iframe>"
        "<p>c</p>"
    )
    assert shown(page) == [
        (f"iframe[1]{BODY}/p[1]/text()[1]", "a"),
        (f"iframe[1]{BODY}/p[1]/text()[2]", "& b"),
        (f"iframe[1]{BODY}/img[1]", "img"),
        ("p[1]/text()[1]", "c"),
    ]
    elements = page.elements
    html = elements.tag.index("html", 1)
    assert elements.tag[elements.parent[html]] == "iframe"
    assert (elements.position[html], elements.n_siblings[html]) == (0, 1)
    assert elements.styles["font-weight"].tolist() == [400] * len(elements)


@pytest.mark.parametrize(
    "frame",
    [
        "<iframe></iframe>",
        "<iframe src=a.html></iframe>",
        "<iframe srcdoc=' '></iframe>",
        "<iframe srcdoc='<!-- a -->'></iframe>",
        "<iframe srcdoc='<p hidden>a</p>'></iframe>",
        "<iframe srcdoc='<p>a</p>' sandbox></iframe>",
        "<iframe srcdoc='<p>a</p>' sandbox='allow-scripts'></iframe>",
    ],
)
def test_a_frame_that_shows_nothing_to_us_is_a_region_itself(make_page, frame):
    assert shown(make_page(frame)) == [("iframe[1]", "iframe")]


def test_a_sandbox_that_keeps_the_origin_is_looked_into(make_page):
    page = make_page("<iframe srcdoc='<p>a</p>' sandbox='allow-forms Allow-Same-Origin'></iframe>")
    assert list(page.text) == ["a"]


def framed(html: str) -> str:
    return f"<iframe srcdoc='{escape(html)}'></iframe>"


def test_frames_in_frames_are_followed_to_a_limit(make_page):
    html = "deep"
    for _ in range(MAX_FRAMES):
        html = framed(html)
    assert list(make_page(html).text) == ["deep"]
    html = framed(html)
    assert shown(make_page(html)) == [
        ("/".join(["iframe[1]"] + ["html[1]/body[1]/iframe[1]"] * MAX_FRAMES), "iframe")
    ]


def test_an_invisible_frame_shows_nothing_whatever_it_holds(make_page):
    inner = "<p style=visibility:visible>a</p>"
    assert len(make_page(f"<iframe style=visibility:hidden srcdoc='{inner}'></iframe>")) == 0


def test_a_frame_nested_too_deeply_is_an_error_that_names_the_page():
    document = Document(f"<iframe srcdoc='{'<div>' * 20_001}a'></iframe>", name="deep-frame")
    with pytest.raises(RenderError, match="deep-frame"):
        StaticRenderer().render(document)
