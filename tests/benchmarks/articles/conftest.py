"""Pages, answers and a section of the leaderboard that several tests of articles share."""

from dataclasses import replace
from datetime import date

import pytest

from benchmarks.articles.answers import Answer
from benchmarks.articles.board import Section
from benchmarks.articles.corpora import ArticleCorpus, ArticlePage
from benchmarks.articles.scores import SystemScores, score_page, within
from benchmarks.articles.systems import ALL_FIELDS
from structce.datasets import GoldPage
from structce.gold import Gold

PAGE = """<!DOCTYPE html><html lang="de-AT"><head><title>The river rose</title>
<meta name="author" content="Ann Lee"><link rel="canonical" href="https://a.example/">
<script type="application/ld+json">{"headline": "The river rose"}</script></head>
<body itemscope itemtype="https://schema.org/Article"><h1 itemprop="headline">The river rose</h1>
<p class="byline" property="author">By Ann Lee, <time datetime="2024-05-03">3 May</time></p>
<p>In the night the river rose.<meta itemprop="wordCount" content="6"></p><p>It fell.</p></body>
</html>"""


@pytest.fixture
def river():
    """HTML of an article that states itself in all ways."""
    return PAGE


@pytest.fixture
def gold():
    body = (("Paragraph", "In the night the river rose."), ("Paragraph", "It fell."))
    return Gold(title="The river rose", authors=("Ann Lee",), date=date(2024, 5, 3), body=body)


@pytest.fixture
def article_pages(gold):
    """Three pages of two sites; the last has no author."""
    rows = [("a.example", gold)] * 2 + [("b.example", replace(gold, authors=()))]
    pages = []
    for n, (site, own) in enumerate(rows):
        page = GoldPage(f"p{n}", site, site, f"https://{site}/{n}", PAGE.encode(), own)
        pages.append(ArticlePage(page, PAGE, "de"))
    return pages


@pytest.fixture
def right(gold):
    return Answer("p0", gold.title, gold.authors, "2024-05-03", gold.text, ms=4.0)


def scored(pages, name, answers, corpus):
    pairs = zip(pages, answers, strict=True)
    return SystemScores(
        name, tuple(within(score_page(*pair, ALL_FIELDS), corpus) for pair in pairs)
    )


@pytest.fixture
def section(article_pages, right):
    """Ours is right but on the second page, trafilatura on it alone, goose3 nowhere."""
    corpus = ArticleCorpus("c", "c", ("title", "authors", "date", "text"), note="a note")
    wrong = replace(right, title="no", authors=("No One",), date="", text="nothing", ms=6.0)
    rows = {"trafilatura": (wrong, right, wrong), "goose3": (wrong, wrong, wrong)}
    rows["ours-static"] = (right, wrong, right)
    answers = {
        name: {p.id: replace(a, id=p.id) for p, a in zip(article_pages, row, strict=True)}
        for name, row in rows.items()
    }
    systems = [scored(article_pages, name, own.values(), corpus) for name, own in answers.items()]
    pages = tuple(article_pages)
    return Section(corpus, "stated", pages, tuple(systems), {"x": "not here"}, answers)
