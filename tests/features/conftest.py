"""Pages as if a browser had laid them out, and the values of features in comparable form."""

import numpy as np
import pytest
from msgspec.structs import replace

from structce.features.registry import REGISTRY
from structce.rendering.chromium import KEYWORD_PROPERTIES, LENGTH_PROPERTIES

STORY = "The ferry will stop in June, the company said on Monday, and nobody could say how long. "


@pytest.fixture
def values():
    """Return a function that lists a feature's values, unknown numbers as None."""

    def listed(name, page):
        found = REGISTRY[name].values(page)
        if not isinstance(found, np.ndarray):
            return list(found)
        return [None if value != value else value for value in found.tolist()]

    return listed


@pytest.fixture
def page_of(make_page):
    """Return a function that makes a page of paragraphs with a head."""

    def made(texts, head="", lang="en"):
        body = "".join(f"<p>{text}</p>" for text in texts)
        return make_page(f"<html lang='{lang}'><head>{head}</head><body>{body}</body></html>")

    return made


@pytest.fixture
def lay_out():
    """Return a function that gives boxes to regions, and CSS properties to tags."""

    def laid_out(page, boxes, styles=None):
        columns = dict(page.elements.styles)
        for name in (*LENGTH_PROPERTIES, *KEYWORD_PROPERTIES):
            usual, kind = (0.0, np.float32) if name in LENGTH_PROPERTIES else ("none", np.str_)
            of_tag = (styles or {}).get(name, {})
            if of_tag or name not in columns:
                columns[name] = np.array([of_tag.get(t, usual) for t in page.elements.tag], kind)
        boxes, elements = np.array(boxes, dtype=np.float32), replace(page.elements, styles=columns)
        window = {"renderer": "chromium", "viewport": (1280, 720)}
        return replace(page, **window, boxes=boxes.reshape(-1, 4), elements=elements)

    return laid_out


@pytest.fixture
def story_page(make_page):
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
