"""Records of labelled pages as JSON values: article and regions, regions alone, explanations.

The commands and the service return the same records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from structce.article.article import Article
from structce.article.reading import UNKNOWN_TYPE, Reading
from structce.article.record import article_record, region_record
from structce.article.regions import labelled_regions
from structce.article.values import FieldValue
from structce.labelling import Labelling
from structce.labels import LabelSet
from structce.page import Page

if TYPE_CHECKING:
    from structce.labelling import Explanation

PageRecord = dict[str, object]
"""One page as JSON values; with ``error`` instead of the fields where labelling failed."""

_EXPLAINED_LABEL = "Title"
_BACKGROUND = LabelSet(("None",), background="None")


def page_record(
    source: str,
    reading: Reading,
    model: str,
    *,
    all_regions: bool = False,
    has_blocks: bool = False,
) -> PageRecord:
    """Return the record of a labelled page, as described by ``docs/label.schema.json``."""
    labelling, article = reading.labelling, reading.article
    head = page_head(source, labelling.page, model)
    record = article_record(article, has_blocks=has_blocks)
    regions = labelled_regions(labelling, all_regions=True) if all_regions else article.regions
    return {**head, **record, "regions": [region_record(region) for region in regions]}


def page_head(source: str, page: Page, model: str) -> PageRecord:
    """Return the source and address of a page, and the names of its renderer and model."""
    return {"source": source, "url": page.url, "renderer": page.renderer, "model": model}


def without_doubtful(article: Article, least: float) -> Article:
    """Return an article without the values whose confidence is below ``least``.

    The type of a page stays if it is ``unknown``, which says so by itself.
    """
    changes: dict[str, object] = {}
    for entry in fields(article):
        value = getattr(article, entry.name)
        is_doubtful = isinstance(value, FieldValue) and value.confidence < least
        if is_doubtful and value.value != UNKNOWN_TYPE:
            changes[entry.name] = None
    authors = tuple(author for author in article.authors if author.confidence >= least)
    values = {name: value for name, value in article.values.items() if value.confidence >= least}
    return replace(article, **changes, authors=authors, values=values)  # type: ignore[arg-type]  # None or a value


def unlabelled_regions(page: Page) -> list[PageRecord]:
    """Return the regions of a page without labels, with their tags."""
    names = ("None",) * len(page)
    labelling = Labelling(page, names, np.zeros(len(page)), _BACKGROUND)
    records = map(region_record, labelled_regions(labelling, all_regions=True))
    field_names = ("text", "xpath", "span", "box")
    return [
        {"index": i, "tag": page.tag[i], **{name: record[name] for name in field_names}}
        for i, record in enumerate(records)
    ]


class ExplainedRegion(NamedTuple):
    """Explanation of a region's label, and the label that the article reader finally gave it."""

    explanation: Explanation
    answer: str

    def as_dict(self) -> PageRecord:
        """Return both as JSON values."""
        return {**self.explanation.as_dict(), "answer": self.answer}


def explain_regions(
    reading: Reading, regions: Sequence[int], label: str, *, n_columns: int
) -> list[ExplainedRegion]:
    """Return explanations of the labels that the labeller gave to regions.

    Regions are given by their indices; none means all regions whose final label is ``label``.

    Raises
    ------
    RegionError
        If the page has no such region.
    """
    answer = reading.labelling.labels
    chosen = regions or [i for i, name in enumerate(answer) if name == label]
    explain = partial(reading.initial.explain, n_columns=n_columns)
    return [ExplainedRegion(explain(i), answer[i]) for i in chosen]


def explained_label(label_set: LabelSet) -> str:
    """Return the label that is explained by default: the title, or the first of the set."""
    return _EXPLAINED_LABEL if _EXPLAINED_LABEL in label_set.names else label_set.foreground[0]
