"""The extension as users have it: a click on its button, in a full Chromium."""

import numpy as np
import pytest

from structce.alignment import align
from structce.datasets import READERS
from structce.extraction.boilernet import PIECE, text_leaves
from structce.extraction.parsed_document import ParsedDocument
from structce.rendering.static import StaticRenderer

pytestmark = pytest.mark.browser

ARTICLE = """<!doctype html><html lang="en"><title>No ferry</title><body>
<nav><a href="/">Home</a> <a href="/sport">Sport</a></nav>
<h1>No ferry</h1>
<p>The ferry, they <b>said</b>, will not sail.</p>
<p>Nobody knows why. It is the wind, said some, and the sea, said others.</p>
<ul><li><a href="/more">More</a></li></ul>
<noscript><img src="/count.gif"></noscript>
<footer>All rights reserved</footer></body></html>"""
LEAVES = """() => {
  const { texts, paths, pathOf } = globalThis.structce.read();
  return texts.map((text, i) => ({ text, path: paths[pathOf[i]] }));
}"""
PROBABILITIES = "() => globalThis.structce.probabilities"
STRICT = {"Content-Security-Policy": "default-src 'none'; sandbox"}


@pytest.fixture
def tab(browser):
    page = browser.context.new_page()
    yield page
    browser.close_popups()
    page.close()
    browser.forget()


def leaves_of(html):
    return text_leaves(ParsedDocument.of(html))


def content_of(html, boilernet, threshold=0.5):
    """Return the texts that Python takes for main content."""
    leaves = leaves_of(html)
    chosen = np.flatnonzero(boilernet.probabilities(leaves) >= threshold)
    return [leaves.text[i] for i in chosen]


def test_one_click_highlights_what_python_takes_for_main_content(
    browser, server, tab, small_boilernet
):
    tab.goto(server.put("article", ARTICLE))
    before = tab.content()
    browser.click(tab)
    highlighted = browser.highlighted(tab)
    assert highlighted == content_of(ARTICLE, small_boilernet)
    assert "said" in highlighted
    assert "Home" not in highlighted
    assert tab.content() == before  # no span, no class, no style
    probabilities = small_boilernet.probabilities(leaves_of(ARTICLE)).tolist()
    assert browser.in_page(tab, PROBABILITIES) == pytest.approx(probabilities, abs=1e-3)


def test_a_page_that_forbids_everything_is_highlighted_too(browser, server, tab, small_boilernet):
    tab.goto(server.put("strict", ARTICLE, STRICT))
    browser.click(tab)
    assert browser.highlighted(tab) == content_of(ARTICLE, small_boilernet)


def test_the_browser_finds_the_leaves_that_python_finds(browser, server, tab, fixture_pages):
    tab.goto(server.put("article", ARTICLE))
    browser.click(tab)
    browser.highlighted(tab)
    for n, fixture in enumerate(fixture_pages):
        tab.goto(server.put(f"fixture{n}", fixture["html"]))
        browser.inject(tab)
        expected = [{"text": leaf["text"], "path": leaf["path"]} for leaf in fixture["leaves"]]
        assert browser.in_page(tab, LEAVES) == expected, fixture["name"]


def test_threshold_and_undo_work_by_keyboard(browser, server, tab, small_boilernet):
    tab.goto(server.put("article", ARTICLE))
    browser.click(tab)
    browser.highlighted(tab)
    popup = browser.open_popup(tab)
    popup.get_by_text("texts highlighted").wait_for()
    assert popup.evaluate("document.activeElement.id") == "threshold"
    for key, threshold in (("End", 0.99), ("Home", 0.01)):
        popup.bring_to_front()
        popup.keyboard.press(key)
        popup.get_by_text(f"{threshold:.2f}", exact=True).wait_for()
        expected = content_of(ARTICLE, small_boilernet, threshold)
        popup.get_by_text(f"{len(expected)} of {len(leaves_of(ARTICLE))} texts").wait_for()
        assert browser.highlighted(tab) == expected
    assert 0 < len(content_of(ARTICLE, small_boilernet, 0.99)) < len(expected)
    popup.bring_to_front()
    popup.keyboard.press("Tab")
    assert popup.evaluate("document.activeElement.textContent") == "Undo"
    popup.keyboard.press("Enter")
    popup.get_by_role("button", name="Highlight").wait_for()
    assert popup.get_by_role("status").text_content() == "Nothing is highlighted."
    assert tab.evaluate("() => CSS.highlights.size") == 0
    popup.close()


