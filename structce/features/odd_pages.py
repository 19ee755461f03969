"""Pages at the edge of what there is, for features to be checked on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from structce.page import Page, StyleColumn

_SIDES = ("top", "right", "bottom", "left")
_STORY = "The ferry will stop in June, the company said on Monday, and nobody could say how long. "

ODD_HTML: Mapping[str, str] = MappingProxyType(
    {
        "empty": "<html><body></body></html>",
        "one word": "x",
        "one image": "<img>",
        "no letters": "<p>…</p><p>12:30</p><p>!!!</p>",
        "long": "<p>" + "word " * 5000 + "</p>",
        "many": "<ul>" + "<li><a href=#>entry</a></li>" * 400 + "</ul>",
        "deep": "<div>" * 200 + "deep" + "</div>" * 200,
        "scripts": "<h1>東京で地震</h1><p>שלום</p><p>١٤ مارس</p><p>नमस्ते दुनिया</p>"
        "<p>Ωμέγα ß</p><p>x\u0301\u0302\u00ad\u200d</p><p>\U0001f600 \U0001f1e9\U0001f1ea</p>",
        "bad attributes": "<p class='' id=' ' style=';;:' datetime=x><time datetime=99>y</time>"
        "</p><a href='http://[bad'>z</a><a href='//'>z</a><a href='mailto:'>z</a>",
        "bad metadata": "<meta property=og:image content='http://[bad'>"
        "<meta name=author content=''><script type=application/ld+json>{'x'}</script>"
        '<script type=application/ld+json>{"@type": 3, "author": [null, {"name": 4}]}</script>'
        "<p>text</p><img src='http://[worse'>",
        "comments": "<!-- a --><p>b<!--c-->d</p><!----><!--[if IE]>e<![endif]--><p>f</p><!-- g -->",
        "article": "<html lang=en><head><title>Ferry to stop | The Post</title>"
        "<meta property=og:title content='Ferry to stop'><meta name=author content='Ann Lee'>"
        "<meta property=article:published_time content=2026-03-01T09:30:00Z></head><body>"
        "<nav><a href=/>Home</a> <a href=https://www.harbour-post.example/sport>Sport</a></nav>"
        "<article><h1>Ferry to stop</h1><div class=byline>By <a href=/staff>Ann Lee</a></div>"
        "<time datetime=2026-03-01>1 March 2026</time><figure><img src=/i.jpg width=640 height=360>"
        f"<figcaption>The quay.</figcaption></figure><p>{_STORY * 2}</p><h2>No end</h2>"
        f"<p>{_STORY}<b>In bold</b> <a href=//other.example/x>elsewhere</a></p></article>"
        "<aside><h3>Related</h3><a href=/a>A market</a><iframe src=/ad></iframe></aside>"
        "<footer>© The Post. All rights reserved. news@harbour-post.example</footer></body></html>",
    }
)
"""Sources of pages by what is odd about them; the last is a plain article."""

INITIAL: Mapping[str, float | str] = MappingProxyType(
    {
        "line-height": float("nan"),
        "opacity": 1.0,
        "z-index": float("nan"),
        **{f"border-{side}-width": 0.0 for side in _SIDES},
        **{f"margin-{side}": 0.0 for side in _SIDES},
        **{f"padding-{side}": 0.0 for side in _SIDES},
        "position": "static",
        "float": "none",
        "visibility": "visible",
        "overflow": "visible",
        "color": "rgb(0, 0, 0)",
        "background-color": "rgba(0, 0, 0, 0)",
        "font-family": "serif",
        "text-align": "start",
        "text-decoration-line": "none",
        "text-transform": "none",
        "list-style-type": "disc",
        "cursor": "auto",
        **{f"border-{side}-color": "rgb(0, 0, 0)" for side in _SIDES},
        **{f"border-{side}-style": "none" for side in _SIDES},
    }
)
"""Initial values, according to CSS, of the properties that a page without layout does not have."""


def lay_out(page: Page) -> Page:
    """Return a page as if a browser had laid it out, which takes no browser.

    Regions stand one below the other, 20 CSS pixels apart. Every fourth has no area, every
    seventh stands left of the page, as texts for screen readers do. Styles that the page does not
    have are the initial ones of CSS.
    """
    n = len(page)
    rows = np.arange(n)
    boxes = np.zeros((n, 4), dtype=np.float32)
    boxes[:, 0] = np.where(rows % 7 == 6, -9999, 8)
    boxes[:, 1] = 20 * rows
    boxes[:, 2:] = np.where(rows[:, None] % 4 == 3, 0, [600, 18])
    styles = dict(page.elements.styles)
    styles |= {name: _column(value, len(page.elements)) for name, value in INITIAL.items()}
    elements = replace(page.elements, styles=styles)
    return replace(page, renderer="invented", viewport=(1280, 1024), boxes=boxes, elements=elements)


def _column(value: float | str, n: int) -> StyleColumn:
    if isinstance(value, str):
        return np.array([value] * n, dtype=np.str_)
    return np.full(n, value, dtype=np.float32)
