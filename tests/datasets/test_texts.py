"""Pages beside a file of their main text, in the layout of each data set."""

import json
from datetime import datetime

import pytest

from structce.datasets.base import GoldPage, Skipped
from structce.datasets.texts import (
    read_big9,
    read_chinese_articles,
    read_cleaneval,
    read_cleanportaleval,
    read_dragnet,
    read_gold,
    read_swde,
)

WRAPPED = """<text id="http://news.post.co.uk/1" title="The quay" encoding="{encoding}">
<!DOCTYPE html>
<html><h1>The quay</h1><p>Café in rain.</p></html>
</text>
"""
GOLD = "URL: http://news.post.co.uk/1\n\n<h>The quay\n<p>Café in rain.\n<h>More\n<l>* Fish\n"


def write_clean(folder, name, *, gold=GOLD, encoding="utf8"):
    codec = "utf-8" if encoding == "utf8" else encoding
    for kind in ("input", "GoldStandard"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    page = WRAPPED.format(encoding=encoding)
    (folder / "input" / f"{name}.html").write_text(page, encoding=codec)
    if gold is not None:
        (folder / "GoldStandard" / f"{name}.txt").write_text(gold, encoding="utf-8")


@pytest.fixture
def parts(tmp_path):
    """The two parts of CleanEval: pages 2 and 10, and pages 2 and 3 of which one has no text."""
    write_clean(tmp_path / "cleaneval-dev", "10")
    write_clean(tmp_path / "cleaneval-dev", "2", encoding="iso-8859-1")
    write_clean(tmp_path / "cleaneval-final", "2")
    write_clean(tmp_path / "cleaneval-final", "3", gold=None)
    return tmp_path


def test_cleaneval_is_read_part_by_part(parts):
    first, *items = read_cleaneval(parts)
    assert [item.id for item in (first, *items)] == "dev-2 dev-10 final-2 final-3".split()
    assert first.gold.about["split"] == "dev"
    assert (first.url, first.site) == ("http://news.post.co.uk/1", "post.co.uk")
    assert "Café" in first.document().html
    assert first.document().html.startswith("<!DOCTYPE html>")


def test_the_first_heading_of_cleaneval_may_be_any(parts):
    page = next(read_cleaneval(parts))
    kinds = [("Text", "The quay"), ("Paragraph", "Café in rain."), ("Subtitle", "More")]
    assert page.gold.body == (*kinds, ("Paragraph", "Fish"))
    assert page.gold.title is None
    assert page.gold.covers == {"Paragraph", "Subtitle"}


def test_missing_texts_of_cleaneval_are_known_in_the_final_part(parts):
    write_clean(parts / "cleaneval-dev", "11", gold=None)
    write_clean(parts / "cleaneval-final", "4", gold="URL: http://news.post.co.uk/1\n\n   \n")
    (parts / "cleaneval-final" / "GoldStandard" / "5.txt").write_text(GOLD)
    lost = {item.id: item for item in read_cleaneval(parts) if isinstance(item, Skipped)}
    assert lost["dev-11"] == Skipped("dev-11", "GoldStandard has no 11.txt")
    assert lost["final-3"].is_known
    assert lost["final-4"] == Skipped("final-4", "no text in GoldStandard/4.txt", is_known=True)
    assert "FileNotFoundError" in lost["final-5"].reason
    assert not lost["final-5"].is_known


def test_the_first_heading_of_a_portal_page_is_its_title(tmp_path):
    write_clean(tmp_path, "a")
    write_clean(tmp_path, "b", gold="URL: http://post.example/\n<!-- no article here -->\n")
    page, lost = read_cleanportaleval(tmp_path)
    assert page.gold.title == "The quay"
    assert not page.gold.about
    assert [text for _, text in page.gold.body] == ["Café in rain.", "More", "Fish"]
    assert page.gold.covers == {"Paragraph", "Subtitle", "Title"}
    assert lost == Skipped("b", "no text in GoldStandard/b.txt", is_known=True)


@pytest.mark.parametrize(
    ("gold", "pieces"),
    [
        ("<h>The quay\r\n<p>It rains\r\n   again.", [("h", "The quay"), ("p", "It rains again.")]),
        ("Monday\n<p>It rains.\n\n   And so", [("", "Monday"), ("p", "It rains."), ("", "And so")]),
        ("<h>It&#8217;s &amp; more\n<!-- no article -->\n", [("h", "It’s & more")]),
        ("<l> 12. Unique", [("l", "Unique")]),
        ("  o  <p>Load", [("p", "Load")]),
        ("<p>One\n_______\nTwo", [("p", "One"), ("", "Two")]),
        ("<p>", []),
        ("<h<Are rooms free?", [("h", "Are rooms free?")]),
        ("<l. Next shot", [("l", "Next shot")]),
        ("<pI walked", [("p", "I walked")]),
        ("<p>two <h>heads", [("p", "two"), ("h", "heads")]),
        ("<p>print '<p>Hi'", [("p", "print '<p>Hi'")]),
        ("<p>see <http://a.example/>", [("p", "see <http://a.example/>")]),
    ],
)  # fmt: skip
def test_marks_of_annotators_cut_a_text(gold, pieces):
    assert read_gold(gold.encode())[1] == tuple(pieces)


OWN = '<link rel="canonical" href="http://blogs.post.co.uk/quay">'
DRAGNET = "\nThe quay\n\nIt rains.\n\n\n!@#$%^&*()  COMMENTS\n\nAnn\nSo it does.\n"


def write_dragnet(folder, name, *, gold=DRAGNET, head=OWN):
    for kind in ("HTML", "Corrected"):
        (folder / kind).mkdir(exist_ok=True)
    page = f"<html><head>{head}</head><h1>The quay</h1><p>It rains.</p></html>"
    (folder / "HTML" / f"{name}.html").write_text(page)
    (folder / "Corrected" / f"{name}.html.corrected.txt").write_text(gold)


def test_dragnet_has_lines_and_comments_apart(tmp_path):
    write_dragnet(tmp_path, "R7")
    (page,) = read_dragnet(tmp_path)
    assert page.gold.body == (("Text", "The quay"), ("Text", "It rains."))
    assert page.gold.others == {"comment": ("Ann", "So it does.")}
    assert page.gold.title is None
    assert page.gold.covers == {"Paragraph", "Subtitle"}


@pytest.mark.parametrize(
    ("head", "site", "family"),
    [
        (OWN, "post.co.uk", "post.co.uk"),
        ('<link rel="canonical" href="/quay">', "dragnet-7", "dragnet-7"),
        ('<a href="https://www.post.example/2">More</a>', "post.example", "post.example"),
        ("", "dragnet-7", "dragnet-7"),
        (OWN.replace("blogs.post.co.uk", "www.bbc.com"), "bbc.com", "bbc.co.uk"),
    ],
)
def test_dragnet_has_the_sites_that_pages_state(tmp_path, head, site, family):
    write_dragnet(tmp_path, "7", head=head)
    (page,) = read_dragnet(tmp_path)
    assert (page.site, page.family) == (site, family)


ARCHIVE = "https://web-beta.archive.org/web/20130525190509/"
URL = "http://www.cnn.com/2013/quay/index.html"
BIG9 = f"""<html><head><link href="{ARCHIVE}{URL}" rel="canonical"></head>
<a href="{ARCHIVE}http://edition.cnn.com/">CNN</a> <a href="http://www.bbc.co.uk/">BBC</a>
<h1>The quay</h1><p>It rains.</p></html>"""


def test_big9_has_the_headline_first(tmp_path):
    for year in ("05", "09", "13", "17"):
        for kind in ("html", "gold"):
            (tmp_path / "Extraction" / f"big5-{year}" / kind).mkdir(parents=True)
    lines = "The quay \n\n\nIt rains – twice."
    texts = {"13/quay (1)": lines, "17/trump (4)": lines, "05/a": "The quay", "05/c": lines}
    for name, text in texts.items():
        year, stem = name.split("/")
        above = tmp_path / "Extraction" / f"big5-{year}"
        (above / "gold" / f"{stem}.txt").write_text(text, encoding="cp1252")
        if stem != "c":
            (above / "html" / f"{stem}.htm").write_text(BIG9)
    short, alone, page, wrong = read_big9(tmp_path)
    assert (page.id, page.gold.title) == ("2013-quay-1", "The quay")
    assert page.gold.body == (("Text", "It rains – twice."),)
    assert page.gold.covers == {"Paragraph", "Subtitle", "Title"}
    assert (page.site, page.url) == ("cnn.com", URL)
    why = "text and page belong to different articles"
    assert wrong == Skipped("2017-trump-4", why, is_known=True)
    assert "expected a headline" in short.reason
    assert alone.reason == "no page with the name c"


CHINESE = """<html><head><title>渡轮六月停航</title></head><body><h1>渡轮六月停航</h1>
<div class=info><span class=author>李安</span> <span>2022年3月14日 10:30</span></div>
<p>渡轮公司昨日宣布六月起停航。</p><p>市民表示理解。</p>
<div class=footer><a href=/>首页</a></div></body></html>"""
CHINESE_ROW = {
    "site": "harbour.cn",
    "authors": ["李安"],
    "date": "2022-03-14 10:30",
    "body": "渡轮公司昨日宣布六月起停航。\n\n\u3000\u3000市民表示理解。",
}


def chinese(root, data=b"", **values):
    """Write one page in the layout of the data set, and read it."""
    (root / "html").mkdir(exist_ok=True)
    (root / "html" / "a.html").write_bytes(data or CHINESE.encode())
    (root / "gold.json").write_text(json.dumps({"a": {**CHINESE_ROW, **values}}))
    (page,) = read_chinese_articles(root)
    assert isinstance(page, GoldPage)
    return page


def test_a_broken_character_does_not_change_the_encoding(tmp_path):
    wrapper = '<text id="http://blog.quay.cn/1" title="渡轮" encoding="gb2312">\n'
    data = f"{wrapper}{CHINESE}</text>".encode("gb18030")
    authors = ["李安", "王宁", "(Joel", "Wang)", "赵兰"]
    broken = data.replace(b"<p>", b"<p>\xff", 1)
    page = chinese(tmp_path, broken, authors=authors, date="2003-7-4 9:05")
    assert page.gold.date == datetime(2003, 7, 4, 9, 5)
    assert page.gold.authors == ("李安", "王宁 (Joel Wang)", "赵兰")
    assert (page.url, page.site, page.family) == ("http://blog.quay.cn/1", "harbour.cn", "quay.cn")
    assert "\ufffd渡轮公司昨日宣布" in page.document().html


BASE = '\ufeff<base href="http://www.quay-books.co.uk/1?a=1&amp;b=2"/>'
BOOK = '\n<!DOCTYPE html>\n<html><meta charset="iso-8859-1"><h1>Café Quay</h1></html>'
AUTHORS = "\ufeffbook\tquay\tauthor\n3\t2\t3\t3\n0000\t2\tAnn &amp; Co\tTom Rost\n0001\t0\t<NULL>\n"
TITLES = "book\tquay\ttitle\r\n3\t3\t3\t3\r\n0000\t1\tCafé Quay\r\n0001\t1\tTwo\r\n0002\t1\tX\r\n"


def test_swde_has_attributes_as_values(tmp_path):
    pages, truth = tmp_path / "book" / "book-quay(2000)", tmp_path / "groundtruth" / "book"
    pages.mkdir(parents=True)
    truth.mkdir(parents=True)
    for number in ("0001", "0000"):
        (pages / f"{number}.htm").write_text(BASE + BOOK, encoding="utf-8")
    (truth / "book-quay-author.txt").write_text(AUTHORS, encoding="utf-8")
    (truth / "book-quay-title.txt").write_text(TITLES, encoding="utf-8", newline="")
    first, second = read_swde(tmp_path)
    assert first.gold.others == {"author": ("Ann & Co", "Tom Rost"), "title": ("Café Quay",)}
    assert second.gold.others == {"title": ("Two",)}
    assert (first.gold.title, first.gold.covers) == (None, frozenset())
    assert (first.id, first.site) == ("book-quay-0000", "quay-books.co.uk")
    assert first.url == "http://www.quay-books.co.uk/1?a=1&b=2"
    assert first.document().html.startswith("<!DOCTYPE html>")
    assert "Café Quay" in first.document().html
