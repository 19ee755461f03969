"""Markdown says what is there: another parser makes of it what the HTML of the article says."""

import random
import re

from lxml import html as lxml_html
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from structce.article import Article
from structce.article.blocks import Block, Cell, Image, Inline, ListItem, Mark

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
for plugin in (footnote_plugin, dollarmath_plugin, deflist_plugin):
    PARSER.use(plugin)
INLINE = set("strong em s del ins sub sup a code span img br".split())


def tidied(pieces):
    """Pieces with equal neighbours as one, and without spaces and breaks at line ends."""
    line = []
    for kind, text, marks in pieces:
        if kind == "break":
            while line and line[-1][0] == "text" and not line[-1][1].strip():
                line.pop()
            if not line or line[-1][0] == "break":
                continue
        at_start = not line or line[-1][0] == "break"
        if kind == "text" and line and line[-1][0] == "text" and line[-1][2] == marks:
            line[-1] = ("text", line[-1][1] + text, marks)
        elif kind != "text" or (text.lstrip() if at_start else text):
            line.append((kind, text.lstrip() if at_start and kind == "text" else text, marks))
    result = []
    for n, (kind, text, marks) in enumerate(line):
        at_end = n + 1 == len(line) or line[n + 1][0] == "break"
        shown = re.sub(r"\s+", " ", text)
        shown = shown.rstrip() if at_end and kind == "text" else shown
        if shown or kind != "text":
            result.append((kind, shown, () if kind == "break" else marks))
    while result and result[-1][0] == "break":
        result.pop()
    return tuple(result)


def address_of(address):
    return PARSER.normalizeLink(address.replace("(", "%28").replace(")", "%29"))


def pieces_of(element, marks):
    """Yield the pieces of a line in an element: kind, text, and the marks around it."""
    text = element.text_content().strip() if isinstance(element.tag, str) else ""
    match element.tag:
        case "br":
            yield ("break", "", marks)
        case "img":
            yield ("image", f"{address_of(element.get('src'))} {element.get('alt')}", marks)
        case "code":
            yield ("code", text, marks)
        case "span":
            yield ("formula", re.sub(r"^\\\(|\\\)$", "", text).strip(), marks)
        case "sup" if element.xpath("a[starts-with(@href, '#')]"):
            yield ("reference", text, marks)
        case str() as tag:
            marks = (*marks, ({"s": "del"}.get(tag, tag), address_of(element.get("href", ""))))
            yield ("text", element.text or "", marks)
            for child in element:
                yield from pieces_of(child, marks)
                yield ("text", child.tail or "", marks)


def trees_of(element):
    """Return what is in an element as nested tuples; a line outside of blocks is a paragraph."""
    trees, line = [], [("text", element.text or "", ())]
    for child in [*element, None]:
        if child is not None and (child.tag in INLINE or not isinstance(child.tag, str)):
            line += pieces_of(child, ())
        else:
            trees += [("p", own)] if (own := tidied(line)) else []
            trees += [] if child is None else block_trees(child)
            line = []
        line += [] if child is None else [("text", child.tail or "", ())]
    return trees


def block_trees(element):
    """Return the trees of a block element; of one without content none."""
    tag, inside = element.tag, trees_of(element)
    formula = re.sub(r"^\\\[|\\\]$", "", element.text_content().strip()).strip()
    match tag:
        case "pre":
            return [(tag, element[0].get("class"), (element[0].text or "").removesuffix("\n"))]
        case "hr":
            return [(tag,)]
        case "div" | "p" if tag == "div" or element.xpath("span[contains(@class, 'display')]"):
            return [("formula", formula)]
        case "p" | "figure" | "figcaption" | "caption" | "thead" | "tbody" | "section":
            return inside
        case "table":  # a caption stands before it
            rows = [tree for tree in inside if tree[0] == "tr"]
            return [*inside[: len(inside) - len(rows)], (tag, *rows)]
        case "dl" if inside[-1][0] == "dt":  # a term without a definition
            return ([(tag, *inside[:-1])] if inside[:-1] else []) + list(inside[-1][1:])
        case "ol" if element.get("class"):
            return inside  # footnotes
        case "aside" | "li" if tag == "aside" or element.get("class"):
            return [("footnote", *inside)]
        case "td" | "th":
            return [("cell", *inside)]
    return [(tag, element.get("start"), *inside)] if inside else []


def read_html(text):
    """Return the trees of HTML, boxes in their paragraphs and footnotes last."""
    is_line = r'\n<p>(?!<span class="math display)(?:<br>)*'
    text = re.sub(f"<input type=.checkbox. checked disabled>{is_line}", "<p>[x] ", text)
    text = re.sub(f"<input type=.checkbox. disabled>{is_line}", "<p>[ ] ", text)
    text = re.sub("<input[^>]*>|<hr class[^>]*>", "", text)
    text = re.sub("<figure>(<img[^>]*>)*", lambda images: images[0].replace("><", "> <"), text)
    root = lxml_html.document_fromstring(f"<article>{text}</article>")
    for link in root.xpath("//a[@class='footnote-backref']"):
        link.drop_tree()
    (article,) = root.xpath("//article[not(.//article)]")
    return sorted(trees_of(article), key=lambda tree: tree[0] == "footnote")


