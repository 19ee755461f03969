"""Marks, code, formulas and footnotes of a page are read as its author set them."""

import re

import numpy as np
import pytest

from structce.article import Article, body_blocks, body_text
from structce.rendering import Document

PRE = "<pre><code class='hljs language-Go'>{}</code></pre>"
MATH = "<math><mrow>{}</mrow></math>"
PAGE = """
<h2>Why <em>so</em></h2>
<p>One <b>t</b>wo, <code>x_y</code> <kbd>Esc</kbd> and H<sub>2</sub>O.<br><del>Old</del> end.</p>
<ul><li><input type=checkbox checked> Done</li><li><input type="checkbox"> Open</li></ul>
<hr><dl><dt>Quay</dt><dd>A wall</dd></dl>
<p>Say <script type="math/tex">a+b</script> or
<span class=katex><math><semantics><mi>x</mi><annotation encoding="application/x-tex">\\xi
</annotation></semantics></math></span>.</p>
<pre><code class="language-go"><div>a = 1</div><div>  b</div></code></pre>
"""
WRITTEN = r"""## Why _so_

One **t**wo, `x_y` `Esc` and H<sub>2</sub>O.\
~~Old~~ end.

- [x] Done
- [ ] Open

___

Quay

: A wall

Say $a+b$ or $\xi$.

```go
a = 1
  b
```
"""


def blocks_of(page):
    labels = ["Multimedia" if is_medium else "Paragraph" for is_medium in page.is_media.tolist()]
    return body_blocks(page, ~page.is_media, labels, np.ones(len(page)))


def markdown_of(page):
    return Article(page.url, blocks=blocks_of(page)).to_markdown(left_out=("fields",))


@pytest.fixture(name="markdown")
def markdown_fixture(make_page):
    return lambda html: markdown_of(make_page(f"<body>{html}", url="https://x.example/d/")).strip()


def test_markdown_keeps_what_the_page_marks(make_page):
    assert markdown_of(make_page(f"<body>{PAGE}")) == WRITTEN


@pytest.mark.browser
def test_both_renderers_give_the_same_blocks(chromium):
    assert markdown_of(chromium.render(Document(f"<!doctype html><body>{PAGE}"))) == WRITTEN


def test_links_of_headings_items_and_cells_are_kept(markdown):
    written = markdown(
        "<h2><a href=/1>Why</a> so</h2><ul><li>One <a href=/2>two</a></ul>"
        "<table><tr><th>Pier<th>Why<tr><td>1<td><p>a</p><p>b <a href=/3>c</a></p></table>"
    )
    for link in ("## [Why](", "/1) so", "- One [two](https://x.example/2)", "b [c]("):
        assert link in written


def test_each_piece_of_a_line_has_its_place(make_page):
    page = make_page("<body><p>a <a href='https://y.example'>b <b>c</b></a>", url="")
    (block,) = blocks_of(page)
    assert [inline.xpath[-14:] for inline in block.line] == [
        "p[1]/text()[1]", "a[1]/text()[1]", "b[1]/text()[1]"]  # fmt: skip
    assert [inline.regions for inline in block.line] == [(0,), (1,), (2,)]
    assert [mark.kind for mark in block.line[2].marks] == ["link", "strong"]


NO_PAGES = (
    "#top", "", "javascript:alert(1)", "mailto:a@x.example", "data:text/html,x", "http://[", "./",
)  # fmt: skip
"""Addresses of links that lead to no other page."""


@pytest.mark.parametrize(
    ("html", "written"),
    [
        ("<b>a</b> <b>b</b>", "**a** **b**"),
        ("<b>W</b><b>ord</b>", "**Word**"),
        ("a<b>.b</b>c", "a<strong>.b</strong>c"),
        ("<b>a <i>b</i></b>", "**a _b_**"),
        ("<b>a<br>b</b>", "**a\\\nb**"),
        ("x<br>- y", "x\\\n\\- y"),
        ("<a href=e><i>a</i> b</a>", "[_a_ b](https://x.example/d/e)"),
        ("<code>a <b>b</b></code>", "`a b`"),
        ("<code>a`b</code>", "``a`b``"),
        ("costs $5 or $6", "costs \\$5 or \\$6"),
        ("costs $5", "costs $5"),
        ("<ins>a</ins> <sup>b</sup>", "<ins>a</ins> <sup>b</sup>"),
        ("a <img src=i.jpg alt=A width=9 height=9> b", "a ![A](https://x.example/d/i.jpg) b"),
        (
            "<a href='/1?a=b&amp;c=d'>the <b>new</b> one</a>,",
            "[the **new** one](https://x.example/1?a=b&c=d),",
        ),
        ("(<a href=e.html>or</a>)", "([or](https://x.example/d/e.html))"),
        ("<a href='//y.example/z'><i>that</i></a>.", "[_that_](https://y.example/z)."),
        *((f'See <a href="{href}">this</a>.', "See this.") for href in NO_PAGES),
    ],
)
def test_marks_of_a_line(markdown, html, written):
    assert markdown(f"<p>{html}</p>") == written


