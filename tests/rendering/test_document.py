import gzip
import random

import pytest

from structce.errors import SourceError
from structce.rendering.document import decode

TEXT = "<p>Grüße aus Łódź – “naïve”</p>"


def test_a_byte_order_mark_beats_every_declaration() -> None:
    data = b"\xff\xfe" + ('<meta charset="iso-8859-1">' + TEXT).encode("utf-16-le")
    document = decode(data, name="p", content_type="text/html; charset=latin1")
    assert document.encoding == "utf-16-le"
    assert TEXT in document.html


def test_the_header_beats_the_meta_element() -> None:
    data = '<meta charset="utf-8"><p>Žluťoučký</p>'.encode("cp1250")
    document = decode(data, name="p", content_type="text/html; charset=windows-1250")
    assert "Žluťoučký" in document.html


@pytest.mark.parametrize(
    "meta",
    [
        '<meta charset="iso-8859-2">',
        "<meta http-equiv=Content-Type content='text/html; charset=ISO-8859-2'>",
    ],
)
def test_the_meta_element_names_the_encoding(meta: str) -> None:
    assert "Łódź" in decode((meta + "<p>Łódź</p>").encode("iso-8859-2"), name="p").html


def test_utf_8_is_taken_where_nothing_is_declared() -> None:
    assert decode(TEXT.encode(), name="p").html == TEXT


@pytest.mark.parametrize("declared", ["iso-8859-1", "windows-1251", "gb2312", "shift_jis"])
def test_valid_utf_8_beats_another_declaration(declared: str) -> None:
    html = f'<meta charset="{declared}">{TEXT}'
    document = decode(html.encode(), name="p", content_type=f"text/html; charset={declared}")
    assert document.html == html
    assert document.encoding == "utf-8"


def test_an_encoding_of_seven_bits_is_read_as_declared() -> None:
    html = '<meta charset="iso-2022-jp"><p>今日は東京</p>'
    assert decode(html.encode("iso2022_jp"), name="p").html == html


def test_a_declaration_that_does_not_fit_is_passed_over_for_the_detector() -> None:
    text = '<meta charset="utf-8">' + "<p>Très élégant déjà vu à l’été français.</p>" * 20
    document = decode(text.encode("cp1252"), name="p")
    assert "élégant" in document.html
    assert "�" not in document.html


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("L’été à la plage. Très élégant, déjà vu, où les élèves mangèrent des crêpes.", "cp1252"),
        ("Die Küche ist für die Gäste geöffnet, sagte der Bürgermeister.", "cp1252"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy, což je známá věta.", "cp1250"),
        ("Съешь же ещё этих мягких французских булок, да выпей чаю", "cp1251"),
        ("今日は東京で地震がありました。詳しいことはまだ分かっていません。", "shift_jis"),
    ],
)
def test_old_encodings_are_told_apart(text: str, encoding: str) -> None:
    assert decode(f"<p>{text}</p>".encode(encoding), name="p").html == f"<p>{text}</p>"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b" \n ", "empty"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "PNG"),
        (b"%PDF-1.7 ...", "PDF"),
        (gzip.compress(b"<p>", mtime=0), "gzip"),
        (b"\x00\x01\x02\x03" * 100, "binary"),
    ],
)
def test_what_is_no_page_is_an_error_that_says_what_it_is(data: bytes, says: str) -> None:
    with pytest.raises(SourceError, match=rf"page\.html.*{says}"):
        decode(data, name="page.html")


def test_a_page_over_the_limit_is_refused() -> None:
    with pytest.raises(SourceError, match="at most"):
        decode(b"<p>" + b"x" * 20_000_001, name="huge.html")


POLISH = "Zażółć gęślą jaźń: wójt powiedział, że most będzie zamknięty na cały październik. " * 3
DECLARED = '<meta charset="utf-8">'


@pytest.mark.parametrize("bad", [b"\xff", b"\xe2\x80", b"\xc3(", b"\xed\xa0\x80", b"\x80"])
def test_an_invalid_byte_costs_itself_alone(bad: bytes) -> None:
    data = (DECLARED + TEXT).encode() + bad + b"<p>" + TEXT.encode()
    html = decode(data, name="p").html
    assert html.startswith(DECLARED + TEXT + "\ufffd")
    assert html.endswith(TEXT)


def test_a_page_that_declares_nothing_may_have_an_invalid_byte_too() -> None:
    assert POLISH in decode(POLISH.encode() + b"\xff", name="p").html


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "\u4e2d\u6587"),
        ("shift_jis", "\u65e5\u672c\u8a9e"),
        ("euc-kr", "\ud398\ub9ac"),
        ("big5", "\u4e2d\u6587"),
    ],
)
def test_an_invalid_byte_of_another_encoding_costs_itself_alone(encoding: str, text: str) -> None:
    data = f"<meta charset={encoding}><p>".encode() + (text * 20).encode(encoding) + b"<p>\xff<p>x"
    assert text * 20 in decode(data, name="p").html


@pytest.mark.parametrize("encoding", ["cp1250", "iso8859_2"])
def test_polish_is_told_from_french_where_nothing_is_declared(encoding: str) -> None:
    assert decode(f"<p>{POLISH}</p>".encode(encoding), name="p").html == f"<p>{POLISH}</p>"


@pytest.mark.parametrize("order", ["le", "be"])
@pytest.mark.parametrize("width", ["16", "32"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_wide_encodings_are_read_with_and_without_a_mark(order: str, width: str, mark: str) -> None:
    text = f"<html><p>{POLISH}</p></html>"
    document = decode((mark + text).encode(f"utf-{width}-{order}"), name="p")
    assert document.html == text
    assert document.encoding == f"utf-{width}-{order}"


@pytest.mark.parametrize("seed", range(5))
def test_random_bytes_are_no_page(seed: int) -> None:
    data = random.Random(seed).randbytes(20_000)
    with pytest.raises(SourceError, match="binary"):
        decode(data.replace(b"\0", b"<"), name="page.html")


def test_a_few_control_characters_make_no_page_binary() -> None:
    assert decode(b"<p>a\x01b\x02c</p>", name="p").html == "<p>a\x01b\x02c</p>"
