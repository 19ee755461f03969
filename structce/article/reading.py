"""Articles from labelled regions: title, authors, date and text, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from rapidfuzz import fuzz

from structce.article.values import Article, FieldValue
from structce.labeller import Labelling
from structce.language import TIME_OF_DAY, find_dates, normalise, parse_iso, split_byline
from structce.metadata import stated_authors, stated_publication_time, stated_title, window_title

STATED_TITLE, STATED_AUTHOR, STATED_DATE = 0.88, 0.90, 0.99
"""Confidence of a value that a page's metadata state, in [0, 1]: how often it is right, measured on
the 93 training and validation pages of the Fundus fixtures."""

_ALIKE = 90.0  # least similarity in per cent of a headline with the one that the page states


@dataclass(frozen=True)
class Segment:
    """Neighbouring regions with one label inside one block, joined."""

    label: str
    regions: tuple[int, ...]
    text: str
    confidence: float
    xpath: str


def segments(labelling: Labelling) -> list[Segment]:
    """Return the segments of a page in reading order, the background left out."""
    page, blocks = labelling.page, labelling.page.blocks
    found = []
    for (_, label), run in groupby(
        range(len(page)), key=lambda i: (int(blocks[i]), labelling.labels[i])
    ):
        if label != labelling.label_set.background:
            regions = tuple(run)
            text = _join([page.text[i] for i in regions])
            confidence = float(min(labelling.confidence[i] for i in regions))
            found.append(Segment(label, regions, text, confidence, page.xpath[regions[0]]))
    return found


def _join(texts: Sequence[str]) -> str:
    """Return texts joined to one line, without spaces before punctuation or after brackets."""
    line = " ".join(text for text in texts if text)
    line = re.sub(r"\s+([,.;:!?…»”)\]])", r"\1", line)
    return re.sub(r"([(\[«“])\s+", r"\1", line)


def read_article(labelling: Labelling) -> Article:
    """Return the article of a labelled page.

    Regions tell where a field stands, and the page's metadata how its publisher writes it. Title:
    that of the most confident region, unless the metadata state another headline. Authors: the
    persons in the metadata, else the names in the regions. Date: the moment in the metadata, else
    the most confident region that can be parsed as a date. This precedence was chosen on training
    and validation sites of the Fundus fixtures.
    """
    found = segments(labelling)
    return Article(
        url=labelling.page.url,
        title=_title(labelling, found),
        authors=tuple(_authors(labelling, found)),
        date=_date(labelling, found),
        text=_text(labelling, found),
    )


def _title(labelling: Labelling, found: Sequence[Segment]) -> FieldValue | None:
    wanted = [segment for segment in found if segment.label == "Title" and segment.text]
    best = max(wanted, key=lambda segment: segment.confidence, default=None)
    metadata = labelling.page.metadata
    stated = stated_title(metadata)
    if best is None:
        stated = stated or window_title(metadata)
        return None if stated is None else FieldValue(stated, STATED_TITLE, None)
    if stated is None:
        return FieldValue(best.text, best.confidence, best.xpath)
    confidence = max(best.confidence, STATED_TITLE)
    alike = fuzz.ratio(normalise(best.text), normalise(stated)) >= _ALIKE
    return FieldValue(best.text if alike else stated, confidence, best.xpath)


def _authors(labelling: Labelling, found: Sequence[Segment]) -> Iterator[FieldValue]:
    shown: dict[str, FieldValue] = {}
    for segment in found:
        if segment.label == "Author":
            for name in split_byline(segment.text, labelling.page.lang):
                value = FieldValue(name, segment.confidence, segment.xpath)
                shown.setdefault(normalise(name), value)
    persons, publishers = stated_authors(labelling.page.metadata)
    if not persons and shown:
        yield from shown.values()
        return
    for name in persons or publishers:
        value = shown.get(normalise(name), FieldValue(name, 0.0, None))
        yield replace(value, value=name, confidence=max(value.confidence, STATED_AUTHOR))


def _date(labelling: Labelling, found: Sequence[Segment]) -> FieldValue | None:
    shown = [
        (moment, text, segment)
        for segment in found
        if segment.label == "Date"
        for moment, text in _moments(labelling, segment)
    ]
    stated = stated_publication_time(labelling.page.metadata)
    if stated is None:
        best = max(shown, key=lambda row: row[2].confidence, default=None)
        return None if best is None else FieldValue(best[1], best[2].confidence, best[2].xpath)
    same = [segment for moment, _, segment in shown if moment.date() == stated.date()]
    best_place = max(same, key=lambda segment: segment.confidence, default=None)
    if best_place is None:
        return FieldValue(stated.isoformat(), STATED_DATE, None)
    confidence = max(best_place.confidence, STATED_DATE)
    return FieldValue(stated.isoformat(), confidence, best_place.xpath)


def _moments(labelling: Labelling, segment: Segment) -> Iterator[tuple[datetime, str]]:
    """Yield a segment's moment and its ISO 8601 text, from a ``time`` element or its text."""
    page = labelling.page
    for above in page.elements.ancestors(int(page.element[segment.regions[0]])):
        stated = page.elements.attributes[above].get("datetime", "")
        moment = parse_iso(stated) if page.elements.tag[above] == "time" else None
        if moment is not None:
            yield moment, stated.strip()
            return
    for moment in find_dates(segment.text, page.lang)[:1]:
        timed = TIME_OF_DAY.search(segment.text) is not None and moment.time() != moment.min.time()
        yield moment, moment.isoformat() if timed else moment.date().isoformat()


def _text(labelling: Labelling, found: Sequence[Segment]) -> str:
    """Return the body: one line a block, pieces of one block joined."""
    blocks = labelling.page.blocks
    body = (segment for segment in found if segment.label in ("Paragraph", "Subtitle"))
    lines = groupby(body, key=lambda segment: int(blocks[segment.regions[0]]))
    return "\n".join(_join([segment.text for segment in line]) for _, line in lines)