@pytest.mark.parametrize(
    "html",
    [
        PRE.format("<span class=line>a = 1</span><span class=line>b = 2</span>"),
        PRE.format("a = 1<br>b = 2"),
        "<pre class='brush: go'><ol><li>a = 1</li><li>b = 2</li></ol></pre>",
        "<pre lang=go><code>a = 1</code><code>b = 2</code></pre>",
        "<div class=highlight-source-go><pre>a = 1\nb = 2</pre></div>",
        "<table><tr><td class=gutter><pre>1\n2</pre></td>"
        "<td><pre data-lang=go>a = 1\nb = 2</pre></td></tr></table>",
        PRE.format("<button>Copy code</button><table>"
        "<tr><td class=hljs-ln-numbers>1</td><td>a <b>=</b> 1</td></tr>"
        "<tr><td class=hljs-ln-numbers>2</td><td>b = 2</td></tr></table>"),
        PRE.format("<div><span>1</span><div>a <b>=</b> 1</div></div>"
        "<div><span>2</span><div>b = 2</div></div>"),
        PRE.format("<table><tr><td>9</td><td>a = 1</td></tr><tr><td>10</td><td>b = 2</td></tr>"
        "</table>"),
    ],
)  # fmt: skip
def test_code_keeps_its_lines_and_language_without_numbers(markdown, html):
    assert markdown(html) == "```go\na = 1\nb = 2\n```"


@pytest.mark.parametrize("code", ["<b>1</b>,\n<b>2</b>,", "<b>1</b>: 'a',\n<b>2</b>: 'b'", "1\n2"])
def test_numbers_of_the_code_itself_stay(markdown, code):
    written = code.replace("<b>", "").replace("</b>", "")
    assert markdown(f"<pre><code>{code}</code></pre>") == f"```\n{written}\n```"


@pytest.mark.parametrize(
    ("html", "tex"),
    [
        (MATH.format("<mi>a</mi><mo>&#8800;</mo><mn>0</mn>"), r"a\ne0"),
        (MATH.format("<mfrac><mi>a</mi><msqrt><mi>b</mi></msqrt></mfrac>"), r"\frac{a}{\sqrt{b}}"),
        (
            MATH.format(
                "<munderover><mo>&#8721;</mo><mrow><mi>k</mi><mo>=</mo><mn>1</mn></mrow>"
                "<mi>n</mi></munderover><msubsup><mi>x</mi><mi>k</mi><mn>2</mn></msubsup>"
            ),
            r"\sum_{k=1}^nx_k^2",
        ),
        (MATH.format("<mover><mi>B</mi><mo>&#8594;</mo></mover><mi>sin</mi><mi>x</mi>"),
         r"\vec{B}\sin x"),
        (MATH.format("<mroot><mi>x</mi><mn>3</mn></mroot>"), r"\sqrt[3]{x}"),
        ("<mml:math><mml:mi>y</mml:mi><mml:mo>=</mml:mo><mml:mn>2</mml:mn></mml:math>", "y=2"),
        ("<span class='math inline'>\\(y = kx\\)</span>", "y = kx"),
        ("<img src='https://latex.codecogs.com/gif.latex?x' alt='y=kx'>", "y=kx"),
        ("<img class=mwe-math-fallback-image-inline src=x.svg alt='{\\displaystyle x^{2}}'>",
         "x^{2}"),
        ("<span class=MathJax><nobr><span>q</span></nobr></span>"
         "<script type='math/tex; mode=display'>p+q</script>", "p+q"),
    ],
)  # fmt: skip
def test_formulas_are_tex(markdown, html, tex):
    assert markdown(f"<p>a</p><p>{html}</p>") == f"a\n\n$$\n{tex}\n$$"
    assert markdown(f"<p>Let {html} be.</p>") == f"Let ${tex}$ be."


def test_footnotes_are_joined_with_their_references(make_page):
    html = (
        "<body><p>Built in 1911.<sup><a href='#f1' id=r1>1</a></sup> Then<a href='#f2'>[2]</a>, "
        "<a href='#part'>more</a>.</p><h2 id=part>Part</h2>"
        "<ol><li id=f1>Town roll. <a href='#r1'>↩</a><li id=f2>Mill book.</ol>"
    )
    blocks = blocks_of(make_page(html))
    assert body_text(blocks).splitlines() == [
        "Built in 1911. Then, more.", "Part", "Town roll.", "Mill book."]  # fmt: skip
    assert [(block.kind, block.name) for block in blocks[2:]] == [
        ("footnote", "1"), ("footnote", "2")]  # fmt: skip
    written = Article("", blocks=blocks).to_markdown(left_out=("fields",))
    assert "1911.[^1] Then[^2], more" in written
    assert written.endswith("[^1]: Town roll.\n\n[^2]: Mill book.\n")


def test_cells_keep_their_blocks_and_empty_ones_their_places(make_page):
    (table,) = blocks_of(make_page(
        "<body><table><caption>C</caption><tr><th>a<th>b<th>c<tr><td>1<td><td>3<br>4"
        "<tr><td>x<td><ul><li>y<li>z</ul><td></table>"
    ))  # fmt: skip
    assert list(table.lines) == ["C", "a\tb\tc", "1\t\t3 4", "x\ty z\t"]
    assert [block.kind for block in table.rows[2][1].blocks] == ["list"]
    written = Article("", blocks=(table,)).to_markdown(left_out=("fields",))
    assert written.splitlines()[-2:] == ["| 1 |  | 3<br>4 |", "| x | y<br>z |  |"]


def test_parts_can_be_left_out(make_page):
    page = make_page(
        "<body><p>a <b>b</b> <a href='https://y.example'><i>c</i></a> <code>d</code></p>"
        "<table><tr><td>1<td>2<tr><td>3<td>4</table><img src=i.jpg width=90 height=90>"
    )
    story = Article("", blocks=blocks_of(page))
    kept = story.to_markdown(left_out=("links", "images", "marks", "tables", "fields"))
    assert kept == "a b c d\n"
    short = story.to_html(left_out=("links", "images", "marks", "tables"))
    assert not re.search("<(table|code|b|strong|em|a|img|figure)\\b", short)
    assert len(short) < len(story.to_html())
