import gzip

import pytest
from local_server import LocalServer

from structce.errors import SourceError, TimeLimitError
from structce.rendering import sources
from structce.rendering.sources import Source, open_sources


@pytest.fixture(scope="module")
def server():
    kind = {"Content-Type": "text/html; charset=windows-1250"}
    files = {
        "/page": (200, "<p>Žluť</p>".encode("cp1250"), kind),
        "/away": (302, b"", {"Location": "http://10.0.0.1/page"}),
    }
    with LocalServer(files) as server:
        yield server.url


@pytest.mark.parametrize("name", ["empty", "broken.zip", "missing.zip"])
def test_what_cannot_be_listed_is_an_error_of_its_own(tmp_path, name):
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.zip").write_bytes(b"PK no archive")
    (tmp_path / "page.html").write_text("<p>Hello</p>")
    broken, page = open_sources([str(tmp_path / name), str(tmp_path / "page.html")])
    with pytest.raises(SourceError, match=f"{name}: "):
        broken.read()
    assert page.read().html == "<p>Hello</p>"


@pytest.mark.parametrize(
    ("name", "reason"), [("", "without a name"), ("ftp://post.example/a", "begins with http")]
)
def test_a_name_that_is_none_is_an_error_and_not_a_folder(tmp_path, monkeypatch, name, reason):
    (tmp_path / "a.html").write_bytes(b"<p>Not asked for")
    monkeypatch.chdir(tmp_path)
    (source,) = open_sources([name])
    with pytest.raises(SourceError, match=reason):
        source.read()


@pytest.mark.parametrize("data", [b"no gzip at all", gzip.compress(b"<p>Hello</p>", mtime=0)[:-9]])
def test_a_broken_compressed_file_is_an_error_that_names_it(tmp_path, data):
    path = tmp_path / "broken.html.gz"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"broken\.html\.gz"):
        Source(str(path)).read()


def test_an_address_is_fetched_with_its_encoding(server):
    document = Source(f"{server}/page").read()
    assert document.html == "<p>Žluť</p>"
    assert document.url == f"{server}/page"


def test_an_address_may_not_lead_into_a_private_network(server):
    with pytest.raises(SourceError, match=r"/away: 10\.0\.0\.1 is at .* not a public address"):
        Source(f"{server}/away").read()


def test_reading_a_file_counts_in_the_time_of_a_page(tmp_path, monkeypatch):
    def decode(*_, **__):
        while True:
            pass

    monkeypatch.setattr(sources, "decode", decode)
    (tmp_path / "a.html").write_text("<p>Hello")
    (source,) = open_sources([str(tmp_path)])
    with pytest.raises(TimeLimitError, match=r"a\.html: took longer"):
        source.read(0.1)
