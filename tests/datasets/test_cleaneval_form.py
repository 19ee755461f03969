import pytest

from structce.datasets.cleaneval import read_gold, unwrap_page

PAGE = b"<!DOCTYPE html>\n<html><p>The quay.</html>\n"


def test_a_page_is_taken_out_of_its_wrapper_with_address_and_encoding() -> None:
    head = b'\n<text id="http://post.example/1?a=1&amp;b=2" title="A > B" encoding="latin1">\n\n'
    found = unwrap_page(head + PAGE + b"</text>\n")
    assert found.data == PAGE
    assert found.url == "http://post.example/1?a=1&b=2"
    assert found.content_type == "text/html; charset=latin1"


@pytest.mark.parametrize("encoding", ["unset", "unknown-us-ascii", ""])
def test_an_encoding_that_there_is_not_tells_nothing(encoding: str) -> None:
    found = unwrap_page(f'<text id="http://post.example/1" encoding="{encoding}">'.encode() + PAGE)
    assert (found.url, found.content_type) == ("http://post.example/1", "")


def test_a_page_without_a_wrapper_stays_as_it_is() -> None:
    assert unwrap_page(PAGE).data == PAGE


def test_a_byte_order_mark_behind_the_wrapper_comes_first() -> None:
    assert unwrap_page(b'<text id="x">\n\xef\xbb\xbf<html>').data.startswith(b"\xef\xbb\xbf<html>")


def test_marks_cut_a_text_and_lines_are_joined() -> None:
    gold = "URL: http://post.example/1\n\n  <h>The quay\n<p>It rains\n   again.\n<l>Wet\n"
    url, pieces = read_gold(gold.replace("\n", "\r\n").encode())
    assert url == "http://post.example/1"
    assert pieces == (("h", "The quay"), ("p", "It rains again."), ("l", "Wet"))


def test_a_text_before_a_mark_or_behind_a_blank_line_has_none() -> None:
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
def test_what_the_text_browser_drew_is_no_text(gold: str, pieces: list[tuple[str, str]]) -> None:
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
def test_mistyped_marks_count_and_a_pages_own_do_not(
    gold: str, pieces: list[tuple[str, str]]
) -> None:
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
def test_the_line_of_the_address_may_be_odd_or_missing(head: str, url: str) -> None:
    assert read_gold(f"\ufeff{head}<p>It rains.".encode()) == (url, (("p", "It rains."),))


def test_character_references_and_comments_are_read() -> None:
    _, pieces = read_gold(b"<h>It&#8217;s &amp; more\n<!-- no article -->\n")
    assert pieces == (("h", "It’s & more"),)
