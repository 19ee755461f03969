"""The renderer without a browser: which regions a page has, in how many processes, and its limits.

Pages that both renderers must read alike stand in the tables of ``odd``.
"""

import os
import pickle
from concurrent.futures import wait

import pytest
from lxml import etree

from structce.errors import RenderError
from structce.rendering.base import Limits, Settings
from structce.rendering.document import Document
from structce.rendering.html_rules import MAX_COMMENT, MAX_COMMENTS, collapse, has_mark
from structce.rendering.static import StaticRenderer
from structce.rendering.static.parser import MAX_DEPTH, MAX_NAMES, check_tags, count_tags

BODY = "/html[1]/body[1]"
LONG = "This is the text of the article that a reader came for, and it is long enough. "


def regions_of(page):
    """Return addresses below body, with the text or, of media, the tag."""
    rows = zip(page.xpath, page.text, page.tag, strict=True)
    return [(xpath.removeprefix(BODY + "/"), text or tag) for xpath, text, tag in rows]


def shadow(content, children, host="x-y", mode="open"):
    return f"<{host}><template shadowrootmode={mode}>{content}</template>{children}</{host}>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        # Hidden by tag or attribute
        ("<p hidden>x</p><p style='color: red; DISPLAY : none !important'>x</p>", ""),
        ("<script>x</script><style>x</style><template><p>x</p></template>", ""),
        ("<select><option>x</option></select><textarea>x</textarea>", ""),
        ("<input type=hidden value=x><datalist><option>x</datalist>", ""),
        ("<!-- x --><p>   </p><p>&nbsp;&#8203;</p>", ""),
        ("<dialog>x</dialog><audio src=a.mp3>x</audio><dialog open>a</dialog>", "a"),
        ("<details><summary>a</summary>b</details>", "a"),
        ("<details open><summary>a</summary>b</details>", "a b"),
        ("<div popover>a</div><p popover=manual>b</p><p>c</p>", "c"),
        ("<p hidden style='display:block'>a</p><p hidden style='color: red'>c</p>", "a"),
        ("<p style='visibility:hidden'>a<b style='visibility: visible'>b</b></p>", "b"),
        ("<div style='opacity:0'>a<b style='opacity:1'>b</b></div>c", "c"),
        ("<p style='display:none; display:block'>a</p>", "a"),
        ("<meter value=1>a</meter><progress value=1>b</progress><output>c</output>", "c"),
        ("<noscript>a</noscript>", "a"),
        # Texts
        ("<p>a<!-- c -->b</p>", "a b"),
        ("<p>a &amp;\n  b</p>", "a & b"),
        ("just words", "just words"),
        ("</div></p>x<p>unclosed <b>bold", "x unclosed bold"),
        # Formulas and drawings
        (
            "<math><semantics><mi>x</mi><annotation>x in TeX</annotation><annotation-xml "
            "encoding='text/html'><p>x again</p></annotation-xml></semantics></math>",
            "x",
        ),
        ("<svg hidden></svg><math hidden><mi>x</mi></math><p hidden>y</p>", "svg x"),
        ("<svg display=none><path d='M0 0'/></svg>", ""),
        ("<svg><g visibility=hidden><text>a</text></g><text>b</text></svg>", "b"),
        ("<svg style='display:none' display=inline><text>a</text></svg>", ""),
        ("<svg>words</svg><svg><text> </text></svg>", "svg svg"),
        ("<svg><symbol><text>a</text></symbol><text style='display:none'>b</text></svg>", "svg"),
        ("<svg><g><path d=x></path><p>a</p>b<path></path></g><text>c</text></svg>d", "svg a b c d"),
        ("<image src=x><svg><image href=x></image></svg>", "img svg"),
        # Frames that are looked into, and others
        ("<iframe srcdoc='<p>a</p>' sandbox='allow-forms Allow-Same-Origin'></iframe>", "a"),
        ("<iframe srcdoc='<p>a</p>' sandbox='allow-scripts'></iframe>", "iframe"),
        ("<iframe src=a.html></iframe><iframe srcdoc='<p hidden>a</p>'></iframe>", "iframe iframe"),
        ("<iframe style=visibility:hidden srcdoc='<p style=visibility:visible>a'></iframe>", ""),
        # Shadow trees
        (shadow("a", "b", "div", "closed"), "a"),
        (shadow("a", "b", "div", "none"), "b"),
        (shadow("a", "b", "a"), "b"),
        (shadow("a", "b", "font-face"), "b"),
        (shadow("<slot>a</slot>", " "), ""),
        (shadow("<slot>a</slot>", ""), "a"),
        (shadow("a</template><template shadowrootmode=open>b", "c"), "a"),
        (f"<template>{shadow('a', '')}</template>b", "b"),
        (shadow("<slot>x</slot><p><slot>y</slot></p>", "<b>a</b>"), "a y"),
        (shadow("<div hidden><slot></slot></div><slot>y</slot>", "<b>a</b>"), "y"),
        ("<slot>a</slot>", "a"),
        # Text that waits for scripts, where it is most of the page
        (f"<main hidden><h1>T</h1><p>{LONG * 2}</p></main><p hidden>a</p>", f"T {LONG * 2}"),
        (f"<main style='opacity:0'><p>{LONG}</p></main><p>{LONG * 2}</p>", LONG * 2),
        (f"<form hidden><p>{LONG}</p></form><dialog><p>{LONG}</p></dialog><p>a</p>", "a"),
    ],
)
def test_page_shows_what_html_alone_shows(make_page, html, expected):
    assert " ".join(text for _, text in regions_of(make_page(html))) == expected.strip()


