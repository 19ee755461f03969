"""Pages as if a browser had laid them out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from structce.features.registry import REGISTRY
from structce.page import Page, StyleColumn
from structce.rendering.chromium.computed_style import KEYWORD_PROPERTIES, LENGTH_PROPERTIES

Make = Callable[..., Page]
LayOut = Callable[..., Page]
Box = tuple[float, float, float, float]
STYLE = [feature for feature in REGISTRY.values() if feature.family == "style"]
LONG = "A long enough line of running text to count as such, since it has more than eighty letters."
STORY = "The ferry will stop in June, the company said on Monday, and nobody could say how long. "
USUAL = {
    "opacity": 1.0,
    "line-height": 20.0,
    "z-index": np.nan,
    "position": "static",
    "visibility": "visible",
    "overflow": "visible",
    "color": "rgb(0, 0, 0)",
    "background-color": "rgba(0, 0, 0, 0)",
    "font-family": "Georgia, serif",
}


def laid_out(
    page: Page, boxes: Sequence[Box], styles: Mapping[str, Mapping[str, str | float]] | None = None
) -> Page:
    """Return a page as if a browser had laid it out.

    Parameters
    ----------
    boxes
        Left, top, width and height of each region.
    styles
        What each CSS property is, by tag.
    """
    columns: dict[str, StyleColumn] = {}
    for name in (*LENGTH_PROPERTIES, *KEYWORD_PROPERTIES):
        usual = USUAL.get(name, 0.0 if name in LENGTH_PROPERTIES else "none")
        of_tag = (styles or {}).get(name, {})
        values = [of_tag.get(tag, usual) for tag in page.elements.tag]
        column = np.array(values)
        columns[name] = (
            column.astype(np.float32) if name in LENGTH_PROPERTIES else column.astype(np.str_)
        )
    kept = {
        name: column for name, column in page.elements.styles.items() if name not in (styles or {})
    }
    return replace(
        page,
        renderer="chromium",
        viewport=(1280, 720),
        boxes=np.array(boxes, dtype=np.float32).reshape(-1, 4),
        elements=replace(page.elements, styles={**columns, **kept}),
    )


@pytest.fixture
def lay_out() -> LayOut:
    return laid_out


@pytest.fixture
def article(make_page: Make) -> Page:
    """A menu of three, a headline, two paragraphs, a side column, a footer; 1280 x 1440 pixels."""
    page = make_page(
        f"<nav><a>One</a><a>Two</a><a>Three</a></nav><h1>Ferry to stop in June</h1><p>{LONG}</p>"
        f"<aside>Related</aside><p>{LONG}</p><footer>Rights</footer>"
    )
    menu: list[Box] = [(100, 10, 50, 20), (160, 12, 50, 20), (220, 10, 60, 20)]
    body: list[Box] = [(100, 50, 600, 80), (100, 150, 600, 100), (900, 155, 300, 20)]
    return laid_out(page, [*menu, *body, (100, 270, 600, 100), (0, 1400, 1280, 40)])


@pytest.fixture
def story_page(make_page: Make) -> Page:
    """A short story with its figure, beside another one's teaser."""
    return make_page(
        "<h1>Ferry to stop</h1><div class=x>"
        f"<div class=s><p class=t>{STORY * 2}</p></div>"
        "<div class=s><h3>Subtitle</h3></div>"
        f"<div class=s><p class=t>{STORY}</p></div>"
        "<div class=s><p class=t>Really?</p></div>"
        "<figure><img src=/a.jpg><figcaption>The <b>quay</b> at night.</figcaption></figure></div>"
        "<aside><a href=/b><img src=/b.jpg><h3>A market moves</h3></a></aside>"
    )
