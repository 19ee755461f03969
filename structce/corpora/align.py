"""Gold values to region labels: where on the page does each value stand, and what was not found.

Nothing is guessed. A value that is not on the page, or not recognisably, gives no label and is
counted as missing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from structce.corpora.fields import find_author, find_date, find_images, find_title
from structce.gold import EXACT, SIMILAR, Gold, Match
from structce.labels import NEWS, LabelSet
from structce.page import Page
from structce.text_index import Span, TextIndex, in_order


@dataclass(frozen=True)
class Alignment:
    """Labels of one page, and where each gold value was found.

    Parameters
    ----------
    labels
        One label name a region; ``UNKNOWN`` where the gold does not tell.
    matches
        One a gold value, in the order in which they were looked for.
    """

    labels: tuple[str, ...]
    matches: tuple[Match, ...]

    def share(self, name: str) -> float:
        """Return the share of a field's values that were found, in [0, 1]; NaN without values."""
        states = [match.state != "missing" for match in self.matches if match.field == name]
        return sum(states) / len(states) if states else math.nan


def align(
    page: Page,
    gold: Gold,
    *,
    covered: tuple[str, ...] = NEWS.foreground,
    label_set: LabelSet = NEWS,
) -> Alignment:
    """Return the labels of a page's regions from the values of its gold.

    The title comes first, then the body in reading order, captions, images, dates and authors; a
    region keeps the first label that it gets.

    Parameters
    ----------
    covered
        Labels that the data set tells of; regions of the others are part of the background.
    """
    return _Aligner(page, gold, label_set).run()


@dataclass
class _Aligner:
    page: Page
    gold: Gold
    label_set: LabelSet
    labels: dict[int, str] = field(default_factory=dict)
    matches: list[Match] = field(default_factory=list)

    def run(self) -> Alignment:
        self.index = TextIndex(self.page)
        places = in_order(self.index, [text for _, text in self.gold.body])
        self._title(places)
        self._body(places)
        self._captions()
        for addresses in self.gold.images:
            self._give("Multimedia", addresses[0], find_images(self.page, addresses))
        self._byline()
        background = self.label_set.background
        return Alignment(
            labels=tuple(self.labels.get(i, background) for i in range(len(self.page))),
            matches=tuple(self.matches),
        )

    def _give(self, name: str, value: str, regions: Iterable[int], *, fuzzy: bool = False) -> None:
        """Label free regions, and count the value as found if one has its label."""
        regions = list(regions)
        for i in regions:
            self.labels.setdefault(i, name)
        own = tuple(i for i in regions if self.labels[i] == name)
        method = (SIMILAR if fuzzy else EXACT) if own else ""
        self.matches.append(Match(name, value, method, float(bool(own)), own))

    def _title(self, places: Sequence[Span | None]) -> None:
        if self.gold.title is None:
            return
        body = min((span.start for span in places if span is not None), default=None)
        span, fuzzy = find_title(self.index, self.gold.title, body)
        self._give("Title", self.gold.title, self._regions(span), fuzzy=fuzzy)

    def _body(self, places: Sequence[Span | None]) -> None:
        for n, (name, text) in enumerate(self.gold.body):
            span, fuzzy = places[n], False
            if span is None:
                span, fuzzy = self._second_look(places, n, text)
            self._give(name, text, self._regions(span), fuzzy=fuzzy)

    def _second_look(
        self, places: Sequence[Span | None], n: int, text: str
    ) -> tuple[Span | None, bool]:
        """Look for a body text out of order, then for a similar one between its neighbours."""
        taken = [span for span in places if span is not None]
        for span in self.index.find(text):
            if all(span.end <= other.start or other.end <= span.start for other in taken):
                return span, False
        above = next((s.end for s in reversed(places[:n]) if s is not None), 0)
        below = next((s.start for s in places[n + 1 :] if s is not None), len(self.index.text))
        return self.index.find_fuzzy(text, Span(above, max(above, below))), True

    def _captions(self) -> None:
        for text in self.gold.captions:
            spans = self.index.find(text)
            free = [s for s in spans if not any(i in self.labels for i in self._regions(s))]
            span = max(free, key=self.index.fills_block, default=None)
            fuzzy = span is None
            if span is None:
                span = self.index.find_fuzzy(text, Span(0, len(self.index.text)))
            self._give("Caption", text, self._regions(span), fuzzy=fuzzy)

    def _byline(self) -> None:
        anchors = [i for i, label in self.labels.items() if label in ("Title", "Paragraph")]
        within = (min(anchors, default=0), max(anchors, default=len(self.page)))
        if self.gold.date is not None:
            i = find_date(self.page, self.gold.date, within, taken=self.labels)
            self._give("Date", self.gold.date.isoformat(), [] if i is None else [i])
        taken = {i: label for i, label in self.labels.items() if label != "Author"}
        for author in self.gold.authors:
            i = find_author(self.index, author, within, taken=taken)
            self._give("Author", author, [] if i is None else [i])

    def _regions(self, span: Span | None) -> list[int]:
        return [] if span is None else self.index.regions(span)
