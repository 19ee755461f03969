"""Links keep their places in a text: their words stay, and they lead to pages of the web."""

from collections.abc import Callable

import numpy as np
import pytest

from structce.article.blocks import Block, Inline, Line, nested
from structce.article.structure import body_blocks


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