def both_ways(blocks):
    """Return the trees of blocks by their Markdown and by their HTML, and the Markdown."""
    article = Article("", blocks=blocks)
    markdown = article.to_markdown(left_out=("fields",))
    html = (
        article.to_html(left_out=("fields",)).partition("<article>")[2].partition("</article>")[0]
    )
    return read_html(PARSER.render(markdown)), read_html(html), markdown


SIGNS = [
    *"\\`*_[]()<>#+-.!|~&:$=\"'^%{}", "word", "Two", "1.", "](x)", "&amp;", "<b>", "é", "://", "w!",
    "--", "**", "__", "``", "$x$", "[^1]", "***", "~~", "- ", "> ", "# ", "|-|", ": ", "中", "»",
]  # fmt: skip
MARKS = [
    *map(Mark, "strong emphasis deleted inserted sub sup".split()),
    Mark("link", "https://y.example/a_(b)?c=d&e=*f*&copy;"),
]


def words(chance):
    pieces = ("".join(chance.choices(SIGNS, k=chance.randint(1, 4))) for _ in range(2))
    return " ".join(" ".join(pieces).split()) or "w"


def chance_line(chance, n_most=5):
    line = []
    marks = ()
    for _ in range(chance.randint(1, n_most)):
        marks = marks[: chance.randint(0, len(marks))]
        new = chance.choice(MARKS)
        if chance.random() < 0.5 and new.kind not in {mark.kind for mark in marks}:
            marks = (*marks, new)
        kind = chance.choices(
            ["text", "code", "formula", "image", "break"], weights=[8, 2, 1, 1, 1]
        )[0]
        text = words(chance)
        if kind == "formula" and all(piece.kind == "break" for piece in line):
            kind = "text"  # the parser takes a last backslash for one before the formula
        if kind == "image":
            text = text.strip("\\") or "alt"
        joined = chance.random() < 0.5 or not line
        address = "https://y.example/i_(1).jpg" if kind == "image" else ""
        if kind == "break":
            shared = marks if not line else line[-1].marks[: len(marks)]
            line.append(Inline("break", "\n", shared if line and shared == marks else ()))
            continue
        tex = r"\frac{a}{b_1}^*" if kind == "formula" else ""
        line.append(Inline(kind, text, marks, joined, address, tex=tex))
    return tuple(line) if any(piece.kind != "break" for piece in line) else chance_line(chance)


def chance_block(chance, depth=2):
    kinds = ["paragraph", "heading", "code", "formula", "rule", "table", "figure"]
    kind = chance.choice(kinds + ["list", "list", "quote", "definitions"] * bool(depth))
    sizes = [chance.randint(1, 2) for _ in range(chance.randint(1, 3) * bool(depth))]
    inner = [tuple(chance_block(chance, depth - 1) for _ in range(size)) for size in sizes]
    line = chance_line(chance)
    match kind:
        case "heading":
            return Block(kind, line, level=chance.randint(1, 6))
        case "code":
            text = chance.choice(["a = 1\n\n  b", "```\nx", "~~~", "\ty\n> z\n1. a"])
            return Block(kind, (Inline("code", text),), name=chance.choice(["", "go", "c++"]))
        case "formula":
            return Block(kind, (Inline("formula", tex=r"x^2 \\ y"),))
        case "rule":
            return Block(kind)
        case "quote":
            return Block(kind, blocks=tuple(block for group in inner for block in group))
        case "list":
            checked = chance.choice([None, None, True, False])
            items = tuple(ListItem(group, checked) for group in inner)
            start = chance.choice([1, 1, 3])
            return Block(kind, items=items, is_ordered=chance.random() < 0.5, start=start)
        case "definitions":
            term = ListItem((Block("paragraph", line),), is_term=True)
            return Block(kind, items=(term, *(ListItem(group) for group in inner)))
        case "table":
            texts = [Block("paragraph", chance_line(chance, 2)) for _ in range(4)]
            cells = tuple(Cell((text,), is_header=n < 2) for n, text in enumerate(texts))
            return Block(kind, chance.choice([(), line]), rows=(cells[:2], cells[2:]))
        case "figure":
            image = Image("https://y.example/b.jpg", "A [b]")
            return Block(kind, chance.choice([(), line]), images=(image, image))
    return Block("paragraph", line)


def test_markdown_and_html_say_the_same():
    chance = random.Random(7)
    for _ in range(800):
        blocks = tuple(chance_block(chance) for _ in range(chance.randint(1, 3)))
        by_markdown, by_html, markdown = both_ways(blocks)
        assert by_markdown == by_html, markdown


def test_footnotes_keep_their_blocks():
    code = Block("code", (Inline("code", "a\n  b"),))
    note = Block("footnote", blocks=(Block("paragraph", (Inline("text", "A."),)), code), name="1")
    line = (Inline("text", "x!"), Inline("reference", "[1]", address="1"), Inline("text", "y"))
    blocks = (Block("paragraph", line), note, Block("paragraph", (Inline("text", "B."),)))
    by_markdown, by_html, _ = both_ways(blocks)
    assert by_markdown == by_html
    assert by_markdown[-1] == ("footnote", ("p", (("text", "A.", ()),)), ("pre", None, "a\n  b"))