def test_content_is_copied_as_markdown(browser, server, tab):
    tab.goto(server.put("article", ARTICLE))
    browser.click(tab)
    browser.highlighted(tab)
    popup = browser.open_popup(tab)
    popup.get_by_role("button", name="Copy as Markdown").click()
    popup.get_by_text("Copied").wait_for()
    browser.context.grant_permissions(["clipboard-read"])
    text = popup.evaluate("() => navigator.clipboard.readText()")
    assert text.startswith("# No ferry\n\nThe ferry, they **said**, will not sail.\n\nNobody knows")
    assert "Home" not in text
    popup.close()


def test_a_saved_page_is_read_back_as_gold(browser, server, tab, small_boilernet, tmp_path):
    url = server.put("article", ARTICLE)
    tab.goto(url)
    browser.click(tab)
    browser.highlighted(tab)
    popup = browser.open_popup(tab)
    with popup.expect_download() as download:
        popup.get_by_role("button", name="Save as labelled page").click()
    name = download.value.suggested_filename
    assert name == "127.0.0.1-no-ferry.labelled.html"
    download.value.save_as(tmp_path / name)
    (saved,) = READERS["labelled-pages"].read(tmp_path)
    content = content_of(ARTICLE, small_boilernet)
    assert saved.url == url
    assert saved.gold.text.replace("\n", "") == "".join(content)
    assert list(leaves_of(saved.document().html).text) == list(leaves_of(ARTICLE).text)
    assert '<noscript><img src="/count.gif"></noscript>' in saved.document().html
    rendered = StaticRenderer().render(saved.document())
    labels = dict(zip(rendered.text, align(rendered, saved.gold).labels, strict=True))
    assert labels["said"] == "Paragraph"
    assert labels["Home"] == labels["All rights reserved"] == "None"
    popup.close()


ODD = """<!doctype html><title>Odd -- page</title><body>
<!--structce content--><nav>Home</nav><!--structce-page {"format":9}-->
<pre>

two lines before</pre><textarea>\n\nof a form</textarea>
<table>moved <tr><td>The cell, of a table.</td></tr></table>
<noscript><p>Scripts are off</p><img src="/count.gif"></noscript>
<p>A &lt;tag&gt; &amp; --&gt; a comment<!-- that --> <em>ends</em></p><xmp><b>raw, text</b></xmp>
<svg><text>drawn</text></svg><p hidden>hidden, the text</p>
<script>if ("<p>" < "<!--") "</p>";</script></body>"""


def test_a_saved_page_is_the_page_whatever_is_in_it(browser, server, tab, tmp_path):
    tab.goto(server.put("odd", ODD))
    browser.click(tab)
    highlighted = browser.highlighted(tab)
    popup = browser.open_popup(tab)
    with popup.expect_download() as download:
        popup.get_by_role("button", name="Save as labelled page").click()
    download.value.save_as(tmp_path / download.value.suggested_filename)
    popup.close()
    (saved,) = READERS["labelled-pages"].read(tmp_path)
    html = saved.document().html
    assert list(leaves_of(html).text) == list(leaves_of(ODD).text)
    assert '<noscript><p>Scripts are off</p><img src="/count.gif"></noscript>' in html
    assert "<!--structce" not in html
    kinds = {block.kind: block.text for block in saved.gold.blocks}
    assert set(kinds) == {"content", "boilerplate"}
    assert saved.gold.about["model"]
    judged = [text for text in highlighted if "raw," not in text]
    assert saved.gold.text.split() == " ".join(judged).split()


def test_opening_the_popup_again_keeps_what_is_shown(browser, server, tab):
    tab.goto(server.put("article", ARTICLE))
    browser.click(tab)
    highlighted = browser.highlighted(tab)
    browser.close_popups()
    popup = browser.open_popup(tab)
    popup.get_by_text("texts highlighted").wait_for()
    assert " s." not in popup.get_by_role("status").text_content()  # it was not judged again
    assert browser.highlighted(tab) == highlighted
    popup.close()


