"""Bytes of a page become text: declared, detected and wrong encodings, and what is no page."""

import gzip
import random

import pytest

from structce.errors import SourceError
from structce.rendering.document import decode

TEXT = "<p>Grüße aus Łódź – “naïve”</p>"
FRENCH = "<p>L’été à la plage. Très élégant, déjà vu, où les élèves mangèrent des crêpes.</p>"
POLISH = "Zażółć gęślą jaźń: wójt powiedział, że most będzie zamknięty na cały październik. " * 3


@pytest.mark.parametrize(
    ("html", "encoding", "content_type"),
    [
        # Declared
        ('<meta charset="utf-8"><p>Žluťoučký</p>', "cp1250", "text/html; charset=windows-1250"),
        ('<meta charset="iso-8859-2"><p>Łódź</p>', "iso-8859-2", ""),
        ("<meta content='text/html; charset=ISO-8859-2'><p>Łódź</p>", "iso-8859-2", ""),
        ('<meta charset="iso-2022-jp"><p>今日は東京</p>', "iso2022_jp", ""),
        # Valid UTF-8, whatever is declared
        (TEXT, "utf-8", ""),
        (f'<meta charset="iso-8859-1">{TEXT}', "utf-8", "text/html; charset=iso-8859-1"),
        (f'<meta charset="shift_jis">{TEXT}', "utf-8", "text/html; charset=shift_jis"),
        # Not declared, or wrongly
        (FRENCH, "cp1252", ""),
        ("<p>Die Küche ist für die Gäste geöffnet, sagte der Bürgermeister.</p>", "cp1252", ""),
        ("<p>Příliš žluťoučký kůň úpěl ďábelské ódy, což je známá věta.</p>", "cp1250", ""),
        ("<p>Съешь же ещё этих мягких французских булок, да выпей чаю</p>", "cp1251", ""),
        ("<p>今日は東京で地震がありました。詳しいことは分かっていません。</p>", "shift_jis", ""),
        (f"<p>{POLISH}</p>", "cp1250", ""),
        (f"<p>{POLISH}</p>", "iso8859_2", ""),
        (f"<meta charset=utf-8>{FRENCH}", "cp1252", ""),
        # Two or four bytes per unit, without a mark
        (f"<html><p>{POLISH}</p></html>", "utf-16-le", ""),
        (f"<html><p>{POLISH}</p></html>", "utf-32-be", ""),
        (f"\n<p>{'Паром остановится в июне.' * 40}</p>", "utf-16-be", ""),
    ],
)
def test_text_is_decoded(html, encoding, content_type):
    assert decode(html.encode(encoding), name="p", content_type=content_type).html == html


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_byte_order_mark_precedes_every_declaration(encoding):
    html = f'<meta charset="iso-8859-1">{TEXT}'
    data = f"\ufeff{html}".encode(encoding)
    document = decode(data, name="p", content_type="text/html; charset=latin1")
    assert (document.html, document.encoding) == (html, encoding)


@pytest.mark.parametrize("bad", [b"\xff", b"\xe2\x80", b"\xc3(", b"\xed\xa0\x80", b"\x80"])
@pytest.mark.parametrize("declared", ["", '<meta charset="utf-8">'])
def test_invalid_byte_costs_itself_alone(declared, bad):
    text = declared + TEXT * 10
    html = decode(text.encode() + bad + b"<p>" + TEXT.encode(), name="p").html
    assert html.startswith(text + "\ufffd")
    assert html.endswith(TEXT)


@pytest.mark.parametrize("encoding", ["gb18030", "shift_jis", "euc-kr", "big5"])
def test_invalid_byte_of_another_encoding_costs_itself_alone(encoding):
    text = ("\ud398\ub9ac" if encoding == "euc-kr" else "\u65e5\u672c") * 20
    data = f"<meta charset={encoding}><p>".encode() + text.encode(encoding) + b"<p>\xff<p>x"
    assert text in decode(data, name="p").html


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \n ", "empty"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "PNG"),
        (b"%PDF-1.7 ...", "PDF"),
        (gzip.compress(b"<p>", mtime=0), "gzip"),
        (b"\x00\x01\x02\x03" * 100, "binary"),
        *[(random.Random(n).randbytes(20_000).replace(b"\0", b"<"), "binary") for n in range(5)],
        (b"<p>" + b"x" * 20_000_001, "at most"),
    ],
    ids=range(12),
)
def test_data_that_is_no_page_is_an_error_with_its_kind(data, reason):
    with pytest.raises(SourceError, match=rf"page\.html.*{reason}"):
        decode(data, name="page.html")
