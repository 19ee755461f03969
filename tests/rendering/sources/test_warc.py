"""WARC archives: written whole or not at all, read again, and what is damaged is said."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from structce.errors import MissingExtraError, SourceError
from structce.rendering.document import Resource, Resources
from structce.rendering.sources import open_sources
from structce.rendering.sources.warc import WarcWriter

PAGE = "https://post.example/news"


def http(body: bytes, *headers: str, status: str = "200 OK", kind: str = "text/html") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def record(url: str, content: bytes, *headers: str, kind: str = "response") -> bytes:
    """Return a record as a crawler writes it, made by hand."""
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Target-URI: {url}",
        "WARC-Date: 2026-03-01T09:30:00Z",
        "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>",
        f"Content-Type: application/http; msgtype={kind}",
        f"Content-Length: {len(content)}",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode() + content + b"\r\n\r\n"


@pytest.fixture(params=["pages.warc", "pages.warc.gz"])
def warc_path(request, tmp_path):
    return tmp_path / str(request.param)


def fill(path: Path, records: Sequence[bytes]) -> Path:
    pack = gzip.compress if path.suffix == ".gz" else bytes
    path.write_bytes(b"".join(pack(record) for record in records))
    return path


def texts(path: Path) -> list[str]:
    """Return the HTML of every source, or what is wrong with it."""
    texts = []
    for source in open_sources([str(path)]):
        try:
            texts.append(source.read().html)
        except SourceError as error:
            texts.append(str(error).removeprefix(str(path)))
    return texts


def resources_of(path: Path) -> Resources:
    (source,) = open_sources([str(path)])
    return source.read().resources


def test_every_answer_that_is_html_is_a_page(warc_path):
    fill(
        warc_path,
        [
            record(PAGE, b"GET /news HTTP/1.1\r\n\r\n", kind="request"),
            record(f"<{PAGE}>", http(b"<p>\xc8</p>", kind="text/html; charset=windows-1250")),
            record("https://post.example/gone", http(b"<p>no</p>", status="404 Not Found")),
            record("https://post.example/a.css", http(b"p {}", kind="text/css")),
            record("https://post.example/x", http(b"<p>x</p>", kind="application/xhtml+xml")),
            record("https://post.example/f", http(b"<p>f</p>"), "WARC-Resource-Type: other"),
        ],
    )
    first, second = open_sources([str(warc_path)])
    document = first.read()
    assert (first.name, second.name) == (f"{warc_path}#2", f"{warc_path}#5")
    assert (document.html, document.url, document.name) == ("<p>Č</p>", PAGE, f"{warc_path}#2")
    assert second.read().html == "<p>x</p>"


def test_the_other_answers_are_the_files_around_a_page(warc_path):
    moved = http(b"", "Location: /b.css", status="301 Moved")
    fill(
        warc_path,
        [
            record(PAGE, http(b"<p>Hello</p>")),
            record("https://post.example:443/a%20b.css?v=1", http(b"p {}", kind="text/css")),
            record("https://cdn.example/old.css", moved),
            record("http://cdn.example/b.css", http(b"h1 {}", kind="text/css")),
            record("https://cdn.example/gone.css", http(b"none", status="404 Not Found")),
            record("https://cdn.example/same.css", http(b"", status="304 Not Modified")),
        ],
    )
    resources = resources_of(warc_path)
    assert resources.base == PAGE
    assert resources.get("https://POST.example/a b.css?v=1#x") == Resource(b"p {}", "text/css")
    assert resources.get("https://cdn.example/old.css") == Resource(b"h1 {}", "text/css")
    assert resources.get("https://cdn.example/gone.css") == Resource(b"none", "text/html", 404)
    assert resources.get("https://cdn.example/same.css") is None
    assert resources.get("https://cdn.example/none.css") is None
    assert resources.get("http://[") is None


def test_a_success_counts_more_than_an_earlier_failure(warc_path):
    url = "http://post.example/a.css"
    to_https = "Location: https://post.example/a.css"
    fill(
        warc_path,
        [
            record(PAGE, http(b"<p>Hello</p>")),
            record(url, http(b"", to_https, status="301 Moved")),
            record("https://post.example/a.css", http(b"p {}", kind="text/css")),
            record("https://post.example/a.css", http(b"h1 {}", kind="text/css")),
            record(url, http(b"", status="500 No")),
        ],
    )
    assert resources_of(warc_path).get(url) == Resource(b"p {}", "text/css")


def test_a_repeated_answer_is_found_where_it_came_first(warc_path):
    refers = "WARC-Refers-To-Target-URI: https://a.example/a.css"
    head = http(b"", kind="text/css")
    fill(
        warc_path,
        [
            record(PAGE, http(b"<p>Hello</p>")),
            record("https://a.example/a.css", http(b"p {}", kind="text/css")),
            record("https://b.example/a.css", head, refers, kind="revisit"),
        ],
    )
    assert resources_of(warc_path).get("https://b.example/a.css") == Resource(b"p {}", "text/css")


def chunked(data: bytes) -> bytes:
    pieces = [data[i : i + 7] for i in range(0, len(data), 7)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in [*pieces, b""])


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (chunked(b"<p>Hello</p>"), ("Transfer-Encoding: chunked",)),
        (gzip.compress(b"<p>Hello</p>", mtime=0), ("Content-Encoding: gzip",)),
        (zlib.compress(b"<p>Hello</p>"), ("Content-Encoding: deflate",)),
        (
            chunked(gzip.compress(b"<p>Hello</p>", mtime=0)),
            ("Transfer-Encoding: chunked", "Content-Encoding: gzip"),
        ),
        # Crawlers that undo the codings but keep the headers.
        (b"<p>Hello</p>", ("Transfer-Encoding: chunked",)),
        (b"<p>Hello</p>", ("Transfer-Encoding: chunked", "Content-Encoding: gzip")),
        (b"<p>Hello</p>", ("Content-Encoding: br",)),
        (
            gzip.compress(b"<p>Hello</p>", mtime=0),
            ("Transfer-Encoding: chunked", "Content-Encoding: gzip"),
        ),
    ],
)
def test_codings_of_http_are_undone(warc_path, body, headers):
    coded = record(PAGE, http(body, *headers))
    plain = record("https://post.example/2", http(b"<p>Next</p>"))
    assert texts(fill(warc_path, [coded, plain])) == ["<p>Hello</p>", "<p>Next</p>"]


@pytest.mark.parametrize("name", ["Content-Encoding", "Transfer-Encoding"])
def test_an_answer_packed_thousands_of_times_is_refused(warc_path, name):
    body = gzip.compress(b"<p>Hello</p>", mtime=0)
    coded = record(PAGE, http(body, f"{name}: {', '.join(['gzip'] * 3_000)}"))
    plain = record("https://post.example/2", http(b"<p>Next</p>"))
    refused, following = texts(fill(warc_path, [coded, plain]))
    assert "compressed 3,000 times; expected at most 4" in refused
    assert following == "<p>Next</p>"


def test_damaged_record_is_an_error_and_the_others_are_read(tmp_path):
    members = [
        gzip.compress(record(f"{PAGE}{n}", http(b"<p>%d</p>" % n, f"X-Noise: {'ab' * n}")))
        for n in range(3)
    ]
    path = tmp_path / "pages.warc.gz"
    for place in range(len(members[1])):
        damaged = bytearray(members[1])
        damaged[place] ^= 0xFF
        path.write_bytes(members[0] + damaged + members[2])
        outcomes = texts(path)
        kept = [text for text in outcomes if not text.startswith("#")]
        assert kept in (["<p>0</p>", "<p>2</p>"], ["<p>0</p>", "<p>1</p>", "<p>2</p>"])
        assert len(kept) == 3 or any(text.startswith("#2: damaged after") for text in outcomes)


def test_a_file_that_is_cut_off_gives_what_is_whole(tmp_path):
    records = [record(f"{PAGE}{n}", http(b"<p>%d</p>" % n)) for n in range(2)]
    for name in ("pages.warc", "pages.warc.gz"):
        path = tmp_path / name
        whole = fill(path, records).read_bytes()
        start = len(fill(path, records[:1]).read_bytes())
        for end in range(start + 8, len(whole) - 8, 3):
            path.write_bytes(whole[:end])
            first, *others = texts(path)
            assert first == "<p>0</p>"
            # All of the second, except the checksum behind it; FastWARC 2.0 takes a member that is
            # cut off in its first bytes for the end of the file.
            assert all(text == "<p>1</p>" or "damaged after" in text for text in others)


def test_without_the_extra_the_error_names_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fastwarc.warc", None)
    with pytest.raises(MissingExtraError, match=r"a\.warc.*structce\[warc\]"):
        list(open_sources([str(tmp_path / "a.warc")]))
    with pytest.raises(MissingExtraError, match=r"structce\[warc\]"):
        WarcWriter(tmp_path / "a.warc.gz")


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "new" / "pages.warc.gz"
    sent = {"content-encoding": "gzip", "Content-Length": "9", "X-Two": "a\r\nb"}
    with WarcWriter(path) as archive:
        archive.add(PAGE, Resource("<p>Č</p>".encode(), "text/html"), headers=sent)
        archive.add("https://a.example/f", Resource(b"<p>f</p>", "text/html"), is_page=False)
        archive.add("https://a.example/x", Resource(bytes(range(256)), "", 404), is_page=False)
        archive.add("https://a.example/o", Resource(b"", status=308), headers={"Location": "/f"})
        archive.add("https://a.example/n", Resource(b"", "text/css", 999), is_page=False)
    (source,) = open_sources([str(path)])
    document = source.read()
    resources = document.resources
    assert (document.html, document.url) == ("<p>Č</p>", PAGE)
    assert resources.get("https://a.example/f") == Resource(b"<p>f</p>", "text/html")
    assert resources.get("https://a.example/o") == Resource(b"<p>f</p>", "text/html")
    assert resources.get("https://a.example/x") == Resource(bytes(range(256)), "", 404)
    assert resources.get("https://a.example/n") == Resource(b"", "text/css", 999)


def test_after_an_error_there_is_no_file_and_the_old_one_stays(tmp_path):
    path = tmp_path / "pages.warc.gz"
    path.write_bytes(b"old")
    archive = WarcWriter(path)

    def write():
        with archive:
            archive.add(PAGE, Resource(b"<p>Hello</p>", "text/html"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert [file.name for file in tmp_path.iterdir()] == ["pages.warc.gz"]
    assert path.read_bytes() == b"old"
    with pytest.raises(ValueError, match="not open"):
        archive.add(PAGE, Resource(b"<p>Hello</p>", "text/html"))
