"""Corpora to split, compare and export: invented stories, and texts that are hard to write down."""

from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
from msgspec import structs

from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.gold import Gold
from structce.labels import UNKNOWN

ODD = 'a "quoted"\tand\\tabbed: #1 text\r\nwith é, 東京 and 𝒳'


@pytest.fixture
def story_of():
    """Return a function that gives sentences of random words: other seed, other story."""

    def tell(seed, n_sentences=20, n_words=20):
        rng = np.random.default_rng(seed)
        rows = rng.integers(0, 1_000_000, size=(n_sentences, n_words))
        return [" ".join(f"word{number}" for number in row) for row in rows.tolist()]

    return tell


@pytest.fixture
def build(make_page):
    """Return a function that builds a page of a site from paragraphs and class names."""

    def of(name, site, paragraphs, *, title="", classes=(), family="", label="None"):
        body = "".join(f"<p>{text}</p>" for text in paragraphs)
        spans = "".join(f'<div class="{name}"><b>x</b></div>' for name in classes)
        html = f"<title>{title or name}</title><main>{body}</main>{spans}"
        page = make_page(html, url=f"https://{site}/{name}")
        return LabelledPage(name, site, family or site, page, (label,) * len(page))

    return of


@pytest.fixture
def collect():
    """Return a function that makes a corpus of pages."""
    return lambda *pages: Corpus("planted", tuple(pages))


@pytest.fixture
def odd_corpus(make_corpus, make_page):
    """Articles, a page of odd texts, boxes and gaps, one of unknown labels, an empty one."""
    articles = make_corpus(4)
    page = make_page("<h1># Title</h1><p>one</p><img src=x.png><p>two</p><p>three</p>")
    boxes = np.arange(20, dtype=np.float32).reshape(5, 4) / 8
    boxes[2] = np.nan
    odd = structs.replace(
        page, text=("# Title", ODD, "", "two", "three"), boxes=boxes, lang="de-AT"
    )
    labels = ("Title", UNKNOWN, "Multimedia", "Paragraph", UNKNOWN)
    gold = Gold(title="# Title", authors=("Ann",), date=datetime(2026, 3, 14, 9, 30))
    odd = LabelledPage("odd", "odd.example", "family", odd, labels, gold)
    none, empty = (make_page(html) for html in ("<p>nobody knows</p>", ""))
    none = LabelledPage("none", "none.example", "none.example", none, (UNKNOWN,))
    empty = LabelledPage("empty", "empty.example", "empty.example", empty, ())
    return replace(articles, pages=(*articles.pages, odd, none, empty))
