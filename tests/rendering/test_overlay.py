import struct

import pytest

from structce.errors import RenderError
from structce.rendering import ChromiumRenderer, Document
from structce.rendering.overlay import Mark, draw, draw_marks

HTML = "<!doctype html><div style='height:3000px'>a</div><p>b</p>"


def size(png: bytes) -> tuple[int, int]:
    """Return width and height of a PNG."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.browser
def test_the_picture_shows_the_whole_page_with_what_was_named(chromium: ChromiumRenderer) -> None:
    document = Document(HTML)
    page = chromium.render(document)
    plain = draw(chromium, document, page, [None, None])
    named = draw(chromium, document, page, ["Title", "Paragraph"])
    assert size(plain) == size(named)
    assert size(plain)[0] == chromium.viewport[0]
    assert size(plain)[1] > 3000
    assert plain != named


@pytest.mark.browser
def test_a_stronger_tint_and_another_place_of_the_tag_are_seen(chromium: ChromiumRenderer) -> None:
    document = Document(HTML)
    page = chromium.render(document)
    pictures = {
        draw_marks(chromium, document, page, [mark, None])
        for mark in (
            Mark("3", "#0072b2", 0.1, is_inside=True),
            Mark("3", "#0072b2", 0.6, is_inside=True),
            Mark("3", "#0072b2", 0.6),
            Mark("4", "#0072b2", 0.6),
        )
    }
    assert len(pictures) == 4
    assert len({size(picture) for picture in pictures}) == 1


@pytest.mark.browser
def test_a_text_with_mark_up_is_drawn_as_text(chromium: ChromiumRenderer) -> None:
    document = Document(HTML)
    page = chromium.render(document)
    marked = draw_marks(chromium, document, page, [Mark("<div style='height:9000px'>"), None])
    assert size(marked) == size(draw(chromium, document, page, [None, None]))


def test_a_browser_that_is_not_open_is_a_clear_error() -> None:
    with pytest.raises(RenderError, match="no browser is open"):
        ChromiumRenderer().render(Document("<p>x</p>"))
