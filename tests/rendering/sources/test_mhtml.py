"""MHTML: a page and its files in one."""

import quopri

import pytest

from structce.errors import SourceError
from structce.rendering.sources import Source

PAGE = "https://post.example/news/"


def part(content, kind, *, location="", label=""):
    """Return a part as Chrome writes it."""
    lines = [f"Content-Type: {kind}", "Content-Transfer-Encoding: quoted-printable"]
    lines += [f"Content-ID: <{label}>"] if label else []
    lines += [f"Content-Location: {location}"] if location else []
    body = quopri.encodestring(content.encode()).decode()
    return "\n".join([*lines, "", body, ""])


def mhtml(*parts, head=f"Snapshot-Content-Location: {PAGE}"):
    lines = ["From: <Saved by Blink>", head, "Subject: =?utf-8?Q?=C3=84?=", "MIME-Version: 1.0"]
    lines = [line for line in lines if line]
    lines += ['Content-Type: multipart/related;\n\ttype="text/html";\n\tboundary="=_b"', ""]
    text = "\n".join([*lines, *(f"--=_b\n{part}" for part in parts), "--=_b--", ""])
    return text.replace("\n", "\r\n").encode()


def read(folder, *parts):
    """Return the document and the files of a file of parts, or of its bytes."""
    data = parts[0] if isinstance(parts[0], (bytes, bytearray)) else mhtml(*parts)
    path = folder / "page.mhtml"
    path.write_bytes(data)
    document = Source(str(path)).read()
    assert document.resources is not None
    return document, document.resources


def test_the_page_has_its_address_and_its_encoding(tmp_path):
    html = part("<p>Žluť</p>", "text/html", location=PAGE)
    document, resources = read(tmp_path, html)
    assert document.html.strip() == "<p>Žluť</p>"
    assert document.url == resources.base == PAGE
    assert document.name == str(tmp_path / "page.mhtml")


def test_parts_are_served_at_the_addresses_that_they_came_from(tmp_path):
    long = "https://cdn.example/" + "x" * 80 + ".css"
    _, resources = read(
        tmp_path,
        part("<p>Hello</p>", "text/html", location=PAGE),
        part("p {}", "text/css", location="main.css"),
        part("h1 {}", "text/css; charset=utf-8", location=f"{long[:50]}\n {long[50:]}"),
    )
    resource = resources.get(f"{PAGE}main.css#top")
    assert resource.data.strip() == b"p {}"
    folded = resources.get(long)
    assert folded.content_type == "text/css; charset=utf-8"
    assert resources.get("https://cdn.example/none.css") is None
    assert resources.get("http://[") is None


def test_cid_addresses_are_rewritten_in_pages_and_styles(tmp_path):
    html = '<link href="cid:css-1@mhtml.blink"><iframe src="cid:frame-1@mhtml.blink"></iframe>'
    place = {"label": "frame-1@mhtml.blink", "location": "https://ads.example/frame"}
    document, resources = read(
        tmp_path,
        part(f"{html}<p>cid:unknown@here</p>", "text/html", location=PAGE),
        part("@import 'cid:css-2@mhtml.blink';", "text/css", label="css-1@mhtml.blink"),
        part("p {}", "text/css", location="cid:css-2@mhtml.blink"),
        part("<iframe src='cid:frame-2@mhtml.blink'></iframe>", "text/html", **place),
        part("<p>inner</p>", "text/html", label="frame-2@mhtml.blink"),
    )
    site = "https://post.example/cid"
    assert f'<link href="{site}/css-1%40mhtml.blink">' in document.html
    assert '<iframe src="https://ads.example/frame">' in document.html
    assert "<p>cid:unknown@here</p>" in document.html
    sheet = resources.get(f"{site}/css-1@mhtml.blink")
    assert f"@import '{site}/css-2%40mhtml.blink'".encode() in sheet.data
    assert resources.get(f"{site}/css-2%40mhtml.blink") is not None
    frame = resources.get("https://ads.example/frame")
    assert frame is not None
    assert f"src='{site}/frame-2%40mhtml.blink'".encode() in frame.data
    inner = resources.get(f"{site}/frame-2%40mhtml.blink")
    assert inner.content_type == "text/html"


def test_frames_that_share_an_address_are_told_apart(tmp_path):
    frames = [
        part(f"<p>{n}</p>", "text/html", label=f"frame-{n}", location="https://ads.example/")
        for n in (1, 2)
    ]
    _, resources = read(tmp_path, part("<p>x</p>", "text/html", location=PAGE), *frames)
    for n in (1, 2):
        resource = resources.get(f"https://post.example/cid/frame-{n}")
        assert resource.data.strip() == b"<p>%d</p>" % n


def test_damaged_mhtml_file_raises_only_source_errors(tmp_path):
    frame = part("<p>x</p>", "text/html", label="frame-1", location="/frame")
    whole = mhtml(part("<p>cid:frame-1</p>", "text/html", location=PAGE), frame)
    n_read, places = 0, range(0, len(whole), 3)
    for place in places:
        data = bytearray(whole)
        data[place] ^= 0x15
        try:
            _, resources = read(tmp_path, data)
        except SourceError:
            continue
        resources.get("https://post.example/frame")
        n_read += 1
    assert n_read > len(places) / 2


def test_parts_that_nest_without_end_are_an_error(tmp_path):
    data = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n)
        for n in range(1_020)
    )
    with pytest.raises(SourceError, match=r"page\.mhtml: .*nest too deep"):
        read(tmp_path, data)


@pytest.mark.browser
def test_the_browser_shows_the_page_with_its_styles_and_frames(tmp_path, chromium):
    html = (
        "<link rel=stylesheet href='cid:css-1@mhtml.blink'><p>Seen</p><p class=no>Unseen</p>"
        "<iframe src='cid:frame-1@mhtml.blink'></iframe>"
    )
    document, _ = read(
        tmp_path,
        part(html, "text/html", location=PAGE),
        part(".no { display: none }", "text/css", location="cid:css-1@mhtml.blink"),
        part("<p>Framed</p>", "text/html", label="frame-1@mhtml.blink", location=f"{PAGE}f"),
    )
    shown = chromium.render(document)
    assert shown.text == ("Seen", "Framed")
    assert shown.url == PAGE
