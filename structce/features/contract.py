"""Contract of a feature and its checks: one value per region, pure, blind to the site's name.

The checks run over every built-in feature, and over a user's own file before ``structce features
try`` measures it.
"""

from __future__ import annotations

import inspect
import json
import traceback
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from types import MappingProxyType

import numpy as np
from msgspec.structs import replace

from structce.errors import FeatureError
from structce.features.encoding import frozen
from structce.features.registry import Feature, FeatureValues, once_a_page
from structce.features.style import SIDES
from structce.features.tables import text_table
from structce.page import Page, pack_page, site_of
from structce.patterns import lazy_pattern

_URL = "https://www.harbour-post.example/story"  # of a page without an address
_PLAIN = (str, bool, np.bool_, type(None))


def check_feature(feature: Feature, pages: Iterable[Page]) -> None:
    """Raise a FeatureError that says what to do unless a feature keeps its contract on pages.

    It has a docstring, raises nothing, returns finite values of a right number and type, does not
    change the page, and returns the same when called again or when the page's site has another
    name. Pages without what the feature needs, such as layout, are skipped.
    """
    check_docstring(feature)
    for page in pages:
        if not feature.is_known(page):
            continue
        page = page if page.url else replace(page, url=_URL)
        before = _packed(page)
        problem = instability(feature, page)
        if pack_page(page) != before:
            problem = "the feature changed the page; work on a copy of its columns"
        if problem is not None:
            raise FeatureError(f"{feature.name} on {page.url}: {problem}")


def check_docstring(feature: Feature) -> None:
    """Raise an error unless the docstring begins with a sentence of more than ten characters."""
    if not feature.summary:
        raise FeatureError(
            f"{feature.name}: no docstring; say what the value is, its unit and range, and why it "
            "should help"
        )
    if len(feature.summary) <= 10 or not feature.summary.rstrip('"`)').endswith("."):
        raise FeatureError(
            f"{feature.name}: the docstring begins with {feature.summary!r}; expected a whole "
            "sentence with a full stop"
        )


def values_of(feature: Feature, page: Page) -> FeatureValues:
    """Return the values of a page that has what the feature needs.

    FeatureError if the feature raises, or returns a wrong number or type of values, or infinity.
    """
    where = f"{feature.name} on {page.url or 'a page'}"
    try:
        values = feature.values(page)
    except FeatureError:
        raise
    except Exception as error:  # a feature may raise anything; the message names the line
        lacks_style = isinstance(error, KeyError) and not page.has_layout
        hint = "; the page has no layout: does it need needs='layout'?" if lacks_style else ""
        said = f"{type(error).__name__}: {error} ({_place(feature, error)})"
        raise FeatureError(f"{where}: {said}{hint}") from error
    if isinstance(values, np.ndarray):
        _check_array(where, values)
    else:
        _check_list(where, values)
    return values


def _place(feature: Feature, error: Exception) -> str:
    """Return file and line of an error, in the feature's own file if the traceback has it."""
    own = inspect.getsourcefile(inspect.unwrap(feature.compute))
    steps = traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in steps if frame.filename == own] or steps
    return f"{frames[-1].filename}, line {frames[-1].lineno}"


def instability(feature: Feature, page: Page) -> str | None:
    """Return how values depend on the call or on the site's name; None if they do not."""
    shown = _comparable(values_of(feature, page))
    if (row := _difference(shown, values_of(feature, page))) is not None:
        return (
            f"region {row} has another value on the second call; use no random numbers, and keep "
            "no state between calls"
        )
    if (row := _difference(shown, values_of(feature, _renamed(page)))) is not None:
        return (
            f"region {row} has another value when the site is renamed; a feature that sees the "
            "page's host learns sites, not labels"
        )
    return None


