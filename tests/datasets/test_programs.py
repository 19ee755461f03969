"""Test pages of other extractors, in the layout of each."""

import gzip
import json
from datetime import UTC, date, datetime

import pytest

from structce.datasets import READERS, Skipped, import_corpus
from structce.rendering import StaticRenderer


def write(root, files):
    """Write files: text as it is, bytes packed, anything else as JSON."""
    for name, content in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            file.write_text(content, encoding="utf-8")
        elif isinstance(content, bytes):
            file.write_bytes(gzip.compress(content))
        else:
            file.write_text(json.dumps(content), encoding="utf-8")
    return root


def read(name, root):
    return list(READERS[name].read(root))


BENCHMARK = {
    "html/ab12.html.gz": "<p>Älter als der Hafen".encode(),
    "ground-truth.json": {
        "cd34": {"articleBody": "Gone.", "url": "https://post.example/2"},
        "ab12": {"articleBody": "It  sails.\n\n...\n\nNo end\n", "url": "https://a.b.de/1"},
    },
}


def test_the_article_benchmark_has_lines_of_text(tmp_path):
    page, lost = read("article-extraction-benchmark", write(tmp_path, BENCHMARK))
    assert (page.id, page.site, page.url) == ("ab12", "b.de", "https://a.b.de/1")
    assert page.gold.body == (("Text", "It sails."), ("Text", "No end"))
    assert page.gold.covers == {"Paragraph", "Subtitle"}
    assert page.document().html == "<p>Älter als der Hafen"
    assert lost.id == "cd34"
    assert "cd34.html.gz" in lost.reason


PAGE = "<meta charset=latin1><p>Übermorgen</p>"
DATES = {
    "https://www.post.co.uk/1": {"file": "2.html", "date": "2026-03-14"},
    "https://news.google.com/rss/x": {"file": "1.html", "date": "2026-03-15"},
    "https://quay.example/": {"file": "3.html", "date": float("nan")},
    "https://quay.example/4": {"file": "4.html", "date": "2026-03-16"},
}


def test_htmldate_has_days_alone(tmp_path):
    files = {f"tests/test_set/{n}.html": PAGE for n in (1, 2, 3)}
    more = {"https://b.example/": {"file": "1.html", "date": "14. 3. 2026"}}
    files |= {"tests/eval_mediacloud_2020.json": DATES, "tests/eval_default.json": more}
    files["tests/eval/1.html"] = PAGE
    first, second, nan, absent, other = read("htmldate", write(tmp_path, files))
    assert (second.site, second.gold.date) == ("post.co.uk", date(2026, 3, 14))
    assert second.gold.covers == {"Date"}
    assert "Übermorgen" in second.document().html
    assert (first.id, first.site) == ("1", "1")  # its address is that of a forwarder
    assert nan == Skipped("3", "the data set gives no date", is_known=True)
    assert (absent.id, absent.is_known) == ("4", False)
    assert (other.id, other.gold.about) == ("1-2", {"date": "14. 3. 2026"})
    assert other.gold.covers == frozenset()


NEWSPAPER = {
    "url": "https://news.post.co.uk/1",
    "title": "Ferry stops in June",
    "authors": ["Ann Lee", "www.post.example"],
    "publish_date": "2026-03-14T00:00:00",
    "top_image": "https://post.example/quay.jpg",
    "images": ["https://post.example/quay.jpg", "https://post.example/logo.gif"],
    "meta_site_name": "The Harbour Post",
    "text": "It sails.",
}
OLD = {"title": "Ferry", "authors": ["on March"], "meta_site_name": "post.co.uk"}


def test_newspaper4k_covers_nothing(tmp_path):
    files = {f"tests/data/html/{name}.html": "<p>It sails.</p>" for name in ("post_001", "old")}
    files |= {f"tests/data/metadata/{name}.json": NEWSPAPER for name in ("lost", "post_001")}
    files |= {"tests/data/metadata/old.json": OLD, "tests/data/txt/post_001.txt": "It.\n—\nLate."}
    lost, old, page = read("newspaper4k", write(tmp_path, files))
    assert isinstance(lost, Skipped)
    assert (page.id, page.site) == ("post_001", "post.co.uk")
    gold = page.gold
    assert (gold.title, gold.authors) == ("Ferry stops in June", ("Ann Lee",))
    assert gold.date == date(2026, 3, 14)
    assert gold.body == (("Text", "It."), ("Text", "Late."))
    assert gold.images == (("https://post.example/quay.jpg",),)
    assert gold.about["images"] == "https://post.example/logo.gif"
    assert gold.covers == frozenset()
    assert (old.site, old.url, old.gold.authors, old.gold.body) == ("post.co.uk", "", (), ())
    assert old.gold.about["author"] == "on March"


