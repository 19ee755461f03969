"""Actions of an annotator on the labelling page that is open in a browser's tab."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def wait_version(tab: Any, n: int) -> None:
    """Wait until the server has answered the n-th action."""
    tab.wait_for_selector(f"body[data-version='{n}']")


def label_of(tab: Any, i: int) -> str:
    return str(tab.inner_text(f"#row-{i} .chip"))


def row_with(tab: Any, text: str) -> int:
    """Return the number of the first region that contains a text."""
    return int(tab.locator(".row", has_text=text).first.get_attribute("data-i"))


def point_at(tab: Any, i: int) -> tuple[float, float]:
    """Move the mouse to where a region is drawn on the page, and return the place."""
    tab.evaluate("i => window.structce.view.reveal(i)", i)
    x, y = tab.evaluate("i => window.structce.view.screenPlace(i)", i)
    tab.mouse.move(x, y)
    return x, y


def click_region(tab: Any, i: int, keys: Sequence[str] = (), button: str = "left") -> None:
    """Click a region on the page, not in the list, while keys are held down."""
    place = point_at(tab, i)
    for key in keys:
        tab.keyboard.down(key)
    tab.mouse.click(*place, button=button)
    for key in keys:
        tab.keyboard.up(key)