def _check_array(where: str, values: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> None:
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise FeatureError(
            f"{where}: got an array of {values.ndim} dimensions and type {values.dtype}; expected "
            "one dimension of booleans or numbers, or a list of strings or sets of strings"
        )
    infinite = np.flatnonzero(np.isinf(values.astype(np.float64)))
    if len(infinite):
        raise FeatureError(f"{where}: region {infinite[0]} is infinite; use NaN for unknown")


def _check_list(where: str, values: FeatureValues) -> None:
    for row, value in enumerate(values):
        if isinstance(value, _PLAIN):
            continue
        if isinstance(value, Collection) and all(isinstance(member, str) for member in value):
            continue
        hint = "expected a string, a set of strings, a boolean or None"
        if isinstance(value, int | float):
            hint = "return numbers as a NumPy array"
        raise FeatureError(f"{where}: region {row} has {value!r} ({type(value).__name__}); {hint}")


def _comparable(values: FeatureValues) -> list[object]:
    """Return values that compare by equality: None in place of NaN, and frozen sets."""
    plain = values.tolist() if isinstance(values, np.ndarray) else values
    return [None if value != value else frozen(value) for value in plain]  # NaN alone differs


def _difference(first: list[object], second: FeatureValues) -> int | None:
    """Return the first region whose values differ, or None."""
    if len(first) != len(second):
        return min(len(first), len(second))
    pairs = enumerate(zip(first, _comparable(second), strict=True))
    return next((row for row, (before, after) in pairs if before != after), None)


@once_a_page
def _packed(page: Page) -> bytes:
    """Return the page as bytes, which reveal any change to it."""
    return pack_page(page)


@once_a_page
def _renamed(page: Page) -> Page:
    """Return the page as if its site had another, longer name.

    The name is replaced wherever the domain occurs in an address of the page, so that links within
    the site stay within it.
    """
    old = site_of(page.url)
    if not old:
        return replace(page)
    name, dot, suffix = old.partition(".")
    new = "".join(chr((ord(c) - 84) % 26 + 97) if "a" <= c <= "z" else c for c in name)
    new += "-and-more" + dot + suffix
    return replace(
        page,
        url=page.url.replace(old, new),
        elements=replace(
            page.elements,
            attributes=tuple(
                {key: text.replace(old, new) for key, text in row.items()}
                for row in page.elements.attributes
            ),
        ),
        metadata=replace(
            page.metadata,
            meta={
                key: tuple(text.replace(old, new) for text in texts)
                for key, texts in page.metadata.meta.items()
            },
            json_ld=tuple(json.loads(json.dumps(page.metadata.json_ld).replace(old, new))),
        ),
    )


_NUMBER = lazy_pattern(r"\d+|nan")
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
"""HTML of unusual pages, by what is odd about them; the last is an ordinary article."""


def lay_out(page: Page) -> Page:
    """Return a page with an invented layout, as if a browser had laid it out.

    Regions are stacked 20 CSS pixels apart. Every fourth has no area, and every seventh lies left
    of the page, as texts for screen readers do. Missing styles get the initial values of CSS.
    """
    n = len(page)
    rows = np.arange(n)
    boxes = np.zeros((n, 4), dtype=np.float32)
    boxes[:, 0] = np.where(rows % 7 == 6, -9999, 8)
    boxes[:, 1] = 20 * rows
    boxes[:, 2:] = np.where(rows[:, None] % 4 == 3, 0, [600, 18])
    styles = dict(page.elements.styles)
    for name, value in initial_styles().items():
        column = np.array([value] * len(page.elements))
        is_text = isinstance(value, str)
        styles[name] = column.astype(np.str_) if is_text else column.astype(np.float32)
    elements = replace(page.elements, styles=styles)
    return replace(page, renderer="invented", viewport=(1280, 1024), boxes=boxes, elements=elements)


@cache
def initial_styles() -> Mapping[str, float | str]:
    """Return the initial values of the CSS properties that a page without layout lacks."""
    pairs = (line.split(": ") for line in text_table("contract")["styles"].splitlines())
    return {
        name.replace("*", side): float(value) if _NUMBER.fullmatch(value) else value
        for name, value in pairs
        for side in SIDES[: 4 if "*" in name else 1]
    }
