"""What every feature keeps to, checked: one value a region, pure, and blind to the site.

The checks run over every feature of ours, over a stub that ``structce features new`` writes, and
over one's own file before ``structce features try`` measures it.
"""

from __future__ import annotations

import inspect
import json
import traceback
from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cache
from urllib.parse import urlsplit

import numpy as np
import tldextract

from structce.errors import FeatureError
from structce.features.registry import Feature, Values
from structce.page import Page
from structce.snapshot import pack_page

INVENTED = "https://www.harbour-post.example/story"
"""Address that a page without one gets while the contract is checked."""

_PLAIN = (str, bool, np.bool_, type(None))


def check_feature(feature: Feature, pages: Iterable[Page]) -> None:
    """Raise an error unless a feature keeps its contract on pages.

    Parameters
    ----------
    pages
        Pages without what the feature needs, such as layout, are passed over.

    Raises
    ------
    FeatureError
        If there is no docstring, or the feature raises, gives another number or type of values
        than it may, gives infinite numbers, changes the page, gives other values when called
        again, or other ones when the page's site is called otherwise. Says what to do.
    """
    check_docstring(feature)
    for page in pages:
        if feature.is_known(page):
            _check_on(feature, page if page.url else replace(page, url=INVENTED))


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


def values_of(feature: Feature, page: Page) -> Values:
    """Return the values of a page that has what the feature needs.

    Raises
    ------
    FeatureError
        If the feature raises, or gives values of a wrong number or type, or infinite ones.
    """
    where = f"{feature.name} on {page.url or 'a page'}"
    try:
        values = feature.values(page)
    except FeatureError:
        raise
    except Exception as error:  # a feature may raise anything; it is told with its line
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
    """Return file and line of an error, in the feature's own file where it passed through it."""
    own = inspect.getsourcefile(inspect.unwrap(feature.compute))
    steps = traceback.extract_tb(error.__traceback__)
    step = [one for one in steps if one.filename == own] or steps
    return f"{step[-1].filename}, line {step[-1].lineno}"


def _check_on(feature: Feature, page: Page) -> None:
    where = f"{feature.name} on {page.url}"
    before = pack_page(page)
    first = values_of(feature, page)
    shown = _comparable(first)
    again = values_of(feature, page)
    if pack_page(page) != before:
        raise FeatureError(f"{where}: the page was changed; work on a copy of its columns")
    if (row := _difference(shown, again)) is not None:
        raise FeatureError(
            f"{where}: region {row} has another value when asked again; use no random numbers, and "
            "keep nothing between calls"
        )
    if (row := _difference(shown, values_of(feature, _renamed(page)))) is not None:
        raise FeatureError(
            f"{where}: region {row} has another value when the site is called otherwise; a feature "
            "that sees the page's host learns sites, not labels"
        )


def _check_array(where: str, values: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> None:
    if values.ndim != 1 or values.dtype.kind not in "biuf":
        raise FeatureError(
            f"{where}: an array of {values.ndim} dimensions and type {values.dtype}; expected one "
            "dimension of truth values or numbers, or a list of texts or sets of texts"
        )
    infinite = np.flatnonzero(np.isinf(values.astype(np.float64)))
    if len(infinite):
        raise FeatureError(f"{where}: region {infinite[0]} is infinite; NaN says not known")


def _check_list(where: str, values: Values) -> None:
    for row, value in enumerate(values):
        if isinstance(value, _PLAIN):
            continue
        if isinstance(value, Collection) and all(isinstance(one, str) for one in value):
            continue
        hint = "numbers go into a NumPy array" if isinstance(value, int | float) else (
            "expected a text, a set of texts, a truth value or None"
        )  # fmt: skip
        raise FeatureError(f"{where}: region {row} has {value!r} ({type(value).__name__}); {hint}")


def _comparable(values: Values) -> list[object]:
    """Return values that compare equal where they are: no NaN, sets without an order."""
    plain = values.tolist() if isinstance(values, np.ndarray) else values
    return [_one(value) for value in plain]


def _one(value: object) -> object:
    if isinstance(value, float) and np.isnan(value):
        return None
    if isinstance(value, Collection) and not isinstance(value, str):
        return frozenset(value)
    return value


def _difference(first: list[object], second: Values) -> int | None:
    """Return the first region whose values differ, if one does."""
    if len(first) != len(second):
        return min(len(first), len(second))
    pairs = enumerate(zip(first, _comparable(second), strict=True))
    return next((row for row, (one, other) in pairs if one != other), None)


def _renamed(page: Page) -> Page:
    """Return the page as if its site had another name, which is longer.

    The name is replaced wherever the domain stands in an address of the page, so links inside
    the site stay inside it.
    """
    old = _domain(page.url)
    if not old:
        return page
    name, dot, suffix = old.partition(".")
    new = "".join(chr((ord(c) - 84) % 26 + 97) if "a" <= c <= "z" else c for c in name)
    new += "-and-more" + dot + suffix
    said = page.metadata
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
            said,
            meta={
                key: tuple(text.replace(old, new) for text in texts)
                for key, texts in said.meta.items()
            },
            json_ld=tuple(json.loads(json.dumps(said.json_ld).replace(old, new))),
        ),
    )


@cache
def _extract() -> tldextract.TLDExtract:
    return tldextract.TLDExtract(suffix_list_urls=())


def _domain(url: str) -> str:
    """Return the registrable domain of an address, or the end of its host where there is none."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return _extract()(url).top_domain_under_public_suffix or ".".join(host.split(".")[-2:])
