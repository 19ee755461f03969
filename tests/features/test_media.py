"""Images, players and frames: attributes, boxes, and the text that keeps them company."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from structce.features.media import companions
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


LayOut = Callable[..., Page]


Box = tuple[float, float, float, float]


def style_values(name: str, page: Page) -> list[object]:
    """Return a feature's values, numbers rounded and unknown ones as None."""
    values = REGISTRY[f"style.{name}"].values(page)
    if not isinstance(values, np.ndarray):
        return list(values)
    if values.dtype.kind == "b":
        return list(values.tolist())
    return [None if np.isnan(number) else round(number, 3) for number in values.tolist()]


def name_sets(name: str, page: Page) -> dict[str, set[str]]:
    names = REGISTRY[f"task.{name}"].values(page)
    return {text: set(row) for text, row in zip(page.text, names, strict=True) if text}


def test_images_are_described_by_their_attributes(make_page: Make) -> None:
    page = make_page(
        "<p>text</p><img src=/a.JPEG?w=1 width=300px height=200 alt='A grey quay'>"
        "<img src='data:image/gif;base64,x' data-src=/b.webp alt=''>"
        "<img src=/photo width=100% height=5 alt=IMG_12.jpg><img>"
        "<svg viewBox='0 0 24 12'></svg>"
    )
    assert known("dom.aspect-ratio", page) == [None, 1.5, None, None, None, 2]
    assert known("dom.stated-width", page) == [None, 300, None, None, None, 24]
    assert values("dom.alternative-text", page) == [
        None, "words", "empty", "file", "absent", "absent",
    ]  # fmt: skip
    assert known("dom.alternative-words", page) == [None, 3, 0, 3, None, None]
    assert values("dom.media-source", page) == [None, "jpg", "webp", "other", "none", "none"]


def test_media_have_sizes_ranks_and_ratios(make_page: Make, lay_out: LayOut) -> None:
    boxes: list[Box] = [(0, 0, 302, 249), (0, 0, 728, 93), (0, 0, 1, 1), (0, 0, 16, 16)]
    boxes += [(0, 0, 0, 0), (0, 0, 728, 90), (0, 0, 300, 250)]
    page = lay_out(make_page("<img><img><img><img><img><iframe></iframe><p>x</p>"), boxes)
    sizes = ["300x250", None, None, None, None, "728x90", None]
    assert style_values("advertisement-size", page) == sizes
    assert style_values("has-advertisement-size", page) == [size is not None for size in sizes]
    assert style_values("is-tiny", page) == [False, False, True, False, True, False, False]
    assert style_values("is-icon", page) == [False, False, False, True, False, False, False]
    assert style_values("media-rank", page) == [0, 1, 4, 3, 5, 2, None]
    assert style_values("media-area-ratio", page)[0] == 1.0
    assert style_values("aspect-ratio", page)[2:] == [1.0, 1.0, None, round(728 / 90, 3), None]


def test_images_and_texts_keep_the_smallest_company(story_page: Page) -> None:
    tags = story_page.elements.tag
    companies = {
        text or story_page.tag[i]: tags[element] if element >= 0 else ""
        for i, (text, element) in enumerate(
            zip(story_page.text, companions(story_page), strict=True)
        )
    }
    assert companies["The"] == companies["quay"] == "figure"
    assert companies["A market moves"] == "a"
    assert companies["Ferry to stop"] == "body"


def test_a_teaser_is_a_little_text_that_is_all_a_link(story_page: Page) -> None:
    company = name_sets("company", story_page)
    assert "text:few:1:linked:one" in company["A market moves"]
    assert "text:few:2-3:plain:one" in company["quay"]


def test_captions_are_known_by_mark_up_and_by_the_image_before(story_page: Page) -> None:
    places = name_sets("caption-place", story_page)
    assert "figcaption:in:short" in places["The"]
    assert places["Subtitle"] == set()
