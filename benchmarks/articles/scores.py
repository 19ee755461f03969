"""Scores of answers: what a page adds to each measure, and measures of many pages.

A page adds a row of numbers to a measure, a measure is a function of the rows' sum. So one way
of adding up serves means, pooled segments and Zyte's F1 of means, for tables as for the sites that
a bootstrap draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

import numpy as np

from benchmarks.articles.answers import Answer
from benchmarks.articles.corpora import ArticleCorpus, ArticlePage, Reference
from structce.arrays import Floats
from structce.evaluation import (
    LINES,
    Interval,
    Overlap,
    bag_overlap,
    is_title,
    lines_present,
    rouge_lsum,
    shingle_counts,
    site_draws,
)
from structce.evaluation.article_measures import SegmentTally, author_overlap, is_day

Row = tuple[float, ...]
_ENDS = (0.025, 0.975)


def _mean(sums: Floats) -> Floats:
    return _share(sums[..., 0], sums[..., 1])


def _accuracy(sums: Floats) -> Floats:
    return _share(sums[..., 0] + sums[..., 3], sums.sum(axis=-1))


def _segment_f1(sums: Floats) -> Floats:
    hits, lost, wrong = sums[..., 0], sums[..., 1], sums[..., 2]
    return _share(2 * hits, 2 * hits + lost + wrong)


def _f1_of_means(sums: Floats) -> Floats:
    precision, recall = _share(sums[..., 0], sums[..., 1]), _share(sums[..., 2], sums[..., 3])
    return _share(2 * precision * recall, precision + recall)


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros(np.shape(part)), where=np.asarray(whole) > 0)


@dataclass(frozen=True)
class Measure:
    """A measure of many pages.

    Parameters
    ----------
    field
        Field of an article that it measures.
    of_sums
        Value of summed rows, shape (..., n_numbers) to shape (...).
    is_better_low
        Whether a lower value is better.
    """

    name: str
    field: str
    of_sums: Callable[[Floats], Floats] = _mean
    is_better_low: bool = False


MEASURES = {
    measure.name: measure
    for measure in (
        Measure("title", "title"),
        Measure("authors", "authors"),
        Measure("invented", "authors", is_better_low=True),
        Measure("date", "date"),
        Measure("text", "text"),
        Measure("precision", "text"),
        Measure("recall", "text"),
        Measure("rouge", "text"),
        Measure("complete", "text"),
        *(Measure(name, "text") for name in LINES[:-1]),
        Measure("shingles", "text", _f1_of_means),
        Measure("segments", "text", _accuracy),
        Measure("segment f1", "text", _segment_f1),
    )
}
"""Measures by name: right titles; F1 of the set of names; share of pages without an author on
which one is given; right days; F1, precision and recall of the bag of words; F1 of ROUGE-LSum;
share of complete pages, and of the gold's lines that are kept, all and by length and place; F1 of
Zyte's shingles; share of right segments, and their F1."""


@dataclass(frozen=True)
class PageScore:
    """What one page adds to the measures of one system.

    Parameters
    ----------
    rows
        Numbers by the names of measures; without measures that the gold does not cover.
    """

    id: str
    site: str
    page_type: str
    lang: str
    ms: float
    error: str
    rows: Mapping[str, Row]

    @classmethod
    def of(cls, page: ArticlePage, answer: Answer, rows: Mapping[str, Row]) -> PageScore:
        """Return the score of an answer to a page."""
        site, lang = page.gold_page.site, page.lang or "?"
        return cls(page.id, site, page.page_type, lang, answer.ms, answer.error, rows)


@dataclass(frozen=True)
class SystemScores:
    """Scores of one system on one corpus in one view, in the order of the pages."""

    system: str
    pages: tuple[PageScore, ...]
    is_published: bool = False

    def having(self, measure: str) -> list[PageScore]:
        """Return the pages that have a value of a measure."""
        return [page for page in self.pages if measure in page.rows]

    @property
    def n_failures(self) -> int:
        """Pages without an answer."""
        return sum(bool(page.error) for page in self.pages)

    @property
    def milliseconds(self) -> Floats:
        """Processor time of the pages whose time is known."""
        times = np.array([page.ms for page in self.pages], dtype=np.float64)
        known: Floats = times[np.isfinite(times)]
        return known


def score_page(page: ArticlePage, answer: Answer, fields: Sequence[str]) -> PageScore:
    """Return what one answer adds to each measure that the gold covers.

    Parameters
    ----------
    fields
        Those that the system gives.
    """
    reference, rows = page.reference, dict[str, Row]()
    if "title" in fields and reference.title:
        rows["title"] = (float(is_title(answer.title, reference.title)), 1)
    if "authors" in fields:
        rows |= _author_rows(answer, reference)
    if "date" in fields and reference.date:
        rows["date"] = (float(is_day(as_date(answer.date), reference.date)), 1)
    if "text" in fields:
        rows |= _text_rows(answer, reference)
    return PageScore.of(page, answer, rows)


def within(score: PageScore, corpus: ArticleCorpus) -> PageScore:
    """Return a score with the measures that count in a corpus."""
    kept = {name: row for name, row in score.rows.items() if _counts(name, corpus)}
    return replace(score, rows=kept)


