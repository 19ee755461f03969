"""Labels drawn over pictures of pages, and where such a picture begins."""

import struct

import pytest

from structce.rendering.chromium import MAX_PICTURE
from structce.rendering.document import Document
from structce.visualisation.base import has_area
from structce.visualisation.page_picture import confidence_label, draw_labels, picture_top


@pytest.mark.parametrize(
    ("confidence", "text"),
    [(0.0, "0 %"), (0.981, "98 %"), (0.997, "99 %"), (0.99999, "99 %"), (1.0, "100 %")],
)
def test_only_certainty_is_a_hundred_per_cent(confidence, text):
    assert confidence_label(confidence) == text


HTML = "<!doctype html><div style='height:1200px'>a</div><p>b</p>"


def size(png):
    """Return width and height of a PNG."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", png[16:24])


@pytest.fixture(scope="module")
def rendered(chromium):
    """A document higher than the window, and its page."""
    document = Document(HTML)
    return document, chromium.render(document)


def test_a_page_that_fits_is_shown_from_its_top(paged):
    page = paged("abc", [(0, 5, 10, 10), (0, 15_000, 10, 10), (0, 90_000, 10, 10)])
    assert picture_top(page, ["Title", "Date", None]) == 0
    assert picture_top(page, [None] * 3) == 0
    assert picture_top(paged([]), [None] * 0) == 0


def test_too_high_a_page_is_shown_where_most_labels_are(paged):
    page = paged("abc", [(0, 5, 10, 10), (0, 40_000, 10, 10), (0, 41_000, 10, 10)])
    top = picture_top(page, ["Paragraph", "Title", "Date"])
    assert 39_900 < top < 40_000 - 22, "a note of what is left out fits above the first region"
    assert picture_top(page, ["Title", "Date", None]) == 0, "on a tie the highest"


def test_labels_without_area_do_not_move_the_picture(paged):
    nan = float("nan")
    boxes = [(0, 5, 10, 10), (0, 40_000, 0, 10), (0, 40_000, 10, 0), (nan, nan, nan, nan)]
    page = paged("abcd", boxes)
    assert has_area(page).tolist() == [True, False, False, False]
    assert picture_top(page, ["Title", "Date", "Author", "Caption"]) == 0


@pytest.mark.browser
def test_the_picture_shows_the_whole_page_with_its_labels(chromium, rendered):
    document, page = rendered
    plain = draw_labels(chromium, document, page, [None, None])
    named = draw_labels(chromium, document, page, ["Title", "Paragraph"])
    sure = draw_labels(chromium, document, page, ["Title", "Paragraph"], [0.9, 0.5])
    assert size(plain) == size(named) == size(sure)
    assert size(plain)[0] == chromium.settings.viewport[0]
    assert size(plain)[1] > 1200 > chromium.settings.viewport[1]
    assert len({plain, named, sure}) == 3


@pytest.mark.browser
def test_no_style_of_the_page_hides_or_moves_marks(chromium):
    body = "<p style='position:absolute;left:40px;top:60px;margin:0'>text</p>"
    hiding = "div{display:none!important;visibility:hidden!important;left:500px!important}"
    moving = "html{margin:30px;position:relative}p{translate:-30px -30px}"
    pictures = []
    for rules in ("", hiding, moving):
        document = Document(f"<!doctype html><style>{rules}</style><body style='margin:0'>{body}")
        page = chromium.render(document)
        pictures.append(draw_labels(chromium, document, page, ["Title"], [0.5]))
    assert pictures[0] == pictures[1] == pictures[2]


@pytest.mark.browser
def test_a_missing_picture_is_drawn_in_its_place(chromium):
    pictures = set()
    for alt in ("The harbour", "Another harbour"):
        image = f"<img src=/x.png width=400 height=200 alt='{alt}' style='display:block'>"
        document = Document(f"<!doctype html><p>Ferry</p>{image}")
        page = chromium.render(document)
        pictures.add(draw_labels(chromium, document, page, [None] * len(page)))
    assert len(pictures) == 1


@pytest.mark.browser
def test_a_page_too_high_for_a_picture_is_cut_to_its_marks(chromium):
    html = "<!doctype html><body style='margin:0'>{}<h1>Late</h1>{}"
    gaps = [f"<div style='height:{height}px'></div>" for height in (237_000, 40_000)]
    document = Document(html.format(*gaps))
    page = chromium.render(document)
    marked, unsure = (draw_labels(chromium, document, page, ["Title"], [x]) for x in (0.5, 0.1))
    assert size(marked) == (chromium.settings.viewport[0], MAX_PICTURE)
    assert marked != unsure, "the region is on the picture"
