"""Calibration of our confidences: confidence against what was right, by field and by source.

A title is right as the leaderboard counts it, an author if the gold has the name, a date if the
calendar day is the gold's. Values of fields that the gold does not state do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from sklearn.metrics import roc_auc_score

from structce.article import Article, FieldValue
from structce.evaluation import bag_overlap, expected_calibration_error, is_title, name_key
from structce.gold import Gold
from structce.recipes import UnseenPage

Judged = tuple[str, str, str, float, bool]
"""View, field, source, confidence, and whether the value is right."""

_FEW = 20  # values of a source below which its error says nothing
_WELL_READ = 0.9  # bag of words F1 from which a page counts as read well


def judge(read: Iterable[tuple[UnseenPage, Article]]) -> list[Judged]:
    """Return every value of a field that the gold states, with whether it is right."""
    judgements: list[Judged] = []
    for unseen, article in read:
        if unseen.page.gold is not None:
            judgements += [(unseen.view, *row) for row in _judged(article, unseen.page.gold)]
    return judgements


def _judged(article: Article, gold: Gold) -> Iterator[tuple[str, str, float, bool]]:
    if gold.title and article.title:
        yield _row("title", article.title, is_title(article.title.value, gold.title))
    if gold.authors:
        names = {name_key(name) for name in gold.authors}
        for author in article.authors:
            yield _row("author", author, name_key(author.value) in names)
    if gold.date and article.date:
        yield _row("date", article.date, article.date.value[:10] == gold.date.isoformat()[:10])
    if gold.text and article.quality is not None:
        is_well = bag_overlap(article.text, gold.text).f1 >= _WELL_READ
        yield "quality", "page", article.quality, is_well
    kind = gold.about.get("page_type", "")
    if kind and article.page_type:
        yield _row("page type", article.page_type, article.page_type.value == kind)


def _row(field: str, value: FieldValue, is_right: bool) -> tuple[str, str, float, bool]:
    return field, value.source, value.confidence, is_right


def sureness_table(judged: Iterable[Judged]) -> str:
    """Return a Markdown table: values, share right, mean confidence, expected error, AUC."""
    groups: dict[tuple[str, str, str], list[tuple[float, bool]]] = {}
    for view, field, source, confidence, is_right in judged:
        for name in ("all", source):
            groups.setdefault((view, field, name), []).append((confidence, is_right))
    lines = ["| view | field | source | values | right | mean confidence | expected error | AUC |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for (view, field, source), rows in sorted(groups.items()):
        if len(rows) >= _FEW:
            lines.append(f"| {view} | {field} | {source} | {_measures(rows)} |")
    return "\n".join(lines) + "\n"


def _measures(rows: list[tuple[float, bool]]) -> str:
    confidence = np.array([row[0] for row in rows])
    is_right = np.array([row[1] for row in rows])
    error = expected_calibration_error(confidence, is_right)
    area = roc_auc_score(is_right, confidence) if 0 < is_right.sum() < len(rows) else float("nan")
    values = (is_right.mean(), confidence.mean(), error, area)
    return " | ".join([str(len(rows)), *(f"{value:.3f}" for value in values)])
