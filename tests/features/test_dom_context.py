"""Headings above a region, lists and tables around it, siblings beside it."""

from collections.abc import Callable

import numpy as np

from structce.features.registry import REGISTRY
from structce.page import Page

Make = Callable[..., Page]


def numbers(name: str, page: Page) -> list[float]:
    return np.asarray(REGISTRY[name].values(page), dtype=float).tolist()


def values(name: str, page: Page) -> list[object]:
    return list(REGISTRY[name].values(page))


def known(name: str, page: Page) -> list[float | None]:
    """Return a feature's numbers, None for unknown ones."""
    return [None if np.isnan(number) else number for number in numbers(name, page)]


def test_siblings_in_the_output_are_regions_below_the_same_parent(make_page: Make) -> None:
    page = make_page(
        "<section><p>a <b>b</b> c</p><p>d</p></section><ul><li><a>e</a></li></ul><div><img></div>"
    )
    assert page.text == ("a", "b", "c", "d", "e", "")
    assert numbers("text.previous-in-parent", page) == [0, 1, 2, 3, 0, 0]
    assert numbers("text.next-in-parent", page) == [3, 1, 1, 0, 0, 0]
    assert values("dom.place-in-parent", page)[3:5] == ["last", "only"]


def test_the_place_in_a_block_is_told(make_page: Make) -> None:
    page = make_page("<p>By <a>Ann Lee</a> in <a>Oslo</a></p><p>Alone</p>")
    assert values("dom.place-in-block", page) == ["first", "middle", "middle", "last", "only"]


def test_list_and_table_places_are_those_of_the_innermost(make_page: Make) -> None:
    page = make_page(
        "<ul><li>1</li><li>2<ol><li>3</li></ol></li><li>4</li></ul>5"
        "<table><tr><td>6</td><td><b>7</b></td></tr></table><div role=listitem>8</div>"
    )
    assert known("dom.list-place", page)[:5] == [0, 1, 0, 2, None]
    assert known("dom.list-length", page)[:5] == [3, 3, 1, 3, None]
    assert numbers("dom.list-depth", page) == [1, 1, 2, 1, 0, 0, 0, 0]
    assert known("dom.table-column", page) == [None] * 5 + [0, 1, None]
    assert known("dom.table-width", page) == [None] * 5 + [2, 2, None]
    assert known("dom.list-length", page)[5:7] == [None, None]
    assert known("dom.list-length", page)[7] is not None


def test_headings_are_known_by_name_or_role(make_page: Make) -> None:
    page = make_page(
        "<p>0</p><h1>1 <i>2</i></h1><p>3</p><div role=heading aria-level=4>4</div>"
        "<div role=heading>5</div><p>6</p><p>7</p>"
    )
    assert known("dom.heading-level", page) == [None, 1, 1, None, 4, 2, None, None]
    assert known("dom.heading-above", page) == [None, None, 1, 1, 1, 4, 2, 2]
    assert known("dom.since-heading", page) == [None, None, 1, 1, 2, 1, 1, 2]
