import json
from datetime import date, datetime
from pathlib import Path

import pytest

from structce.datasets.base import GoldPage, Lost
from structce.datasets.build import import_corpus
from structce.datasets.chinese_articles import read_chinese_articles
from structce.labels import UNKNOWN
from structce.rendering.static import StaticRenderer

PAGE = """<html><head><title>渡轮六月停航</title></head><body><h1>渡轮六月停航</h1>
<div class=info><span class=author>李安</span> <span>2022年3月14日 10:30</span></div>
<p>渡轮公司昨日宣布六月起停航。</p><p>市民表示理解。</p>
<div class=footer><a href=/>首页</a></div></body></html>"""
GOLD = {
    "site": "harbour.cn",
    "authors": ["李安"],
    "date": "2022-03-14 10:30",
    "body": "渡轮公司昨日宣布六月起停航。\n\n\u3000\u3000市民表示理解。",
}


def add_page(root: Path, name: str, data: bytes = PAGE.encode(), **values: object) -> None:
    """Write one page in the layout of the data set."""
    (root / "html").mkdir(exist_ok=True)
    (root / "html" / f"{name}.html").write_bytes(data)
    file = root / "gold.json"
    rows = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps({**rows, name: {**GOLD, **values}}))


def test_text_author_and_day_are_labelled_and_the_headline_is_unknown(tmp_path):
    add_page(tmp_path, "a")
    corpus = import_corpus("chinese-articles", tmp_path, StaticRenderer(), tmp_path / "out")
    labels = corpus.pages[0].labels
    assert labels == ("None", "Author", "Date", "Paragraph", "Paragraph", "None")
    assert "Title" not in corpus.covered


def test_values_that_are_not_given_are_not_covered(tmp_path):
    add_page(tmp_path, "a", authors=[], date=None)
    (page,) = read_chinese_articles(tmp_path)
    assert isinstance(page, GoldPage)
    assert (page.gold.authors, page.gold.date) == ((), None)
    assert page.gold.covers == {"Paragraph", "Subtitle"}


@pytest.mark.parametrize(
    ("stated", "read"),
    [
        ("2022-03-14 10:30:05", datetime(2022, 3, 14, 10, 30, 5)),
        ("2003-7-4 9:05", datetime(2003, 7, 4, 9, 5)),
        ("2003-7-24", date(2003, 7, 24)),
        ("2003-5", None),
        ("2003-2-30", None),
    ],
)
def test_a_date_is_read_as_far_as_it_goes(tmp_path, stated, read):
    add_page(tmp_path, "a", date=stated)
    (page,) = read_chinese_articles(tmp_path)
    assert isinstance(page, GoldPage)
    assert page.gold.date == read
    assert ("Date" in page.gold.covers) == (read is not None)


def test_names_in_brackets_are_not_taken_apart(tmp_path):
    add_page(tmp_path, "a", authors=["李安", "王宁", "(Joel", "Wang)", "赵兰"])
    (page,) = read_chinese_articles(tmp_path)
    assert isinstance(page, GoldPage)
    assert page.gold.authors == ("李安", "王宁 (Joel Wang)", "赵兰")


def test_a_wrapper_tells_address_and_encoding(tmp_path):
    wrapper = '<text id="http://blog.quay.cn/1" title="渡轮" encoding="gb2312">\n'
    add_page(tmp_path, "a", f"{wrapper}{PAGE}</text>".encode("gb18030"))
    (page,) = read_chinese_articles(tmp_path)
    assert isinstance(page, GoldPage)
    assert (page.url, page.site, page.family) == ("http://blog.quay.cn/1", "harbour.cn", "quay.cn")
    assert "渡轮公司昨日宣布" in page.document().html


def test_a_broken_character_is_no_sign_of_another_encoding(tmp_path):
    wrapper = '<text id="http://blog.quay.cn/1" title="渡轮" encoding="gb2312">\n'
    data = f"{wrapper}{PAGE}</text>".encode("gb18030").replace(b"<p>", b"<p>\xff", 1)
    add_page(tmp_path, "a", data)
    (page,) = read_chinese_articles(tmp_path)
    assert isinstance(page, GoldPage)
    assert "\ufffd渡轮公司昨日宣布" in page.document().html


def test_a_page_that_is_not_there_is_lost(tmp_path):
    add_page(tmp_path, "a")
    add_page(tmp_path, "b")
    (tmp_path / "html/a.html").unlink()
    lost, page = read_chinese_articles(tmp_path)
    assert isinstance(lost, Lost)
    assert page.id == "b"


def test_every_real_page_is_read(shared_data):
    pages = list(read_chinese_articles(shared_data("chinese-articles.zip")))
    assert len(pages) == 25
    assert all(isinstance(page, GoldPage) and page.gold.body for page in pages)
    assert sum(bool(page.gold.authors) for page in pages) == 21
    assert UNKNOWN not in {page.site for page in pages}
