"""Densities of words, links and elements, worked by hand."""

from collections.abc import Callable

import numpy as np
import pytest

from structce.features.registry import REGISTRY
from structce.page import Page

Make = Callable[..., Page]


def numbers(name: str, page: Page) -> list[float]:
    return np.asarray(REGISTRY[name].values(page), dtype=float).tolist()


def known(name: str, page: Page) -> list[float | None]:
    """Return a feature's numbers, None for unknown ones."""
    return [None if np.isnan(number) else number for number in numbers(name, page)]


def test_density_is_words_a_line_of_the_block(make_page: Make) -> None:
    line = "word " * 32  # 160 columns less the last space
    page = make_page(f"<h1>Two words</h1><p>{line}<b>and more</b></p><img><p>End</p>")
    density = numbers("text.density", page)
    assert density[0] == 2
    assert density[1] == density[2] == pytest.approx(34 / (167 / 80))
    assert density[3:] == [0, 1]


def test_density_is_compared_with_the_blocks_beside_it(make_page: Make) -> None:
    page = make_page("<h1>Two words</h1><p>Four words <b>stand</b> here</p><img><p>End</p>")
    before, after = (numbers(f"text.density-to-{side}", page) for side in ("previous", "next"))
    assert np.isnan(before[0])
    assert before[1:] == [2, 2, 2, 0.25, 1]
    assert after[:5] == [0.5, 4, 4, 4, 1]
    assert np.isnan(after[5])


def test_link_density_is_that_of_element_and_parent(make_page: Make) -> None:
    page = make_page("<div><p>ab <a>cd</a></p>efgh</div><img>")
    assert known("dom.element-link-density", page) == [0.5, 1, 0.25, None]
    assert known("dom.parent-link-density", page) == [0.25, 0.5, 0.25, 0.25]


def test_tag_density_counts_elements_that_begin_in_the_block(make_page: Make) -> None:
    page = make_page("<p>" + "x" * 50 + "</p><p><i><b>" + "y" * 25 + "</b></i></p><img>")
    density = known("dom.tag-density", page)
    assert density[1:] == [12, None]  # p, i and b for 25 columns
    assert density[0] == 6  # html, body and p for 50 columns


def test_the_container_is_the_block_above_the_block(make_page: Make) -> None:
    page = make_page("<div><p>abcd</p><p>ef <b>gh</b></p></div><div><p>ij</p><a>kl</a></div>")
    assert numbers("dom.container-text-share", page)[:3] == [0.8, 0.8, 0.8]
    assert numbers("dom.container-text-share", page)[3] == 0.2


def test_link_density_is_that_of_the_block(make_page: Make) -> None:
    page = make_page("<p>abcd<a>efgh</a></p><li><a>ijkl</a></li><p>mnop</p>")
    density = np.asarray(REGISTRY["dom.link-density"].values(page), dtype=float)
    assert density.tolist() == [0.5, 0.5, 1.0, 0.0]
