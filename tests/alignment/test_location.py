"""Segments of a text are found where they stand, even inside longer ones."""

from structce.alignment.location import find_segment
from structce.page import TextIndex


def test_a_segment_in_a_teaser_is_a_rival(make_page):
    page = make_page(
        "<p>The ferry will not sail before noon, the company said.</p><li>will not sail</li>"
    )
    match = find_segment(TextIndex(page), "will not sail")
    assert (match.regions, match.rivals) == ((0,), (1,))


def test_a_segment_may_begin_inside_a_word(make_page):
    page = make_page("<p>The ferry will not sail.</p>")
    assert find_segment(TextIndex(page), "rry will not").regions == (0,)
