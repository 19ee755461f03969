"""The date line is told from the other dates of a page by what the page states of itself."""

from collections.abc import Callable

from structce.features.registry import REGISTRY
from structce.page import Page

Make = Callable[..., Page]
STORY = "The ferry will stop in June, the company said on Monday, and nobody could say how long. "
HEAD = (
    "<meta property=article:published_time content='2026-03-14T09:30:00+00:00'>"
    "<meta property=article:modified_time content='2026-03-15T17:05:00+00:00'>"
)


def shown(make_page: Make, body: str, language: str = "en") -> list[set[str]]:
    page = make_page(f"<html lang={language}><head>{HEAD}</head><body>{body}</body></html>")
    return [set(names) for names in REGISTRY["task.attribute-match"].values(page)]


def test_the_attribute_of_a_time_element_states_the_moment(make_page: Make) -> None:
    changed = "<time datetime=2026-03-15T18:05:00+01:00>yesterday</time>"
    changed, day = shown(make_page, f"{changed}<time datetime=2026-03-14>x</time>")
    assert changed == {"modified:minute", "only-modified"}
    assert day == {"published:day"}


def test_the_best_place_is_the_articles_own_date_line(make_page: Make) -> None:
    page = make_page(
        f"<html lang=en><head>{HEAD}</head><body><p>14 March 2026</p>"
        + "<p>menu</p>" * 20
        + "<h1>Ferry to stop</h1><div class=dateline>14 March 2026, 9:30</div>"
        + f"<div>Updated 15 March 2026</div><p>{STORY * 2}</p></body></html>"
    )
    names = REGISTRY["task.date-place"].values(page)
    found = {text: set(row) for text, row in zip(page.text, names, strict=True) if row}
    assert found["14 March 2026, 9:30"] == {"best", "best:exact", "best:near"}
    assert found["14 March 2026"] == {"again", "again:day", "again:far", "second"}
    assert "Updated 15 March 2026" not in found
