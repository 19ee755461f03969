"""Evaluation of what surrounds articles: access, next pages, comments, items of listings.

    python3 -m benchmarks.context ../shared/data

The shipped model for the static renderer labels the pages, of which it has seen those of its own
data sets; the rules of the context were not fitted to any. What each part is compared with:

access
    What pages state for machines (JSON-LD, microdata, content tiers), which is hidden from the
    reader, so that it sees what a visitor sees.
next
    Links that pages mark with ``rel="next"``, in the head too, and whose address is the page's own,
    one page on; the marks are hidden.
comments
    Comments in the gold of Dragnet: bags of words.
modified
    Days of the last change that pages state, where they differ from the day of publication; these
    statements are hidden.
items
    Gold texts of listings and collections: share of titles and teasers that are in them
    (precision), and of their words that are in titles, teasers or days of items (recall).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import click
from selectolax.lexbor import LexborHTMLParser
from tabulate import tabulate
from tqdm import tqdm

from benchmarks.articles.corpora import ArticlePage, read_pages
from benchmarks.articles.views import bare_html
from structce.addresses import join_address, without_fragment
from structce.article import Article
from structce.article.context import page_step, read_access
from structce.article.reading import evidence_of, read_article
from structce.errors import StructceError
from structce.evaluation import bag_overlap, words
from structce.io import encode_json, write_atomic
from structce.labelling import DEFAULT_MODELS, RegionLabeller, find_model
from structce.rendering import Document, Renderer, start_renderer

_SETS = (
    "wcxb wcxb-more trafilatura recipes misinformation-crawler article-extraction-benchmark "
    "readability htmldate fundus fundus-history forums"
).split()
_LISTINGS = frozenset({"listing", "collection"})


@dataclass(frozen=True)
class Reader:
    """Renderer and model that read the article of a page with its context."""

    renderer: Renderer
    labeller: RegionLabeller

    def read(self, html: str, url: str) -> Article | None:
        """Return the article of a page; None for a page that cannot be rendered."""
        try:
            page = self.renderer.render(Document(html, url=url))
            return read_article(self.labeller.label(page), context=True)
        except StructceError:
            return None

    def access(self, html: str) -> bool | None:
        """Return whether a page states that its article is free; None if it states nothing."""
        try:
            page = self.renderer.render(Document(html))
        except StructceError:
            return None
        access = read_access(evidence_of(self.labeller.label(page)))
        return access.is_free if access and access.source != "region" else None


def measure_access(pages: Sequence[ArticlePage], reader: Reader) -> list[tuple[str, bool, bool]]:
    """Return page, whether it states that its article is free, and whether the reader says so."""
    rows = []
    for page in tqdm(pages, desc="access", disable=None):
        if "isAccessibleForFree" not in page.html and "content_tier" not in page.html:
            continue
        is_free = reader.access(page.html)
        article = None if is_free is None else reader.read(bare_html(page.html), page.gold_page.url)
        if is_free is not None and article is not None and article.context is not None:
            access = article.context.access
            rows.append((page.id, is_free, access is None or access.is_free))
    return rows


def measure_next(pages: Sequence[ArticlePage], reader: Reader) -> list[tuple[str, str, str]]:
    """Return page, stated address of the next page and the address found; empty if none."""
    rows = []
    for page in tqdm(pages, desc="next pages", disable=None):
        url = page.gold_page.url
        tree = LexborHTMLParser(page.html)
        stated = stated_next(tree, url)
        for element in tree.css("[rel~=next]"):
            element.attrs["rel"] = ""
        article = reader.read(tree.html or "", url)
        if article is not None and article.context is not None:
            next_page = article.context.next_page
            rows.append((page.id, stated, next_page.address if next_page else ""))
    return rows


def stated_next(tree: LexborHTMLParser, url: str) -> str:
    """Return the address of the next page that a page states; empty if none."""
    for element in tree.css("link[rel~=next], a[rel~=next]"):
        address = join_address(url, (element.attributes.get("href") or "").strip())
        if page_step(url, address) is not None:
            return address
    return ""


def measure_comments(
    pages: Sequence[ArticlePage], reader: Reader
) -> list[tuple[str, float, float, int, int]]:
    """Return page, precision and recall of comments' words, number found and wanted."""
    rows = []
    for page in tqdm(pages, desc="comments", disable=None):
        article = reader.read(page.html, page.gold_page.url)
        if article is None or article.context is None:
            continue
        gold = " ".join(page.gold_page.gold.others.get("comment", ()))
        text = " ".join(comment.text for comment in article.context.comments)
        overlap = bag_overlap(text, gold)
        rows.append(
            (page.id, overlap.precision, overlap.recall, len(words(text)), len(words(gold)))
        )
    return rows


def measure_modified(pages: Sequence[ArticlePage], reader: Reader) -> list[tuple[str, str, str]]:
    """Return page, stated day of the last change, and the day that is found; empty if none."""
    rows = []
    for page in tqdm(pages, desc="changes", disable=None):
        stated = reader.read(page.html, page.gold_page.url)
        if stated is None or stated.modified is None or stated.modified.xpath is not None:
            continue
        day, published = stated.modified.value[:10], stated.date.value[:10] if stated.date else ""
        article = (
            reader.read(bare_html(page.html), page.gold_page.url) if day != published else None
        )
        if article is not None:
            rows.append((page.id, day, article.modified.value[:10] if article.modified else ""))
    return rows


