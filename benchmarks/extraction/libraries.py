"""Our boilerpipe and jusText beside the libraries of these methods, on pages of public data sets.

    python3 -m benchmarks.extraction.libraries ../shared/data
    python3 -m benchmarks.extraction.libraries ../shared/data --set fundus --pages 20

Both libraries are in the extra ``peers``. Each is asked twice. boilerpy3 gets the page as it is,
and as the tags of a balanced tree, which is what the parser of the Java program gives to the same
filters. Our jusText has the library's stop words handed in and its step of early headings off, and
runs as it is. Pages are of the half of the sites on which no rule was chosen, except two rules for
links that came from CleanEval pages in this half.
"""

from __future__ import annotations

import hashlib
import logging
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import boilerpy3.extractors
import click
import justext
from boilerpy3.parser import BoilerpipeBaseParser
from rapidfuzz.distance import LCSseq
from selectolax.lexbor import LexborNode
from tabulate import tabulate

from benchmarks.extraction.study import SETS
from structce.datasets import READERS, GoldPage, gold_text
from structce.errors import StructceError
from structce.evaluation import bag_overlap, words
from structce.extraction import Boilerpipe, JusText, ParsedDocument
from structce.extraction.peers import STOP_LISTS, language_of
from structce.rendering import with_bar

_SETS = ("cleaneval", SETS[0], "fundus", "l3s-gn1")
_EXTRACTORS = {
    "article": boilerpy3.extractors.ArticleExtractor,
    "numwords": boilerpy3.extractors.NumWordsRulesExtractor,
    "default": boilerpy3.extractors.DefaultExtractor,
    "largest": boilerpy3.extractors.LargestContentExtractor,
    "canola": boilerpy3.extractors.CanolaExtractor,
}
_ALIKE = 0.99
_ENGLISH = "English"  # for pages that state no language, or one without a list

Texts = Iterator[tuple[str, str, str]]
"""Name of a comparison, our text, the library's."""


@dataclass(frozen=True)
class Compared:
    """One page: how many words of both texts are the same, and how good both are."""

    name: str
    n_common: int
    n_words: int
    our_f1: float
    their_f1: float

    @property
    def share(self) -> float:
        """Share of the words of both texts that are common, in their order; 1 of two empty ones."""
        return 2 * self.n_common / self.n_words if self.n_words else 1.0


def texts(document: ParsedDocument) -> Texts:
    """Yield the texts of a page."""
    tree = balanced_blocks(document)
    for rules, make in _EXTRACTORS.items():
        ours = Boilerpipe(rules).extract(document).text
        library, copied = make(raise_on_failure=False), deepcopy(tree)
        library.filter.process(copied)
        yield f"boilerpipe {rules}, on a tree", ours, copied.content
        if rules == "article":
            yield f"boilerpipe {rules}, as it is", ours, library.get_doc(document.html).content
    stops = justext.get_stoplist(STOP_LISTS.get(language_of(document), _ENGLISH))
    paragraphs = justext.justext(document.html, stops)
    theirs = "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)
    same = JusText(words=stops, early_headings=False)
    yield "justext, its stop words", same.extract(document).text, theirs
    yield "justext, as it is", JusText().extract(document).text, theirs


def balanced_blocks(document: ParsedDocument) -> Any:
    """Return the blocks that boilerpy3 cuts a balanced tree into."""
    reader = BoilerpipeBaseParser(raise_on_failure=False)
    for report, value in _events(document.tree, reader):
        report(value)
    reader.end_document()
    return reader.to_text_document()


def _events(
    root: LexborNode, reader: BoilerpipeBaseParser
) -> Iterator[tuple[Callable[[str], None], str]]:
    """Yield the calls that pass the tags and texts of a tree to a reader, in order."""
    open_nodes: list[LexborNode | str] = [root]
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, str):
            yield reader.end_element, node
        elif node.tag == "-text":
            yield reader.characters, node.text(deep=False)
        elif not (node.tag or "-").startswith(("-", "!")):
            yield lambda tag: reader.start_element(tag, {}), node.tag
            open_nodes += (node.tag, *reversed(list(node.iter(include_text=True))))


def compare(page: GoldPage) -> Iterator[Compared]:
    """Yield the comparisons of a page."""
    document, gold = ParsedDocument.of(page.document()), gold_text(page.gold)
    for name, ours, theirs in texts(document):
        mine, other = words(ours), words(theirs)
        scores = (bag_overlap(text, gold).f1 for text in (ours, theirs))
        yield Compared(name, LCSseq.similarity(mine, other), len(mine) + len(other), *scores)


def chosen_pages(data: Path, name: str, n_pages: int) -> list[GoldPage]:
    """Return pages of a set with gold, of sites of one half, in an order of their own."""
    every = READERS[name].read(data / f"{name}.zip")
    pages = [page for page in every if isinstance(page, GoldPage) and gold_text(page.gold)]
    half = [page for page in pages if int(hashlib.sha256(page.site.encode()).hexdigest(), 16) % 2]
    random.Random(7).shuffle(half)
    return half[:n_pages]


def report(name: str, rows: list[Compared]) -> str:
    """Return the table of a set."""
    lines = []
    for method in dict.fromkeys(row.name for row in rows):
        own = [row for row in rows if row.name == method]
        n_words = sum(row.n_words for row in own)
        equal = 2 * sum(row.n_common for row in own) / n_words if n_words else 1.0
        alike = fmean(row.share >= _ALIKE for row in own)
        f1 = (fmean(row.our_f1 for row in own), fmean(row.their_f1 for row in own))
        lines.append((name, method, len(own), equal, alike, *f1))
    head = ("set", "method", "pages", "words equal", f"pages {_ALIKE}", "our F1", "their F1")
    return tabulate(lines, head, "github", floatfmt=".3f")


@click.command()
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option("--set", "sets", multiple=True, default=_SETS, show_default=True)
@click.option("--pages", "n_pages", default=60, show_default=True, help="Pages of each set.")
def main(data: Path, sets: tuple[str, ...], n_pages: int) -> None:
    """Compare our boilerpipe and jusText with the libraries of these methods, page by page."""
    logging.getLogger("boilerpy3").setLevel(logging.ERROR)  # it warns of every link in a link
    for name in sets:
        pages, rows = chosen_pages(data, name, n_pages), []
        for page in with_bar(pages, len(pages), what=name):
            try:
                rows += compare(page)
            except (StructceError, ValueError) as error:  # lxml refuses some pages by a ValueError
                click.echo(f"error: {page.id}: {error}", err=True)
        click.echo(f"{report(name, rows)}\n")


if __name__ == "__main__":
    main()
