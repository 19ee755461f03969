import pytest

from structce.alignment import align
from structce.datasets.base import GoldPage
from structce.datasets.gottron import gold_text
from structce.datasets.labelled_pages import read_labelled_pages
from structce.labels import UNKNOWN
from structce.rendering.static import StaticRenderer

FACTS = (
    '{"format":1,"url":"https://post.example/1","model":"m1","threshold":0.5,'
    '"saved":"2026\\u002d11\\u002d22T17:00:00.000Z"}'
)
YES, NO = "<!--structce content-->", "<!--structce boilerplate-->"
PLAIN = """<!doctype html>
<html><head><title>No ferry</title></head><body><nav><a>Home</a> <a>Sport</a></nav>
<h2>No ferry</h2><p>The ferry <!-- cut -->will<b>not</b><br>sail.<script>f()</script></p>
<table>aside<tr><td>one<td>two</table><p>The wind, said some.</p><footer>All rights</footer></body>
</html>
"""
MARKED = PLAIN.replace("<h2>", f"<h2>{YES}")
for mark, texts in ((NO, "Home Sport aside two All"), (YES, "will not< sail one")):
    for start in texts.split():
        MARKED = MARKED.replace(start, f"{mark}{start}")
MARKED = MARKED.replace("The ferry", f"{YES}The ferry")


def save(path, html=MARKED, facts=FACTS):
    """Write a file as the extension does."""
    path.write_text(html.replace("html>\n", f"html>\n<!--structce-page {facts}-->\n", 1))
    return path


def read_one(path):
    (page,) = read_labelled_pages(path)
    assert isinstance(page, GoldPage), page
    return page


def test_the_page_is_given_without_the_comments_of_the_extension(tmp_path):
    save(tmp_path / "No Ferry.labelled.html")
    page = read_one(tmp_path)
    assert page.data.decode() == PLAIN
    assert (page.id, page.site, page.url) == ("No-Ferry", "post.example", "https://post.example/1")


def test_files_that_the_browser_numbered_are_read_as_well(tmp_path):
    for name in ("a.labelled.html", "a.labelled (1).html", "a.labelled(2).html", "a (3).html"):
        save(tmp_path / name)
    pages = list(read_labelled_pages(tmp_path))
    assert sorted(page.id for page in pages) == ["a", "a-1", "a-2"]


def test_content_is_the_body_and_boilerplate_is_background(tmp_path):
    page = read_one(save(tmp_path / "ferry.labelled.html"))
    assert gold_text(page.gold) == "No ferry\nThe ferry willnot sail.\none"
    facts = {"model": "m1", "threshold": "0.5", "saved": "2026-11-22T17:00:00.000Z"}
    assert page.gold.about == facts
    rendered = StaticRenderer().render(page.document())
    labels = dict(zip(rendered.text, align(rendered, page.gold).labels, strict=True))
    assert labels["No ferry"] == "Subtitle"
    assert labels["The ferry"] == labels["not"] == labels["sail."] == "Paragraph"
    for text in ("Home", "Sport", "aside", "two", "All rights"):
        assert labels[text] == "None", text
    assert labels["The wind, said some."] in (UNKNOWN, "None")


@pytest.mark.parametrize(
    ("html", "facts", "why"),
    [
        (PLAIN, FACTS, "no text has a label"),
        (MARKED, FACTS.replace('"format":1', '"format":2'), "format 2; expected 1"),
        (MARKED, "{}", "format"),
        (MARKED, "none", "no comment"),
    ],
    ids=["unlabelled", "other format", "no facts", "no comment"],
)
def test_a_bad_file_is_lost_with_its_reason(tmp_path, html, facts, why):
    save(tmp_path / "x.labelled.html", html, facts)
    (page,) = read_labelled_pages(tmp_path)
    assert why in page.reason
