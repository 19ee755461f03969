from collections import Counter
from pathlib import Path

import pytest

from structce.datasets.base import READERS, Lost
from structce.datasets.cleaneval import read_cleaneval, read_cleanportaleval, read_gold, unwrap_page

PAGE = """<text id="http://news.post.co.uk/1" title="The quay" encoding="{encoding}">
<!DOCTYPE html>
<html><h1>The quay</h1><p>Café in rain.</p></html>
</text>
"""
GOLD = "URL: http://news.post.co.uk/1\n\n<h>The quay\n<p>Café in rain.\n<h>More\n<l>* Fish\n"


def write(folder: Path, name: str, *, gold: str | None = GOLD, encoding: str = "utf8") -> None:
    codec = "utf-8" if encoding == "utf8" else encoding
    for kind in ("input", "GoldStandard"):
        (folder / kind).mkdir(parents=True, exist_ok=True)
    (folder / "input" / f"{name}.html").write_text(PAGE.format(encoding=encoding), encoding=codec)
    if gold is not None:
        (folder / "GoldStandard" / f"{name}.txt").write_text(gold, encoding="utf-8")


@pytest.fixture
def parts(tmp_path):
    """The two parts of CleanEval: pages 2 and 10, and pages 2 and 3 of which one has no text."""
    write(tmp_path / "cleaneval-dev", "10")
    write(tmp_path / "cleaneval-dev", "2", encoding="iso-8859-1")
    write(tmp_path / "cleaneval-final", "2")
    write(tmp_path / "cleaneval-final", "3", gold=None)
    return tmp_path


def test_the_same_number_in_both_parts_is_two_pages_in_the_order_of_numbers(parts):
    items = list(read_cleaneval(parts))
    assert [item.id for item in items] == "dev-2 dev-10 final-2 final-3".split()
    assert [item.gold.about["split"] for item in items[:3]] == "dev dev final".split()


def test_the_wrapper_tells_address_site_and_encoding(parts):
    page = next(read_cleaneval(parts))
    assert (page.url, page.site) == ("http://news.post.co.uk/1", "post.co.uk")
    document = page.document()
    assert "Café" in document.html
    assert document.html.startswith("<!DOCTYPE html>")


def test_marks_become_kinds_and_the_first_heading_is_not_sworn_to(parts):
    page = next(read_cleaneval(parts))
    assert page.gold.body == (
        ("Text", "The quay"),
        ("Paragraph", "Café in rain."),
        ("Subtitle", "More"),
        ("Paragraph", "Fish"),
    )
    assert page.gold.title is None
    assert page.gold.covers == {"Paragraph", "Subtitle"}


def test_pages_without_a_text_are_known_to_be_lost_in_the_final_part_alone(parts):
    write(parts / "cleaneval-dev", "11", gold=None)
    write(parts / "cleaneval-final", "4", gold="URL: http://news.post.co.uk/1\n\n   \n")
    (parts / "cleaneval-final" / "GoldStandard" / "5.txt").write_text(GOLD)
    lost = {item.id: item for item in read_cleaneval(parts) if isinstance(item, Lost)}
    assert lost["dev-11"] == Lost("dev-11", "GoldStandard has no 11.txt")
    assert lost["final-3"].is_known
    assert lost["final-4"] == Lost("final-4", "no text in GoldStandard/4.txt", is_known=True)
    assert "FileNotFoundError" in lost["final-5"].why
    assert not lost["final-5"].is_known


def test_the_first_heading_of_a_portal_page_is_its_title(tmp_path):
    write(tmp_path, "post_1")
    (page,) = read_cleanportaleval(tmp_path)
    assert page.gold.title == "The quay"
    assert not page.gold.about
    assert [text for _, text in page.gold.body] == ["Café in rain.", "More", "Fish"]
    assert page.gold.covers == {"Paragraph", "Subtitle", "Title"}


def test_a_portal_page_without_an_article_is_known_to_be_lost(tmp_path):
    write(tmp_path, "post_1", gold="URL: http://post.example/\n<!-- no article here -->\n")
    (lost,) = read_cleanportaleval(tmp_path)
    assert lost == Lost("post_1", "no text in GoldStandard/post_1.txt", is_known=True)


@pytest.mark.parametrize(
    ("name", "counts"),
    [("cleaneval", {"read": 730, "known": 65}), ("cleanportaleval", {"read": 69, "known": 2})],
)
def test_every_page_of_the_real_data_is_read_or_known_to_lack_a_text(shared_data, name, counts):
    kinds = Counter()
    for item in READERS[name].read(shared_data(f"{name}.zip")):
        if isinstance(item, Lost):
            kinds["known" if item.is_known else f"{item.id}: {item.why}"] += 1
            continue
        kinds["read"] += 1
        assert b"<text" not in item.data[:200]
        assert item.url
        assert all(text for _, text in item.gold.body)
    assert kinds == counts


