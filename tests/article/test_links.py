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
from structce.article.formats import to_html, to_markdown, to_tei
from structce.article.links import split_links
from structce.article.structure import body_blocks
from structce.article.values import Block, Cell, Link, ListItem

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


def linked(text: str, links: tuple[Link, ...]) -> list[tuple[str, str]]:
    return [(text[link.start : link.end], link.address) for link in links]


def test_a_link_has_its_words_and_its_whole_address(blocks):
    (block,) = blocks(
        "<p>See <a href='/1?a=b&amp;c=d'>the <b>new</b> file</a>, (<a href='e.html'>or</a>)"
        "<a href='https://y.example'>this</a> <a href='//y.example/z'><i>that</i></a>."
    )
    assert block.content == "See the new file, (or)this that."
    assert linked(block.content, block.links) == [
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
    assert (block.content, block.links) == ("See this.", ())


def test_a_relative_link_of_a_page_without_an_address_is_text(blocks):
    (block,) = blocks("<p>See <a href='/1'>this</a> and <a href='http://y.example'>that</a>.", "")
    assert linked(block.content, block.links) == [("that", "http://y.example")]


def test_links_of_headings_items_and_cells_are_kept(blocks):
    heading, items, table = blocks(
        "<h2><a href=/1>Why</a> so</h2><ul><li>One <a href=/2>two</a></ul>"
        "<table><tr><th>Pier<th>Why<tr><td>1<td><p>a</p><p>b <a href=/3>c</a></p></table>"
    )
    assert linked(heading.content, heading.links) == [("Why", "https://x.example/1")]
    (block,) = items.items[0].blocks
    assert linked(block.content, block.links) == [("two", "https://x.example/2")]
    cell = table.rows[1][1]
    assert linked(cell.text, cell.links) == [("c", "https://x.example/3")]


def test_a_line_is_split_into_all_its_pieces():
    assert list(split_links("a b", ())) == [("a b", "")]
    assert list(split_links("", ())) == []
    links = (Link(0, 1, "x"), Link(1, 2, "y"), Link(4, 5, "z"))
    assert list(split_links("abcde", links)) == [("a", "x"), ("b", "y"), ("cd", ""), ("e", "z")]


def article(text: str, links: tuple[Link, ...]) -> Article:
    line = Block("paragraph", text, links=links)
    cell = Cell(text, links=links)
    blocks = (
        line,
        replace(line, kind="heading", level=3),
        Block("quote", blocks=(line,)),
        Block("list", items=(ListItem((line,)),)),
        Block("table", rows=((cell, cell),)),
    )
    return Article("https://x.example/a", blocks=blocks)


N_TEXTS = 6


def chance_line(chance: random.Random) -> tuple[str, tuple[Link, ...]]:
    """Return a line of pieces with signs of markup, some of them links, and its links."""
    signs = [*"\\`*_[]()<>#+-.!|~&:\"'", "word", "1.", "](x)", "&amp;", "<b>", "é", "://", "w!"]
    text, links = "", []
    for _ in range(chance.randint(1, 5)):
        piece = " ".join("".join(chance.choices(signs, k=chance.randint(1, 4))).split())
        text += chance.choice(["", " "]) if text else ""
        if chance.random() < 0.5:
            links.append(Link(len(text), len(text) + len(piece), ADDRESS))
        text += piece
    return text, tuple(links)


def is_line(element: etree._Element) -> bool:
    """Whether an element holds one line: in Markdown, items of a short list do so themselves."""
    name = etree.QName(element).localname
    return name in {"p", "h3", "head", "td", "th", "cell"} or (
        name == "li" and element.find("p") is None
    )


def test_formats_show_every_word_and_link_whatever_signs_are_in_them():
    chance = random.Random(3)
    for _ in range(300):
        text, links = chance_line(chance)
        expected = [text[link.start : link.end] for link in links]
        story = article(text, links)
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
