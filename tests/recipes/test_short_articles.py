"""Short articles: copies of pages with the first paragraphs of their body."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from structce.article import Evidence
from structce.page import Page
from structce.recipes.stacking import short_article

TEXT = "The river rose in the night, and by the morning it stood in the fields of the town."
HTML = (
    "<title>Flood</title><h1>Flood</h1><div>"
    + "".join(f"<p>{n} {TEXT}</p>" for n in range(3))
    + f"<p>Read more</p><figure>A boat</figure><p>3 {TEXT}</p><p>4 {TEXT}</p></div>"
    + f"<p>Teaser {TEXT}</p>"
)
LABELS = ["Title", *["Paragraph"] * 3, "None", "Caption|None", *["Paragraph"] * 2, "None"]


@pytest.fixture
def evidence(make_page: Callable[..., Page]) -> Evidence:
    page = make_page(HTML)
    assert len(page) == len(LABELS)
    marginals = np.arange(2.0 * len(page)).reshape(-1, 2)
    return Evidence(page, marginals, ("None", "Paragraph"))


@pytest.mark.parametrize("name", ["a", "b", "c", "d", "e"])
def test_short_article_keeps_one_to_three_paragraphs(name: str, evidence: Evidence) -> None:
    short = short_article(evidence, LABELS, name)
    assert short is not None
    cut, labels = short
    n_kept = labels.count("Paragraph")
    assert 1 <= n_kept <= 3
    paragraphs = [f"{n} {TEXT}" for n in range(n_kept)]
    assert list(cut.page.text) == ["Flood", *paragraphs, "Read more", f"Teaser {TEXT}"]
    places = [evidence.page.text.index(text) for text in cut.page.text]
    assert cut.marginals.tolist() == evidence.marginals[places].tolist()
    assert short_article(evidence, LABELS, name)[1] == labels  # type: ignore[index]
    assert {cut.page.elements.tag[i] for i in cut.page.element} == {"h1", "p"}
    assert cut.page.elements.tag.count("p") == n_kept + 2


def test_a_page_of_few_paragraphs_is_not_cut(make_page: Callable[..., Page]) -> None:
    page = make_page(f"<p>{TEXT}</p>" * 3 + "<p>Short.</p>")
    labels = ["Paragraph"] * 4
    evidence = Evidence(page, np.zeros((4, 1)), ("Paragraph",))
    assert short_article(evidence, labels, "a") is None
