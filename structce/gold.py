"""Gold values of a page, as a data set states them, and their matches on the page.

A data set may state little: a date, or a few sentences. What it does not state is unknown; it is
never taken as absent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date, datetime

import msgspec

from structce.errors import CorpusError
from structce.labels import UNKNOWN

TEXT = "Text"
"""Kind of a body piece whose label the data set does not state; see :attr:`Gold.text_labels`."""

TEXT_LABELS = ("Caption", "Paragraph", "Subtitle")
"""Labels that pieces of unspecified kind may have, unless the data set excludes some."""

EXACT = "exact"
ORDERED = "ordered"
SIMILAR = "similar"
READ = "read"
PLACED = "placed"
MENTIONED = "mentioned"
MATCH_METHODS = {
    EXACT: 0.0, ORDERED: 0.05, SIMILAR: 0.2, READ: 0.1, PLACED: 0.0, MENTIONED: 0.4
}  # fmt: skip
"""Ways in which a value was found, and what each adds to the uncertainty of a match: by its words,
in one place or the best of several; by its words, piece by piece in page order; by a similar text;
by parsing a date or an address in another notation; by an annotator's mark in the page; by its
words, but in a place where no such value belongs, such as an author's name in a footer, which
therefore gets no label."""

_RIVAL_UNCERTAINTY = 0.5


@dataclass(frozen=True)
class GoldBlock:
    """A stretch of a page's text, as annotators marked it.

    ``kind`` is the data set's name for it, such as ``supplemental``; ``label`` the corresponding
    label, or ``UNKNOWN``.
    """

    kind: str
    text: str
    label: str


@dataclass(frozen=True)
class GoldMark:
    """An element or text node that annotators marked, with everything inside it.

    ``kind`` and ``label`` are as in :class:`GoldBlock`. ``xpath`` addresses the node or one above
    it, as :attr:`structce.page.Page.xpath` writes it. Of nested marks the innermost counts.
    """

    kind: str
    xpath: str
    label: str


@dataclass(frozen=True)
class GoldPost:
    """One post of a forum thread: its words on one line, its author, its day or moment in ISO 8601.

    Author and date are empty if unknown.
    """

    text: str
    author: str = ""
    date: str = ""


@dataclass(frozen=True)
class Gold:
    """Statements of annotators, or of hand-written parsers, about one page.

    ``date`` is the day or moment of publication. ``body`` has kind (``Paragraph``, ``Subtitle`` or
    ``Text``) and text of each piece of the main text, in reading order; ``text_labels`` are the
    labels that a piece of the kind ``Text``, or a segment of ``must``, may have: mark-up and place
    of the piece narrow them down. ``images`` are, for each, the addresses under which the page may
    refer to it. ``must`` and ``must_not`` are segments that are part of the main text, and that are
    not. ``blocks`` and ``marks`` are annotated stretches of text, in document order, and annotated
    nodes; ``rest`` is the label of regions in neither: the background if everything else was
    marked. ``others`` are further values that the page shows, by name, such as ``isbn``; ``about``
    facts that it does not show, such as its kind. ``covers`` are the labels for which the gold is
    complete: it names every such region of the page.
    """

    title: str | None = None
    authors: tuple[str, ...] = ()
    date: date | None = None
    body: tuple[tuple[str, str], ...] = ()
    text_labels: tuple[str, ...] = TEXT_LABELS
    captions: tuple[str, ...] = ()
    images: tuple[tuple[str, ...], ...] = ()
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    blocks: tuple[GoldBlock, ...] = ()
    marks: tuple[GoldMark, ...] = ()
    rest: str = UNKNOWN
    posts: tuple[GoldPost, ...] = ()
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)
    covers: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The main text, one line per piece."""
        return "\n".join(text for _, text in self.body)


@dataclass(frozen=True)
class Match:
    """Match of one gold value: its place on the page, and how well it fits.

    ``field`` is the name of a label or further value, the kind of a block or mark, ``must`` or
    ``must not``; ``method`` one of ``MATCH_METHODS`` and ``score`` the similarity of the value and
    the text found, in [0, 1], empty and 0 if nothing was found. ``regions`` contain the value, in
    document order; ``rivals`` are regions of other places that fit as well, or nearly.
    """

    field: str
    value: str
    method: str = ""
    score: float = 0.0
    regions: tuple[int, ...] = ()
    rivals: tuple[int, ...] = ()

    @property
    def state(self) -> str:
        """``found``, ``ambiguous`` or ``missing``."""
        if not self.regions:
            return "missing"
        return "ambiguous" if self.rivals or self.method == MENTIONED else "found"

    @property
    def uncertainty(self) -> float:
        """Weakness of the evidence, by which matches are ordered: 0 for the words in one place."""
        by_method = MATCH_METHODS.get(self.method, 0.0)
        return 1 - self.score + by_method + _RIVAL_UNCERTAINTY * bool(self.rivals)


def gold_to_json(gold: Gold) -> dict[str, object]:
    """Return the gold as plain JSON values, without unknown fields."""
    values = asdict(gold) | {
        "date": gold.date.isoformat() if gold.date else None,
        "covers": sorted(gold.covers),
        "rest": "" if gold.rest == UNKNOWN else gold.rest,
        "text_labels": () if gold.text_labels == TEXT_LABELS else gold.text_labels,
    }
    return {name: value for name, value in values.items() if value}


def gold_from_json(values: Mapping[str, object], name: str) -> Gold:
    """Return the gold that :func:`gold_to_json` encoded.

    Raises CorpusError, with the ``name`` of the page, if a field is unknown or of the wrong type.
    """
    plain = dict(values)
    moment = plain.pop("date", None)
    try:
        if unknown := set(plain) - {entry.name for entry in fields(Gold)}:
            raise ValueError(f"unknown field {min(unknown)!r}")
        gold = msgspec.convert(plain, Gold)
        if moment is not None:
            is_day = len(str(moment)) == len("2026-03-14")
            parse = date.fromisoformat if is_day else datetime.fromisoformat
            gold = replace(gold, date=parse(str(moment)))
        return gold
    except ValueError as error:  # msgspec.ValidationError is one
        raise CorpusError(f"{name}: gold: {error}") from error


@dataclass
class AlignmentTally:
    """Counts of gold values that are found, ambiguous or missing on their pages, by field."""

    states: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, matches: Iterable[Match]) -> None:
        """Count the matches of one page."""
        for match in matches:
            row = self.states.setdefault(match.field, Counter())
            row[match.state] += 1
            row[match.method] += bool(match.method)

    def rows(self) -> list[dict[str, object]]:
        """Return one row per field: number of gold values, states, share found, and methods."""
        rows = []
        for name, row in self.states.items():
            total = row["found"] + row["ambiguous"] + row["missing"]
            states: dict[str, object] = {k: row[k] for k in ("found", "ambiguous", "missing")}
            share = round(1 - row["missing"] / total, 4)
            methods = {method: row[method] for method in MATCH_METHODS}
            rows.append({"field": name, "gold": total, **states, "share": share, **methods})
        return rows
