import numpy as np
import pytest
from msgspec.structs import replace

from structce.article import read_article
from structce.labelling import Labelling
from structce.labels import NEWS


def labelling(page, labels, confidence=()):
    sure = np.array(confidence or [1.0] * len(page))
    return Labelling(page, tuple(labels), sure, NEWS)


def test_an_article_holds_each_field_with_its_place(make_page):
    page = make_page(
        "<nav>Home</nav><h1>Ferry stops</h1><span>By Ann Lee and Tom Rost</span>"
        "<i>14 March 2026, 10:30</i><p>It will <b>not</b> sail.</p><h2>Why</h2><p>Rain .</p>"
    )
    labels = ["None", "Title", "Author", "Date", *["Paragraph"] * 3, "Subtitle", "Paragraph"]
    sure = [1, 0.9, 0.8, 0.7, 1, 1, 1, 1, 1]
    article = read_article(labelling(page, labels, sure))
    assert (article.title.value, article.title.confidence) == ("Ferry stops", 0.9)
    assert article.title.xpath == "/html[1]/body[1]/h1[1]/text()[1]"
    assert [author.value for author in article.authors] == ["Ann Lee", "Tom Rost"]
    assert article.date.value == "2026-03-14T10:30:00"
    assert article.text == "It will not sail.\nWhy\nRain ."


def test_a_page_without_labels_is_an_empty_article(make_page):
    article = read_article(labelling(make_page("<p>a</p>"), ["None"]))
    assert (article.title, article.authors, article.date, article.text) == (None, (), None, "")


STATED = """<html lang=en><head><title>Ferry stops | The Post</title>
<meta property="og:site_name" content="The Post">
<meta property="og:title" content="Harbour: Ferry stops in June - The Post">
<script type="application/ld+json">{"@type": "NewsArticle", "datePublished":
"2026-03-14T10:30:00+01:00", "author": [{"name": "Ann Lee (al)"}, {"name": "The Post"}],
"publisher": {"name": "The Post"}}</script></head>
<body><h1>Ferry stops</h1><b>By Ann Lee</b><i>14 March 2026</i><p>Text.</p></body></html>"""


def test_the_likeliest_of_region_and_statement_is_the_title(make_page):
    labels = ["Title", "Author", "Date", "Paragraph"]
    shown = read_article(labelling(make_page(STATED), labels, [0.9] * 4)).title
    assert (shown.value, shown.source) == ("Ferry stops", "region")
    assert shown.xpath == "/html[1]/body[1]/h1[1]/text()[1]"
    stated = read_article(labelling(make_page(STATED), labels, [0.2] * 4)).title
    assert (stated.value, stated.source) == ("Harbour: Ferry stops in June", "og")
    assert stated.xpath is None


def test_a_text_may_favour_precision_or_recall(make_page):
    page = make_page("<p>First.</p><p>Second.</p><p>Third.</p>")
    labelled = labelling(page, ["Paragraph"] * 3, [0.9, 0.5, 0.3])
    texts = [read_article(labelled, favour=favour).text for favour in ("precision", "recall")]
    assert texts == ["First.", "First.\nSecond.\nThird."]


def test_language_and_change_are_told(make_page):
    html = STATED.replace('"author"', '"dateModified": "2026-03-15T08:00:00+01:00", "author"')
    article = read_article(labelling(make_page(html), ["None"] * 4))
    assert article.language.value == "en"
    assert article.modified.value == "2026-03-15T08:00:00+01:00"
    earlier = html.replace("2026-03-15T08", "2026-03-13T08")
    assert read_article(labelling(make_page(earlier), ["None"] * 4)).modified is None


@pytest.mark.parametrize(
    ("canonical", "shared", "url", "address"),
    [
        ("https://x.example/1", "https://x.example/2", "", "https://x.example/1"),
        ("/1?a=b", "", "https://www.x.example/1#top", "https://www.x.example/1?a=b"),
        ("//x.example/1", "", "https://www.x.example/2", "https://x.example/1"),
        ("/1", "https://x.example/2", "", "https://x.example/2"),
        ("javascript:alert(1)", "HTTPS://x.example/2", "", "HTTPS://x.example/2"),
        ("http://[x/1", "", "https://x.example/3", ""),
        ("", " ", "https://x.example/3", ""),
    ],
)
def test_address_is_canonical_or_shared_one(make_page, canonical, shared, url, address):
    head = f'<link rel=canonical href="{canonical}"><meta property="og:url" content="{shared}">'
    page = make_page(f"<head>{head}<body><p>The ferry stops.", url=url)
    assert read_article(labelling(page, ["None"])).canonical_url == address


def test_the_title_is_no_part_of_the_text(make_page):
    page = make_page("<h1>Ferry stops</h1><p>It will not sail.</p>")
    labelled = labelling(page, ["Title", "Paragraph"], [0.5, 0.9])
    marginals = np.zeros((2, len(NEWS)))
    marginals[0, [NEWS.index("Title"), NEWS.index("Subtitle")]] = 0.3, 0.7
    marginals[1, NEWS.index("Paragraph")] = 0.9
    article = read_article(replace(labelled, marginals=marginals))
    assert article.title.value == "Ferry stops"
    assert article.text == "It will not sail."
