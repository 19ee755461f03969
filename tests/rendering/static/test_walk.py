"""The compiled walk over a parsed page fills the same columns as the walk in Python."""

import random

import pytest

from structce.features import ODD_HTML
from structce.rendering import Document, Settings
from structce.rendering.base import PageBuilder
from structce.rendering.static import traversal
from structce.rendering.static.parser import parse

WALK = traversal._compiled_walk()
needs_compiler = pytest.mark.skipif(WALK is None, reason="no compiled kernels")

PIECES = """<p>|</p>|<div class='a b'>|</div>|<b>|</b>|word | two  words\n|\u00a0é |\u200b|&amp;
|<br>|<hr>|<pre>|</pre>|<ul><li>|</ul>|<li hidden>|<input type=checkbox checked>
|<picture><source srcset=a>|</picture>|<img src=i>|<img width=1 height=1>|<svg>|</svg>|<text x=1>
|<foreignObject>|<!-- note -->|<!--[if IE]>-->|<?php a ?>|<details>|</details>|<summary>|<dialog>
|</dialog>|<p style='visibility:hidden'>|<i style=opacity:0>|<table><td>|</table>|<template>
|</template>|<noscript>|</noscript>|<video>|<audio controls>|<iframe>|</iframe>|<my-tag>|</my-tag>
|<slot>|</slot>|<script>|</script>|<math>|</math>|<svg><iframe><g>|<a href=<html x=1>""".split("|")


def walked(html, settings):
    """Return the columns of both walks; None if the compiled one leaves the page to the other."""
    root, builder = parse(Document(html)), PageBuilder()
    if WALK is None or WALK(root.mem_id, builder, traversal._rules(settings)) is None:
        return None
    # The walk by itself: hidden text that is revealed is walked in Python in either case.
    return builder, traversal._Walk("page", settings).run(root)


@needs_compiler
@pytest.mark.parametrize("name", ODD_HTML)
def test_odd_pages_are_walked_alike(name):
    columns = walked(ODD_HTML[name], Settings())
    assert columns is not None
    assert columns[0] == columns[1]


@needs_compiler
@pytest.mark.parametrize("scripts", [False, True])
def test_random_pages_are_walked_alike(scripts):
    rng = random.Random(5)
    for _ in range(150):
        html = "".join(rng.choices(PIECES, k=rng.randint(1, 60)))
        columns = walked(html, Settings(scripts=scripts))
        assert columns is not None, html
        assert columns[0] == columns[1], html


@needs_compiler
@pytest.mark.parametrize(
    "html",
    [
        "<div><template shadowrootmode=open>a</template></div>",
        "<p><script type='math/tex'>x</script>",
        "<iframe srcdoc='<p>a'></iframe>",
        "<div>" * 520 + "deep<b>er</b>",
        "<p>a" * 50,
    ],
)
def test_unusual_pages_are_left_to_python(html):
    limits = Settings().limits
    settings = Settings(limits=type(limits)(regions=40))
    assert walked(html, settings) is None


@needs_compiler
def test_hidden_text_is_reported():
    html = f"<div hidden><p>{'word ' * 40}</p></div><p>seen"
    root = parse(Document(html))
    assert WALK is not None
    assert WALK(root.mem_id, PageBuilder(), traversal._rules(Settings()))
    assert traversal.collect_regions(root, "page", Settings()).text[0].startswith("word word")
