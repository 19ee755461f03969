"""Chunks end where something ends, hold all the text, and are found again in the source."""

from dataclasses import replace
from pathlib import Path

import pytest

import structce
from structce.article import Article, count_words
from structce.article.blocks import Block, ListItem, plain_line
from structce.article.chunks import sentences
from structce.article.values import FieldValue
from structce.datasets import READERS
from structce.errors import StructceError

DATA = Path(__file__).parents[2].parent / "shared" / "data"

HTML = """<title>Ferry to stop</title><article><h1>Ferry to stop</h1>
<p>It will stop in June &amp; July. Dr. Lee, of <b>Port</b> <a href="/lines">Lines</a>, could not
say why in 2026. Nobody asked her.</p><h2>Routes</h2>
<ol><li>North is open. It will stay open all summer.</li><li>South is closed for years</li></ol>
<h3>Costs of the routes</h3><table><caption>In pounds</caption><tr><th>Route</th><th>Cost</th></tr>
<tr><td>North, by night</td><td>Two</td></tr><tr><td>South, by day</td><td>Ten</td></tr></table>
<pre>first = one two three. Four five six.
second = seven eight nine</pre><h2>Letters from the readers</h2>
<p>渡轮将停航。没有人知道为什么。</p>
<blockquote><p>We have waited. We will wait again.</p></blockquote></article>"""


@pytest.fixture(scope="module")
def article():
    return structce.label(HTML)


def paragraph(text):
    title = FieldValue("Ferry", 1.0, None)
    return Article("", title=title, blocks=(Block("paragraph", plain_line(text)),))


def squeezed(text):
    return "".join(text.split())


@pytest.mark.parametrize("form", ["text", "markdown"])
@pytest.mark.parametrize(("max_tokens", "overlap"), [(1, 0), (12, 0), (12, 6), (30, 0), (900, 9)])
def test_quotes_are_found_again_in_the_source(article, max_tokens, overlap, form):
    chunks = article.chunks(max_tokens, overlap=overlap, form=form)
    for chunk in chunks:
        start, end = chunk.locate(HTML)
        first, last = chunk.span
        assert first <= start < end <= last
        assert HTML[start:end].startswith(chunk.quote[:3])
        assert HTML[start:end].endswith(chunk.quote[-3:])
        assert chunk.locate("-" * len(HTML)) is None
        assert chunk.xpath.startswith("/html")
    if not overlap and form == "text":
        words = "".join(squeezed(chunk.text) for chunk in chunks)
        headings = {heading for chunk in chunks for heading in chunk.headings}
        for line in article.text.splitlines():
            assert squeezed(line) in words or line in headings


@pytest.mark.parametrize("max_tokens", [1, 9, 14, 25])
def test_code_rows_and_headings_are_never_cut(article, max_tokens):
    chunks = article.chunks(max_tokens)
    texts = [f"\n{chunk.text}\n" for chunk in chunks]
    code = "\nfirst = one two three. Four five six.\nsecond = seven eight nine\n"
    assert sum(code in text for text in texts) == 1
    assert sum("\nNorth, by night\tTwo\n" in text for text in texts) == 1
    (routes,) = {c.headings for c in chunks if "North is open" in c.text}
    assert routes == ("Ferry to stop", "Routes")
    (costs,) = {c.headings for c in chunks if "by night" in c.text}
    assert costs == ("Ferry to stop", "Routes", "Costs of the routes")


def test_sizes_are_kept_unless_a_single_unit_is_larger(article):
    for chunk in article.chunks(14):
        assert chunk.n_tokens == count_words(chunk.content)
        assert chunk.n_tokens <= 14 or len(list(sentences(chunk.blocks[0].line))) < 2
    whole = article.chunks(10_000)
    assert [chunk.headings[1:] for chunk in whole] == [
        (), ("Routes",), ("Routes", "Costs of the routes"), ("Letters from the readers",),
    ]  # fmt: skip


def test_markdown_keeps_lists_tables_and_links(article):
    texts = [chunk.text for chunk in article.chunks(16, form="markdown")]
    assert any("[Lines](/lines)" in text for text in texts)
    assert "2. South is closed for years" in "\n".join(texts)
    assert any(text.startswith("In pounds\n\n| Route | Cost |") for text in texts)
    assert any(text.startswith("> We have waited.") for text in texts)


def test_the_end_of_a_chunk_is_repeated_within_its_section():
    words = paragraph("One two three. Four five six. Seven eight nine. Ten eleven twelve.")
    texts = [chunk.text for chunk in words.chunks(7, overlap=3)]
    assert texts == [
        "One two three. Four five six.",
        "Four five six. Seven eight nine.",
        "Seven eight nine. Ten eleven twelve.",
    ]


def test_marks_that_no_counter_counts_are_not_repeated():
    chunks = paragraph("It is so. . . Nobody knew.").chunks(4)
    assert [chunk.text for chunk in chunks] == ["It is so. . .", "Nobody knew."]


def test_a_counter_of_the_user_counts_headings_too():
    (first, *_) = paragraph("One two. Three four.").chunks(len("Ferry\nOne two."), counter=len)
    assert (first.content, first.n_tokens) == ("Ferry\nOne two.", 14)


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("Dr. Lee and J. Smith came on 3. May. They left at 5 p.m. and slept.", 2),
        ("Is it so? “Yes.” (No!) We know… perhaps.", 4),
        ("渡轮将停航。为什么？没有人知道。", 3),
        ("It costs 3.5 million, i.e. all of it", 1),
        ("It ends\nhere", 2),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text, n):
    pieces = list(sentences(plain_line(text)))
    assert len(pieces) == n
    assert squeezed("".join(i.text for line in pieces for i in line)) == squeezed(text)


def test_a_heading_without_text_is_a_chunk(article):
    last = Block("heading", plain_line("End"), level=2)
    *_, chunk = replace(article, blocks=(*article.blocks, last)).chunks()
    assert (chunk.text, chunk.headings) == ("End", ("Ferry to stop",))


def test_without_places_there_is_no_quote():
    (chunk,) = structce.label(HTML.partition("<h2>")[0], spans=False).chunks()
    assert (chunk.quote, chunk.span, chunk.locate(HTML)) == ("", None, None)
    assert chunk.to_dict()["start"] is None
    assert chunk.regions


def test_definitions_stand_below_their_terms():
    words = ("Ferry", "It carries many people.", "Barge", "It carries coal.")
    items = tuple(
        ListItem((Block("paragraph", plain_line(text)),), is_term=n % 2 == 0)
        for n, text in enumerate(words)
    )
    body = Article("", blocks=(Block("definitions", items=items),))
    texts = [chunk.text for chunk in body.chunks(3, form="markdown")]
    assert texts == ["Ferry\n\n: It carries many people.", "Barge\n\n: It carries coal."]


@pytest.mark.parametrize(("max_tokens", "overlap"), [(0, 0), (5, 5), (5, -1)])
def test_impossible_sizes_are_errors(article, max_tokens, overlap):
    with pytest.raises(StructceError, match="expected max_tokens of 1 or more"):
        article.chunks(max_tokens, overlap=overlap)


@pytest.mark.parametrize("name", ["fundus", "wcxb", "forums"])
def test_quotes_of_real_pages_are_found_again(name):
    if not (DATA / f"{name}.zip").exists():
        pytest.skip("needs the public data sets beside the checkout")
    read = structce.load()
    for page, _ in zip(READERS[name].read(DATA / f"{name}.zip"), range(6), strict=False):
        document = page.document()
        for chunk in read(document).chunks(60):
            assert not chunk.quote or chunk.locate(document.html)
