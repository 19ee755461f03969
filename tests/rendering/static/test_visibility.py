"""What shows where HTML alone decides: shadow trees, frames, drawings, and who may hide what."""

import pytest

from structce.errors import RenderError
from structce.page import Page
from structce.rendering.base import Limits, Settings
from structce.rendering.document import Document
from structce.rendering.html_rules import collapse, has_mark
from structce.rendering.static import StaticRenderer

BODY = "/html[1]/body[1]"


def shown(page: Page) -> list[tuple[str, str]]:
    """Addresses below body, and text or, of media, the tag."""
    pairs = zip(page.xpath, page.text, page.tag, strict=True)
    return [(xpath.removeprefix(BODY + "/"), text or tag) for xpath, text, tag in pairs]


def test_letters_of_a_drawing_are_regions_instead_of_it(make_page):
    page = make_page(
        "<svg><title>t</title><desc>d</desc><style>s</style><!-- c --><defs><text>no</text></defs>"
        "<g>shape<text x='1'>a<tspan>b</tspan><title>t</title></text></g></svg><p>e</p>"
    )
    assert shown(page) == [
        ("svg[1]/g[1]/text[1]/text()[1]", "a"),
        ("svg[1]/g[1]/text[1]/tspan[1]/text()[1]", "b"),
        ("p[1]/text()[1]", "e"),
    ]
    assert page.comments == ()


@pytest.mark.parametrize(
    "attribute", ["display=none", "visibility=hidden", "style='display:none' display=inline"]
)
def test_a_drawing_hides_by_attributes_of_its_own(make_page, attribute):
    assert len(make_page(f"<svg {attribute}><path d='M0 0'/></svg>")) == 0
    assert len(make_page(f"<svg><g {attribute}><text>a</text></g><text>b</text></svg>")) == 1


def test_hidden_is_of_html_and_hides_no_drawing_and_no_formula(make_page):
    page = make_page("<svg hidden></svg><math hidden><mi>x</mi></math><p hidden>y</p>")
    assert page.tag == ("svg", "mi")


def test_bars_show_themselves_and_not_what_they_hold(make_page):
    page = make_page("<meter value=1>a</meter><progress value=1>b</progress><output>c</output>")
    assert list(page.text) == ["c"]


def test_html_in_a_drawing_is_read_as_html(make_page):
    page = make_page("<svg><foreignObject><!-- c --><p>a</p><img src=x></foreignObject></svg>")
    below = "svg[1]/foreignobject[1]"
    assert page.comments == ()
    assert shown(page) == [(f"{below}/p[1]/text()[1]", "a"), (f"{below}/img[1]", "img")]


@pytest.mark.parametrize(
    "drawing",
    [
        "<svg><path d='M0 0'></path></svg>",
        "<svg>words</svg>",
        "<svg><text> </text></svg>",
        "<svg><svg><title>a</title></svg></svg>",
        "<svg><symbol><text>a</text></symbol><text style='display:none'>b</text></svg>",
    ],
)
def test_a_drawing_without_letters_is_a_region_itself(make_page, drawing):
    assert shown(make_page(drawing)) == [("svg[1]", "svg")]


def test_what_a_formula_is_in_other_languages_does_not_show(make_page):
    page = make_page(
        "<math><semantics><mi>x</mi><annotation>x in TeX</annotation><annotation-xml "
        "encoding='text/html'><p>x again</p></annotation-xml></semantics></math>"
    )
    assert list(page.text) == ["x"]


@pytest.mark.parametrize(
    ("style", "is_shown"),
    [
        ("opacity: 0", False),
        ("opacity:0.0", False),
        ("opacity: 0%", False),
        ("opacity: .1", True),
        ("opacity: none", True),
        ("opacity:0; opacity:1", True),
        ("opacity:0 !important; opacity:1", False),
        ("visibility: collapse", False),
        ("display: none", False),
        ("display/**/: none/* x */", False),
        ("background: url(data:a;b:c)", True),
    ],
)
def test_a_style_attribute_may_hide_text(make_page, style, is_shown):
    assert len(make_page(f"<div style='{style}'>a<b>b</b></div>")) == (2 if is_shown else 0)


