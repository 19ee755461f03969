"""WARC archives that are written: whole or not at all, and read again."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from structce.errors import SourceError
from structce.rendering.document import Resource, Resources
from structce.rendering.sources import open_sources
from structce.rendering.sources.warc import WarcWriter

PAGE = "https://post.example/news"


def texts(path: Path) -> list[str]:
    """Return the HTML of every source, or what is wrong with it."""
    found = []
    for source in open_sources([str(path)]):
        try:
            found.append(source.read().html)
        except SourceError as error:
            found.append(str(error).removeprefix(str(path)))
    return found


def resources_of(path: Path) -> Resources:
    (source,) = open_sources([str(path)])
    resources = source.read().resources
    assert resources is not None
    return resources


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


def test_records_are_written_from_several_threads_at_once(tmp_path):
    path = tmp_path / "pages.warc.gz"
    with WarcWriter(path) as archive:

        def add(n):
            for m in range(20):
                archive.add(f"{PAGE}{n}/{m}", Resource(b"<p>%d %d</p>" % (n, m), "text/html"))

        threads = [threading.Thread(target=add, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(texts(path)) == sorted(f"<p>{n} {m}</p>" for n in range(4) for m in range(20))


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
