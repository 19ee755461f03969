import random
import re

import numpy as np
import pytest
from msgspec.structs import replace

from structce.page import Elements, Metadata, Page
from structce.rendering.html_rules import collapse
from structce.rendering.html_scanner import scan_markup
from structce.rendering.source_spans import with_spans

MARK = re.compile("⟦([0-9]+)⟧")
WORDS = ("Share", "Read more", "News", "1", "Tea &amp; cake", "a &lt; b")
TAGS = ("div", "section", "span", "a", "em")
HIDING = ("", "", "", ' style="display:none"', " hidden", ' class="menu"', ' data-n="1 > 0"')


def places(page, html):
    """What the source holds at the place of each region; None without a place."""
    spans = with_spans(page, html).spans.tolist()
    return [html[start:end] if start >= 0 else None for start, end in spans]


def table(tags, parents, own, text, element):
    """Page with these columns of elements and regions."""
    zeros = np.zeros(len(tags), dtype=np.int32)
    parent = np.array(parents, dtype=np.int32)
    elements = Elements(tuple(tags), parent, tuple(own), zeros, zeros, {})
    boxes = np.zeros((len(text), 4), dtype=np.float32)
    columns = tuple(text), np.array(element, dtype=np.int32), tuple(text), zeros, boxes
    return Page("", "", "static", (0, 0), Metadata(), elements, *columns)


def rows(*regions, attributes=None):
    """Regions of a text and an element name each, all of them below one ``body``."""
    tags = ["html", "body", *(tag for _, tag in regions)]
    parents = [-1, 0] + [1] * len(regions)
    own = [{}, {}] + [attributes or {}] * len(regions)
    return table(tags, parents, own, [text for text, _ in regions], range(2, len(tags)))


def find_spans(html, page):
    return with_spans(page, html).spans


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>one <b>two</b> three</p>", ["one", "two", "three"]),
        ("<p>\n  two\n words </p>", ["two\n words"]),
        ("<p>Tea &amp; cake</p>", ["Tea &amp; cake"]),
        ("<p>&nbsp; one&#160;&nbsp;two &#xA0;</p>", ["one&#160;&nbsp;two"]),
        ("<p>&nbsp;</p><p>R&D &amp; &nbsp;&amp; </p>", ["R&D &amp; &nbsp;&amp;"]),
        ("<video src=v>&nbsp;</video>", ["<video src=v>"]),
        ("<p>&eacute;t&eacute;</p>", ["&eacute;t&eacute;"]),
        ("<p>a<!-- > b -->c</p>", ["a", "c"]),
        ("<p>1 < 2 and 3 > 2</p>", ["1 < 2 and 3 > 2"]),
        ("<p>a\r\nb</p><pre>\r\nc\r\n</pre>", ["a\r\nb", "c"]),
        ("<script>if (a<b) '<p>x</p>'</script><p>x</p>", ["x"]),
        ("<title>x</title><textarea><p>x</p></textarea><p>x</p>", ["x"]),
        ("<p title=\"x > y\">x</p><p title='<p>x'>y</p>", ["x", "y"]),
        ("<IMG SRC=a.png ALT='>'><p>x</p>", ["<IMG SRC=a.png ALT='>'>", "x"]),
        ("<video src=v><p>x</p></video>", ["<video src=v>"]),
        ("<svg viewBox='0 0 1 1'><path d=''/></svg>", ["<svg viewBox='0 0 1 1'>"]),
        ("<iframe src=f>no frames</iframe><p>x</p>", ["<iframe src=f>", "x"]),
        ("<ul><li>one<li>two</ul>", ["one", "two"]),
        ("<p>x</p><!-- the end is <p>missing", ["x"]),
        ("<img src='?a=1&copy=2&amp;lt=3'>", ["<img src='?a=1&copy=2&amp;lt=3'>"]),
    ],
)
def test_span_of_a_region_is_its_text_in_the_source(make_page, html, expected):
    assert places(make_page(html), html) == expected


