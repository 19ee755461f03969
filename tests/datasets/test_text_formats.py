import pytest

from structce.datasets.text_formats import decode_text, linked_site, safe_id, stated_url, text_lines


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "cp1252"],
)
def test_a_text_is_read_in_any_encoding_that_editors_wrote(encoding: str) -> None:
    assert decode_text("Café – “no”".encode(encoding)) == "Café – “no”"


def test_a_line_without_letters_or_digits_is_no_line() -> None:
    assert text_lines("  One \t line\r\n\r\n___\n* * *\nNo. 2\n") == ("One line", "No. 2")


def test_an_id_has_no_spaces_or_brackets() -> None:
    assert [safe_id(name) for name in ("apple (10)", "a.b_c-d")] == ["apple-10", "a.b_c-d"]


def test_a_page_states_its_address_only_with_a_host() -> None:
    relative = b'<link rel=canonical href="/news/1">'
    open_graph = b'<meta property="og:url" content=" https://post.example/1 ">'
    assert stated_url(relative) == ""
    assert stated_url(relative + open_graph) == "https://post.example/1"


def test_the_links_of_a_page_tell_its_site_where_most_agree() -> None:
    own, other = b'<a href="https://www.post.co.uk/1">', b'<a href="https://ads.example/">'
    assert linked_site(own * 2 + other + b'<a href="/2"><a href>') == "post.co.uk"
    assert linked_site(own + other) == ""
    assert linked_site(b"<p>no links") == ""