def test_transparent_text_stays_hidden_whatever_stands_inside(make_page):
    page = make_page("<div style='opacity:0'>a<b style='opacity:1'>b</b></div>c")
    assert list(page.text) == ["c"]


def test_a_transparent_image_may_wait_for_a_script():
    document = Document("<img src=a style='opacity:0'>")
    assert len(StaticRenderer().render(document)) == 1
    assert len(StaticRenderer(settings=Settings(scripts=True)).render(document)) == 0


def test_a_display_of_its_own_goes_before_hidden(make_page):
    page = make_page(
        "<p hidden style='display:block'>a</p><dialog style='display: flex'>b</dialog>"
        "<p hidden style='color: red'>c</p>"
    )
    assert list(page.text) == ["a", "b"]


@pytest.mark.parametrize(
    ("medium", "is_shown"),
    [
        ("<img width=1 height=1>", False),
        ("<img width=0 height='1px'>", False),
        ("<img width=1>", True),
        ("<img width=1 height=40>", True),
        ("<img width='1%' height='1%'>", True),
        ("<iframe width=0></iframe>", False),
        ("<iframe width=0 srcdoc='<p>a</p>'></iframe>", False),
        ("<iframe height=1 width=600></iframe>", False),
        ("<svg width=1em height=1em></svg>", True),
        ("<svg width=0 height=0><text>a</text></svg>", False),
        ("<canvas height=''></canvas>", True),
    ],
)
def test_counting_pixels_are_no_regions(make_page, medium, is_shown):
    assert len(make_page(medium)) == is_shown


def test_frames_of_a_frameset_are_media(make_page):
    page = make_page(
        "<html><frameset cols='1,*'><frame src=a><frameset rows='*'><frame src=b></frameset>"
        "</frameset><noframes><body>no frames</body></noframes></html>"
    )
    assert page.xpath == (
        "/html[1]/frameset[1]/frame[1]",
        "/html[1]/frameset[1]/frameset[1]/frame[1]",
    )
    assert page.text == ("", "")


def test_noscript_shows_only_where_scripts_are_off():
    document = Document("<body><noscript>a</noscript><p>b</p>")
    assert list(StaticRenderer().render(document).text) == ["a", "b"]
    with_scripts = StaticRenderer(settings=Settings(scripts=True))
    assert list(with_scripts.render(document).text) == ["b"]


def test_a_page_written_as_xml_is_read_like_any_other(make_page):
    page = make_page(
        "<?xml version='1.0' encoding='utf-8'?><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict"
        "//EN' 'http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd'>"
        "<html xmlns='http://www.w3.org/1999/xhtml' xml:lang='de'><head><title>t</title></head>"
        "<body><p>a<br />b</p><hr/><fb:like data-x='1'>c</fb:like><img src='d' alt='' /></body>"
        "</html>"
    )
    assert page.lang == "de"
    assert shown(page) == [
        ("p[1]/text()[1]", "a"),
        ("p[1]/text()[2]", "b"),
        ("fb:like[1]/text()[1]", "c"),
        ("img[1]", "img"),
    ]
    assert page.breaks.tolist() == [0, 1, 2, 0]


def test_elements_that_hold_nothing_are_left_in_their_order(make_page):
    page = make_page("<p>a<wbr>b<wbr>c<i>d</i>e</p><embed src=x>f<b>g</b><p>h</p>")
    assert shown(page) == [
        *((f"p[1]/text()[{n}]", text) for n, text in ((1, "a"), (2, "b"), (3, "c"))),
        ("p[1]/i[1]/text()[1]", "d"),
        ("p[1]/text()[4]", "e"),
        ("embed[1]", "embed"),
        ("text()[1]", "f"),
        ("b[1]/text()[1]", "g"),
        ("p[2]/text()[1]", "h"),
    ]
    elements = page.elements
    places = zip(
        elements.tag, elements.position.tolist(), elements.n_siblings.tolist(), strict=True
    )
    assert [place for place in places if place[0] in "ib"] == [("i", 2, 3), ("b", 2, 4)]


