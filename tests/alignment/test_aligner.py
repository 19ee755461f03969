"""Alignment, on small pages whose right labels a reader sees at once."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from structce.alignment import align as align_all
from structce.gold import MENTIONED, Gold
from structce.labels import NEWS, UNKNOWN
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer
from structce.synthetic.generate import synthesise
from structce.synthetic.renderer import template_families


def align(page, gold):
    """Align as for a page whose gold covers every label."""
    return align_all(page, replace(gold, covers=frozenset(NEWS.foreground)))


def test_what_is_not_there_is_missing_and_gives_no_label(make_page):
    page = make_page("<h1>Something else</h1><p>Nothing of this is in the gold.</p>")
    body = (("Paragraph", "A paragraph that the page does not hold at all."),)
    rest = {"captions": ("The quay.",), "images": (("https://x.example/quay-in-march.jpg",),)}
    gold = Gold("The ferry stops", ("Ann Lee",), datetime(2026, 3, 14, tzinfo=UTC), body, **rest)
    alignment = align(page, gold)
    assert all(label == UNKNOWN or "None" in label.split("|") for label in alignment.labels)
    assert [match.state for match in alignment.matches] == ["missing"] * 6


def test_the_headline_is_chosen_over_breadcrumb_and_related_link(make_page):
    title = "Ferry stops in June"
    page = make_page(
        f"<nav><a>{title}</a></nav><h1>{title}</h1><p>The ferry will not sail, it was said.</p>"
        f"<footer><a>{title}</a></footer>"
    )
    gold = Gold(title=title, body=(("Paragraph", "The ferry will not sail, it was said."),))
    assert align(page, gold).labels == ("None", "Title", "Paragraph", "None")


def test_the_byline_is_chosen_over_a_picture_credit(make_page):
    page = make_page(
        "<h1>Title here</h1><figure><img src=a.jpg><figcaption>© Ann Lee</figcaption></figure>"
        "<span class=author>Ann Lee</span>"
    )
    alignment = align(page, Gold(title="Title here", authors=("Ann Lee",)))
    assert alignment.labels == ("Title", "None", "None", "Author")


def test_an_image_is_found_by_any_of_its_addresses(make_page):
    page = make_page(
        "<img src='/logo.svg'><picture><source srcset='https://cdn.example/a/quay-1.webp?w=300 1x'>"
        "<img src='data:image/gif;base64,R0'></picture>"
    )
    gold = Gold(images=(("https://cdn.example/a/quay-1.webp?w=900", "https://o.example/x.jpg"),))
    assert align(page, gold).labels == ("None", "Multimedia")


NAMES = ("Title", "Author", "Date")


def marked_label(page, element):
    rows = (page.elements.attributes[i] for i in page.elements.ancestors(element))
    return next((row["data-label"] for row in rows if "data-label" in row), "None")


@pytest.fixture(scope="module")
def outcomes():
    """How values were placed, and which labels regions got, over one page per template."""
    placed, given = Counter(), Counter()
    renderer = StaticRenderer()
    for told in synthesise(len(template_families()), 1, seed=11):
        page, marked = (
            renderer.render(Document(html, url=told.url, name=told.id))
            for html in (told.html, told.marked_html)
        )
        assert page.xpath == marked.xpath
        right = [marked_label(marked, element) for element in marked.element.tolist()]
        day = date.fromisoformat(told.date) if told.date else None
        gold = Gold(told.title, told.authors, day, covers=frozenset(NAMES))
        alignment = align_all(page, gold, covered=NAMES)
        for match in alignment.matches:
            hits = any(right[i] == match.field for i in match.regions)
            is_told = match.method == MENTIONED
            state = "told" if is_told else "right" if hits else match.state
            placed[match.field, state] += 1
        given.update((label, name) for label, name in zip(alignment.labels, right, strict=True))
    return placed, given


def test_values_are_found_and_found_in_the_right_place(outcomes):
    placed, _ = outcomes
    for name, floor in (("Title", 0.99), ("Author", 0.85), ("Date", 0.97)):
        total = sum(count for (field, _), count in placed.items() if field == name)
        assert total > 50
        assert placed[name, "right"] / total >= floor, placed
        assert placed[name, "found"] + placed[name, "ambiguous"] <= 0.02 * total, placed


def test_labels_are_right_and_little_is_taken_for_background(outcomes):
    _, given = outcomes
    for name in NAMES:
        labelled = sum(count for (label, _), count in given.items() if label == name)
        there = sum(count for (_, right), count in given.items() if right == name)
        assert given[name, name] / labelled >= 0.95, given
        assert given["None", name] / there <= 0.05, given
