"""Chunks of real articles: whether their quotes are found again, and how well search finds them.

    python3 -m benchmarks.chunks FOLDER --pages 300

``quotes``: pages of all data sets of a folder; the share of chunks whose quote is found again by
its place in the source, and of the text's words that quotes contain. ``search``: each heading with
text below it is a question, and any chunk of its section an answer, among the chunks of all pages.
Windows are the same texts, headings included, cut after every so many words. BM25 ranks them
(Robertson and Zaragoza, 2009, The probabilistic relevance framework, Foundations and Trends in
Information Retrieval 3(4), section 3.2).
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from time import process_time
from typing import NamedTuple

import click

from benchmarks.articles.corpora import DATA_SETS, archive_path
from structce.article import Article, Chunk, PageReader, count_words
from structce.cli.options import format_option, print_table, seed_option
from structce.datasets import READERS, GoldPage
from structce.errors import StructceError
from structce.labelling import ModelChoice
from structce.language import split_words
from structce.rendering import StaticRenderer

_K1, _B = 1.2, 0.75  # of BM25, as usual
_LEAST_WORDS = 2  # of a heading that is a question


class ReadPage(NamedTuple):
    """An article, its source and its chunks."""

    html: str
    article: Article
    chunks: list[Chunk]
    seconds: float


class BM25:
    """Index of texts that ranks them for a question."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(split_words(text)) for text in texts]
        self.lengths = [max(count.total(), 1) for count in counts]
        self.mean = sum(self.lengths) / max(len(texts), 1)
        self.postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for n, count in enumerate(counts):
            for word, times in count.items():
                self.postings[word].append((n, times))

    def rank(self, question: str, answers: Collection[int]) -> int:
        """Return the rank, from 1, of the best answer; other texts of equal score count half."""
        scores: dict[int, float] = defaultdict(float)
        for word in set(split_words(question)):
            found = self.postings.get(word, ())
            idf = math.log(1 + (len(self.lengths) - len(found) + 0.5) / (len(found) + 0.5))
            for n, times in found:
                norm = _K1 * (1 - _B + _B * self.lengths[n] / self.mean)
                scores[n] += idf * times * (_K1 + 1) / (times + norm)
        best = max((scores[n] for n in answers if n in scores), default=0.0)
        if not best:
            return len(self.lengths)
        others = [score for n, score in scores.items() if n not in answers]
        return 1 + sum(score > best for score in others) + others.count(best) // 2


def read_pages(folder: Path, n_pages: int, seed: int, words: int) -> Iterator[ReadPage]:
    """Yield the articles of so many pages of all data sets, evenly; 0 for all pages."""
    reader = PageReader(StaticRenderer(), ModelChoice())
    paths = {name: archive_path(folder, name) for name in DATA_SETS if name in READERS}
    for name, path in paths.items():
        pages = (
            [page for page in READERS[name].read(path) if isinstance(page, GoldPage)]
            if path
            else []
        )
        share = -(-n_pages // len(paths)) if n_pages else len(pages)
        for page in random.Random(seed).sample(pages, min(share, len(pages))):
            try:
                document = page.document()
                article = reader(document, page.id).article
            except StructceError:
                continue
            start = process_time()
            chunks = article.chunks(words)
            yield ReadPage(document.html, article, chunks, process_time() - start)


def quote_row(pages: Sequence[ReadPage], words: int) -> dict[str, object]:
    """Return how many quotes are found again, and what is quoted of the texts."""
    chunks = [(page.html, chunk) for page in pages for chunk in page.chunks]
    quoted = [(html, chunk) for html, chunk in chunks if chunk.quote]
    n_words = sum(count_words(chunk.text) for _, chunk in chunks)
    return {
        "pages": len(pages),
        "chunks": len(chunks),
        "with a quote": len(quoted),
        "found again": sum(chunk.locate(html) is not None for html, chunk in quoted),
        "words quoted": sum(count_words(chunk.quote) for _, chunk in quoted) / max(n_words, 1),
        "too long": sum(chunk.n_tokens > words for _, chunk in chunks) / max(len(chunks), 1),
        "ms per page": 1000 * sum(page.seconds for page in pages) / max(len(pages), 1),
    }


def search_rows(pages: Sequence[ReadPage], words: int) -> Iterator[dict[str, object]]:
    """Yield the mean reciprocal rank of the answers, by what is indexed."""
    chunks = [chunk for page in pages for chunk in page.chunks]
    sections: dict[tuple[int, tuple[str, ...]], list[int]] = defaultdict(list)
    numbered = ((n, chunk) for n, page in enumerate(pages) for chunk in page.chunks)
    for i, (n, chunk) in enumerate(numbered):
        title = pages[n].article.title
        heading = chunk.headings[-1] if len(chunk.headings) > (title is not None) else ""
        if count_words(heading) >= _LEAST_WORDS:
            sections[n, chunk.headings].append(i)
    windows = [window for page in pages for window in _windows(page.article.text, words)]
    of_chunk = _windows_of_chunks(pages, words)
    questions = [
        (headings[-1], inside, {k for i in inside for k in of_chunk[i]})
        for (_, headings), inside in sections.items()
        if all(of_chunk[i] for i in inside)
    ]
    with_title = ["\n".join([*chunk.headings[:1], chunk.text]) for chunk in chunks]
    indexed = {
        "windows of words": windows,
        "chunks": [chunk.text for chunk in chunks],
        "chunks with title": with_title,
        "chunks with headings": [chunk.content for chunk in chunks],
    }
    for name, texts in indexed.items():
        index = BM25(texts)
        ranks = [
            index.rank(heading, of_window if texts is windows else inside)
            for heading, inside, of_window in questions
        ]
        yield {
            "indexed": name,
            "texts": len(texts),
            "questions": len(ranks),
            "MRR": sum(1 / rank for rank in ranks) / max(len(ranks), 1),
            "first": sum(rank == 1 for rank in ranks) / max(len(ranks), 1),
            "among ten": sum(rank <= 10 for rank in ranks) / max(len(ranks), 1),
        }


def _windows(text: str, words: int) -> list[str]:
    """Return a text in pieces of so many words between spaces, wherever they end."""
    pieces = text.split()
    return [" ".join(pieces[n : n + words]) for n in range(0, len(pieces), words)]


def _windows_of_chunks(pages: Sequence[ReadPage], words: int) -> list[range]:
    """Return the windows that each chunk is in; none if its words are not found in the text."""
    found: list[range] = []
    n_windows = 0
    for page in pages:
        text, position = "".join(page.article.text.split()), 0
        pieces = ["".join(piece.split()) for piece in _windows(page.article.text, words)]
        ends = [*accumulate(map(len, pieces))]
        for chunk in page.chunks:
            own = "".join(chunk.text.split())
            place = text.find(own, position)
            if place < 0:
                found.append(range(0))
                continue
            position = place + len(own)
            first, last = bisect_right(ends, place), bisect_left(ends, position)
            found.append(range(n_windows + first, n_windows + last + 1))
        n_windows += len(pieces)
    return found


@click.command()
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.option("--pages", "n_pages", default=300, help="Pages of all data sets; 0 for all.")
@click.option("--words", default=120, help="Greatest number of words of a chunk.")
@seed_option
@format_option
def main(folder: Path, n_pages: int, words: int, seed: int, form: str) -> None:
    """Measure quotes and search on pages of the data sets in a folder."""
    pages = list(read_pages(folder, n_pages, seed, words))
    print_table([quote_row(pages, words)], form)
    print_table(list(search_rows(pages, words)), form)


if __name__ == "__main__":
    main()
