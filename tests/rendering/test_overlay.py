import struct

import pytest

from structce.errors import RenderError
from structce.rendering import ChromiumRenderer, Document
from structce.rendering.overlay import draw

pytestmark = pytest.mark.browser


def size(png: bytes) -> tuple[int, int]:
    """Return width and height of a PNG."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_the_picture_shows_the_whole_page_with_what_was_named(chromium: ChromiumRenderer) -> None:
    document = Document("<!doctype html><div style='height:3000px'>a</div><p>b</p>")
    page = chromium.render(document)
    plain = draw(chromium, document, page, [None, None])
    named = draw(chromium, document, page, ["Title", "Paragraph"])
    assert size(plain) == size(named)
    assert size(plain)[0] == chromium.viewport[0]
    assert size(plain)[1] > 3000
    assert plain != named


def test_a_browser_that_is_not_open_is_a_clear_error() -> None:
    with pytest.raises(RenderError, match="no browser is open"):
        ChromiumRenderer().render(Document("<p>x</p>"))