@pytest.mark.parametrize(
    ("html", "regions"),
    [
        ("<title>t</title><main><p>a</p></main>", [("main[1]/p[1]/text()[1]", "a")]),
        (
            "<head><meta><x-y>a</x-y></head><body>b</body>",
            [("x-y[1]/text()[1]", "a"), ("text()[1]", "b")],
        ),
        ("<head></head><style>s</style><body><p>a", [("p[1]/text()[1]", "a")]),
        (
            "<body><p>a</p></body></html><p>b</p>c",
            [("p[1]/text()[1]", "a"), ("p[2]/text()[1]", "b"), ("text()[1]", "c")],
        ),
        ("<body><p>a</p></body><p>b</p>", [("p[1]/text()[1]", "a"), ("p[2]/text()[1]", "b")]),
        (
            "<body>a</body><body class=x>b<p>c</body>",
            [("text()[1]", "ab"), ("p[1]/text()[1]", "c")],
        ),
    ],
)
def test_a_page_has_one_head_and_one_body(make_page, html, regions):
    page = make_page(html)
    assert shown(page) == regions
    assert page.elements.tag[:2] == ("html", "body")
    assert page.elements.position[:2].tolist() == [0, 1]
    assert page.elements.n_siblings[:2].tolist() == [1, 2]


def test_html_ends_a_drawing_that_was_not_closed(make_page):
    page = make_page(
        "<svg><g><path d=x></path><p>a</p>b<path></path></g><text>c</text></svg>d<i>e</i>"
    )
    assert shown(page)[:2] == [("svg[1]", "svg"), ("p[1]/text()[1]", "a")]
    assert list(page.text)[2:] == ["b", "c", "d", "e"]


def test_an_image_by_its_old_name_is_one(make_page):
    assert shown(make_page("<image src=x><p>a</p>")) == [("img[1]", "img"), ("p[1]/text()[1]", "a")]
    assert shown(make_page("<svg><image href=x></image></svg>")) == [("svg[1]", "svg")]


def test_a_popover_is_hidden_until_a_script_opens_it(make_page):
    page = make_page("<div popover>a</div><p popover=manual>b</p><p>c</p>")
    assert list(page.text) == ["c"]


def test_every_character_of_white_space_is_read_as_base_reads_it(make_page):
    # What the parser makes of characters of control, and of mark-up, is its own affair.
    characters = [chr(code) for code in (*range(0xA0, 0x3100), 0xFEFF, 9, 10, 12, 32)]
    page = make_page("".join(f"<p>a{c}{c} b</p>" for c in characters))
    assert list(page.text) == [collapse(f"a{c}{c} b") for c in characters]
    page = make_page("".join(f"<p>{c}</p>" for c in characters))
    assert list(page.text) == [collapse(c) for c in characters if has_mark(c)]


def test_the_limit_of_regions_is_the_settings():
    renderer = StaticRenderer(settings=Settings(limits=Limits(regions=3)))
    assert len(renderer.render(Document("<p>a<p>b<p>c"))) == 3
    with pytest.raises(RenderError, match=r"crowd: more than 3 regions"):
        renderer.render(Document("<p>a<p>b<p>c<p>d", name="crowd"))


def test_a_page_tells_how_it_came_about():
    document = Document("<p>a", url="https://post.example/1")
    renderer = StaticRenderer()
    page = renderer.render(document)
    assert page.provenance == renderer.provenance(document)
    assert (page.url, page.provenance.digest) == (document.url, document.digest)
    assert (page.provenance.browser, page.viewport) == ("", (0, 0))
    assert "0x0" in page.provenance.settings.split()


LONG = "This is the text of the article that a reader came for, and it is long enough. "


@pytest.mark.parametrize("veil", ["hidden", "style='display:none'", "style='opacity:0'"])
def test_text_that_waits_for_scripts_is_shown_where_it_is_most_of_the_page(make_page, veil):
    page = make_page(f"<main {veil}><h1>T</h1><p>{LONG * 2}</p></main><p hidden>a</p>")
    assert list(page.text) == ["T", (LONG * 2).strip()]
    assert any(page.elements.attributes)  # as the source has them
    little = make_page(f"<main {veil}><p>{LONG}</p></main><p>{LONG * 2}</p>")
    assert list(little.text) == [(LONG * 2).strip()]


def test_text_in_forms_and_dialogs_stays_hidden(make_page):
    page = make_page(f"<form hidden><p>{LONG}</p></form><dialog><p>{LONG}</p></dialog><p>a</p>")
    assert list(page.text) == ["a"]