def measure_items(
    pages: Sequence[ArticlePage], reader: Reader
) -> list[tuple[str, float | None, float]]:
    """Return listing, precision of its items' titles and teasers, and recall of its gold's words.

    The precision of a page without items is None.
    """
    rows = []
    for page in tqdm(pages, desc="items", disable=None):
        if page.page_type not in _LISTINGS or not page.reference.texts:
            continue
        article = reader.read(page.html, page.gold_page.url)
        if article is None or article.context is None:
            continue
        items = article.context.items
        gold = max(page.reference.texts, key=len)
        known = " ".join(words(gold))
        texts = [text for item in items for text in (item.title, item.teaser) if text]
        right = [" ".join(words(text)) in known for text in texts]
        recall = bag_overlap(" ".join(texts), gold).recall
        rows.append((page.id, sum(right) / len(right) if right else None, recall))
    return rows


@click.command()
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--part",
    "parts",
    multiple=True,
    type=click.Choice(("access", "next", "comments", "modified", "items")),
    help="Part to measure. Default: all.",
)
@click.option("--model", default=DEFAULT_MODELS["static"], show_default=True)
@click.option("--json", "file", type=click.Path(path_type=Path), help="File of all rows.")
def main(data: Path, parts: tuple[str, ...], model: str, file: Path | None) -> None:
    """Measure what is read around articles."""
    rows: dict[str, list[tuple[object, ...]]] = {}
    with start_renderer("static") as renderer:
        reader = Reader(renderer, RegionLabeller.load(find_model(model)))
        for part in parts or tuple(_PARTS):
            sets, measure, show = _PARTS[part]
            pages = [page for name in sets for page in read_pages(data, name)]
            rows[part] = list(measure(pages, reader))
            click.echo(f"\n{part}\n{show(rows[part])}")
    if file is not None:
        write_atomic(file, encode_json(rows))


def _access_table(rows: Sequence[tuple[str, bool, bool]]) -> str:
    counts = Counter((stated, answer) for _, stated, answer in rows)
    names = {True: "free", False: "for subscribers"}
    table = [
        (names[stated], counts[stated, True], counts[stated, False]) for stated in (True, False)
    ]
    return tabulate(table, ("stated", "says nothing", "found: for subscribers"), "github")


def _next_table(rows: Sequence[tuple[str, str, str]]) -> str:
    same = sum(bool(stated) and _is_same(stated, address) for _, stated, address in rows)
    table = [
        ("stated, found", same),
        ("stated, another found", sum(bool(s and f) for _, s, f in rows) - same),
        ("stated, none found", sum(bool(s) and not f for _, s, f in rows)),
        ("not stated, found", sum(bool(f) and not s for _, s, f in rows)),
        ("neither", sum(not s and not f for _, s, f in rows)),
    ]
    return tabulate(table, ("next page", "pages"), "github")


def _is_same(stated: str, address: str) -> bool:
    return without_fragment(stated).rstrip("/") == without_fragment(address).rstrip("/")


def _modified_table(rows: Sequence[tuple[str, str, str]]) -> str:
    table = [
        ("pages that state a day of change", len(rows)),
        ("that day found", sum(stated == day for _, stated, day in rows)),
        ("another day found", sum(bool(day) and stated != day for _, stated, day in rows)),
    ]
    return tabulate(table, ("changes", ""), "github")


def _comment_table(rows: Sequence[tuple[str, float, float, int, int]]) -> str:
    with_gold = [row for row in rows if row[4]]
    hits = [row for row in with_gold if row[3]]
    without = [row for row in rows if not row[4]]
    table = [
        ("pages with comments", len(with_gold)),
        ("of these with comments found", len(hits)),
        ("precision where found", round(fmean(row[1] for row in hits), 3)),
        ("recall where found", round(fmean(row[2] for row in hits), 3)),
        ("recall of all", round(fmean(row[2] for row in with_gold), 3)),
        ("pages without comments", len(without)),
        ("of these with comments found", sum(bool(row[3]) for row in without)),
    ]
    return tabulate(table, ("comments", ""), "github")


def _item_table(rows: Sequence[tuple[str, float | None, float]]) -> str:
    scores = [(p, r) for _, p, r in rows if p is not None]
    table = [
        ("listings and collections", len(rows)),
        ("with items", len(scores)),
        ("precision where found", round(fmean(p for p, _ in scores), 3)),
        ("recall where found", round(fmean(r for _, r in scores), 3)),
    ]
    return tabulate(table, ("items", ""), "github")


_PARTS: dict[str, tuple[Sequence[str], Callable[..., Any], Callable[..., str]]] = {
    "access": (_SETS, measure_access, _access_table),
    "next": (_SETS, measure_next, _next_table),
    "comments": (("dragnet",), measure_comments, _comment_table),
    "modified": (_SETS, measure_modified, _modified_table),
    "items": (("wcxb", "wcxb-more"), measure_items, _item_table),
}
"""Data sets, measure and table of each part."""

if __name__ == "__main__":
    main()
