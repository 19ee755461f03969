"""The benchmark of templates: what it measures, on a few pages."""

import pytest

from benchmarks.extraction.template_scale import (
    DrawnPages,
    ScaleRow,
    StorageRow,
    exponent,
    measure,
    plot,
    total,
)
from structce.extraction import ContentExtractor


def row(pages, seconds):
    return ScaleRow(pages, 0, 0, 0, seconds / 2, seconds / 2, 0.0, 0.0, 300.0)


def test_a_row_tells_of_the_template_that_was_learnt():
    row = measure(4, site=0)
    template = ContentExtractor().learn(DrawnPages(0, range(4)))
    assert (row.pages, row.distinct) == (4, len(template.stored))
    assert row.repeated == len(template.repeated)
    assert row.blocks > row.distinct > row.repeated > 0
    assert row.file_mb > 0
    assert row.peak_mb > 0


def test_the_exponent_is_the_slope():
    assert exponent([row(10, 1.0), row(20, 2.0), row(40, 4.0)]) == pytest.approx(1)
    assert exponent([row(10, 1.0), row(20, 4.0)]) == pytest.approx(2)


def test_the_plot_has_a_line_for_parsing_for_all_and_for_memory():
    drawn = plot([row(10, 1.0), row(20, 2.0)])
    assert drawn.count("<polyline") == 3


def test_totals_are_sums_and_shares_are_of_all():
    rows = [StorageRow("a", 10, 9000, 100, 60, 30), StorageRow("b", 10, 9000, 100, 40, 20)]
    cells = total("all", rows).cells()
    assert cells["pages"] == 20
    assert (cells["distinct %"], cells["content %"]) == (50, 25)
