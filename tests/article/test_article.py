"""What an article gives of itself: records, texts, cards, a line."""

import pytest

import structce
from structce.article import read_labelling
from structce.labelling import RegionLabeller
from structce.rendering import Document, StaticRenderer


@pytest.fixture(scope="module")
def ferry_page():
    html = (
        "<html lang=en><title>Ferry to stop</title><meta name=author content='Ann Lee'>"
        "<h1>Ferry to stop &lt;b&gt;</h1><p>By Ann Lee, 3 March 2024</p>"
        "<p>The ferry between the islands &lt;b&gt; will stop in June, the council said on Monday."
        "<p>It has run for forty years and carried two million people across the bay.</p>"
    )
    return StaticRenderer().render(Document(html))


@pytest.fixture(scope="module")
def labelling(ferry_page):
    return RegionLabeller.load("news-static").label(ferry_page)


@pytest.fixture(scope="module")
def article(labelling):
    return structce.read_article(labelling)


def test_a_date_tells_what_gave_its_day_and_what_its_clock():
    article = structce.label(
        "<html lang=en><title>Ferry to stop</title>"
        "<meta property=article:published_time content=2026-03-14T10:30:00+01:00>"
        "<h1>Ferry to stop</h1><p>By Ann Lee</p><p>14 March 2026</p>"
        "<p>The ferry between the islands will stop in June, the council said on Monday.</p>"
    )
    record = article.to_dict()
    assert (article.date.value, article.date.raw) == ("2026-03-14T10:30:00+01:00", "14 March 2026")
    assert (record["date"]["source"], record["date"]["clock_source"]) == ("region", "og")
    assert "clock_source" not in record["title"]


def test_regions_and_metadata_are_those_of_the_document(article, labelling):
    agreed = read_labelling(labelling).labelling
    labelled = [name for name in agreed.labels if name != "None"]
    assert [region.label for region in article.regions] == labelled
    assert labelled[0] == "Title"
    assert article.regions[0].xpath == "/html[1]/body[1]/h1[1]/text()[1]"
    assert article.metadata.title == "Ferry to stop"
    assert article.metadata.meta["author"] == ("Ann Lee",)


def test_cards_show_fields_and_regions_and_no_markup_of_the_page(article, labelling):
    card, regions = article._repr_html_(), labelling._repr_html_()
    for text in ("Ferry to stop", "Ann Lee", "2024-03-03"):
        assert text in card
    assert "Paragraph" in regions
    for html in (card, regions):
        assert "&lt;b&gt;" in html
        assert "<b>" not in html.replace("<b>Ferry to stop</b>", "")
        assert "<script" not in html
