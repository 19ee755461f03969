"""Structure that Markdown keeps of a page: marks by kind; edit distances of text, code and tables.

    python3 -m benchmarks.structure ../shared/data --most 60

Gold is the source itself: an element counts if the block that it is in is a part of the gold text,
between the first and the last block of some length that is. Recall is the share of these elements
that a system's Markdown has with the same words, precision the share of its elements that the page
has. Text, code, formulas and tables are compared as in WebMainBench: similarity by edit distance,
and by tree edit distance (TEDS, with apted).

Every system gets the page; ``html-to-markdown``, which extracts nothing, gets the smallest element
around the gold text, and so does ours once more, with everything in it as the body.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

import click
import numpy as np
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from rapidfuzz.distance import Levenshtein
from selectolax.lexbor import LexborHTMLParser, LexborNode
from tabulate import tabulate
from tqdm import tqdm

import structce
from benchmarks.articles.corpora import ArticlePage, read_pages
from structce.article import body_blocks
from structce.errors import StructceError
from structce.evaluation import words
from structce.rendering import Document, StaticRenderer

TAGS = {
    "inline code": "code kbd samp tt",
    "bold": "b strong",
    "italic": "i em cite dfn var",
    "link": "a",
    "fence": "pre",
    "language": "pre",
    "item": "li",
    "heading": "h1 h2 h3 h4 h5 h6",
    "cell": "td th",
    "quote": "blockquote",
}
KINDS = tuple(TAGS)
_BLOCKS = "p li td th dd dt pre blockquote h1 h2 h3 h4 h5 h6 div section article figcaption caption"
_BLOCK_TAGS = frozenset(_BLOCKS.split())
_UNSEEN = "script, style, noscript, template, [hidden], [style*='display:none'], " + (
    "[style*='display: none'], details:not([open]) > :not(summary)"
)
_LANGUAGE = re.compile(r"(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]+)")
_LEAST_WORDS = 6  # of a block that begins or ends the gold text
_MOST_CELLS = 150  # of a page's tables; the tree distance takes minutes for more
_RENDERER = (
    MarkdownIt("commonmark")
    .enable(["table", "strikethrough"])
    .use(deflist_plugin)
    .use(dollarmath_plugin)
    .use(footnote_plugin)
)
Mark = tuple[str, str]
System = Callable[[str, ArticlePage], str]


def line_of(text: str) -> str:
    """Return the words of a text between spaces."""
    return f" {' '.join(words(text))} "


def own_text(node: LexborNode) -> str:
    """Return the text of an element; of a list item, that before the lists in it."""
    if node.tag != "li" or node.css_first("ul, ol") is None:
        return str(node.text(deep=True, separator=" "))
    copy = LexborHTMLParser(node.html or "").body
    if copy is None:
        return ""
    for inner in copy.css("li ul, li ol"):
        inner.decompose()
    return str(copy.text(deep=True, separator=" "))


def block_around(node: LexborNode) -> LexborNode:
    """Return the nearest block-level element that an element is or is in."""
    above: LexborNode | None = node
    while above is not None and above.tag not in _BLOCK_TAGS:
        above = above.parent
    return node if above is None else above


def marks_of(root: LexborNode, is_gold: Callable[[LexborNode], bool]) -> Counter[Mark]:
    """Return the marks of a tree by kind and words."""
    marks: Counter[Mark] = Counter()
    for kind, tags in TAGS.items():
        for node in root.css(", ".join(tags.split())):
            text = line_of(own_text(node)).strip()
            is_inside = kind == "inline code" and is_in(node, "pre")
            is_anchor = kind == "link" and not is_web(node.attributes.get("href") or "")
            if not text or is_inside or is_anchor or not is_gold(node):
                continue
            if kind == "language":
                text = f"{language_of(node)} {text}" if language_of(node) else ""
            marks[kind, text] += bool(text)
    return +marks


def is_in(node: LexborNode, tag: str) -> bool:
    """Return whether a node is inside an element of a name."""
    above = node.parent
    while above is not None and above.tag != tag:
        above = above.parent
    return above is not None


def is_web(address: str) -> bool:
    """Return whether an address leads to another page, not to a place on its own."""
    return bool(address) and not re.match(r"#|(?!https?:)[a-z]+:", address)


def language_of(pre: LexborNode) -> str:
    """Return the language that the class of ``pre`` or of ``code`` in it states."""
    nodes = [pre, *pre.css("code")]
    found = (_LANGUAGE.search(node.attributes.get("class") or "") for node in nodes)
    return next((match[1].lower() for match in found if match), "")


class Gold:
    """Gold of one page: the elements of its source that are in its gold text."""

    def __init__(self, page: ArticlePage) -> None:
        tree = LexborHTMLParser(page.html)
        for node in tree.css(_UNSEEN):
            node.decompose()
        self.root = tree.root
        self.text = page.reference.texts[0]
        self._line = line_of(self.text)
        self._order = {node.mem_id: n for n, node in enumerate(self.root.css("*"))}
        blocks = [node for node in self.root.css(_BLOCKS.replace(" ", ", ")) if self._holds(node)]
        self.anchors = [node for node in blocks if len(words(own_text(node))) >= _LEAST_WORDS]
        places = [self._order[node.mem_id] for node in self.anchors] or [0]
        self._first, self._last = min(places), max(places)
        self.marks = marks_of(self.root, self.has)
        self.all_marks = marks_of(self.root, lambda node: True)

    def _holds(self, node: LexborNode) -> bool:
        line = line_of(own_text(node))
        return bool(line.strip()) and line in self._line

    def has(self, node: LexborNode) -> bool:
        """Return whether an element is in the gold text, with the block around it."""
        place = self._order[node.mem_id]
        block = node if node.tag == "blockquote" else block_around(node)
        return (
            self._first <= place
            and self._order[block.mem_id] <= self._last + 1
            and self._holds(block)
        )

    def html(self) -> str:
        """Return the smallest element around the gold text."""
        if not self.anchors:
            return ""
        above: LexborNode | None = self.anchors[0]
        others = self.anchors[1:]
        while above is not None:
            inside = {node.mem_id for node in above.css("*")}
            if all(node.mem_id in inside for node in others):
                return above.html or ""
            above = above.parent
        return ""

    def tables(self) -> list[LexborNode]:
        """Return the tables with rows and columns, most of whose cells are gold."""
        return [table for table in self.root.css("table") if self._is_gold(table)]

    def _is_gold(self, table: LexborNode) -> bool:
        cells = table.css("td, th")
        is_data = len(table.css("tr")) > 1 and len(cells) > len(table.css("tr"))
        return (
            is_data and not table.css("table table") and sum(map(self.has, cells)) > len(cells) / 2
        )


@dataclass
class Tally:
    """Counts of one system over pages."""

    found: Counter[str] = field(default_factory=Counter)
    gold: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    said: Counter[str] = field(default_factory=Counter)
    similarities: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, gold: Gold, markdown: str) -> None:
        """Count a page."""
        root = LexborHTMLParser(str(_RENDERER.render(markdown))).root
        marks = marks_of(root, lambda node: True)
        for (kind, text), n in gold.marks.items():
            self.gold[kind] += n
            self.found[kind] += min(n, marks[kind, text])
        for (kind, text), n in marks.items():
            self.said[kind] += n
            self.right[kind] += min(n, gold.all_marks[kind, text])
        for name, value in similarities(gold, root):
            self.similarities[name].append(value)

    def recall(self, kind: str) -> float:
        """Return the share of the gold marks that are found; NaN without any."""
        return self.found[kind] / self.gold[kind] if self.gold[kind] else float("nan")

    def precision(self, kind: str) -> float:
        """Return the share of the marks that the page has; NaN without any."""
        return self.right[kind] / self.said[kind] if self.said[kind] else float("nan")


def similarities(gold: Gold, root: LexborNode) -> Iterator[tuple[str, float]]:
    """Yield the similarities of text, code and tables to the gold, each in [0, 1]."""
    shown = root.text(deep=True, separator=" ")
    yield "text", Levenshtein.normalized_similarity(line_of(gold.text), line_of(shown))
    if codes := [node.text(deep=True) for node in gold.root.css("pre") if gold.has(node)]:
        own = [node.text(deep=True) for node in root.css("pre")]
        yield "code", Levenshtein.normalized_similarity("\n".join(codes), "\n".join(own))
    tables = gold.tables()
    if tables and sum(len(table.css("td, th")) for table in tables) <= _MOST_CELLS:
        yield "table", table_similarity(tables, root.css("table"))


def table_similarity(gold: Sequence[LexborNode], own: Sequence[LexborNode]) -> float:
    """Return the TEDS of tables in order (Zhong et al. 2020): 1 - distance / size of the larger."""
    from apted import APTED
    from apted.helpers import Tree

    trees = [bracket_tree(tables) for tables in (gold, own)]
    size = max(tree.count("{") for tree in trees)
    if trees[1].count("{") > 3 * _MOST_CELLS:
        return 0.0
    distance = APTED(*map(Tree.from_text, trees)).compute_edit_distance()
    return max(0.0, 1 - float(distance) / size)


def bracket_tree(tables: Sequence[LexborNode]) -> str:
    """Return tables in the notation of apted, without rows that are empty, as some heads are."""
    rows = []
    for row in (row for table in tables for row in table.css("tr")):
        cells = [re.sub(r"[{}]", "", line_of(own_text(cell))) for cell in row.css("td, th")]
        if any(map(str.strip, cells)):
            rows.append("{tr" + "".join(f"{{{cell}}}" for cell in cells) + "}")
    return "{root" + "".join(rows) + "}"


def ours(html: str, page: ArticlePage) -> str:
    """Return the Markdown of our article; empty if the page cannot be rendered."""
    try:
        return structce.label(html, url=page.gold_page.url, spans=False).to_markdown(
            left_out=("fields",)
        )
    except StructceError:
        return ""


def ours_without_extraction(html: str, page: ArticlePage) -> str:
    """Return the Markdown of all regions of a page, as a converter gives it."""
    shown = StaticRenderer().render(Document(html or "<p>", url=page.gold_page.url))
    n = len(shown)
    labels = ["Multimedia" if is_medium else "Paragraph" for is_medium in shown.is_media.tolist()]
    blocks = body_blocks(shown, ~shown.is_media, labels, np.ones(n))
    return structce.Article(page.gold_page.url, blocks=blocks).to_markdown(left_out=("fields",))


def trafilatura(html: str, page: ArticlePage) -> str:
    """Return what trafilatura extracts, with all that it can keep."""
    import trafilatura as package

    return str(package.extract(
        html, url=page.gold_page.url, output_format="markdown", include_links=True,
        include_formatting=True, include_tables=True, include_images=True,
    ) or "")  # fmt: skip


def html_to_markdown(html: str, page: ArticlePage) -> str:
    """Return the Markdown of the package of this name."""
    from html_to_markdown import convert

    result = convert(html) if html else ""
    return str(result if isinstance(result, str) else result.content or "")


SYSTEMS: Mapping[str, System] = {
    "structce": ours,
    "trafilatura": trafilatura,
    "structce, all": ours_without_extraction,
    "html-to-markdown": html_to_markdown,
}

CONVERTERS = frozenset({"structce, all", "html-to-markdown"})
"""Systems that extract nothing, and get the smallest element around the gold text."""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--sets", default="wcxb wcxb-more forums", help="Data sets, with a space between.")
@click.option("--types", default="", help="Page types; all if empty.")
@click.option("--most", default=0, help="Pages of each data set; 0 for all.")
def main(folder: Path, sets: str, types: str, most: int) -> None:
    """Print recall and precision of marks, and similarities, for each system."""
    for name in sets.split():
        pages = [page for page in read_pages(folder, name) if page.reference.texts]
        pages = [page for page in pages if not types or page.page_type in types.split()]
        chosen = pages[:: max(1, len(pages) // most)][:most] if most else pages
        print_tables(name, measure(chosen), len(chosen))


def measure(pages: Sequence[ArticlePage]) -> Mapping[str, Tally]:
    """Return the counts of each system."""
    tallies = {name: Tally() for name in SYSTEMS}
    for page in tqdm(pages, disable=None):
        gold = Gold(page)
        for name, system in SYSTEMS.items():
            html = gold.html() if name in CONVERTERS else page.html
            tallies[name].add(gold, system(html, page))
    return tallies


def print_tables(name: str, tallies: Mapping[str, Tally], n_pages: int) -> None:
    """Print the tables of one data set."""
    first = next(iter(tallies.values()))
    rows = []
    for kind in KINDS:
        recalls = [tally.recall(kind) for tally in tallies.values()]
        rows.append(
            [kind, first.gold[kind], *recalls, *(t.precision(kind) for t in tallies.values())]
        )
    known = [row for row in rows if row[1]]
    means = [fmean(v for row in known if (v := row[2 + n]) == v) for n in range(2 * len(tallies))]
    rows.append(["mean", "", *means])
    heads = [f"{name} {letter}" for letter in "RP" for name in tallies]
    print(f"\n{name}, {n_pages} pages")
    print(tabulate(rows, ["kind", "gold", *heads], floatfmt=".3f"))
    kinds = sorted({kind for tally in tallies.values() for kind in tally.similarities})
    table = [
        [k, len(first.similarities[k]), *(fmean(t.similarities[k]) for t in tallies.values())]
        for k in kinds
    ]
    print(tabulate(table, ["similarity", "pages", *tallies], floatfmt=".3f"))


if __name__ == "__main__":
    main()
