"""A loaded reader, an article as a string, and plain values."""

from itertools import count

import pytest

import structce
from structce.errors import EmptyPageWarning, ModelError, ModelWarning, SourceError, StructceError
from structce.rendering import Document

URL = "https://post.example/1"
OPTIONS = {"spans": False, "favour": "precision", "context": True}


@pytest.mark.parametrize(("model", "options"), [("news", {}), ("news-static", OPTIONS)])
def test_a_loaded_reader_reads_as_one_call_does(model, options, article_html):
    html, reader = article_html(0), structce.load(model, **options)
    alone = structce.label(html, url=URL, **options)
    assert reader(html, url=URL) == reader(html.encode(), url=URL) == alone
    assert reader(Document(html, url=URL)) == alone
    assert repr(reader) == "<HtmlReader news-static, static renderer>"


@pytest.mark.parametrize("workers", [1, 2])
def test_pages_in_memory_come_in_order_and_errors_are_values(article_html, workers):
    reader, named = structce.load(), Document(article_html(1), name="b")
    outcomes = list(reader.pipe([article_html(0), "words", named], workers=workers))
    assert [outcome.source for outcome in outcomes] == ["document 1", "document 2", "b"]
    articles = [reader(article_html(0)), None, reader(named)]
    assert [outcome.value for outcome in outcomes] == articles
    assert outcomes[1].error == "document 2: contains no markup; expected HTML"


def test_anything_comes_back_beside_its_outcome_lazily(article_html):
    numbers = count()
    outcomes = structce.load().pipe(((article_html(n), n) for n in numbers), as_tuples=True)
    for expected, (outcome, n) in zip(range(3), outcomes, strict=False):
        assert n == expected
        assert outcome.value.get("title").endswith(f"part {n}")
    assert next(numbers) < 20


def test_what_is_no_html_or_model_is_an_error():
    with pytest.raises(TypeError, match="got int"):
        structce.load()(7)
    with pytest.raises(SourceError, match="no markup"):
        structce.load()("page.html")
    with pytest.raises(ModelError, match="no such model"):
        structce.load("nothing")
    with pytest.warns(ModelWarning, match="chromium renderer"):
        structce.load("news-chromium")
    with pytest.raises(StructceError, match="'pdf'; expected one of text, markdown, html, json"):
        structce.extract("<p>", format="pdf")
    with pytest.raises(StructceError, match="'precise'; expected one of precision, balance"):
        structce.label("<p>", favour="precise")


@pytest.mark.parametrize("form", "text txt markdown md html".split())
def test_an_article_is_written_as_by_the_command(run, tmp_path, article_html, form):
    (tmp_path / "a.html").write_text(article_html(0))
    _, out, _ = run("label", tmp_path / "a.html", "--renderer", "static", "--format", form)
    assert structce.extract(article_html(0), format=form) == out


def test_values_are_plain(article_html):
    article, empty = structce.label(article_html(0)), structce.Article("")
    assert structce.extract(article_html(0), format="json") == article.to_json()
    assert str(article.title) == article.get("title") == article.title.value
    assert (article.get("authors"), article.get("quality")) == (["Ann Lee"], article.quality)
    assert empty.get("date", "unknown") == "unknown"
    assert (empty.get("date"), empty.get("authors")) == (None, None)
    with pytest.raises(AttributeError, match="'titel'; expected one of url, title"):
        article.get("titel")


@pytest.mark.parametrize(
    "read", [structce.label, structce.extract, lambda html: [*structce.load().pipe([html])]]
)
def test_page_written_by_scripts_warns_at_the_call(read):
    with pytest.warns(EmptyPageWarning, match="nothing is visible") as caught:
        read("<title>Shop</title><div id=root></div><script>draw()</script>")
    assert [warning.filename for warning in caught] == [__file__]
