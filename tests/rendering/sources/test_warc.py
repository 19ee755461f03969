"""WARC archives: read as they are, and what is damaged is an error."""

import gzip
import sys
import zlib

import pytest
from warc_archives import http, record

from structce.errors import MissingExtraError, SourceError
from structce.rendering.document import Resource
from structce.rendering.sources import open_sources

PAGE = "https://post.example/news"


@pytest.fixture(params=["pages.warc", "pages.warc.gz"])
def warc_path(request, tmp_path):
    return tmp_path / str(request.param)


def fill(path, *records):
    pack = gzip.compress if path.suffix == ".gz" else bytes
    path.write_bytes(b"".join(pack(record) for record in records))
    return path


def texts(path):
    """Return the HTML of every source, or what is wrong with it."""
    texts = []
    for source in open_sources([str(path)]):
        try:
            texts.append(source.read().html)
        except SourceError as error:
            texts.append(str(error).removeprefix(str(path)))
    return texts


def resources_of(path):
    (source,) = open_sources([str(path)])
    return source.read().resources


def test_every_answer_that_is_html_is_a_page(warc_path):
    fill(
        warc_path,
        record(PAGE, b"GET /news HTTP/1.1\r\n\r\n", kind="request"),
        record(f"<{PAGE}>", http(b"<p>\xc8</p>", kind="text/html; charset=windows-1250")),
        record("https://post.example/gone", http(b"<p>no</p>", status="404 Not Found")),
        record("https://post.example/a.css", http(b"p {}", kind="text/css")),
        record("https://post.example/x", http(b"<p>x</p>", kind="application/xhtml+xml")),
        record("https://post.example/f", http(b"<p>f</p>"), "WARC-Resource-Type: other"),
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
        record(PAGE, http(b"<p>Hello</p>")),
        record("https://post.example:443/a%20b.css?v=1", http(b"p {}", kind="text/css")),
        record("https://cdn.example/old.css", moved),
        record("http://cdn.example/b.css", http(b"h1 {}", kind="text/css")),
        record("https://cdn.example/gone.css", http(b"none", status="404 Not Found")),
        record("https://cdn.example/same.css", http(b"", status="304 Not Modified")),
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
        record(PAGE, http(b"<p>Hello</p>")),
        record(url, http(b"", to_https, status="301 Moved")),
        record("https://post.example/a.css", http(b"p {}", kind="text/css")),
        record("https://post.example/a.css", http(b"h1 {}", kind="text/css")),
        record(url, http(b"", status="500 No")),
    )
    assert resources_of(warc_path).get(url) == Resource(b"p {}", "text/css")


PACKED = gzip.compress(b"<p>Hello</p>", mtime=0)


def chunked(data):
    pieces = [data[i : i + 7] for i in range(0, len(data), 7)]
    return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in [*pieces, b""])


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (chunked(b"<p>Hello</p>"), ("Transfer-Encoding: chunked",)),
        (PACKED, ("Content-Encoding: gzip",)),
        (zlib.compress(b"<p>Hello</p>"), ("Content-Encoding: deflate",)),
        (chunked(PACKED), ("Transfer-Encoding: chunked", "Content-Encoding: gzip")),
        # Crawlers that undo the codings but keep the headers.
        (b"<p>Hello</p>", ("Transfer-Encoding: chunked",)),
        (b"<p>Hello</p>", ("Transfer-Encoding: chunked", "Content-Encoding: gzip")),
        (b"<p>Hello</p>", ("Content-Encoding: br",)),
        (PACKED, ("Transfer-Encoding: chunked", "Content-Encoding: gzip")),
    ],
)
def test_codings_of_http_are_undone(warc_path, body, headers):
    coded = record(PAGE, http(body, *headers))
    plain = record("https://post.example/2", http(b"<p>Next</p>"))
    assert texts(fill(warc_path, coded, plain)) == ["<p>Hello</p>", "<p>Next</p>"]


@pytest.mark.parametrize("name", ["Content-Encoding", "Transfer-Encoding"])
def test_an_answer_packed_thousands_of_times_is_refused(warc_path, name):
    coded = record(PAGE, http(PACKED, f"{name}: {', '.join(['gzip'] * 3_000)}"))
    plain = record("https://post.example/2", http(b"<p>Next</p>"))
    refused, following = texts(fill(warc_path, coded, plain))
    assert "compressed 3,000 times; expected at most 4" in refused
    assert following == "<p>Next</p>"


def test_damaged_record_is_an_error_and_the_others_are_read(tmp_path):
    answers = [http(b"<p>%d</p>" % n, f"X-Noise: {'ab' * n}") for n in range(3)]
    members = [gzip.compress(record(f"{PAGE}{n}", own)) for n, own in enumerate(answers)]
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
        whole = fill(path, *records).read_bytes()
        start = len(fill(path, *records[:1]).read_bytes())
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
