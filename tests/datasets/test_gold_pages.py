"""Pages beside ``gold.jsonl``: the layout, what a line says, and what is wrong with one."""

import json
from datetime import date, datetime

import pytest

from structce.datasets import READERS, GoldPage, Skipped
from structce.errors import CorpusError
from structce.gold import GoldPost, gold_from_json, gold_to_json

HTML = (
    "<html lang=en><h1>Ferry to stop</h1><p class=byline>By Ann Lee</p><time>14 March 2026</time>"
    "<p>The ferry will stop in June, the council said.</p><p>It ran for forty years.</p>"
)
ROW = {
    "id": "ferry-1",
    "url": "https://news.harbour.example/ferry",
    "site": "harbour-news",
    "page_type": "article",
    "title": "Ferry &amp; quay to stop",
    "authors": ["Ann Lee"],
    "date": "2026-03-14T09:30",
    "body": "The ferry will stop in June, the council said.\n- It ran for forty years.\n***",
    "with": ["It ran"],
    "without": ["Imprint"],
}


def write_set(folder, *rows, html=HTML):
    """Write a set with the same page for every row."""
    (folder / "pages").mkdir(exist_ok=True)
    for row in rows:
        (folder / "pages" / f"{row['id']}.html").write_text(html, encoding="utf-8")
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    (folder / "gold.jsonl").write_text(lines, encoding="utf-8")
    return folder


def read(folder, name="gold-pages"):
    return list(READERS[name].read(folder))


def gold_of(folder, name="gold-pages", **row):
    (page,) = read(write_set(folder, {"id": "a", **row}), name)
    return page.gold


def test_a_line_says_what_is_on_its_page(tmp_path):
    (page,) = read(write_set(tmp_path, ROW))
    assert (page.id, page.site, page.family) == ("ferry-1", "harbour-news", "news.harbour.example")
    gold = page.gold
    assert (gold.title, gold.authors) == ("Ferry & quay to stop", ("Ann Lee",))
    assert gold.date == datetime(2026, 3, 14, 9, 30)
    assert gold.text.splitlines()[1:] == ["It ran for forty years."]
    assert (gold.must, gold.must_not) == (("It ran",), ("Imprint",))
    assert gold.about == {"page_type": "article"}
    assert gold.covers == {"Title", "Author", "Date", "Paragraph", "Subtitle"}


def test_a_missing_key_says_nothing(tmp_path):
    gold = gold_of(tmp_path)
    assert (gold.title, gold.authors, gold.date, gold.body) == (None, (), None, ())
    assert gold.covers == set()
    assert gold.about == {"silent_on": "authors"}
    assert gold_of(tmp_path, authors=[]).about == {}
    assert gold_of(tmp_path, "wcxb-more").about == {}
    assert gold_of(tmp_path, "waddle").about == {"silent_on": "authors"}


def test_posts_of_a_thread_are_gold_and_survive_the_disk(tmp_path):
    first = {"text": "Does  it sail?", "author": "quay7", "date": "2026-03-14T09:30"}
    posts = [first | {"author_raw": "x"}, {"text": "No.", "date_text": "yesterday"}]
    gold = gold_of(tmp_path, "forums", body="Does it sail?\nNo.", posts=posts)
    assert gold.text_labels == ("Paragraph", "Subtitle")
    asked = GoldPost("Does it sail?", "quay7", "2026-03-14T09:30:00")
    assert gold.posts == (asked, GoldPost("No."))
    assert gold_from_json(gold_to_json(gold), "a") == gold


def test_the_name_of_a_recipe_may_not_be_its_headline(tmp_path):
    told = {"title": "Fish soup", "steps": ["1. Boil.", "Serve."], "ingredients": ["1 fish"]}
    gold = gold_of(tmp_path, "recipes", **told, title_in="recipe card or other place")
    assert (gold.title, gold.others) == (None, {"name": ("Fish soup",)})
    assert gold.must == ("1 fish", "1. Boil.", "Serve.")
    assert "Title" not in gold.covers
    assert gold_of(tmp_path, "recipes", **told, title_in="h1").title == "Fish soup"


def test_a_day_that_the_page_shows_otherwise_is_not_covered(tmp_path):
    gold = gold_of(tmp_path, date="2026-03-14", date_shown="2026-03-13")
    assert gold.date == date(2026, 3, 14)
    assert "Date" not in gold.covers
    assert gold.about["date_shown"] == "2026-03-13"


def test_a_value_of_another_type_loses_its_page(tmp_path):
    bad, lost, good = {**ROW, "title": 7}, {"id": "gone", "file": "pages/no.html"}, {"id": "b"}
    first, second, third = read(write_set(tmp_path, bad, lost, good))
    assert isinstance(first, Skipped)
    assert "title: Expected `str`, got `int`" in first.reason
    assert isinstance(second, Skipped)
    assert isinstance(third, GoldPage)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"id": "a"}\n{"id": ', "line 2: "),
        ('["a"]', "line 1: expected an object"),
        ('{"title": "Ferry"}', "page 1: no id"),
        ('{"id": "a"}\n{"id": "a"}', "page 2: the id 'a' occurs twice"),
    ],
)
def test_a_list_that_is_none_is_an_error_that_says_where(tmp_path, text, reason):
    write_set(tmp_path)
    (tmp_path / "gold.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(CorpusError, match=reason):
        read(tmp_path)
