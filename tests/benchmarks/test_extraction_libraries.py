"""The comparison of our boilerpipe and jusText with the libraries of these methods."""

import pytest

from structce.datasets import GoldPage
from structce.gold import Gold

pytest.importorskip("boilerpy3")
pytest.importorskip("justext")

from benchmarks.extraction.libraries import Compared, compare, report

TEXT = "The ferry to the island will stop in June, the harbour master said on Monday. " * 4
LINKS = "<ul>" + "<li><a href=x>Link</a></li>" * 5 + "</ul>"
PAGE = f"<html lang=en><body>{LINKS}<p>{TEXT}</p><p>{TEXT}</p>{LINKS}</body></html>"


@pytest.fixture
def gold_page():
    gold = Gold(body=(("Text", TEXT), ("Text", TEXT)))
    return GoldPage.of_address("1", "https://a.example/1", PAGE.encode(), gold)


def test_a_page_is_compared_in_every_way(gold_page):
    rows = list(compare(gold_page))
    assert len(rows) == 8
    assert all(row.share == 1 for row in rows)
    assert [row.our_f1 for row in rows] == pytest.approx([row.their_f1 for row in rows])
    assert max(row.our_f1 for row in rows) > 0.9


def test_the_report_counts_words_and_pages():
    rows = [Compared("a", 3, 8, 1.0, 0.5), Compared("a", 2, 4, 0.0, 0.5)]
    text = report("fundus", rows)
    assert "| fundus | a        |       2 |         0.833 |        0.500 |    0.500 |" in text
    assert Compared("a", 0, 0, 0.0, 0.0).share == 1
