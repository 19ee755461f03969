"""Corpora of the leaderboard: pages of public data sets, and their gold for each field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from pathlib import Path

from benchmarks.corpora import NAMES
from structce.datasets import READERS, GoldPage
from structce.errors import SourceError
from structce.gold import Gold
from structce.language import language_code

_LANG = re.compile(r"<html\b[^>]*?\s(?:xml:)?lang\s*=\s*[\"']?([a-zA-Z]{2,3}(?:-\w+)*)", re.I)
_HEADLESS = ("Paragraph", "Text")


@dataclass(frozen=True)
class ArticlePage:
    """One page of a data set, decoded once for all systems."""

    gold_page: GoldPage
    html: str
    lang: str

    @property
    def id(self) -> str:
        """Id of the page in the data set."""
        return self.gold_page.id

    @property
    def page_type(self) -> str:
        """Kind of page, as the data set calls it; ``article`` where all pages are articles."""
        return self.gold_page.gold.about.get("page_type") or "article"

    @cached_property
    def reference(self) -> Reference:
        """Values that the gold states."""
        return reference_of(self.gold_page.gold)


@dataclass(frozen=True)
class Reference:
    """What the gold of a page says, ready to be compared.

    Parameters
    ----------
    texts
        Versions of the main text, any of which is right: with headings of sections and without.
        None where the gold has no whole text.
    may_lack_authors
        The page is not known to have an author; whether that means none is the corpus' convention.
    """

    title: str
    authors: tuple[str, ...]
    may_lack_authors: bool
    date: date | None
    texts: tuple[str, ...]
    must: tuple[str, ...]
    must_not: tuple[str, ...]


@dataclass(frozen=True)
class ArticleCorpus:
    """Pages that make one row of the tables.

    Parameters
    ----------
    data_set
        The reader's name; several corpora share the answers to one data set.
    fields
        Those of its gold that are compared; ``text`` is the whole text.
    keep
        Which of the data set's pages belong to it.
    empty_means_no_author
        By the data set's convention a page without an author in the gold has none.
    note
        What a reader of the table must know.
    """

    name: str
    data_set: str
    fields: tuple[str, ...]
    keep: Callable[[GoldPage], bool] = lambda page: True
    empty_means_no_author: bool = False
    note: str = ""


def _is_article(page: GoldPage) -> bool:
    return page.gold.about.get("page_type") == "article"


def _is_test(page: GoldPage) -> bool:
    return page.gold.about.get("split") == "test"


_ALL = ("title", "authors", "date", "text")

CORPORA = (
    ArticleCorpus("fundus", "fundus", _ALL, empty_means_no_author=True),
    ArticleCorpus("fundus-history", "fundus-history", _ALL, empty_means_no_author=True),
    ArticleCorpus(
        "wcxb articles",
        "wcxb",
        (*_ALL, "segments"),
        _is_article,
        empty_means_no_author=True,
        note="authors that are not given count as none, which some of these pages contradict",
    ),
    ArticleCorpus("wcxb all types", "wcxb", ("text", "segments")),
    ArticleCorpus(
        "wcxb test part", "wcxb", ("text", "segments"), _is_test, note="best published: .893"
    ),
    ArticleCorpus("trafilatura", "trafilatura", ("title", "authors", "date", "segments")),
    ArticleCorpus("htmldate", "htmldate", ("date",)),
    ArticleCorpus(
        "article-extraction-benchmark", "article-extraction-benchmark", ("text",), note="Zyte's set"
    ),
    ArticleCorpus(
        "newspaper4k", "newspaper4k", _ALL, note="gold is partly what newspaper4k itself gave"
    ),
    ArticleCorpus("chinese-articles", "chinese-articles", _ALL),
    ArticleCorpus(
        "readability", "readability", ("title", "authors", "text"),
        note="gold is what Readability.js gave and its authors let stand",
    ),
    ArticleCorpus(
        "wcxb-more articles", "wcxb-more", (*_ALL, "segments"), _is_article,
        empty_means_no_author=True,
        note="authors that are not given count as none, as in wcxb",
    ),
    ArticleCorpus("wcxb-more all types", "wcxb-more", ("text", "segments")),
    ArticleCorpus(
        "misinformation-crawler", "misinformation-crawler", _ALL, empty_means_no_author=True,
        note="gold is the output of rules that were written for each site",
    ),
    ArticleCorpus("recipes", "recipes", ("title", "authors", "segments")),
    ArticleCorpus("forums", "forums", ("text",)),
    ArticleCorpus("waddle", "waddle", ("title", "text")),
    ArticleCorpus("cleanportaleval", "cleanportaleval", ("text",)),
    ArticleCorpus("l3s-gn1", "l3s-gn1", ("text",)),
    ArticleCorpus("cleaneval", "cleaneval", ("text",)),
    ArticleCorpus("dragnet", "dragnet", ("text",)),
)  # fmt: skip
"""Corpora in the order in which they are run and shown."""

DATA_SETS = tuple(dict.fromkeys(corpus.data_set for corpus in CORPORA))


def archive_path(folder: Path, data_set: str) -> Path | None:
    """Return the archive or folder of a data set, or None if it is not there."""
    stem = NAMES.get(data_set, data_set)
    places = (folder / f"{stem}.zip", folder / stem)
    return next((place for place in places if place.exists()), None)


def read_pages(folder: Path, data_set: str) -> list[ArticlePage]:
    """Return the pages of a data set that decode; none if it or its reader is not here."""
    path = archive_path(folder, data_set)
    if path is None or data_set not in READERS:
        return []
    return list(_decoded(path, data_set))


def _decoded(path: Path, data_set: str) -> Iterator[ArticlePage]:
    for page in READERS[data_set].read(path):
        if isinstance(page, GoldPage):
            try:
                html = page.document().html
            except SourceError:
                continue  # no system can read it, and the reader's report counts it
            yield ArticlePage(page, html, page_language(html, page.gold))


def page_language(html: str, gold: Gold) -> str:
    """Return the code of a page's language as it or the gold states it; else an empty string."""
    match = _LANG.search(html[:20_000])
    told = gold.about.get("lang") or gold.about.get("language")
    stated = told or (match[1] if match else "")
    return language_code(stated) if stated else ""


def reference_of(gold: Gold) -> Reference:
    """Return what a gold says, ready to be compared."""
    day = gold.date.date() if isinstance(gold.date, datetime) else gold.date
    return Reference(
        title=gold.title or "",
        authors=gold.authors,
        may_lack_authors=not gold.authors and not gold.about.get("author"),
        date=day,
        texts=_texts(gold),
        must=gold.must,
        must_not=gold.must_not,
    )


def _texts(gold: Gold) -> tuple[str, ...]:
    whole = gold.text or "\n".join(b.text for b in gold.blocks if b.kind == "full text")
    headless = "\n".join(text for kind, text in gold.body if kind in _HEADLESS)
    return tuple(dict.fromkeys(text for text in (whole, headless) if text))
