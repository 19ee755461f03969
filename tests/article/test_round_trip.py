"""Markdown says what is there: another parser reads the tree of blocks back from it."""

import random

from markdown_tree import expressed, parsed

from structce.article import Article
from structce.article.blocks import Block, Cell, Image, Inline, Line, ListItem, Mark

SIGNS = [
    *"\\`*_[]()<>#+-.!|~&:$=\"'^%{}", "word", "Two", "1.", "](x)", "&amp;", "<b>", "é", "://", "w!",
    "--", "**", "__", "``", "$x$", "[^1]", "***", "~~", "- ", "> ", "# ", "|-|", ": ", "中", "»",
]  # fmt: skip
MARKS = [
    *map(Mark, "strong emphasis deleted inserted sub sup".split()),
    Mark("link", "https://y.example/a_(b)?c=d&e=*f*&copy;"),
]


def words(chance: random.Random) -> str:
    pieces = ("".join(chance.choices(SIGNS, k=chance.randint(1, 4))) for _ in range(2))
    return " ".join(" ".join(pieces).split()) or "w"


def chance_line(chance: random.Random, n_most: int = 5) -> Line:
    line: list[Inline] = []
    marks: tuple[Mark, ...] = ()
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


def chance_block(chance: random.Random, depth: int = 2) -> Block:
    kinds = ["paragraph", "heading", "code", "formula", "rule", "table", "figure"]
    kind = chance.choice(kinds + ["list", "list", "quote", "definitions"] * bool(depth))
    inner = [
        tuple(chance_block(chance, depth - 1) for _ in range(chance.randint(1, 2)))
        for _ in range(chance.randint(1, 3) * bool(depth))
    ]
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
            rows = tuple(
                tuple(
                    Cell((Block("paragraph", chance_line(chance, 2)),), is_header=n == 0)
                    for _ in range(2)
                )
                for n in range(2)
            )
            return Block(kind, chance.choice([(), line]), rows=rows)
        case "figure":
            image = Image("https://y.example/b.jpg", "A [b]")
            return Block(kind, chance.choice([(), line]), images=(image, image))
    return Block("paragraph", line)


def test_markdown_is_read_back_as_the_same_tree():
    chance = random.Random(7)
    for _ in range(800):
        blocks = tuple(chance_block(chance) for _ in range(chance.randint(1, 3)))
        markdown = Article("", blocks=blocks).to_markdown(left_out=("fields",))
        assert parsed(markdown) == expressed(blocks), markdown


def test_footnotes_are_read_back_with_their_blocks():
    code = Block("code", (Inline("code", "a\n  b"),))
    note = Block("footnote", blocks=(Block("paragraph", (Inline("text", "A."),)), code), name="1")
    line = (Inline("text", "x!"), Inline("reference", "[1]", address="1"), Inline("text", "y"))
    blocks = (Block("paragraph", line), note, Block("paragraph", (Inline("text", "B."),)))
    markdown = Article("", blocks=blocks).to_markdown(left_out=("fields",))
    assert parsed(markdown) == expressed(blocks)
    assert parsed(markdown)[-1][:2] == ("footnote", "1")
