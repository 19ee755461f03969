"""What an article gives of itself: records, texts, cards, a line."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import structce
from structce.article import Article, FieldValue, read_labelling
from structce.corpus import Corpus
from structce.labelling import Labelling, RegionLabeller
from structce.page import shorten
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


def test_an_article_is_a_record_as_the_command_prints_it(article):
    record = article.to_dict()
    assert json.loads(article.to_json()) == json.loads(json.dumps(record))
    assert "\n" not in article.to_json()
    assert record["date"]["source"] == "region"
    assert record["date"]["precision"] == "day"
    assert record["regions"][0]["label"] == "Title"
    assert "blocks" in record
    assert "blocks" not in article.to_dict(has_blocks=False)
    assert article.to_markdown().startswith("---\ntitle:")


def test_a_date_tells_what_gave_its_day_and_what_its_clock():
    page = StaticRenderer().render(
        Document(
            "<html lang=en><title>Ferry to stop</title>"
            "<meta property=article:published_time content=2026-03-14T10:30:00+01:00>"
            "<h1>Ferry to stop</h1><p>By Ann Lee</p><p>14 March 2026</p>"
            "<p>The ferry between the islands will stop in June, the council said on Monday.</p>"
        )
    )
    article = structce.read_article(RegionLabeller.load("news-static").label(page))
    assert article.date.value == "2026-03-14T10:30:00+01:00"
    assert article.date.raw == "14 March 2026"
    record = article.to_dict()
    assert (record["date"]["source"], record["date"]["clock_source"]) == ("region", "og")
    assert "region, time of day: og" in article._repr_html_()
    assert "clock_source" not in record["title"]


def test_regions_have_labels_and_places_and_metadata_are_the_documents(article, labelling):
    agreed = read_labelling(labelling).labelling
    labelled = [name for name in agreed.labels if name != "None"]
    assert [region.label for region in article.regions] == labelled
    assert labelled[0] == "Title"
    assert article.regions[0].xpath == "/html[1]/body[1]/h1[1]/text()[1]"
    assert article.metadata.title == "Ferry to stop"
    assert article.metadata.meta["author"] == ("Ann Lee",)


def test_an_address_is_given_only_where_the_text_there_is_the_value(article, ferry_page):
    for value in (article.title, article.date, *article.authors):
        if value is not None and value.xpath is not None:
            assert (value.raw or value.value) in ferry_page.text[value.region]
    stated = Article("", title=FieldValue("Ferry", 0.9, None, "og"))
    assert stated.to_dict()["title"]["xpath"] is None


@pytest.mark.parametrize("kind", ["page", "region", "labelling", "labeller", "article", "corpus"])
def test_what_is_shown_of_a_value_is_one_short_line(
    kind, ferry_page, labelling, article, make_corpus
):
    values = {
        "page": ferry_page,
        "region": next(iter(ferry_page)),
        "labelling": labelling,
        "labeller": labelling.labeller,
        "article": article,
        "corpus": make_corpus(2),
    }
    line = repr(values[kind])
    assert len(line) < 200
    assert "\n" not in line
    assert isinstance(values["corpus"], Corpus)
    assert len(repr(values["corpus"].pages[0])) < 200


def test_cards_show_fields_and_regions_and_no_markup_of_the_page(article, labelling):
    card, regions = article._repr_html_(), labelling._repr_html_()
    for text in ("Ferry to stop", "Ann Lee", "2024-03-03"):
        assert text in card
    assert "Paragraph" in regions
    for html in (card, regions):
        assert "&lt;b&gt;" in html
        assert "<b>" not in html.replace("<b>Ferry to stop</b>", "")
        assert "<script" not in html


def test_a_card_draws_boxes_where_there_is_layout(make_page):
    page = replace(make_page("<h1>A headline</h1><p>A paragraph"), renderer="chromium")
    page = replace(
        page, viewport=(1000, 800), boxes=np.float32([[0, 0, 500, 40], [0, 50, 500, 20]])
    )
    news = RegionLabeller.load("news-static").label_set
    drawn = Labelling(page, ("Title", "Paragraph"), np.array([0.9, 0.8]), news)._repr_html_()
    assert "left:0px;top:36px;width:360px;height:14px" in drawn
    menu = replace(page, boxes=page.boxes + np.float32([0, 5000, 0, 0]))
    below = Labelling(menu, ("Title", "Paragraph"), np.array([0.9, 0.8]), news)._repr_html_()
    assert "left:0px;top:10px;width:360px" in below, "a card begins at the first label"
    assert "left:0px;top:46px;width:360px" in below


def test_cards_cut_no_words(make_page):
    words = "harbour ferries never stopped before noon " * 40
    page = replace(make_page(f"<h1>{words}</h1>"), renderer="chromium")
    page = replace(page, viewport=(1000, 800), boxes=np.float32([[0, 0, 200, 60]]))
    news = RegionLabeller.load("news-static").label_set
    drawn = Labelling(page, ("Title",), np.array([0.9]), news)._repr_html_()
    (shown,) = re.findall(r'">([^<>]*)</div></div></div>$', drawn)
    assert 0 < len(shown) < 100
    assert set(shown.rstrip("…").split()) <= set(words.split())
    card = Article("", text=words)._repr_html_()
    (start,) = re.findall(r'left">([^<>]*) <span', card)
    assert set(start.split()) == set(words.split())


def test_a_shortened_text_ends_with_a_word_where_one_ends_near():
    assert shorten("the ferry will stop in June", 20) == "the ferry will..."
    assert shorten("the ferry", 9) == "the ferry"
    assert shorten("a" * 30, 20) == "a" * 17 + "..."
    assert shorten("to " + "a" * 30, 20) == "to " + "a" * 14 + "..."


@pytest.mark.parametrize("wrong", ["<p>", b"<p>", None, 3])
def test_a_labeller_says_what_it_expects(labelling, wrong):
    with pytest.raises(TypeError, match="expected a Page"):
        labelling.labeller.label(wrong)
