"""Alignment against exact labels: invented pages of every template, in seven languages."""

from collections import Counter
from datetime import date

import pytest

from structce.alignment.aligner import align
from structce.gold import MENTIONED, Gold
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer
from structce.synthetic.draft import TEMPLATE_FAMILIES
from structce.synthetic.generate import sample_pages, synthesise

NAMES = ("Title", "Author", "Date")
Counts = Counter[tuple[str, str]]


@pytest.fixture(scope="module")
def outcomes() -> tuple[Counts, Counts]:
    """How values were placed, and which label regions of a name got, over one page a template."""
    placed: Counts = Counter()
    given: Counts = Counter()
    renderer = StaticRenderer()
    n = len(TEMPLATE_FAMILIES)
    for told, raw in zip(synthesise(n, 1, seed=11), sample_pages(n, 1, seed=11), strict=True):
        page = renderer.render(Document(raw.html, url=raw.url, name=raw.id))
        right = [raw.labels.get(xpath, "None") for xpath in page.xpath]
        gold = Gold(
            title=told.values.title,
            authors=told.values.authors,
            date=date.fromisoformat(told.values.date) if told.values.date else None,
            covers=frozenset(NAMES),
        )
        found = align(page, gold, covered=NAMES)
        for match in found.matches:
            hits = any(right[i] == match.field for i in match.regions)
            is_told = match.method == MENTIONED
            state = "told" if is_told else "right" if hits else match.state
            placed[match.field, state] += 1
        given.update((label, name) for label, name in zip(found.labels, right, strict=True))
    return placed, given


def test_values_are_found_and_found_in_the_right_place(outcomes: tuple[Counts, Counts]) -> None:
    placed, _ = outcomes
    for name, floor in (("Title", 0.99), ("Author", 0.88), ("Date", 0.97)):
        total = sum(count for (field, _), count in placed.items() if field == name)
        assert total > 50
        assert placed[name, "right"] / total >= floor, placed
        assert placed[name, "found"] + placed[name, "ambiguous"] <= 0.02 * total, placed


def test_labels_are_right_and_little_is_taken_for_background(
    outcomes: tuple[Counts, Counts],
) -> None:
    _, given = outcomes
    for name in NAMES:
        labelled = sum(count for (label, _), count in given.items() if label == name)
        there = sum(count for (_, right), count in given.items() if right == name)
        assert given[name, name] / labelled >= 0.98, given
        assert given["None", name] / there <= 0.05, given
