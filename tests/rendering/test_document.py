import gzip
import random

import pytest

from structce.errors import SourceError
from structce.rendering.document import decode

TEXT = "<p>Grüße aus Łódź – “naïve”</p>"


def test_a_byte_order_mark_beats_every_declaration():
    data = b"\xff\xfe" + ('<meta charset="iso-8859-1">' + TEXT).encode("utf-16-le")
    document = decode(data, name="p", content_type="text/html; charset=latin1")
    assert document.encoding == "utf-16-le"
    assert TEXT in document.html


@pytest.mark.parametrize(
    "meta",
    [
        '<meta charset="iso-8859-2">',
        "<meta http-equiv=Content-Type content='text/html; charset=ISO-8859-2'>",
    ],
)
def test_the_meta_element_names_the_encoding(meta):
    assert "Łódź" in decode((meta + "<p>Łódź</p>").encode("iso-8859-2"), name="p").html


@pytest.mark.parametrize("declared", ["iso-8859-1", "windows-1251", "gb2312", "shift_jis"])
def test_valid_utf_8_beats_another_declaration(declared):
    html = f'<meta charset="{declared}">{TEXT}'
    document = decode(html.encode(), name="p", content_type=f"text/html; charset={declared}")
    assert document.html == html
    assert document.encoding == "utf-8"


def test_wrong_declaration_leaves_it_to_the_detector():
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
def test_old_encodings_are_told_apart(text, encoding):
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
def test_data_that_is_no_page_is_an_error_with_its_kind(data, says):
    with pytest.raises(SourceError, match=rf"page\.html.*{says}"):
        decode(data, name="page.html")


def test_a_page_over_the_limit_is_refused():
    with pytest.raises(SourceError, match="at most"):
        decode(b"<p>" + b"x" * 20_000_001, name="huge.html")


POLISH = "Zażółć gęślą jaźń: wójt powiedział, że most będzie zamknięty na cały październik. " * 3
DECLARED = '<meta charset="utf-8">'


@pytest.mark.parametrize("bad", [b"\xff", b"\xe2\x80", b"\xc3(", b"\xed\xa0\x80", b"\x80"])
def test_an_invalid_byte_costs_itself_alone(bad):
    data = (DECLARED + TEXT).encode() + bad + b"<p>" + TEXT.encode()
    html = decode(data, name="p").html
    assert html.startswith(DECLARED + TEXT + "\ufffd")
    assert html.endswith(TEXT)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "\u4e2d\u6587"),
        ("shift_jis", "\u65e5\u672c\u8a9e"),
        ("euc-kr", "\ud398\ub9ac"),
        ("big5", "\u4e2d\u6587"),
    ],
)
def test_an_invalid_byte_of_another_encoding_costs_itself_alone(encoding, text):
    data = f"<meta charset={encoding}><p>".encode() + (text * 20).encode(encoding) + b"<p>\xff<p>x"
    assert text * 20 in decode(data, name="p").html


@pytest.mark.parametrize("encoding", ["cp1250", "iso8859_2"])
def test_polish_is_told_from_french_where_nothing_is_declared(encoding):
    assert decode(f"<p>{POLISH}</p>".encode(encoding), name="p").html == f"<p>{POLISH}</p>"


@pytest.mark.parametrize("order", ["le", "be"])
@pytest.mark.parametrize("width", ["16", "32"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_wide_encodings_are_read_with_and_without_a_mark(order, width, mark):
    text = f"<html><p>{POLISH}</p></html>"
    document = decode((mark + text).encode(f"utf-{width}-{order}"), name="p")
    assert document.html == text
    assert document.encoding == f"utf-{width}-{order}"


@pytest.mark.parametrize("seed", range(5))
def test_random_bytes_are_no_page(seed):
    data = random.Random(seed).randbytes(20_000)
    with pytest.raises(SourceError, match="binary"):
        decode(data.replace(b"\0", b"<"), name="page.html")