def _counts(measure: str, corpus: ArticleCorpus) -> bool:
    if measure == "invented":
        return corpus.empty_means_no_author
    if measure in ("segments", "segment f1"):
        return "segments" in corpus.fields
    return MEASURES[measure].field in corpus.fields


def _author_rows(answer: Answer, reference: Reference) -> dict[str, Row]:
    if reference.authors:
        return {"authors": (author_overlap(answer.authors, reference.authors).f1, 1)}
    if reference.may_lack_authors:
        return {"invented": (float(any(answer.authors)), 1)}
    return {}


def _text_rows(answer: Answer, reference: Reference) -> dict[str, Row]:
    rows = text_rows(answer.text, reference.texts) if reference.texts else {}
    if reference.must or reference.must_not:
        tally = SegmentTally.of(answer.text, reference.must, reference.must_not)
        counts = tally.n_found, tally.n_lost, tally.n_wrong, tally.n_absent
        rows |= {"segments": counts, "segment f1": counts}
    return rows


def text_rows(text: str, golds: Sequence[str]) -> dict[str, Row]:
    """Return the rows of a main text, against the version of the gold that it fits best."""
    bags = [bag_overlap(text, gold) for gold in golds]
    bag, gold = max(zip(bags, golds, strict=True), key=lambda pair: pair[0].f1)
    right, many, few = shingle_counts(text, gold)
    shingles = Overlap(right / ((right + many) or 1), right / ((right + few) or 1))
    return {
        "text": (bag.f1, 1),
        "precision": (bag.precision, 1),
        "recall": (bag.recall, 1),
        "rouge": (rouge_lsum(text, gold).f1, 1),
        **_line_rows(text, gold),
        "shingles": (shingles.precision, float(right + many > 0), shingles.recall, 1),
    }


def _line_rows(text: str, gold: str) -> dict[str, Row]:
    """Return whether all lines of the gold are in a text, and how many, by group of lines."""
    present = lines_present(gold, text)
    rows: dict[str, Row] = {name: (sum(kept), len(kept)) for name, kept in present.items() if kept}
    return {"complete": (float(all(present["lines"])), 1), **rows}


def as_date(day: str) -> date | None:
    """Return a calendar day in ISO 8601; None if it is not one."""
    try:
        return date.fromisoformat(day[:10])
    except ValueError:
        return None


def value_of(pages: Sequence[PageScore], measure: Measure) -> float:
    """Return the mean of a measure over pages; NaN without pages."""
    rows = [page.rows[measure.name] for page in pages]
    return float(measure.of_sums(np.sum(rows, axis=0))) if rows else float("nan")


def interval_of(pages: Sequence[PageScore], measure: Measure, seed: int) -> Interval | None:
    """Return the 95 per cent interval of a measure, by a bootstrap over sites."""
    drawn = _drawn(pages, [page.rows[measure.name] for page in pages], seed)
    return None if drawn is None else _ends(measure.of_sums(drawn))


@dataclass(frozen=True)
class Difference:
    """A measure of one system minus that of another on the same pages, with its interval."""

    value: float
    interval: Interval | None
    n_pages: int


def difference_of(
    ours: Sequence[PageScore], theirs: Sequence[PageScore], measure: Measure, seed: int
) -> Difference:
    """Return the difference of two systems on the pages that both have; sites drawn for both."""
    others = {page.id: page.rows[measure.name] for page in theirs}
    pages = [page for page in ours if page.id in others]
    rows = [(*page.rows[measure.name], *others[page.id]) for page in pages]
    if not rows:
        return Difference(float("nan"), None, 0)
    half = len(rows[0]) // 2

    def of_both(sums: Floats) -> Floats:
        return measure.of_sums(sums[..., :half]) - measure.of_sums(sums[..., half:])

    drawn = _drawn(pages, rows, seed)
    interval = None if drawn is None else _ends(of_both(drawn))
    return Difference(float(of_both(np.sum(rows, axis=0))), interval, len(pages))


def _drawn(pages: Sequence[PageScore], rows: Sequence[Row], seed: int) -> Floats | None:
    """Return the sums of rows over drawn sites, shape (n_resamples, n_numbers)."""
    names, group = np.unique([page.site for page in pages], return_inverse=True)
    if len(names) < 2:
        return None
    sums = np.zeros((len(names), len(rows[0])))
    np.add.at(sums, group, np.asarray(rows, dtype=np.float64))
    drawn: Floats = _times_drawn(len(names), seed) @ sums
    return drawn


@lru_cache(maxsize=8)
def _times_drawn(n_sites: int, seed: int) -> Floats:
    """Return how often each resample has each site, shape (n_resamples, n_sites)."""
    draws = site_draws(n_sites, seed)
    rows = np.arange(len(draws))[:, None] * n_sites
    times = np.bincount((draws + rows).ravel(), minlength=draws.size)
    return times.reshape(draws.shape).astype(np.float64)


def _ends(values: Floats) -> Interval:
    low, high = np.quantile(values, _ENDS)
    return float(low), float(high)