EXPECTED = """<div id="readability-page-1"><p>The <b>ferry</b><br>will<!-- not --> stop.</p>
Nobody knows. <h2><a href="#">No end</a></h2><ul><li>Salt</li><li>Sand</li></ul>
<figure><img src="q.jpg"><figcaption>The quay.</figcaption></figure><p>—</p></div>"""
READABILITY = {
    "title": "Ferry stops",
    "byline": "By\n   Ann Lee and Tom Rost\n   March 14, 2026",
    "lang": "en",
    "siteName": "The Harbour Post",
    "excerpt": None,
    "publishedTime": "2026-03-14T10:30:00Z",
}
SOURCE = "<link rel=canonical href='//www.post.co.uk/1'><p>The ferry"


def case(root, name, source=SOURCE, **values):
    folder = f"test/test-pages/{name}"
    files = {"source.html": source, "expected.html": EXPECTED}
    files["expected-metadata.json"] = READABILITY | values
    write(root, {f"{folder}/{file}": content for file, content in files.items()})


def test_readability_has_blocks_of_its_expected_page(tmp_path):
    case(tmp_path, "post-1")
    (page,) = read("readability", tmp_path)
    texts = ["The ferry will stop.", "Nobody knows.", "No end", "Salt", "Sand"]
    assert [text for _, text in page.gold.body] == texts
    assert [kind for kind, _ in page.gold.body].index("Subtitle") == 2
    assert page.gold.captions == ("The quay.",)
    assert page.gold.covers == frozenset()
    assert page.gold.authors == ("Ann Lee", "Tom Rost")
    assert page.gold.date == datetime(2026, 3, 14, 10, 30, tzinfo=UTC)
    assert page.gold.others["sitename"] == ("The Harbour Post",)
    assert "excerpt" not in page.gold.others


ROW = {
    "with": ["will not sail ", "before noon"],
    "without": ["All rights reserved"],
    "title": " Ferry stops\nin June",
    "author": "Ann Lee und Tom Rost",
    "date": "2026-03-14",
    "comments": ["About time."],
    "tags": ["harbour", "Fish &amp; chips"],
    "sitename": None,
}


def trafilatura(root, rows):
    files = {f"tests/cache/{row['file']}": "<p>x</p>" for row in rows.values()}
    return read("trafilatura", write(root, {**files, "tests/evaldata.json": rows}))


def test_trafilatura_has_values_and_segments(tmp_path):
    (page,) = trafilatura(tmp_path, {"https://news.post.co.uk/1": ROW | {"file": "post.html"}})
    assert (page.id, page.site, page.url) == ("post", "post.co.uk", "https://news.post.co.uk/1")
    gold = page.gold
    assert (gold.title, gold.authors) == ("Ferry stops in June", ("Ann Lee", "Tom Rost"))
    assert (gold.date, gold.must) == (date(2026, 3, 14), ("will not sail", "before noon"))
    assert gold.must_not == ("All rights reserved",)
    assert gold.others == {"comment": ("About time.",), "tags": ("harbour", "Fish & chips")}
    assert gold.covers == {"Title", "Author", "Date"}


@pytest.mark.parametrize(
    ("key", "site", "url"),
    [
        ("hard::post.com.pa-ferry.html", "post.com.pa", ""),
        ("hard::post.de.Ferry-Late.html", "post.de", ""),
        ("https://web.archive.org/web/20130131/http://www.post.de/a", "post.de", None),
        ("https://web.archive.org/web/20130131id_/post.de/a", "post.de", "http://post.de/a"),
    ],
)
def test_trafilatura_has_the_sites_of_publishers(tmp_path, key, site, url):
    (page,) = trafilatura(tmp_path, {key: ROW | {"file": "x.html"}})
    assert page.site == site
    assert page.url == ("http://www.post.de/a" if url is None else url)


WCXB = {
    "title": "Ferry stops in June",
    "author": "Ann Lee and Tom Rost",
    "publish_date": "2026-03-14",
    "main_content": "The ferry  sails.\n\n- Salt &amp; sand\n\n| Noon | Late |\n***\n2. Wait",
    "with": ["- Salt\n- sand"],
    "without": ["All rights reserved", "***"],
}


def wcxb(root, url="", **parts):
    """Write page 0001 in each part, which the list counts in the first, and read all."""
    listed = {"split": next(iter(parts)), "page_type": "article", "domain": "blog.post.co.uk"}
    files = {"metadata.json": {"files": {"0001": listed}}}
    for part, values in parts.items():
        files[f"{part}/html/0001.html.gz"] = b"<p>Hello</p>"
        files[f"{part}/ground-truth/0001.json"] = {"url": url, "ground_truth": values}
    return read("wcxb", write(root, files))


