"""Alignment of gold values with regions: the labels of a page, and the values that are missing.

Nothing is guessed. A value that is not recognisable on the page gives no label. What the gold does
not cover is not background but unknown: see :mod:`structce.alignment.unlabelled`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from structce.alignment.annotations import labels_of_blocks, labels_of_marks
from structce.alignment.body import body_labels, place_body, punctuation_labels
from structce.alignment.location import Location, find_segment
from structce.alignment.unlabelled import named_captions, possible_regions, repeated_regions
from structce.alignment.values import (
    MAX_DATE,
    find_author,
    find_caption,
    find_date,
    find_image,
    find_title,
)
from structce.arrays import Flags
from structce.gold import MENTIONED, TEXT, Gold, Match
from structce.labels import NEWS, UNKNOWN, allowed_names, written_set
from structce.page import Page, TextIndex

_BODY = ("Paragraph", "Subtitle")
# Cost, in regions of distance, of a byline inside a region that already has another label: a free
# place wins unless it is further away, where it is likely another article's.
_SHARED_COST = 10.0
_N_LEADS = 2  # pieces at the beginning of a text that may be its standfirst
_LEAD = range(40, 600)  # characters of a standfirst
_HEAD = 10  # regions around headline and lead, enough for the line with the day of an update


class Alignment(NamedTuple):
    """Labels of one page, one per region, and one match per gold value, in the order of search.

    Labels are several, ``Caption|None``, if the gold does not decide; ``UNKNOWN`` if any may be
    right.
    """

    labels: tuple[str, ...]
    matches: tuple[Match, ...]


def align(page: Page, gold: Gold, *, covered: tuple[str, ...] = NEWS.foreground) -> Alignment:
    """Return the labels of a page's regions according to its gold.

    Annotators' blocks and marks come first, since they name regions. Then title, body, captions,
    images, date and authors are looked for; a region keeps the first label that it gets.

    Regions of labels that are not ``covered`` are part of the background; if none is, no region is
    known. A region without a label is background if it can have no covered label: either the gold
    names all regions of a label and all were found, or the region is of a kind that cannot have it.
    Otherwise it is background or one of these. Places as good as the chosen one are unknown.
    """
    return _Aligner(page, gold, covered).run()


class _Aligner:
    def __init__(self, page: Page, gold: Gold, covered: tuple[str, ...]) -> None:
        self.page = page
        self.gold = gold
        self.covered = covered
        self.index = TextIndex(page)
        self.labels: dict[int, str] = {}
        self.matches: list[Match] = []
        self.unsettled: set[int] = set()
        self.refused: set[int] = set()

    def run(self) -> Alignment:
        annotated = ((labels_of_marks, self.gold.marks), (labels_of_blocks, self.gold.blocks))
        for read, entries in annotated:
            if entries:
                labels, matches = read(self.page, self.gold)
                self.labels |= {i: name for i, name in enumerate(labels) if name != UNKNOWN}
                self.matches += matches
        locations = place_body(self.index, [text for _, text in self.gold.body])
        if self.gold.title is not None:
            first = min((i for location in locations for i in location.regions), default=None)
            above = None if first is None else self.index.starts[first]
            self._label("Title", self.gold.title, find_title(self.index, self.gold.title, above))
        n_leads = _N_LEADS if len(self.gold.body) > 2 * _N_LEADS else 0
        for n, ((name, text), location) in enumerate(zip(self.gold.body, locations, strict=True)):
            if name == TEXT:
                self._label_by_mark_up(location, is_lead=n < n_leads and len(text) in _LEAD)
            self._label(name, text, location)
        for text in self.gold.captions:
            self._label("Caption", text, find_caption(self.index, text, self.labels))
        for addresses in self.gold.images:
            self._label("Multimedia", addresses[0], find_image(self.page, addresses))
        self._segments()
        self._byline()
        for name, values in self.gold.others.items():
            for value in values:
                self._note(name, value, find_segment(self.index, value))
        self.labels |= punctuation_labels(self.page, self.labels)
        return Alignment(self._labels(locations), tuple(self.matches))

    def _note(self, name: str, value: str, place: Location) -> None:
        regions, rivals = place.regions, place.rivals
        self.matches.append(Match(name, value, place.method, place.score, regions, rivals))

    def _label(self, name: str, value: str, place: Location) -> None:
        """Label free regions, and record where the value was found."""
        is_mentioned = place.method == MENTIONED
        for i in place.regions if not is_mentioned else ():
            self.labels.setdefault(i, name)
        self.unsettled.update(place.rivals, place.touched, place.regions if is_mentioned else ())
        self._note(name, value, place)

    @cached_property
    def _by_mark_up(self) -> list[str]:
        captions = np.zeros(len(self.page), dtype=bool)
        if "Caption" in self.gold.text_labels and "Caption" not in self.gold.covers:
            captions = named_captions(self.page)
        return body_labels(self.page, self.gold.text_labels, captions)

    def _label_by_mark_up(self, place: Location, *, is_lead: bool = False) -> None:
        """Label free regions as parts of the main text, by the page's mark-up.

        The beginning of the text may be its standfirst.
        """
        for i in place.regions:
            names = allowed_names(self._by_mark_up[i])
            if is_lead and "Subtitle" in self.gold.text_labels:
                names |= {"Subtitle"}
            self.labels.setdefault(i, written_set(names))

    def _byline(self) -> None:
        anchors = [i for i in self.labels if self._may_be(i, "Title", "Paragraph")]
        within = (min(anchors, default=0), max(anchors, default=len(self.page)))
        if self.gold.date is not None:
            location = find_date(self.page, self.gold.date, within, self._costs())
            self._sign("Date", self.gold.date.isoformat(), location)
        for author in self.gold.authors:
            location = find_author(self.index, author, within, self._costs(len(author)))
            self._sign("Author", author, location)

    def _sign(self, name: str, value: str, place: Location) -> None:
        """Label regions of a byline, even if they are part of the text as well."""
        for i in place.regions if place.method != MENTIONED else ():
            if self._may_be(i, *_BODY):
                self.labels[i] = name
        self._label(name, value, place)

    def _may_be(self, i: int, *names: str) -> bool:
        """Return whether the label of a region allows one of the given names."""
        return not allowed_names(self.labels.get(i, UNKNOWN)).isdisjoint(names)

    def _costs(self, n_characters: int = MAX_DATE) -> dict[int, float]:
        """Return the cost of finding a value in each region that already has a label.

        One region may contain author and date, and a line of the text may be only a byline.
        """
        costs = {}
        for i, label in self.labels.items():
            is_line = self._may_be(i, *_BODY) and len(self.page.text[i]) <= 2 * n_characters
            costs[i] = _SHARED_COST if is_line or label in ("Date", "Author") else math.inf
        return costs

    def _segments(self) -> None:
        for text in self.gold.must:
            location = find_segment(self.index, text)
            if not location.rivals:
                self._label_by_mark_up(location)
            self._note("must", text, location)
        for text in self.gold.must_not:
            location = find_segment(self.index, text)
            self.refused.update(location.regions if not location.rivals else ())
            self._note("must not", text, location)

    def _labels(self, body: Sequence[Location]) -> tuple[str, ...]:
        unknown = repeated_regions(self.page, self.labels)
        unknown[list(self.unsettled)] = True
        if not self.covered or self.gold.blocks or self.gold.marks:
            unknown[:] = True
        possible = self._possible(body)
        labels = []
        for i in range(len(self.page)):
            names = [label for label, where in possible.items() if where[i]]
            free = UNKNOWN if unknown[i] else written_set([NEWS.background, *names])
            labels.append(self.labels.get(i, free))
        return tuple(labels)

    def _possible(self, body: Sequence[Location]) -> dict[str, Flags]:
        """Return, by label, which regions could have it as far as the gold leaves this open."""
        present = {match.field for match in self.matches if match.state != "missing"}
        missing = {match.field for match in self.matches if match.state == "missing"}
        missing |= {match.field for match in self.matches if match.method == MENTIONED}
        possible: dict[str, Flags] = {}
        for label in self.covered:
            where = np.ones(len(self.page), dtype=bool)
            if label in _BODY:
                where[list(self.refused)] = False
            if label in self.gold.covers:
                if label in _BODY:
                    where &= _between(body, len(self.page))
                elif label == "Date" and label in present:
                    where = self._near_head()
                elif label not in missing:
                    continue
            if where.any():
                possible[label] = where & possible_regions(self.page, label)
        return possible

    def _near_head(self) -> Flags:
        """Return whether each region is near the headline or between it and the text.

        The day of an update is shown there and is a Date, while the gold has only the day of
        publication. On a page whose headline is unknown it may be anywhere.
        """
        result = np.zeros(len(self.page), dtype=bool)
        titles = [i for i, label in self.labels.items() if label == "Title"]
        if titles:
            text = [i for i in self.labels if self._may_be(i, "Paragraph")]
            after = min((i for i in text if i > max(titles)), default=max(titles))
            result[max(0, min(titles) - _HEAD) : after + _HEAD] = True
        else:
            result[:] = True
        return result


def _between(places: Sequence[Location], n_regions: int) -> Flags:
    """Return whether each region is where a missing piece of the body should be."""
    result = np.zeros(n_regions, dtype=bool)
    for n, location in enumerate(places):
        if not location.regions:
            above = max((p.regions[-1] for p in places[:n] if p.regions), default=-1)
            below = min((p.regions[0] for p in places[n + 1 :] if p.regions), default=n_regions)
            result[above + 1 : below] = True
    return result
