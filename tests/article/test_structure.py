"""Bodies are put together again as their pages have them, and no region is lost or doubled."""

import random
from collections.abc import Callable

import numpy as np
import pytest

from structce.article.blocks import Block
from structce.article.structure import body_blocks, body_text


def labels_of(page):
    """Labels as a page of these tests has them: media, captions, paragraphs."""
    names = []
    for i, above in enumerate(page.element.tolist()):
        around = {page.elements.tag[n] for n in page.elements.ancestors(above)}
        names.append("Caption" if "figcaption" in around else "Paragraph")
        names[-1] = "Multimedia" if page.is_media[i] else names[-1]
    return names


def blocks_of(page, left_out=()):
    labels = labels_of(page)
    chosen = [
        name == "Paragraph" and text not in left_out
        for name, text in zip(labels, page.text, strict=True)
    ]
    return body_blocks(page, np.array(chosen, dtype=bool), labels, np.ones(len(page)))


@pytest.fixture(name="blocks")
def blocks_fixture(make_page):
    def of(html, left_out=()):
        return blocks_of(make_page(f"<html><body>{html}", url="https://x.example/d/"), left_out)

    return of


Blocks = Callable[..., tuple[Block, ...]]


def outline(blocks):
    """Blocks as nested lists of kind and content."""
    return [
        [block.kind, block.content, *([outline(block.inner)] if any(block.inner) else [])]
        for block in blocks
    ]


def test_headings_keep_their_level_and_paragraphs_their_line(blocks):
    body = blocks("<h2>Why <i>so</i></h2><p>One <b>t</b>wo.<p>A<div>b<p>c</p>d</div>")
    assert [(b.kind, b.level, b.content) for b in body] == [
        ("heading", 2, "Why so"), ("paragraph", 0, "One two."), ("paragraph", 0, "A"),
        ("paragraph", 0, "b"), ("paragraph", 0, "c"), ("paragraph", 0, "d"),
    ]  # fmt: skip


def test_heading_roles_and_subtitles_are_headings(make_page):
    page = make_page("<div role=heading aria-level=4>Role</div><p><b>Short line</b><p>It rains.")
    labels = ["Paragraph", "Subtitle", "Subtitle"]
    body = body_blocks(page, np.ones(3, dtype=bool), labels, np.array([0.9, 0.8, 0.7]))
    assert [(b.kind, b.level) for b in body] == [("heading", 4), ("heading", 2), ("paragraph", 0)]
    assert [b.confidence for b in body] == [0.9, 0.8, 0.7]


def test_lists_nest_and_keep_their_numbers(blocks):
    (block,) = blocks("<ol start=3><li>a<li>b <ul><li>b1<li>b2</ul> tail<li><p>c<p>d</ol>")
    assert (block.is_ordered, block.start, len(block.items)) == (True, 3, 3)
    assert outline(block.items[1].blocks) == [
        ["paragraph", "b"],
        ["list", "", [["paragraph", "b1"], ["paragraph", "b2"]]],
        ["paragraph", "tail"],
    ]
    assert list(block.lines) == ["a", "b", "b1", "b2", "tail", "c", "d"]


def test_definition_lists_tell_terms_from_definitions(blocks):
    (terms,) = blocks("<dl><dt>T<dd>D<dd>E<div><dt>U</dt><dd>F</dd></div></dl>")
    lines = [(item.is_term, *item.blocks[0].lines) for item in terms.items]
    assert terms.kind == "definitions"
    assert lines == [(True, "T"), (False, "D"), (False, "E"), (True, "U"), (False, "F")]
    (plain,) = blocks("<dl><dd>D<dd>E</dl>")
    assert plain.kind == "list"


@pytest.mark.parametrize(
    "html",
    [
        "<ul><li><h3>a</h3><p>b</p></li><li><h3>c</h3></li></ul>",  # teasers
        "<ul><li><p>a</p><p>b</p><p>c</p></li></ul>",  # one item: a frame around the text
        f"<ul><li>x</li><li>{'<p>a</p>' * 7}</li></ul>",
        "<table><tr><td>a</td></tr><tr><td>b</td></tr></table>",  # one column
        "<table><tr><td>a</td><td>b</td></tr></table>",  # one row
        "<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>",
        "<table><tr><td>a<td>b<tr><td>c<td><h2>d</h2></table>",
        "<blockquote><p>all</p><p>of it</p></blockquote>",
    ],
)
def test_containers_of_mere_layout_are_passed_over(blocks, html):
    assert {block.kind for block in blocks(html)} <= {"paragraph", "heading"}


def test_tables_keep_rows_headers_spans_and_empty_cells(blocks):
    (table,) = blocks(
        "<table><caption>Cap</caption><tr><th>x<th colspan=2>y<th></tr>"
        "<tr><td>1<td><td>3 <b>4</b><td></tr></table>"
    )
    assert table.content == "Cap"
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["x", "y", ""], ["1", "", "3 4", ""]]  # fmt: skip
    first, second, _ = table.rows[0]
    assert (first.is_header, first.n_columns, second.n_columns) == (True, 1, 2)
    assert list(table.lines) == ["Cap", "x\ty\t", "1\t\t3 4\t"]