@pytest.mark.parametrize(
    ("style", "is_shown"),
    [
        ("opacity:0.0", False),
        ("opacity: 0%", False),
        ("opacity: .1", True),
        ("opacity: none", True),
        ("opacity:0; opacity:1", True),
        ("opacity:0 !important; opacity:1", False),
        ("visibility: collapse", False),
        ("display/**/: none/* x */", False),
        ("background: url(data:a;b:c)", True),
    ],
)
def test_style_attribute_may_hide_text(make_page, style, is_shown):
    assert len(make_page(f"<div style='{style}'>a<b>b</b></div>")) == (2 if is_shown else 0)


@pytest.mark.parametrize(
    ("medium", "is_shown"),
    [
        ("<img width=1 height=1>", False),
        ("<img width=0 height='1px'>", False),
        ("<img width=1 height=40>", True),
        ("<img width='1%' height='1%'>", True),
        ("<iframe width=0 srcdoc='<p>a</p>'></iframe>", False),
        ("<iframe height=1 width=600></iframe>", False),
        ("<svg width=1em height=1em></svg>", True),
        ("<svg width=0 height=0><text>a</text></svg>", False),
        ("<canvas height=''></canvas>", True),
    ],
)
def test_tracking_pixels_are_no_regions(make_page, medium, is_shown):
    assert len(make_page(medium)) == is_shown


def test_scripts_change_what_is_shown():
    document = Document("<body><noscript>a</noscript><p>b</p><img src=a style='opacity:0'>")
    assert StaticRenderer().render(document).text == ("a", "b", "")
    assert StaticRenderer(settings=Settings(scripts=True)).render(document).text == ("b",)


def test_every_xpath_leads_back_to_its_region(article_html):
    html = article_html()
    page = StaticRenderer().render(Document(html))
    root = etree.fromstring(html.encode(), etree.HTMLParser())
    for region in page:
        (node,) = root.xpath(region.xpath)
        text = node.tag if isinstance(node, etree._Element) else " ".join(node.split())
        assert text == (region.text or region.tag)


def test_headings_have_the_sizes_and_displays_of_html(make_page):
    page = make_page("<h1>a</h1><p>b <b>c</b></p><small>d</small><pre>e</pre>")
    assert page.styles["font-size"].tolist()[:3] == [32, 16, 16]
    assert page.styles["font-weight"].tolist()[:3] == [700, 400, 700]
    assert page.styles["display"].tolist() == ["block", "block", "inline", "inline", "block"]


def test_comments_of_the_body_are_kept_and_cut(make_page):
    page = make_page(
        "<!-- before --><head><!-- head --></head><body><!--  start\n article --><!-- -->"
        "<!--[if lt IE 9]><p>old</p><![endif]--><?php echo 1 ?><div hidden><!-- x --></div>"
        "<svg><!-- x --></svg><p>a<!-- in\u00a0text -->b</p><!-- end --></body></html>"
    )
    assert page.comments == ("start article", "in text", "end")
    assert page.comment_places.tolist() == [0, 2, 3]
    (comment,) = make_page(f"<body><!-- {'ab ' * 500} -->").comments
    assert comment == ("ab " * 500)[:MAX_COMMENT]
    crowd = make_page("<body>" + "<!----><!-- x --><p>y</p>" * (MAX_COMMENTS + 10))
    assert crowd.comment_places.tolist() == list(range(MAX_COMMENTS))


