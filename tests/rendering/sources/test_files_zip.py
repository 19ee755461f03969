"""ZIP archives of pages."""

import contextlib
import zipfile

import pytest

from structce.errors import SourceError
from structce.rendering.document import MAX_PAGE_BYTES
from structce.rendering.sources import open_sources


def pack(path, files, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def pages(path):
    return list(open_sources([str(path)]))


def test_a_zip_archive_gives_its_pages_like_a_folder(tmp_path):
    files = {
        "site/b.html": b"<p>two</p>",
        "site/a.htm": b"<p>one</p>",
        "site/b_files/frame.html": b"<p>frame</p>",
        "__MACOSX/site/b.html": b"<p>nothing</p>",
        "site/notes.txt": b"<p>no page</p>",
    }
    path = pack(tmp_path / "pages.zip", files)
    sources = pages(path)
    assert [source.name for source in sources] == [f"{path}/site/a.htm", f"{path}/site/b.html"]
    assert [source.read().html for source in sources] == ["<p>one</p>", "<p>two</p>"]


def test_member_over_the_limit_is_refused_alone(tmp_path):
    files = {"a.html": bytes(MAX_PAGE_BYTES + 1), "b.html": b"<p>Hello</p>"}
    large, small = pages(pack(tmp_path / "pages.zip", files))
    with pytest.raises(SourceError, match=r"pages\.zip/a\.html: 20,000,001 bytes"):
        large.read()
    assert small.read().html == "<p>Hello</p>"


def test_member_is_not_unpacked_beyond_its_stated_size(tmp_path):
    path = pack(tmp_path / "bomb.zip", {"a.html": b"x" * 50_000_000})
    declared = (50_000_000).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(declared, (100).to_bytes(4, "little")))
    (source,) = pages(path)
    with pytest.raises(SourceError, match=r"bomb\.zip/a\.html: Bad CRC-32"):
        source.read()


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_whose_unpacking_cannot_be_bounded_are_refused(tmp_path, method):
    path = pack(tmp_path / "pages.zip", {"a.html": b"<p>Hello</p>"}, method)
    (source,) = pages(path)
    with pytest.raises(SourceError, match="deflate"):
        source.read()


def test_damaged_zip_archive_raises_only_source_errors(tmp_path):
    files = {f"{n}.html": b"<p>%d</p>" % n * 20 for n in range(2)}
    whole = pack(tmp_path / "whole.zip", files).read_bytes()
    damaged = tmp_path / "damaged.zip"
    for place in range(len(whole)):
        data = bytearray(whole)
        data[place] ^= 0xFF
        damaged.write_bytes(data)
        for source in open_sources([str(damaged)]):
            with contextlib.suppress(SourceError):
                source.read()


def test_files_in_thousands_of_folders_are_reported(tmp_path):
    deep = {"a/" * 30_000 + f"{n}.html": b"<p>deep</p>" for n in range(3)}
    path = pack(tmp_path / "a.zip", {**deep, "ok.html": b"<p>one</p>"})
    refused, page = pages(path)
    with pytest.raises(SourceError, match="3 files are nested in more than 200 folders"):
        refused.read()
    assert page.read().html == "<p>one</p>"
