import os
from collections.abc import Callable
from concurrent.futures import wait

import pytest
from lxml import etree

from structce.errors import RenderError
from structce.rendering.base import Limits, Settings
from structce.rendering.document import Document
from structce.rendering.html_rules import MAX_COMMENT, MAX_COMMENTS
from structce.rendering.source_spans import with_spans
from structce.rendering.static import StaticRenderer


@pytest.mark.parametrize(
    "html",
    [
        "<p hidden>x</p>",
        "<p style='color: red; DISPLAY : none !important'>x</p>",
        "<p style='visibility:hidden'>x</p>",
        "<script>x</script><style>x</style><template><p>x</p></template>",
        "<select><option>x</option></select><textarea>x</textarea>",
        "<details><p>x</p></details>",
        "<dialog>x</dialog><audio src=a.mp3>x</audio>",
        "<!-- x --><p>   </p><p>&nbsp;&#8203;</p>",
        "<input type=hidden value=x><datalist><option>x</datalist>",
    ],
)
def test_what_a_browser_does_not_show_is_no_region(make_page, html):
    assert len(make_page(html)) == 0


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("<details><summary>a</summary>b</details>", ["a"]),
        ("<details open><summary>a</summary>b</details>", ["a", "b"]),
        ("<p style='visibility:hidden'>a<b style='visibility: visible'>b</b></p>", ["b"]),
        ("<noscript>a</noscript>", ["a"]),
        ("<p>a<!-- c -->b</p>", ["a", "b"]),
        ("<p style='display:none; display:block'>a</p>", ["a"]),
        ("<p>a &amp;\n  b</p>", ["a & b"]),
        ("<dialog open>a</dialog>", ["a"]),
    ],
)
def test_what_a_browser_shows_is_a_region(make_page, html, texts):
    assert list(make_page(html).text) == texts


def test_media_are_regions_and_what_they_hold_is_not(make_page):
    html = "".join(
        f"<{tag}>inside</{tag}>" for tag in ("video", "iframe", "object", "canvas", "svg")
    )
    page = make_page(html + "<img src=a><audio controls></audio>")
    assert page.tag == ("video", "iframe", "object", "canvas", "svg", "img", "audio")
    assert page.is_media.all()


def test_elements_that_hold_nothing_hold_nothing(make_page):
    page = make_page(
        "<picture><source srcset='b.webp 1x'><img src=a.jpg></picture><p>one<wbr>two</p>"
    )
    assert page.tag == ("img", "p", "p")
    assert page.xpath[0] == "/html[1]/body[1]/picture[1]/img[1]"
    assert page.attributes[0]["srcset"] == "b.webp 1x"


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


def test_ten_thousand_nested_elements_are_rendered():
    html = "<div>" * 10_000 + "deep" + "</div>" * 10_000
    assert StaticRenderer().render(Document(html)).text == ("deep",)


@pytest.mark.parametrize("html", ["just words", "<p>unclosed <b>bold", "</div></p>x", "<a<b>x"])
def test_malformed_html_still_gives_its_text(make_page, html):
    assert len(make_page(html)) >= 1


def test_a_page_of_too_many_regions_is_an_error_that_names_it():
    with pytest.raises(RenderError, match=r"crowd.*20,000 regions"):
        StaticRenderer().render(Document("<p>x" * 60_000, name="crowd"))


def test_siblings_are_counted_once_a_parent(make_page):
    page = make_page("<ul><li>a</li><li>b</li><li><i>c</i></li></ul>")
    counts = dict(zip(page.elements.tag, page.elements.n_siblings.tolist(), strict=True))
    assert counts["li"] == 3
    assert counts["i"] == 1


def test_comments_of_the_body_are_kept_white_space_collapsed(make_page):
    page = make_page(
        "<!-- before --><html><!-- top --><head><!-- head --></head><body><!--  start\n article -->"
        "<p>a<!-- in\u00a0text -->b</p><!-- end --></body></html>"
    )
    assert page.comments == ("start article", "in text", "end")
    assert page.comment_places.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "html",
    [
        "<!-- --><!----><!--&nbsp;-->".replace("&nbsp;", "\u00a0"),
        "<!--[if lt IE 9]><p>old</p><![endif]-->",
        "<!-- [IF !IE]><!--><p>new</p><!--<![endif]-->",
        "<?php echo 1 ?>",
        "<div hidden><!-- x --></div><template><!-- x --></template><svg><!-- x --></svg>",
    ],
)
def test_comments_that_say_nothing_of_the_page_are_left_out(make_page, html):
    assert make_page(f"<body>{html}<p>z</p></body>").comments == ()


def test_long_and_many_comments_are_cut(make_page):
    (comment,) = make_page(f"<body><!-- {'ab ' * 500} -->").comments
    assert comment == ("ab " * 500)[:MAX_COMMENT]
    crowd = make_page("<body>" + "<!----><!-- x --><p>y</p>" * (MAX_COMMENTS + 10))
    assert crowd.comments == ("x",) * MAX_COMMENTS
    assert crowd.comment_places.tolist() == list(range(MAX_COMMENTS))