SENT = b"<!DOCTYPE html>\n<html><p>The quay.</html>\n"


def test_a_page_is_taken_out_of_its_wrapper_with_address_and_encoding():
    head = b'\n<text id="http://post.example/1?a=1&amp;b=2" title="A > B" encoding="latin1">\n\n'
    unwrapped = unwrap_page(head + SENT + b"</text>\n")
    assert unwrapped == (SENT, "http://post.example/1?a=1&b=2", "text/html; charset=latin1")


@pytest.mark.parametrize("encoding", ["unset", "unknown-us-ascii", ""])
def test_an_encoding_that_there_is_not_tells_nothing(encoding):
    unwrapped = unwrap_page(
        f'<text id="http://post.example/1" encoding="{encoding}">'.encode() + SENT
    )
    assert unwrapped[1:] == ("http://post.example/1", "")


def test_a_page_without_a_wrapper_stays_as_it_is():
    assert unwrap_page(SENT) == (SENT, "", "")


def test_a_byte_order_mark_behind_the_wrapper_comes_first():
    assert unwrap_page(b'<text id="x">\n\xef\xbb\xbf<html>')[0].startswith(b"\xef\xbb\xbf<html>")


def test_marks_cut_a_text_and_lines_are_joined():
    gold = "URL: http://post.example/1\n\n  <h>The quay\n<p>It rains\n   again.\n<l>Wet\n"
    url, pieces = read_gold(gold.replace("\n", "\r\n").encode())
    assert url == "http://post.example/1"
    assert pieces == (("h", "The quay"), ("p", "It rains again."), ("l", "Wet"))


def test_a_text_before_a_mark_or_behind_a_blank_line_has_none():
    _, pieces = read_gold(b"Monday\n<p>It rains.\n\n   And snows.\n")
    assert pieces == (("", "Monday"), ("p", "It rains."), ("", "And snows."))


@pytest.mark.parametrize(
    ("gold", "pieces"),
    [
        ("<l>  * Fast", [("l", "Fast")]),
        ("<l> 12. Unique", [("l", "Unique")]),
        ("<h> 2. Method", [("h", "2. Method")]),
        ("  o  <p>Load", [("p", "Load")]),
        ("<p> go to\n the end", [("p", "go to the end")]),
        ("<p>One\n_______\nTwo", [("p", "One"), ("", "Two")]),
        ("<p>", []),
        ("<p>\n\nLate", [("p", "Late")]),
    ],
    ids=["bullet", "number", "heading", "before", "inside", "rule", "empty", "late"],
)
def test_what_the_text_browser_drew_is_no_text(gold, pieces):
    assert read_gold(gold.encode())[1] == tuple(pieces)


@pytest.mark.parametrize(
    ("gold", "pieces"),
    [
        ("<h<Are rooms free?", [("h", "Are rooms free?")]),
        ("<l. Next shot", [("l", "Next shot")]),
        ("<pI walked", [("p", "I walked")]),
        ("<P>Loud", [("p", "Loud")]),
        ("<p>two <h>heads", [("p", "two"), ("h", "heads")]),
        ("<p>print '<p>Hi'", [("p", "print '<p>Hi'")]),
        ("<p>see <http://a.example/>", [("p", "see <http://a.example/>")]),
    ],
    ids=["angle", "dot", "none", "large", "line", "code", "address"],
)
def test_mistyped_marks_count_and_a_pages_own_do_not(gold, pieces):
    assert read_gold(gold.encode())[1] == tuple(pieces)


@pytest.mark.parametrize(
    ("head", "url"),
    [
        ("URL: \nhttp://post.example/1\n\n", "http://post.example/1"),
        ("URL: www.post.example\n", "www.post.example"),
        ("URL:\n", ""),
        ("", ""),
    ],
    ids=["below", "bare", "empty", "none"],
)
def test_the_line_of_the_address_may_be_odd_or_missing(head, url):
    assert read_gold(f"\ufeff{head}<p>It rains.".encode()) == (url, (("p", "It rains."),))


def test_character_references_and_comments_are_read():
    _, pieces = read_gold(b"<h>It&#8217;s &amp; more\n<!-- no article -->\n")
    assert pieces == (("h", "It’s & more"),)