def test_quotes_hold_blocks_and_code_keeps_its_lines(blocks):
    _, quote, code = blocks(
        "<p>A paragraph that is longer than the quote</p><blockquote><p>a<p>b</blockquote>"
        "<pre><code>def <b>f</b>():\n    return 1\n</code></pre>"
    )
    assert outline([quote]) == [["quote", "", [["paragraph", "a"], ["paragraph", "b"]]]]
    assert (code.kind, code.content) == ("code", "def f():\n    return 1")


def test_images_stand_with_their_captions(blocks):
    body = blocks(
        "<p>a</p><figure><img src=/1.jpg alt=' An  a ' width=90 height=90>"
        "<figcaption>C <i>1</i></figcaption></figure>"
        "<img src=2.jpg width=90 height=90><img src=3.jpg width=90 height=90>"
        "<figcaption>C3</figcaption><p>b</p>"
    )
    figures = [block for block in body if block.kind == "figure"]
    assert [[image.address for image in figure.images] for figure in figures] == [
        [f"https://x.example{path}"] for path in ("/1.jpg", "/d/2.jpg", "/d/3.jpg")
    ]
    assert [figure.content for figure in figures] == ["C 1", "", "C3"]
    assert figures[0].images[0].alt == "An a"
    assert body_text(body) == "a\nb"


def test_an_image_repeated_for_pages_without_scripts_is_one(blocks):
    lazy = "<img src='data:image/gif;base64,R0lGODlh' data-src=/1.jpg alt=A width=90 height=90>"
    first, other = blocks(
        f"{lazy}<noscript><img src=/1.jpg alt=A width=90 height=90></noscript>"
        "<img src=/2.jpg alt=A width=90 height=90>"
    )
    assert [[image.address for image in figure.images] for figure in (first, other)] == [
        ["https://x.example/1.jpg"], ["https://x.example/2.jpg"]]  # fmt: skip
    assert len(first.regions) == 2


@pytest.mark.parametrize(
    ("attributes", "address"),
    [
        ("src=data:image/gif;base64,R0 data-src=/a.jpg", "https://x.example/a.jpg"),
        ("srcset='a.jpg 100w, b.jpg 900w, c.jpg 300w'", "https://x.example/d/b.jpg"),
        ("srcset='a.jpg 1x,b.jpg 2x,c.jpg 1.5x'", "https://x.example/d/b.jpg"),
        ("srcset='a,b.jpg, c.jpg 2x'", "https://x.example/d/c.jpg"),
        ("srcset='javascript:x 9w, d.jpg'", "https://x.example/d/d.jpg"),
        ("srcset=', ,'", None),
        ("src='javascript:alert(1)'", None),
        ("src=' JaVaScRiPt:alert(1)' data-src='vbscript:x'", None),
        ("src='https://y.example/a b\"<>.jpg'", "https://y.example/a%20b%22%3C%3E.jpg"),
        ("src='http://[::1'", None),
    ],
)
def test_only_addresses_that_may_be_opened_are_kept(blocks, attributes, address):
    (figure,) = blocks(f"<img {attributes} width=90 height=90>")
    assert [image.address for image in figure.images] == ([] if address is None else [address])


PIECES = (
    *"""
    <p>{}</p> <h2>{}</h2> <ul><li>{}</li><li>{}</li></ul> <blockquote>{}</blockquote>
    <table><tr><td>{}</td><td>{}</td></tr><tr><td>{}</td><td>{}</td></tr></table> {}<br>{}
    """.split(),
    "<pre>{}\n{}</pre>",
    "<figure><img src=a.jpg width=9 height=9><figcaption>{}</figcaption>",
    *"""
    </figure>{} <dl><dt>{}<dd>{}</dl> <b>{}</b>{} <div>{}</div> <ol><li>{}</ol>
    <table><tr><th>{}<td>{} <ul>{}<li>{} </table>{}</ul> <figure><table><td>{}</table>
    """.split(),
)


def invented_page(chance, depth=4):
    if not depth or chance.random() < 0.2:
        return f"w{chance.randrange(10**9)} "
    parts = chance.choices(PIECES, k=chance.randint(1, 3))
    return "".join(
        part.format(*(invented_page(chance, depth - 1) for _ in range(part.count("{}"))))
        for part in parts
    )


def test_every_region_of_any_body_stands_in_exactly_one_block(make_page):
    chance = random.Random(5)
    for _ in range(200):
        html = f"<html><body>{invented_page(chance)}"
        page = make_page(html)
        words = [text for text in page.text if text and chance.random() < 0.2]
        blocks_read = blocks_of(page, words)
        regions = sorted(i for block in blocks_read for i in block.regions)
        labels = labels_of(page)
        body = [n == "Paragraph" and t not in words for n, t in zip(labels, page.text, strict=True)]
        assert regions == [
            i for i in range(len(page)) if body[i] or labels[i] in ("Multimedia", "Caption")
        ], html
        shown = " ".join(page.text[i] for i in range(len(page)) if body[i])
        assert sorted(body_text(blocks_read).split()) == sorted(shown.split()), html


def test_nothing_chosen_gives_no_blocks_and_deep_nesting_ends(make_page):
    page = make_page("<p>a</p>")
    assert body_blocks(page, np.zeros(1, dtype=bool), ["None"], np.ones(1)) == ()
    assert body_text(()) == ""
    deep = make_page("<html><body>" + "<ul><li>x<li>y" * 200)
    assert len(body_text(blocks_of(deep)).split()) == 400
