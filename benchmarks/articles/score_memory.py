"""Scores that were computed before, kept beside the answers: scoring a text takes milliseconds.

``SYSTEM.scores.json`` contains the rows of every page, and a digest of all that they depend on: the
answers, the gold, and the source of the measures.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.articles import scores as scores_module
from benchmarks.articles.answers import Answer
from benchmarks.articles.corpora import ArticlePage
from benchmarks.articles.scores import PageScore, score_page
from structce.evaluation import article_measures, lines_present, overlap
from structce.io import encode_json, write_atomic


@dataclass(frozen=True)
class ScoreMemory:
    """Scores of the systems on one data set in one view, in a folder."""

    folder: Path

    def scores(
        self,
        system: str,
        pages: Sequence[ArticlePage],
        answers: Sequence[Answer],
        fields: Sequence[str],
    ) -> list[PageScore]:
        """Return the scores of answers, computed only if something that counts has changed."""
        file = self.folder / f"{system}.scores.json"
        digest = _digest(pages, answers, fields)
        known = json.loads(file.read_bytes()) if file.exists() else {}
        if known.get("digest") != digest:
            scores = [score_page(p, a, fields) for p, a in zip(pages, answers, strict=True)]
            known = {"digest": digest, "rows": [score.rows for score in scores]}
            write_atomic(file, encode_json(known, indent=None))
        return [
            PageScore.of(page, answer, {name: tuple(row) for name, row in rows.items()})
            for page, answer, rows in zip(pages, answers, known["rows"], strict=True)
        ]


def _digest(pages: Sequence[ArticlePage], answers: Sequence[Answer], fields: Sequence[str]) -> str:
    total = hashlib.sha256(f"{_source()}\n{tuple(fields)}\n".encode())
    for page, answer in zip(pages, answers, strict=True):
        said = (answer.title, answer.authors, answer.date, answer.text)
        total.update(f"{page.id}\n{said!r}\n{page.reference!r}\n".encode(errors="replace"))
    return total.hexdigest()


@cache
def _source() -> str:
    """Return the source of everything that computes a row."""
    modules = scores_module, article_measures, overlap, sys.modules[lines_present.__module__]
    return "".join(map(inspect.getsource, modules))
