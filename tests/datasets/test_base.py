"""What all readers of data sets rely on."""

import gzip
import re
import zipfile

import pytest

from structce.datasets.base import (
    READERS,
    GoldPage,
    PageEntry,
    Skipped,
    open_data_set,
    page_bytes,
    reader,
)
from structce.errors import CorpusError
from structce.gold import Gold
from structce.rendering.document import MAX_PAGE_BYTES


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path):
    bomb = gzip.compress(b" " * (MAX_PAGE_BYTES + 1), compresslevel=1)
    (tmp_path / "a.html.gz").write_bytes(bomb)
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("b.html", b" " * (MAX_PAGE_BYTES + 1))
    for file in (tmp_path / "a.html.gz", zipfile.Path(tmp_path / "b.zip") / "b.html"):
        with pytest.raises(OSError, match="which is the limit"):
            page_bytes(file)


@pytest.mark.parametrize("data", [b"no gzip", gzip.compress(b"<p>" * 999, mtime=0)[:-9]])
def test_damaged_gzip_data_is_an_error(tmp_path, data):
    (tmp_path / "a.html.gz").write_bytes(data)
    with pytest.raises((OSError, EOFError), match=r"gzip|ended before"):
        page_bytes(tmp_path / "a.html.gz")


def test_an_archive_may_wrap_all_in_a_folder_of_its_own(tmp_path):
    with zipfile.ZipFile(tmp_path / "set.zip", "w") as archive:
        archive.writestr("set-1.0/gold.json", "{}")
    folder = open_data_set(tmp_path / "set.zip", "gold.json")
    assert (folder / "gold.json").read_bytes() == b"{}"


def test_a_taken_name_is_refused():
    about = {"title": "t", "licence": "MIT", "citation": "c", "home": "h", "gold": ("title",)}
    with pytest.raises(CorpusError, match="'fundus' is taken"):
        reader("fundus", **about)(READERS["fundus"].read)


def test_a_page_that_cannot_be_read_is_lost(tmp_path, monkeypatch):
    monkeypatch.setattr("structce.datasets.base.READERS", {})

    def read_page(folder, name):
        return GoldPage(name, "s", "s", "", page_bytes(folder / f"{name}.html"), Gold())

    @reader("small", title="t", licence="MIT", citation="c", home="h", gold=("title",))
    def read_small(path):
        """Yield three pages, the first without its file."""
        yield PageEntry("gone", read_page, path, "gone")
        yield PageEntry("here", read_page, path, "here")
        yield Skipped("empty", "the data set gives no text", is_known=True)

    (tmp_path / "here.html").write_bytes(b"<p>Ferry")
    gone, here, empty = read_small(tmp_path)
    assert (gone.id, gone.is_known) == ("gone", False)
    assert gone.reason.startswith("FileNotFoundError: ")
    assert here.data == b"<p>Ferry"
    assert empty.is_known


@pytest.mark.parametrize("name", sorted(READERS))
def test_a_folder_of_another_layout_is_an_error(tmp_path, name):
    with pytest.raises(CorpusError, match=" is missing; expected"):
        list(READERS[name].read(tmp_path))


@pytest.mark.parametrize(
    ("listed", "message"),
    [
        (None, "TypeError"),
        (["name"], "own: expected a PageEntry"),
        ([None], "own: expected a PageEntry"),
        (({}[name] for name in "a"), "KeyError: 'a'"),
    ],
)
def test_a_reader_that_fails_is_one_error(tmp_path, monkeypatch, listed, message):
    monkeypatch.setattr("structce.datasets.base.READERS", {})
    about = {"title": "t", "licence": "MIT", "citation": "c", "home": "h", "gold": ()}
    read = reader("own", **about)(lambda path: listed)
    with pytest.raises(CorpusError, match=message):
        list(read(tmp_path))


# A list of the right name and the wrong content, for each data set that has one.
LISTS = {
    "article-extraction-benchmark": ("ground-truth.json", "html/x"),
    "chinese-articles": ("gold.json", "html/x"),
    "fundus": ("gold_map.json", "tests/resources/parser/test_data/x"),
    "fundus-history": ("gold.json", "pages/x"),
    "htmldate": ("tests/eval_mediacloud_2020.json", "x"),
    "trafilatura": ("tests/evaldata.json", "x"),
    "wcxb": ("metadata.json", "dev/ground-truth/x"),
    "gold-pages": ("gold.jsonl", "pages/x"),
}


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("content", [b"[", b"[1]", b"3", b'"\xff"', b'{"a": 1}', b'{"a": [2]}'])
def test_a_list_of_another_form_is_one_error(tmp_path, name, content):
    file, other = LISTS[name]
    for path in (tmp_path / file, tmp_path / other):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    with pytest.raises(CorpusError, match=re.escape(file.rpartition("/")[2])) as raised:
        list(READERS[name].read(tmp_path))
    assert "\n" not in str(raised.value)