def test_wcxb_has_text_without_marks(tmp_path):
    (page,) = wcxb(tmp_path, dev=WCXB)
    assert (page.id, page.site, page.url) == ("article-0001", "post.co.uk", "")
    gold = page.gold
    assert gold.authors == ("Ann Lee", "Tom Rost")
    assert (gold.title, gold.date) == ("Ferry stops in June", date(2026, 3, 14))
    lines = ("The ferry sails.", "Salt & sand", "Noon | Late", "2. Wait")
    assert gold.body == tuple(("Text", line) for line in lines)
    assert (gold.must, gold.must_not) == (("Salt sand",), ("All rights reserved",))
    assert gold.about == {"page_type": "article", "split": "dev"}
    assert gold.covers == {"Title", "Author", "Date", "Paragraph", "Subtitle"}


def test_wcxb_gives_a_page_of_two_parts_once(tmp_path):
    page, copy = wcxb(tmp_path, dev=WCXB, test=WCXB)
    assert page.gold.about["split"] == "dev"
    assert copy == Skipped("article-0001-test", "a second copy of the page in dev", is_known=True)


FUNDUS = {
    "title": "Ferry stops in June",
    "authors": ["Ann Lee"],
    "publishing_date": "2026-03-14 10:30:00+00:00",
    "body": {
        "summary": ["What the council said."],
        "sections": [
            {"headline": [], "paragraphs": ["The ferry will not sail before noon."]},
            {"headline": ["No end in sight"], "paragraphs": ["Nobody could say how long."]},
        ],
    },
    "images": [
        {"versions": [{"url": "https://x.example/quay-in-rain.jpg?w=1"}], "caption": "The quay."}
    ],
}
FUNDUS_PAGE = b"""<html lang=en><h1>Ferry stops in June</h1><p>What the council said.</p>
<span>By Ann Lee</span><time>14 March 2026</time>
<figure><img src="https://x.example/quay-in-rain.jpg"><figcaption>The quay.</figcaption></figure>
<p>The ferry will not sail <a>before</a> noon.</p><h2>No end in sight</h2>
<p>Nobody could say how long.</p></html>"""
LABELS = "Title Subtitle Author Date Multimedia Caption Paragraph Paragraph Paragraph Subtitle"


def test_fundus_labels_every_field(tmp_path):
    root = "tests/resources/parser/test_data/uk/HarbourPost"
    row = {"gold_key": "V2", "url": "https://news.post.co.uk/1"}
    files = {
        f"{root}_2026_03_14.html.gz": FUNDUS_PAGE,
        f"{root}.json": {"V1": {"title": "old"}, "V2": FUNDUS},
        "gold_map.json": {"uk/HarbourPost_2026_03_14.html.gz": row},
    }
    folder = write(tmp_path / "fundus", files)
    corpus = import_corpus("fundus", folder, StaticRenderer(), tmp_path / "out")
    assert corpus.pages[0].labels == (*LABELS.split(), "Paragraph")
    shares = corpus.notes["alignment"]
    assert {row["field"]: row["share"] for row in shares} == dict.fromkeys(LABELS.split(), 1.0)


def old_fundus(root, publisher, url, **gold):
    """Write one page in the layout of the history."""
    name = f"uk/{publisher}_2026_03_14.0a1b2c3d.html.gz"
    row = {"url": url, "publisher": publisher, "gold": {**FUNDUS, **gold}}
    return write(root, {f"pages/{name}": FUNDUS_PAGE, "gold.json": {name: row}})


def test_a_label_that_an_old_parser_does_not_read_is_unknown(tmp_path):
    folder = old_fundus(tmp_path, "HarbourPost", "https://news.post.co.uk/1", images=[])
    corpus = import_corpus("fundus-history", folder, StaticRenderer(), tmp_path / "out")
    labels = corpus.pages[0].labels
    assert labels[:6] == ("Title", "Subtitle", "Author", "Date", "Multimedia|None", "Caption|None")


@pytest.mark.parametrize(
    ("publisher", "url", "site", "family"),
    [
        ("Taz", None, "taz.de", "taz.de"),
        ("BBC", "https://www.bbc.co.uk/sport/1", "bbc.com", "bbc.com"),
        ("NDR", "https://www.ndr.de/1", "ndr.de", "MDR"),
        ("HarbourPost", None, "harbourpost", "harbourpost"),
    ],
)
def test_an_old_page_has_the_site_of_new_pages(tmp_path, publisher, url, site, family):
    (page,) = read("fundus-history", old_fundus(tmp_path, publisher, url))
    assert (page.site, page.family) == (site, family)
    assert page.id == f"uk-{publisher}_2026_03_14.0a1b2c3d"
