import pytest

from benchmarks.rendering import (
    OURS,
    SLOW,
    agreement_rows,
    pages_per_second,
    read_documents,
    spread,
    time_ways,
    way_row,
)
from structce.rendering import Document, StaticRenderer


def test_pages_are_spread_evenly(article_folder):
    documents = read_documents(article_folder, None)
    assert spread(list(range(10)), 3) == [0, 3, 6]
    assert read_documents(article_folder, 99) == documents
    assert pages_per_second(StaticRenderer(), documents[:1]) > 0


def test_ratios_pair_the_same_page_and_round():
    rows = (("/a[1]", "x"), ("/a[2]", "y"))
    keys = [(page, turn) for page in range(3) for turn in (0, 1)]
    taken = {
        OURS: {key: (key[0] + 1.0, 2.0 * (key[0] + 1), rows) for key in keys},
        "page": {key: (3.0 * (key[0] + 1), 3.0 * (key[0] + 1), rows[:1]) for key in keys},
    }
    row = way_row("page", taken)
    assert (row["times ours"], row["of our regions"]) == ("3.0 (3.0 to 3.0)", "50.0%")
    assert (row["pages"], row["times ours, whole"]) == (3, "1.50 (1.50 to 1.50)")


def test_agreement_counts_regions_at_the_same_address():
    with StaticRenderer() as renderer:
        pair = [renderer.render(Document(html)) for html in ("<p>One.</p><p>Two.", "<p>One.")]
    chromium, static = agreement_rows([pair])
    assert (chromium["regions"], chromium["the other has"]) == (2, "50.00%")
    assert (static["regions"], static["the other has"]) == (1, "100.00%")


@pytest.mark.browser
def test_every_way_collects_the_regions_of_a_page(chromium, article_folder):
    documents = read_documents(article_folder, 1)
    rows = time_ways(documents, 1, 1, None)
    assert rows[0]["way"] == SLOW
    assert all(row["rows"] > 0 for row in rows)
