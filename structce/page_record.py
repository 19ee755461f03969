"""Records of labelled pages as JSON values: article and regions, regions alone, explanations.

The commands and the service answer with the same records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import NamedTuple

import numpy as np

from structce.article import (
    Article,
    FieldValue,
    Reading,
    article_record,
    labelled_regions,
    read_labelling,
    region_record,
)
from structce.explanation import Explanation
from structce.labeller import Labelling
from structce.labels import LabelSet
from structce.page import Page

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
    """Return what is known of a labelled page, as ``docs/label.schema.json`` describes it.

    Parameters
    ----------
    source
        Where the page came from.
    model
        Name of the model that labelled it.
    all_regions, has_blocks
        As :func:`labelling_record` has them.
    """
    page = reading.labelling.page
    head = page_head(source, page, model)
    record = labelling_record(
        reading.labelling, reading.article, all_regions=all_regions, has_blocks=has_blocks
    )
    return {**head, **record}


def page_head(source: str, page: Page, model: str) -> PageRecord:
    """Return where a page came from, and what read it."""
    return {"source": source, "url": page.url, "renderer": page.renderer, "model": model}


def labelling_record(
    labelling: Labelling, article: Article, *, all_regions: bool = False, has_blocks: bool = False
) -> PageRecord:
    """Return the article and the regions of a labelled page as JSON values.

    Parameters
    ----------
    all_regions
        Whether the regions of the background are listed, too.
    has_blocks
        Whether the blocks of the article's body are listed.
    """
    regions = labelled_regions(labelling, all_regions=True) if all_regions else article.regions
    record = article_record(article, has_blocks=has_blocks)
    return {**record, "regions": [region_record(one) for one in regions]}


def without_doubtful(article: Article, least: float) -> Article:
    """Return an article without the values whose confidence is below the least one."""
    kept: dict[str, object] = {}
    for one in fields(article):
        value = getattr(article, one.name)
        if isinstance(value, FieldValue) and value.confidence < least:
            kept[one.name] = None
    authors = tuple(one for one in article.authors if one.confidence >= least)
    return replace(article, **kept, authors=authors)  # type: ignore[arg-type]  # None or a value


def unlabelled_regions(page: Page) -> list[PageRecord]:
    """Return the regions of a page that nobody has labelled, with their tags."""
    names = ("None",) * len(page)
    labelling = Labelling(page, names, np.zeros(len(page)), _BACKGROUND)
    records = [region_record(one) for one in labelled_regions(labelling, all_regions=True)]
    return [
        {"index": one["index"], "tag": page.tag[i], **_without_label(one)}
        for i, one in enumerate(records)
    ]


def _without_label(record: PageRecord) -> PageRecord:
    return {key: record[key] for key in ("text", "xpath", "span", "box")}


class ExplainedRegion(NamedTuple):
    """Why a region has its label, and what the answer made of the labeller's label."""

    explanation: Explanation
    answer: str

    def as_dict(self) -> PageRecord:
        """Return both as JSON values."""
        return {**self.explanation.as_dict(), "answer": self.answer}


def explain_regions(
    labelling: Labelling, regions: Sequence[int], label: str, *, n_columns: int
) -> list[ExplainedRegion]:
    """Return why regions have their labels.

    Parameters
    ----------
    regions
        Their numbers; none for all regions whose label in the answer is ``label``.
    n_columns
        At most this many columns are listed for each.

    Raises
    ------
    RegionError
        If the page has no such region.
    """
    answer = read_labelling(labelling).labelling.labels
    chosen = regions or [i for i, name in enumerate(answer) if name == label]
    found = [labelling.explain(i, n_columns=n_columns) for i in chosen]
    return [ExplainedRegion(one, answer[one.region]) for one in found]


def explained_label(label_set: LabelSet) -> str:
    """Return the label that is explained where none is asked for: the title, or the first."""
    return _EXPLAINED_LABEL if _EXPLAINED_LABEL in label_set.names else label_set.foreground[0]