def test_a_click_goes_to_the_first_highlight(browser, server, tab):
    html = ARTICLE.replace("<h1>", "<div style='height:3000px'></div><h1>")
    tab.goto(server.put("long", html))
    browser.click(tab)
    browser.highlighted(tab)
    tab.wait_for_function("() => scrollY > 1000")
    top = tab.evaluate("() => document.querySelector('h1').getBoundingClientRect().top")
    assert 0 <= top < tab.evaluate("() => innerHeight")


HOSTILE = """<!doctype html><title>Ferry</title><body>
<form id="f"><input name="firstChild"><input name="nextSibling"><input name="parentNode">
<input name="childNodes"><input name="nodeType"><p>One of the texts.</p></form>
<p>Another of the texts, in the page.</p>
<div id="host"><p>Light text of the host.</p></div>
<iframe srcdoc="<p>A frame of the page, with text."></iframe><iframe src="/strict"></iframe>
<script>
  document.getElementById("host").attachShadow({mode: "open"}).innerHTML = "<p>In the shadow.</p>";
  Node.prototype.appendChild = Map.prototype.get = Array.prototype.map = () => { throw "no"; };
  Object.defineProperty(Node.prototype, "firstChild", { get() { return null; } });
  window.Highlight = window.StaticRange = window.structce = undefined;
</script></body>"""


def test_a_page_cannot_mislead_the_extension(browser, server, tab):
    tab.goto(server.put("hostile", HOSTILE))
    browser.click(tab)
    texts = browser.highlighted(tab)
    assert "One of the texts." in texts
    assert "Light text of the host." in texts
    assert not any("frame" in text or "shadow" in text for text in texts)


def test_endless_page_is_read_in_pieces_up_to_a_limit(browser, server, tab, small_boilernet):
    limit, n = 50_000, 50_010
    tab.goto(server.put("long", "<!doctype html>" + "<p>of <a>the</a>" * (n // 2)))
    browser.click(tab)
    n_found = len(browser.highlighted(tab))
    probabilities = np.array(browser.in_page(tab, PROBABILITIES))
    assert len(probabilities) == limit
    assert n_found == int((probabilities >= 0.5).sum())
    ours = small_boilernet.probabilities(leaves_of("<p>of <a>the</a>" * PIECE))[: PIECE + 100]
    assert abs(probabilities[: PIECE + 100] - ours).max() < 1e-3  # 2 * PIECE leaves: two pieces
    assert abs(ours[PIECE] - ours[PIECE - 2]) > 1e-2  # where a piece begins shows
    popup = browser.open_popup(tab)
    popup.get_by_text("10 texts at the end were not judged.").wait_for()
    popup.close()


def test_a_page_nested_without_end_is_read(browser, server, tab):
    tab.goto(server.put("deep", "<!doctype html>" + "<div>" * 5000 + "<p>The ferry will sail."))
    browser.click(tab)
    assert browser.highlighted(tab) == ["The ferry will sail."]


def test_a_page_without_text_is_said_to_have_none(browser, server, tab):
    tab.goto(server.put("empty", "<!doctype html><img>"))
    browser.click(tab)
    assert browser.highlighted(tab) == []
    popup = browser.open_popup(tab)
    popup.get_by_text("The page holds no text.").wait_for()
    popup.close()


def test_pages_of_the_browser_are_refused_in_words(browser, tab):
    tab.goto("chrome://version/")
    popup = browser.open_popup(tab)
    popup.get_by_text("Browsers keep extensions out of this page.").wait_for()
    popup.close()


def test_nothing_is_asked_of_any_server(browser, server, tab):
    tab.goto(
        server.put("article", ARTICLE.replace("<noscript>", "<!--").replace("</noscript>", "-->"))
    )
    before = len(server.asked)
    asked = []
    browser.context.on("request", lambda request: asked.append(request.url))
    browser.click(tab)
    browser.highlighted(tab)
    popup = browser.open_popup(tab)
    popup.get_by_text("texts highlighted").wait_for()
    popup.close()
    own = f"chrome-extension://{browser.id}/"
    assert [url for url in asked if not url.startswith((own, "blob:"))] == []
    assert [path for path in server.asked[before:] if path != "/favicon.ico"] == []
