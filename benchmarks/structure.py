"""Structure that Markdown keeps of a page: marks by kind; edit distances of text, code and tables.

    python3 -m benchmarks.structure ../shared/data --most 60

Gold is the source itself: an element counts if the block that it is in is a part of the gold text,
between the first and the last block of some length that is. Recall is the share of these elements
that a system's Markdown has with the same words, precision the share of its elements that the page
has. Text, code, formulas and tables are compared as in WebMainBench: similarity by edit distance,
and by tree edit distance (TEDS, Zhong et al. 2020, with apted). ``html-to-markdown`` extracts
nothing: it gets the smallest element around the gold text, and so does ours once more, with all of
it as the body. rs-trafilatura runs under the Python that PEERS_PYTHON names, if it is set.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import click
import numpy as np
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from rapidfuzz.distance.Levenshtein import normalized_similarity
from selectolax.lexbor import LexborHTMLParser, LexborNode
from tabulate import tabulate
from tqdm import tqdm

import structce
from benchmarks.articles.corpora import ArticlePage, read_pages
from benchmarks.articles.systems import SYSTEMS as PEERS
from benchmarks.articles.systems import start_runner
from structce.article import body_blocks
from structce.errors import StructceError
from structce.evaluation import words
from structce.rendering import Document, StaticRenderer

TAGS = {
    "inline code": "code, kbd, samp, tt",
    "bold": "b, strong",
    "italic": "i, em, cite, dfn, var",
    "link": "a[href]",
    "fence": "pre",
    "language": "pre",
    "item": "li",
    "heading": "h1, h2, h3, h4, h5, h6",
    "cell": "td, th",
    "quote": "blockquote",
}
_BLOCKS = "p li td th dd dt pre blockquote h1 h2 h3 h4 h5 h6 div section article figcaption".split()
_UNSEEN = """
script, style, noscript, template, [hidden], [style*='display:none'], [style*='display: none'],
details:not([open]) > :not(summary)
"""
_TEX = "annotation[encoding*=tex i], img.mwe-math-fallback-image-inline[alt]"
_LANGUAGE = re.compile(r"(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]+)")
_ELSEWHERE = re.compile(r"(?!#|$)(?:https?:|(?![a-z]+:))")  # address of another page
_WITHIN = dict.fromkeys(("inline code", "bold", "italic"), ("pre",))  # which shows no marks
_LEAST_WORDS = 6  # of a block that begins or ends the gold text
_LIMIT = 20.0  # processor seconds per page
_MOST_CELLS = 150  # of a page's tables; the tree distance takes minutes for more
_MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_MARKDOWN.use(deflist_plugin).use(dollarmath_plugin).use(footnote_plugin)
Marks = Counter[tuple[str, str]]


def line_of(text: str) -> str:
    """Return the words of a text between spaces."""
    return f" {' '.join(words(text))} "


def own_text(node: LexborNode) -> str:
    """Return the text of an element; of a list item, that before the lists in it."""
    if node.tag == "li" and node.css_first("ul, ol") is not None:
        node = LexborHTMLParser(node.html or "").root
        for inner in node.css("li ul, li ol"):
            inner.decompose()
    return str(node.text(deep=True, separator=" "))


def nearest(node: LexborNode, tags: Sequence[str]) -> LexborNode | None:
    """Return the innermost element with one of some names that a node is or is in."""
    above: LexborNode | None = node
    while above is not None and above.tag not in tags:
        above = above.parent
    return above


def marks_of(root: LexborNode, is_gold: Callable[[LexborNode], bool] = lambda _: True) -> Marks:
    """Return the marks of a tree by kind and words."""
    marks: Marks = Counter()
    for kind, selector in TAGS.items():
        for node in root.css(selector):
            text = line_of(own_text(node)).strip()
            address = node.attributes.get("href") or ""
            is_other = kind == "link" and not _ELSEWHERE.match(address)
            if kind in _WITHIN and node.parent is not None:  # inside another, it marks nothing
                is_other = nearest(node.parent, [*selector.split(", "), *_WITHIN[kind]]) is not None
            if kind == "language":
                language = language_of(node)
                text = f"{language} {text}" if language else ""
            if text and not is_other and is_gold(node):
                marks[kind, text] += 1
    return marks


def language_of(pre: LexborNode) -> str:
    """Return the language that the class of ``pre`` or of ``code`` in it states."""
    names = (node.attributes.get("class") or "" for node in [pre, *pre.css("code")])
    return next((match[1].lower() for name in names if (match := _LANGUAGE.search(name))), "")


class Gold:
    """Gold of one page: the elements of its source that are in its gold text."""

    def __init__(self, page: ArticlePage) -> None:
        self.root = LexborHTMLParser(page.html).root
        self.all_marks = marks_of(self.root)
        for node in self.root.css(_UNSEEN):
            node.decompose()
        self.text = line_of(page.reference.texts[0])
        self._order = {node.mem_id: n for n, node in enumerate(self.root.css("*"))}
        blocks = [node for node in self.root.css(", ".join(_BLOCKS)) if self._holds(node)]
        self.long = [node for node in blocks if len(words(own_text(node))) >= _LEAST_WORDS]
        self._places = [self._order[node.mem_id] for node in self.long] or [0]
        self.marks = marks_of(self.root, self.has)

    def _holds(self, node: LexborNode) -> bool:
        line = line_of(own_text(node))
        return bool(line.strip()) and line in self.text

    def has(self, node: LexborNode) -> bool:
        """Return whether an element is in the gold text, with the block around it."""
        block = nearest(node, _BLOCKS) or node
        is_inside = min(self._places) <= self._order[node.mem_id]
        return is_inside and self._order[block.mem_id] <= max(self._places) and self._holds(block)

    def html(self) -> str:
        """Return the smallest element around the gold text."""
        above = self.long[0] if self.long else None
        while above is not None:
            inside = {node.mem_id for node in [above, *above.css("*")]}
            if all(node.mem_id in inside for node in self.long):
                return above.html or ""
            above = above.parent
        return "<p>"

    def formulas(self) -> list[str]:
        """Return the TeX that the page states of formulas between the ends of its gold text."""
        first, last = min(self._places), max(self._places)
        nodes = self.root.css(_TEX)
        inside = [node for node in nodes if first <= self._order[node.mem_id] <= last]
        return [node.attributes.get("alt") or node.text(deep=True) for node in inside]

    def tables(self) -> list[LexborNode]:
        """Return the tables with rows and columns, most of whose cells are gold."""
        return [table for table in self.root.css("table") if self._has_table(table)]

    def _has_table(self, table: LexborNode) -> bool:
        cells, n_rows = table.css("td, th"), len(table.css("tr"))
        is_data = 1 < n_rows < len(cells) and not table.css("table table")
        return is_data and sum(map(self.has, cells)) > len(cells) / 2


class Tally:
    """Counts of one system over pages, by kind."""

    def __init__(self) -> None:
        self.found, self.gold, self.right, self.said = (Counter[str]() for _ in range(4))
        self.similarities: defaultdict[str, list[float]] = defaultdict(list)

    def add(self, gold: Gold, markdown: str) -> None:
        """Count a page."""
        root = LexborHTMLParser(str(_MARKDOWN.render(markdown))).root
        marks = marks_of(root)
        for (kind, text), n in gold.marks.items():
            self.gold[kind] += n
            self.found[kind] += min(n, marks[kind, text])
        for (kind, text), n in marks.items():
            self.said[kind] += n
            self.right[kind] += min(n, gold.all_marks[kind, text])
        for name, value in similarities(gold, root):
            self.similarities[name].append(value)

    def shares(self, kind: str) -> list[float | None]:
        """Return recall and precision; None without anything to recall or judge."""
        pairs = ((self.found, self.gold), (self.right, self.said))
        return [part[kind] / whole[kind] if whole[kind] else None for part, whole in pairs]


def similarities(gold: Gold, root: LexborNode) -> Iterator[tuple[str, float]]:
    """Yield the similarities of text, code and tables to the gold, each in [0, 1]."""
    yield "text", normalized_similarity(gold.text, line_of(root.text(deep=True, separator=" ")))
    if codes := [node.text(deep=True) for node in gold.root.css("pre") if gold.has(node)]:
        own = [node.text(deep=True) for node in root.css("pre")]
        yield "code", normalized_similarity("\n".join(codes), "\n".join(own))
    if formulas := gold.formulas():
        own = [node.text(deep=True) for node in root.css(".math")]
        yield "formula", normalized_similarity("\n".join(formulas), "\n".join(own))
    trees = [bracket_tree(tables) for tables in (gold.tables(), root.css("table"))]
    if 1 < trees[0].count("{") <= _MOST_CELLS:
        yield "table", tree_similarity(*trees)


def tree_similarity(gold: str, own: str) -> float:
    """Return 1 - distance / size of the larger tree."""
    from apted import APTED
    from apted.helpers import Tree

    size = max(gold.count("{"), own.count("{"))
    if size > 3 * _MOST_CELLS:
        return 0.0
    distance = APTED(Tree.from_text(gold), Tree.from_text(own)).compute_edit_distance()
    return 1 - float(distance) / size


def bracket_tree(tables: Sequence[LexborNode]) -> str:
    """Return tables in the notation of apted, without rows that are empty, as some heads are."""
    rows = []
    for row in (row for table in tables for row in table.css("tr")):
        cells = [re.sub(r"[{}]", "", line_of(own_text(cell))) for cell in row.css("td, th")]
        if any(map(str.strip, cells)):
            rows.append("{tr" + "".join(f"{{{cell}}}" for cell in cells) + "}")
    return "{root" + "".join(rows) + "}"


def _ours(html: str, url: str) -> str:
    try:
        return structce.label(html, url=url, spans=False).to_markdown(left_out=("fields",))
    except StructceError:
        return ""


def _ours_of_all(html: str, url: str) -> str:
    page = StaticRenderer().render(Document(html, url=url))
    labels = ["Multimedia" if is_medium else "Paragraph" for is_medium in page.is_media.tolist()]
    blocks = body_blocks(page, ~page.is_media, labels, np.ones(len(page)))
    return structce.Article(url, blocks=blocks).to_markdown(left_out=("fields",))


def _trafilatura(html: str, url: str) -> str:
    import trafilatura

    kept = dict.fromkeys("links formatting tables images".split(), True)
    options = {f"include_{name}": value for name, value in kept.items()}
    return str(trafilatura.extract(html, url=url, output_format="markdown", **options) or "")


def _rs_trafilatura() -> Callable[[str, str], str]:
    runner = start_runner(PEERS["rs-trafilatura"], _LIMIT, None)
    runner = replace(runner, environment={"PEERS_MARKDOWN": "1"})
    return lambda html, url: runner.ask("", html, url, "").text


def _html_to_markdown(html: str, _: str) -> str:
    from html_to_markdown import convert

    return str(getattr(convert(html), "content", "") or "")


_APART = {"rs-trafilatura": _rs_trafilatura()} if "PEERS_PYTHON" in os.environ else {}
SYSTEMS: Mapping[str, Callable[[str, str], str]] = {
    "structce": _ours,
    "trafilatura": _trafilatura,
    **_APART,
    "structce of all": _ours_of_all,
    "html-to-markdown": _html_to_markdown,
}
_CONVERTERS = ("structce of all", "html-to-markdown")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True))
@click.option("--sets", default="wcxb wcxb-more forums", help="Data sets, with a space between.")
@click.option("--types", default="", help="Page types, with a space between; all if empty.")
@click.option("--most", default=0, help="Pages of each data set; 0 for all.")
def main(folder: Path, sets: str, types: str, most: int) -> None:
    """Print recall and precision of marks, and similarities, for each system."""
    for name in sets.split():
        pages = [page for page in read_pages(folder, name) if page.reference.texts]
        pages = [page for page in pages if not types or page.page_type in types.split()]
        pages = pages[:: max(1, len(pages) // most)][:most] if most else pages
        tallies = {system: Tally() for system in SYSTEMS}
        for page in tqdm(pages, disable=None):
            gold = Gold(page)
            for system, convert in SYSTEMS.items():
                html = gold.html() if system in _CONVERTERS else page.html
                tallies[system].add(gold, convert(html, page.gold_page.url))
        print(f"\n{name}, {len(pages)} pages\n{tables_of(tallies)}")


def tables_of(tallies: Mapping[str, Tally]) -> str:
    """Return the tables of one data set; R is recall, P precision."""
    first = next(iter(tallies.values()))
    rows: list[list[object]] = []
    shares = {kind: [s for t in tallies.values() for s in t.shares(kind)] for kind in TAGS}
    for kind, values in shares.items():
        rows.append([kind, first.gold[kind], *values])
    known = zip(*shares.values(), strict=True)
    means = [fmean(v for v in column if v is not None) for column in known if any(column)]
    heads = [f"{system} {letter}" for system in tallies for letter in "RP"]
    marks = tabulate([*rows, ["mean", "", *means]], ["kind", "gold", *heads], floatfmt=".3f")
    similar = [
        [kind, len(values), *(fmean(t.similarities[kind]) for t in tallies.values())]
        for kind, values in first.similarities.items()
    ]
    return f"{marks}\n\n{tabulate(similar, ['similarity', 'pages', *tallies], floatfmt='.3f')}"


if __name__ == "__main__":
    main()