SMALL = Settings(limits=Limits(regions=50))


class Deadly(str):
    """A text that ends the process that receives it."""

    def __reduce__(self) -> tuple[Callable[[int], None], tuple[int]]:
        return os._exit, (3,)


@pytest.fixture(scope="module")
def pair():
    """Two processes for all tests that need several, on pages of few regions."""
    with StaticRenderer(settings=SMALL, workers=2) as renderer:
        yield renderer


def test_several_workers_render_what_one_does(pair, article_html):
    documents = [Document(article_html(n), url=f"https://post.example/{n}") for n in range(6)]
    futures = [pair.submit(document) for document in documents]
    for document, future in zip(documents, futures, strict=True):
        page, alone = future.result(), StaticRenderer(settings=SMALL).render(document)
        assert (page.xpath, page.text, page.metadata) == (alone.xpath, alone.text, alone.metadata)
        assert page.provenance == alone.provenance


def test_a_worker_that_dies_costs_its_page_only(pair):
    bad = Document("<p>x", name="bad-page", encoding=Deadly())
    documents = [bad if n == 1 else Document(f"<p>{n}") for n in range(4)]
    futures = [pair.submit(document) for document in documents]
    wait(futures)
    for n, future in enumerate(futures):
        if n == 1:
            with pytest.raises(RenderError, match=r"bad-page.*died \(exit code 3\)"):
                future.result()
        else:
            assert future.result().text == (str(n),)


def test_what_is_wrong_with_a_page_comes_out_of_its_future(pair):
    crowd = Document("<p>x" * 51, name="crowded-page")
    for renderer in (pair, StaticRenderer(settings=SMALL)):
        future = renderer.submit(crowd)
        assert isinstance(future.exception(), RenderError)
        assert "crowded-page" in str(future.exception())


def test_a_page_that_takes_too_long_is_ended_and_named():
    settings = Settings(limits=Limits(page_seconds=0))
    with StaticRenderer(settings=settings, workers=2) as renderer:
        error = renderer.submit(Document("<p>a" * 5000, name="slow-page")).exception()
    assert isinstance(error, RenderError)
    assert str(error) == "slow-page: took longer than 0 seconds"


def test_one_worker_needs_no_with_and_is_done_at_once():
    future = StaticRenderer().submit(Document("<p>a"))
    assert future.done()
    assert future.result().text == ("a",)


def test_several_workers_are_started_by_with():
    with pytest.raises(RenderError, match="with StaticRenderer"):
        StaticRenderer(workers=2).submit(Document("<p>a"))
    with pytest.raises(RenderError, match="expected 1 or more, got 0"):
        StaticRenderer(workers=0)


XML_PAGES = {
    "iframe": "<html><body><iframe src='a'/><p>The ferry will stop.</p></body></html>",
    "textarea": "<html><body><textarea name='a'/><p>The ferry will stop.</p></body></html>",
    "title": "<html><head><title/></head><body><p>The ferry will stop.</p></body></html>",
    "script": "<html><head><script src='a'/></head><body><p>The ferry will stop.</p></body></html>",
    "style": "<html><head><style/></head><body><p>The ferry will stop.</p></body></html>",
    "noscript": "<html><body><noscript/><p>The ferry will stop.</p></body></html>",
    "capitals": "<HTML><BODY><IFRAME/><p>The ferry will stop.</p></BODY></HTML>",
}


@pytest.mark.parametrize("name", XML_PAGES)
def test_a_page_that_was_saved_as_xml_is_read_as_what_it_is(name):
    html = XML_PAGES[name]
    page = StaticRenderer().render(Document(html))
    assert page.text == ("The ferry will stop.",)
    ((start, end),) = with_spans(page, html).spans.tolist()
    assert html[start:end] == "The ferry will stop."
    assert page.provenance.digest == Document(html).digest


def test_a_page_that_was_saved_as_xml_keeps_what_follows_its_frames():
    html = "<p>News</p><iframe src='a'/><p>The ferry will stop.</p><IFRAME/><p>It will return.</p>"
    page = StaticRenderer().render(Document(html))
    assert page.text == ("News", "The ferry will stop.", "It will return.")
    spans = with_spans(page, html).spans.tolist()
    assert [html[start:end] for start, end in spans] == list(page.text)
    ended = html.replace("<IFRAME/>", "</iframe>")
    assert StaticRenderer().render(Document(ended)).text == ("News", "", "It will return.")


def test_tags_that_end_themselves_are_read_as_html_where_html_shows_something():
    page = StaticRenderer().render(Document("<p>One<p>Two<textarea/>Three"))
    assert page.text == ("One", "Two")
