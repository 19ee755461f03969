"""Every data set read to its end: pages given and lost, gold values found, by field and method.

What was not found is looked for once more, in another way: are its words in the text that a plain
parser sees, scripts and style sheets left out? Of such values the page has most hidden, or cut by
other text. They show what share of the gold on its page was found.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypedDict

from selectolax.lexbor import LexborHTMLParser

from structce.corpus.storage import LabelledPage
from structce.datasets.base import DataSetReader, GoldPage, Lost
from structce.datasets.build import aligned_pages
from structce.gold import AlignmentTally
from structce.language.text import normalise
from structce.rendering.static import StaticRenderer


class SetFigures(TypedDict):
    """Figures of one data set.

    Parameters
    ----------
    failed
        Why, by page.
    left_out
        What the data set's own description says is absent or broken: why, by page.
    fields
        One row per field, as ``structce corpus import`` prints it; ``lost_in_text`` counts the
        missing values whose words are in the text of the document.
    """

    data_set: str
    pages: int
    failed: dict[str, str]
    left_out: dict[str, str]
    error_rate: float
    seconds: float
    fields: list[dict[str, object]]


def measure(reader: DataSetReader, path: Path) -> SetFigures:
    """Read, render without a browser and align every page of a data set."""
    tally, n_pages = AlignmentTally(), 0
    lost: list[Lost] = []
    waiting: dict[str, GoldPage | Lost] = {}
    in_text: Counter[str] = Counter()
    started = time.perf_counter()
    with StaticRenderer() as renderer:
        items = _remembered(reader.read(path), waiting)
        for item in aligned_pages(items, renderer, reader.labels):
            gold_page = waiting.pop(item.id)
            if isinstance(item, Lost):
                lost.append(item)
                continue
            n_pages += 1
            tally.add(item.matches)
            if isinstance(gold_page, GoldPage):
                in_text.update(_in_text(gold_page, item))
    failed = {item.id: item.why for item in lost if not item.is_known}
    return {
        "data_set": reader.name,
        "pages": n_pages,
        "failed": failed,
        "left_out": {item.id: item.why for item in lost if item.is_known},
        "error_rate": len(failed) / max(n_pages + len(failed), 1),
        "seconds": time.perf_counter() - started,
        "fields": [{**row, "lost_in_text": in_text[str(row["field"])]} for row in tally.rows()],
    }


def _remembered(
    items: Iterable[GoldPage | Lost], waiting: dict[str, GoldPage | Lost]
) -> Iterator[GoldPage | Lost]:
    for item in items:
        waiting[item.id] = item
        yield item


def _in_text(gold_page: GoldPage, page: LabelledPage) -> Iterator[str]:
    """Yield the field of each missing value whose words are in the text of the document."""
    missing = [match for match in page.matches if match.state == "missing"]
    if not missing:
        return
    tree = LexborHTMLParser(gold_page.document().html)
    tree.strip_tags(["script", "style", "noscript", "template", "title"])
    text = normalise(tree.root.text(separator=" ") if tree.root else "")
    for match in missing:
        words = normalise(match.value)
        if words and words in text:
            yield match.field
