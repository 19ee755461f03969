import pytest

HTML = """<html><head><title> A  title </title>
<meta name="Author" content="Ann Lee"><meta property="og:title" content="OG title">
<meta property="article:author" content="https://social.example/ann">
<script type="application/ld+json">{"@graph": [{"@type": "NewsArticle", "headline": "LD title",
"author": [{"name": "Tom Rost"}, "Ann Lee"], "datePublished": "2026-03-01"}]}</script>
<script type="application/ld+json">{"broken": </script>
</head><body><time datetime="2026-03-02">x</time><svg><title>icon</title></svg></body></html>"""


def test_statements_of_a_page_are_read_from_every_place(make_page):
    metadata = make_page(HTML).metadata
    assert metadata.title == "A title"
    assert metadata.headlines == ("LD title", "OG title", "A title")
    assert metadata.authors == ("Tom Rost", "Ann Lee")
    assert metadata.dates == ("2026-03-01",)
    assert metadata.times == ("2026-03-02",)


def test_a_deeply_nested_json_ld_is_left_out(make_page):
    deep = "[" * 100_000
    page = make_page(f'<title>t</title><script type="application/ld+json">{deep}</script><p>x')
    assert page.metadata.json_ld == ()
    assert page.title == "t"


@pytest.mark.parametrize("depth", [60, 300, 900])
@pytest.mark.parametrize(("start", "end"), [("[", "]"), ('{"author":', "}")])
def test_json_ld_that_nests_without_reason_is_left_out(make_page, depth, start, end):
    inner = '{"headline": "x"}'
    script = f'<script type="application/ld+json">{start * depth}{inner}{end * depth}</script>'
    page = make_page(script + "<p>text</p>")
    assert page.metadata.json_ld == ()
    assert page.metadata.authors == ()
    assert page.text == ("text",)


def test_publication_and_change_are_stated_apart(make_page):
    page = make_page(
        "<meta property='article:published_time' content='2026-03-01'>"
        "<meta property='og:updated_time' content='2026-03-04'>"
        "<meta name=last-modified content='2026-03-05'><meta name=date content='2026-03-02'>"
        '<script type="application/ld+json">{"datePublished": "2026-03-01T09:00Z", '
        '"dateModified": "2026-03-03"}</script><p>x'
    )
    assert page.metadata.published_dates == ("2026-03-01T09:00Z", "2026-03-01", "2026-03-02")
    assert page.metadata.modified_dates == ("2026-03-03", "2026-03-04", "2026-03-05")
    assert page.metadata.dates == (*page.metadata.published_dates, *page.metadata.modified_dates)


def test_keywords_are_parted_and_sections_named(make_page):
    page = make_page(
        "<meta name=keywords content='Harbour, Ferry;Town '>"
        "<meta property=article:tag content=Quay>"
        '<script type="application/ld+json">{"keywords": ["Ferry"], "articleSection": "Local"}'
        "</script><p>x"
    )
    assert page.metadata.keywords == ("Ferry", "Quay", "Harbour", "Town")
    assert page.metadata.sections == ("Local",)
