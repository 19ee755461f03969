"""Texts of Web2Text as it is trained here, beside those of its authors' program."""

from benchmarks.extraction.study import StudyPage
from benchmarks.extraction.web2text import extracted, mean_rouge
from structce.extraction import make_extractor


def test_texts_are_compared_with_their_gold():
    page = StudyPage("1.html", b"<p>The ferry has left.</p>", "The ferry has left.")
    text = extracted(make_extractor("plain"), page)
    assert mean_rouge([(text, page.gold), ("Nothing", page.gold)]) == 0.5