def test_white_space_is_collapsed_as_the_rules_do(make_page):
    # What the parser makes of characters of control, and of mark-up, is its own affair.
    characters = [chr(code) for code in (*range(0xA0, 0x3100), 0xFEFF, 9, 10, 12, 32)]
    page = make_page("".join(f"<p>a{c}{c} b</p>" for c in characters))
    assert list(page.text) == [collapse(f"a{c}{c} b") for c in characters]
    page = make_page("".join(f"<p>{c}</p>" for c in characters))
    assert list(page.text) == [collapse(c) for c in characters if has_mark(c)]


BOMB = "".join(f"<b id={i}><p>" for i in range(3000))


@pytest.mark.parametrize(
    ("html", "message"),
    [
        ("<p>x" * 60_000, "20,000 regions"),
        (BOMB, "formatting that is never closed"),
        ("</b>" * 9000 + BOMB, "formatting that is never closed"),
        ("".join(f"<i id={i}></b><p>" for i in range(3000)), "formatting"),
        ("<div>" * (MAX_DEPTH + 1), "over 20,000 nested elements"),
        ("".join(f"<x{i}></x{i}>" for i in range(MAX_NAMES + 1)), "over 20,000 names"),
        (f"<iframe srcdoc='{'<div>' * 20_001}a'></iframe>", "over 20,000 nested elements"),
    ],
)
def test_page_that_exceeds_a_limit_is_refused_and_named(html, message):
    with pytest.raises(RenderError, match=f"bad: .*{message}"):
        StaticRenderer().render(Document(html, name="bad"))


@pytest.mark.parametrize(
    "html",
    [
        b"<p>x" * 60_000,
        b"<div></div>" * 60_000,
        b"".join(b"<x%d></x%d>" % (i % 5000, i % 5000) for i in range(60_000)),
        b"<ul><li><b>a</b><i>b</i></ul>" * 20_000,
        b"<a href=x>y" * 60_000,
    ],
)
def test_large_page_of_common_kind_is_not_refused(html):
    check_tags(html, "large", count_tags(html))


def test_page_states_its_provenance():
    document, renderer = Document("<p>a", url="https://post.example/1"), StaticRenderer()
    page = renderer.render(document)
    assert pickle.loads(pickle.dumps(page.provenance)) == renderer.provenance(document)
    assert page.provenance == renderer.provenance(document)
    assert (page.url, page.provenance.digest) == (document.url, document.digest)
    assert (page.provenance.browser, page.viewport) == ("", (0, 0))
    assert "0x0" in page.provenance.settings.split()


SMALL = Settings(limits=Limits(regions=50))


class Deadly(str):
    """A text that ends the process that receives it."""

    def __reduce__(self):
        return os._exit, (3,)


@pytest.fixture(scope="module")
def pair():
    """Two processes for all tests that need several, on pages of few regions."""
    with StaticRenderer(settings=SMALL, workers=2) as renderer:
        yield renderer


def test_worker_that_dies_costs_its_page_only(pair):
    bad = Document("<p>x", name="bad-page", encoding=Deadly())
    documents = [bad if n == 1 else Document(f"<p>{n}") for n in range(4)]
    futures = [pair.submit(document) for document in documents]
    wait(futures)
    with pytest.raises(RenderError, match=r"bad-page.*died \(exit code 3\)"):
        futures.pop(1).result()
    assert [future.result().text for future in futures] == [("0",), ("2",), ("3",)]


def test_errors_of_a_page_come_out_of_its_future(pair):
    crowd = Document("<p>x" * 51, name="crowded-page")
    for renderer in (pair, StaticRenderer(settings=SMALL)):
        with pytest.raises(RenderError, match="crowded-page: more than 50 regions"):
            renderer.submit(crowd).result()


def test_one_worker_needs_no_with_and_several_do():
    assert StaticRenderer().submit(Document("<p>a")).done()
    with pytest.raises(RenderError, match="with StaticRenderer"):
        StaticRenderer(workers=2).submit(Document("<p>a"))
    with pytest.raises(RenderError, match="expected 1 or more, got 0"):
        StaticRenderer(workers=0)
