"""Links keep their places in a text: their words stay, and they lead to pages of the web."""

import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from lxml import etree
from lxml import html as lxml_html
from markdown_it import MarkdownIt

from structce.article.article import Article
from structce.article.blocks import Block, Cell, Inline, Line, ListItem, Mark, line_text, nested
from structce.article.formats import to_html, to_markdown, to_tei
from structce.article.structure import body_blocks

MARKDOWN = MarkdownIt("commonmark").enable("table")
TEI = "{http://www.tei-c.org/ns/1.0}"
ADDRESS = "https://y.example/a_(b)?c=d&e=*f*"
WRITTEN = ADDRESS.replace("(", "%28").replace(")", "%29")


@pytest.fixture(name="blocks")
def blocks_fixture(make_page: Callable[..., object]):
    def of(html: str, url: str = "https://x.example/d/") -> tuple[Block, ...]:
        page = make_page(f"<html><body>{html}", url=url)
        n = len(page)
        return body_blocks(page, np.ones(n, dtype=bool), ["Paragraph"] * n, np.ones(n))

    return of


def linked(line: Line) -> list[tuple[str, str]]:
    """Return the words of each link of a line, and its address."""
    nodes = [node for node in nested(line) if not isinstance(node, Inline)]
    return [(words_of(inside), mark.address) for mark, inside in nodes if mark.kind == "link"]


def words_of(nodes) -> str:
    return "".join(n.text if isinstance(n, Inline) else words_of(n[1]) for n in nodes)


def test_a_link_has_its_words_and_its_whole_address(blocks):
    (block,) = blocks(
        "<p>See <a href='/1?a=b&amp;c=d'>the <b>new</b> file</a>, (<a href='e.html'>or</a>)"
        "<a href='https://y.example'>this</a> <a href='//y.example/z'><i>that</i></a>."
    )
    assert block.content == "See the new file, (or)this that."
    assert linked(block.line) == [
        ("the new file", "https://x.example/1?a=b&c=d"),
        ("or", "https://x.example/d/e.html"),
        ("this", "https://y.example"),
        ("that", "https://y.example/z"),
    ]


@pytest.mark.parametrize(
    "href",
    ["#top", "", "javascript:alert(1)", "mailto:a@x.example", "data:text/html,x", "http://[", "./"],
)
def test_a_link_that_leads_to_no_other_page_is_text(blocks, href):
    (block,) = blocks(f'<p>See <a href="{href}">this</a>.')
    assert (block.content, linked(block.line)) == ("See this.", [])


def test_a_relative_link_of_a_page_without_an_address_stays_one(blocks):
    (block,) = blocks("<p>See <a href='/1'>this</a> and <a href='http://y.example'>that</a>.", "")
    assert linked(block.line) == [("this", "/1"), ("that", "http://y.example")]


def test_links_of_headings_items_and_cells_are_kept(blocks):
    heading, items, table = blocks(
        "<h2><a href=/1>Why</a> so</h2><ul><li>One <a href=/2>two</a></ul>"
        "<table><tr><th>Pier<th>Why<tr><td>1<td><p>a</p><p>b <a href=/3>c</a></p></table>"
    )
    assert linked(heading.line) == [("Why", "https://x.example/1")]
    (block,) = items.items[0].blocks
    assert linked(block.line) == [("two", "https://x.example/2")]
    cell = table.rows[1][1]
    assert linked(cell.line) == [("c", "https://x.example/3")]


def article(words: Line) -> Article:
    line = Block("paragraph", words)
    cell = Cell((line,))
    blocks = (
        line,
        replace(line, kind="heading", level=3),
        Block("quote", blocks=(line,)),
        Block("list", items=(ListItem((line,)),)),
        Block("table", rows=((cell, cell),)),
    )
    return Article("https://x.example/a", blocks=blocks)


N_TEXTS = 6


def chance_line(chance: random.Random) -> Line:
    """Return a line of pieces with signs of markup, some of them links."""
    signs = [*"\\`*_[]()<>#+-.!|~&:\"'", "word", "1.", "](x)", "&amp;", "<b>", "é", "://", "w!"]
    line: list[Inline] = []
    for _ in range(chance.randint(1, 5)):
        piece = " ".join("".join(chance.choices(signs, k=chance.randint(1, 4))).split())
        is_joined = not line or chance.random() < 0.5
        can_link = not (line and line[-1].marks)  # links beside each other would be one
        marks = (Mark("link", ADDRESS),) if can_link and chance.random() < 0.5 else ()
        line.append(Inline("text", piece, marks, is_joined))
    return tuple(line)


def is_line(element: etree._Element) -> bool:
    """Whether an element holds one line: in Markdown, items of a short list do so themselves."""
    name = etree.QName(element).localname
    return name in {"p", "h3", "head", "td", "th", "cell"} or (
        name == "li" and element.find("p") is None
    )


def test_formats_show_every_word_and_link_whatever_signs_are_in_them():
    chance = random.Random(3)
    for _ in range(300):
        line = chance_line(chance)
        text, expected = line_text(line), [words for words, _ in linked(line)]
        story = article(line)
        html = lxml_html.document_fromstring(to_html(story).encode())
        tei = etree.fromstring(to_tei(story).encode())
        _, _, body = to_markdown(story).partition("\n---\n")
        markdown = lxml_html.document_fromstring(f"<div>{MARKDOWN.render(body)}</div>")
        for tree, lines, tag, name, address in (
            (html, ".//article//*", "a", "href", ADDRESS),
            (markdown, ".//*", "a", "href", WRITTEN.replace('"', "%22")),
            (tei, f".//{TEI}body//*", f"{TEI}ref", "target", ADDRESS),
        ):
            written = [a for a in tree.iterfind(lines) if a.tag == tag]
            assert [a.get(name) for a in written] == [address] * len(expected) * N_TEXTS, text
            assert [a.text_content() if tag == "a" else a.text for a in written] == (
                expected * N_TEXTS
            ), text
            shown = [
                "".join(element.itertext()) for element in tree.iterfind(lines) if is_line(element)
            ]
            assert [line for line in shown if line.strip()] == [text] * N_TEXTS, text