@pytest.mark.parametrize(
    ("html", "occurrence"),
    [
        ("<p hidden class=a>x</p><p class=b>x</p>", 1),  # the attributes tell
        ("<p class=b>x</p><p hidden class=a>x</p>", 0),
        ("<div hidden><p>x</p></div><p>y</p><p>x</p><p>z</p>", 1),  # the order tells
        ("<div hidden class=a><p>x</p></div><div class=b><p>x</p></div>", 1),  # what is around
        ("<template><p>x</p></template><p>x</p>", 1),
        ("<select><option>x</select><p>x</p>", 1),  # the element's name tells
        ("<img hidden src=a alt=x><img src=a alt=x>", 1),
    ],
)
def test_visible_match_is_chosen_among_several(make_page, html, occurrence):
    page = make_page(html)
    i = next(i for i in range(len(page)) if page.text[i] in ("x", ""))
    places = [match.start() for match in re.finditer(">x<|<img", html)]
    expected = places[occurrence] + (1 if page.text[i] else 0)
    assert with_spans(page, html).spans[i][0] == expected


def test_a_text_that_moved_is_found_where_it_was_written():
    html = "<body><table><tr>loose<td>cell</td></tr></table><p>end</p></body>"
    spans = find_spans(html, rows(("loose", "body"), ("cell", "td"), ("end", "p")))
    assert [html[a:b] for a, b in spans] == ["loose", "cell", "end"]
    html = "<body><p>a</p><p>b</p><p>c</p><p>d</p></body>"
    spans = find_spans(html, rows(("d", "p"), ("a", "p"), ("b", "p"), ("c", "p")))
    assert [html[a:b] for a, b in spans] == ["d", "a", "b", "c"]


@pytest.mark.parametrize(
    "piece",
    ["<", "<a ", '<a b="', "<!--", "<!-", "</", "<script>", "<script><", "=", "<p>", "</p>", "&"],
)
def test_any_source_is_read_to_its_end(piece):
    markup = scan_markup("<p>x</p>" + piece * 3000)
    assert markup.texts[:2].tolist() == [3, 4]


class _Writer:
    """A random page, once as it is and once with a number behind each text."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.plain = self.marked = ""
        self.spans: list[tuple[int, int]] = []
        self.write("<!doctype html><body>")
        for _ in range(self.random.randint(3, 12)):
            self.element(depth=0)
        self.write("</body>")

    def write(self, markup):
        self.plain += markup
        self.marked += markup

    def text(self):
        text = self.random.choice(WORDS)
        self.plain += " "
        self.spans.append((len(self.plain), len(self.plain) + len(text)))
        self.plain += text
        self.marked += f" {text}⟦{len(self.spans) - 1}⟧"

    def element(self, depth, tags=TAGS):
        pick = self.random.choice
        tag = pick(tags)
        inside = tuple(other for other in tags if tag != "a" or other in ("span", "em"))
        self.write(f"<{tag}{pick(HIDING)}>")
        for _ in range(self.random.randint(1, 4)):
            if depth < 4 and self.random.random() < 0.5:
                self.element(depth + 1, inside)
            else:
                self.text()
                self.write(pick(("<br>", "<!-- note -->", "<img src=a>", "<script>'x'</script>")))
        self.write(f"</{tag}>")


@pytest.mark.parametrize("seed", range(40))
def test_spans_of_random_pages_are_never_wrong(make_page, seed):
    # Each text is one of a few words; the number behind it, taken off again, tells which it is.
    writer = _Writer(seed)
    page = make_page(writer.marked)
    unmarked = replace(page, text=tuple(collapse(MARK.sub("", text)) for text in page.text))
    n_texts = n_found = 0
    for text, (start, end) in zip(page.text, find_spans(writer.plain, unmarked), strict=True):
        if number := MARK.search(text):
            n_texts += 1
            n_found += start >= 0
            assert start < 0 or (start, end) == writer.spans[int(number.group(1))]
    assert n_found >= 0.7 * n_texts
