"""Labelled regions to an article: title, authors, date and text, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from structce.dates import find_dates, parse_iso
from structce.features import cues
from structce.labeller import Labelling

_BY = re.compile(
    r"^\W*(?:(?:written |reported )?by|von|par|por|di|da|de|door|av|af|text(?:e|o)?:?|"
    r"autor(?:in|es)?:?|author:?)\s+",
    re.IGNORECASE,
)
_AND = re.compile(
    r"\s*(?:,|;|\||/|•|·|&|\s(?:and|und|et|y|e|en|og|och|ja|i|ve)\s)\s*", re.IGNORECASE
)
_MAX_WORDS = 6  # of a person's name; a longer piece of a byline is something else


@dataclass(frozen=True)
class Value:
    """One field of an article and where it stands.

    Parameters
    ----------
    confidence
        Least confidence of the regions that it was read from, in [0, 1].
    xpath
        Address of its first region.
    """

    value: str
    confidence: float
    xpath: str


@dataclass(frozen=True)
class Article:
    """What a page says: fields are None or empty where no region was labelled so.

    Parameters
    ----------
    date
        ISO 8601: ``2026-03-14T09:30:00+01:00``, or the day alone.
    text
        Paragraphs and section headlines, one a line.
    """

    url: str
    title: Value | None
    authors: tuple[Value, ...]
    date: Value | None
    text: str


@dataclass(frozen=True)
class Segment:
    """Neighbouring regions with one label inside one block."""

    label: str
    regions: tuple[int, ...]
    text: str
    confidence: float
    xpath: str


def segments(labelling: Labelling) -> list[Segment]:
    """Return the segments of a page in reading order, the background left out."""
    page = labelling.page
    runs: list[list[int]] = []
    blocks = page.blocks
    for i, label in enumerate(labelling.labels):
        if label == labelling.label_set.background:
            continue
        last = runs[-1] if runs else None
        joins = last is not None and last[-1] == i - 1 and blocks[i] == blocks[i - 1]
        if last is not None and joins and labelling.labels[i - 1] == label:
            last.append(i)
        else:
            runs.append([i])
    return [_segment(labelling, run) for run in runs]


def _segment(labelling: Labelling, run: Sequence[int]) -> Segment:
    page = labelling.page
    return Segment(
        label=labelling.labels[run[0]],
        regions=tuple(run),
        text=_join([page.text[i] for i in run]),
        confidence=float(min(labelling.confidence[i] for i in run)),
        xpath=page.xpath[run[0]],
    )


def _join(texts: Sequence[str]) -> str:
    """Return texts of one line as one; no space before punctuation or after a bracket."""
    line = " ".join(text for text in texts if text)
    line = re.sub(r"\s+([,.;:!?…»”)\]])", r"\1", line)
    return re.sub(r"([(\[«“])\s+", r"\1", line)


def read_article(labelling: Labelling) -> Article:
    """Return the article that a labelled page holds.

    The title is the most confident of its segments, the date the most confident that can be
    read as one; a byline with several names gives several authors.
    """
    found = segments(labelling)
    return Article(
        url=labelling.page.url,
        title=_best(found, "Title"),
        authors=tuple(_authors(found)),
        date=_date(labelling, found),
        text=_text(labelling, found),
    )


def _best(found: Sequence[Segment], label: str) -> Value | None:
    wanted = [segment for segment in found if segment.label == label and segment.text]
    best = max(wanted, key=lambda segment: segment.confidence, default=None)
    return None if best is None else Value(best.text, best.confidence, best.xpath)


def _authors(found: Sequence[Segment]) -> Iterator[Value]:
    seen: set[str] = set()
    for segment in found:
        if segment.label != "Author":
            continue
        for name in split_byline(segment.text):
            if name.casefold() not in seen:
                seen.add(name.casefold())
                yield Value(name, segment.confidence, segment.xpath)


def split_byline(text: str) -> list[str]:
    """Return the names in a byline, without "By", functions and dates.

    >>> split_byline("By Ann Lee and Tom Rost, in Berlin")
    ['Ann Lee', 'Tom Rost']
    """
    names = [_BY.sub("", piece).strip(" .:-–—") for piece in _AND.split(_BY.sub("", text))]
    named = [name for name in names if _is_name(name)]
    return named or [name for name in names if name][:1]


def _is_name(text: str) -> bool:
    words = text.split()
    return (
        0 < len(words) <= _MAX_WORDS
        and not any(c.isdigit() for c in text)
        and "@" not in text
        and not words[0].islower()
    )


def _date(labelling: Labelling, found: Sequence[Segment]) -> Value | None:
    wanted = [segment for segment in found if segment.label == "Date"]
    for segment in sorted(wanted, key=lambda segment: -segment.confidence):
        if (text := _read_date(labelling, segment)) is not None:
            return Value(text, segment.confidence, segment.xpath)
    return None


def _read_date(labelling: Labelling, segment: Segment) -> str | None:
    """Return a segment's moment in ISO 8601: its ``time`` element's, else that of its text."""
    page = labelling.page
    for above in page.elements.ancestors(int(page.element[segment.regions[0]])):
        stated = page.elements.attributes[above].get("datetime", "")
        if page.elements.tag[above] == "time" and parse_iso(stated) is not None:
            return stated.strip()
    dates = find_dates(segment.text, page.lang)
    if not dates:
        return None
    has_time = (
        cues.TIME.search(segment.text) is not None and dates[0].time().isoformat() != "00:00:00"
    )
    return dates[0].isoformat() if has_time else dates[0].date().isoformat()


def _text(labelling: Labelling, found: Sequence[Segment]) -> str:
    """Return the body: one line a block, pieces of one block joined."""
    lines: list[list[str]] = []
    block = -1
    blocks = labelling.page.blocks
    for segment in found:
        if segment.label not in ("Paragraph", "Subtitle"):
            continue
        here = int(blocks[segment.regions[0]])
        if here == block:
            lines[-1].append(segment.text)
        else:
            lines.append([segment.text])
        block = here
    return "\n".join(_join(line) for line in lines)
