"""Tags find places of their own, and cuts keep places in order."""

from itertools import combinations

import numpy as np
import pytest

from structce.visualisation.wireframe_layout import (
    CUT_HEIGHT,
    SHEET_WIDTH,
    Band,
    Rectangle,
    VisibleBands,
    merge_spans,
)
from structce.visualisation.wireframe_tags import TagRequest, place_tags


def overlap(one, other):
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return across > 1e-9 and down > 1e-9


@pytest.mark.parametrize("seed", range(2))
def test_no_tag_lies_over_another_nor_over_a_cut_nor_outside_the_drawing(seed):
    rng = np.random.default_rng(seed)
    boxes = [
        Rectangle(x, y, width, 9)
        for x, y, width in zip(
            rng.uniform(0, 500, 60), rng.uniform(0, 900, 60), rng.uniform(5, 140, 60), strict=True
        )
    ]
    wanted = [
        TagRequest("Paragraph → None", box, "#000000", n % 2 == 0) for n, box in enumerate(boxes)
    ]
    tags = place_tags(wanted, 14, 1000, stripes=[300], avoid=boxes)
    places = [tag.place for tag in tags]
    assert sum(tag.is_wrong for tag in tags) == 30
    assert not any(overlap(*pair) for pair in combinations(places, 2))
    assert not any(overlap(place, Rectangle(0, 300, SHEET_WIDTH, CUT_HEIGHT)) for place in places)
    assert all(place.x >= 0 and place.x + place.width <= SHEET_WIDTH for place in places)
    assert all(place.y >= 0 and place.y + place.height <= 1000 for place in places)


def test_a_tag_stands_right_of_what_it_names_at_its_height_where_that_is_free():
    (tag,) = place_tags([TagRequest("Date", Rectangle(10, 50, 100, 10), "#000000", True)], 12, 200)
    assert (tag.place.x, tag.place.y, tag.line) == (113, 47.5, None)  # 15 high, beside 10


def test_a_tag_keeps_off_labelled_regions_where_it_can():
    named, neighbour = Rectangle(10, 50, 100, 10), Rectangle(112, 48, 500, 14)
    (tag,) = place_tags(
        [TagRequest("Date", named, "#000000", True)], 12, 200, avoid=[named, neighbour]
    )
    assert not overlap(tag.place, named)
    assert not overlap(tag.place, neighbour)


def test_only_a_wrong_region_may_have_its_tag_over_others():
    everywhere = Rectangle(0, 0, SHEET_WIDTH, 200)
    box = Rectangle(10, 50, 100, 10)
    wrong, right = (TagRequest("Date", box, "#000000", is_wrong) for is_wrong in (True, False))
    assert place_tags([right], 12, 200, avoid=[everywhere]) == ()
    assert len(place_tags([wrong], 12, 200, avoid=[everywhere])) == 1


def test_a_tag_that_moves_away_has_a_line_to_what_it_names():
    box = Rectangle(300, 300, 40, 10)
    tags = place_tags([TagRequest("Paragraph → None", box, "#000000", True)] * 14, 12, 700)
    assert len(tags) == 14
    moved = [tag for tag in tags if tag.line is not None]
    assert moved
    for tag in moved:
        x, y = tag.line[2:]
        assert box.x <= x <= box.x + box.width
        assert box.y <= y <= box.y + box.height


def test_a_tag_wider_than_the_drawing_is_left_out():
    assert (
        place_tags([TagRequest("W" * 200, Rectangle(0, 0, 9, 9), "#000000", True)], 12, 200) == ()
    )


def test_near_spans_become_one_and_ends_of_the_page_draw_them():
    spans = [(500.0, 600.0), (50.0, 120.0), (650.0, 700.0), (900.0, 940.0)]
    assert merge_spans(spans, 1000) == [(0.0, 120.0), (500.0, 700.0), (900.0, 1000)]


def test_places_keep_their_order_across_cuts():
    # Pixels 100 to 200 and 500 to 700 at half the size: units 30 to 80 and 110 to 210.
    frame = VisibleBands(0.5, (Band(100, 200, 30), Band(500, 700, 110)), 900)
    assert frame.height == 240
    assert list(frame.gaps()) == [(0, 100, 0), (200, 500, 80), (700, 900, 210)]
    assert frame.place((0, 120, 40, 20)) == (0, 40, 20, 10)
    assert frame.place((0, 150, 40, 400)) == (0, 55, 20, 80)  # over the cut
    assert frame.place((0, 300, 40, 300)) == (0, 110, 20, 50)  # begins in the cut
    assert frame.place((0, 0, 40, 5000)) == (0, 30, 20, 180)  # begins above, ends below
    assert frame.place((0, 250, 40, 100)) is None
    assert frame.place((0, 0, 40, 100)) is None
    assert frame.place((0, 700, 40, 100)) is None
    assert frame.place((-100, 120, 50, 20)) is None
