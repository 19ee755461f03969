"""How well whole articles are read on unseen sites, and how sure the model may be.

    python3 benchmarks/articles.py fundus.zip news --seed 7

Reads the gold of the Fundus fixtures and a corpus that was imported from them, fits the structured
SVM on training and validation sites, and measures the articles of the test sites.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import click
import numpy as np

from structce.article import Article, read_article
from structce.corpus.corpus import Corpus
from structce.datasets.base import GoldPage
from structce.datasets.fundus import read_fundus
from structce.evaluation.calibration import expected_calibration_error
from structce.features.feature_set import FeatureSet
from structce.gold import Gold
from structce.labeller import RegionLabeller
from structce.labels import UNKNOWN
from structce.language.dates import parse_iso
from structce.learners.registry import LEARNERS

_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]")
FRACTIONS = (0.5, 0.17, 0.33)


def tokens(text: str) -> list[str]:
    """Return words, or single characters where the script writes no spaces."""
    return re.findall(r"\w" if _WIDE.search(text) else r"\w+", text.lower())


def bag_f1(one: str, other: str) -> float:
    """Return the F1 of two bags of words, from 0 to 1."""
    first, second = Counter(tokens(one)), Counter(tokens(other))
    return 2 * (first & second).total() / max(first.total() + second.total(), 1)


def as_day(moment: date) -> date:
    """Return the day of a day or moment."""
    return moment.date() if isinstance(moment, datetime) else moment


def measure(article: Article, gold: Gold) -> tuple[float, float, float, float]:
    """Return how right title, authors, date and text are, each from 0 to 1."""
    title = article.title.value if article.title else ""
    names = {" ".join(tokens(author.value)) for author in article.authors}
    wanted = {" ".join(tokens(name)) for name in gold.authors}
    authors = 2 * len(names & wanted) / (len(names) + len(wanted)) if names or wanted else 1.0
    moment = parse_iso(article.date.value) if article.date else None
    is_day = gold.date is not None and moment is not None and moment.date() == as_day(gold.date)
    texts = [
        "\n".join(text for name, text in gold.body if name in names_of_text)
        for names_of_text in (("Paragraph",), ("Paragraph", "Subtitle"))
    ]
    text = max(bag_f1(article.text, wanted_text) for wanted_text in texts)
    return float(bag_f1(title, gold.title or "") >= 0.9), authors, float(is_day), text


@click.command()
@click.argument("fixtures", type=click.Path(exists=True, path_type=Path))
@click.argument("corpus", type=click.Path(exists=True, path_type=Path))
@click.option("--seed", default=7, show_default=True)
def main(fixtures: Path, corpus: Path, seed: int) -> None:
    """Print title, authors, date and text on the test sites of a corpus."""
    pages = Corpus.load(corpus)
    train, validation, test = pages.split(FRACTIONS, by="site", seed=seed)
    gold = {page.id: page.gold for page in read_fundus(fixtures) if isinstance(page, GoldPage)}
    learner = LEARNERS["structured-svm"](lambda_=3.0)
    both = replace(pages, pages=train.pages + validation.pages)
    features = FeatureSet(min_pages=2)  # as ``structce train``
    labeller = RegionLabeller(features, learner).fit(both, calibrate="temperature")
    found = [labeller.label(page.page) for page in test]
    rows = [
        measure(read_article(one), gold[page.id]) for page, one in zip(test, found, strict=True)
    ]
    means = np.mean(rows, axis=0)
    click.echo(f"{pages.renderer}, {len(test)} pages, digest {pages.digest[:12]}, seed {seed}")
    for name, value in zip(("title", "authors", "date", "text"), means, strict=True):
        click.echo(f"{name:8}{value:.3f}")
    confidence = np.concatenate([one.confidence for one in found])
    wanted = np.array([name for page in test for name in page.labels])
    given = np.array([name for one in found for name in one.labels])
    known = wanted != UNKNOWN
    right = (wanted == given)[known]
    error = expected_calibration_error(confidence[known], right)
    click.echo(f"expected calibration error {error:.3f}, of {len(right):,} regions")


if __name__ == "__main__":
    main()
