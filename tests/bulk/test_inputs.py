"""Inputs of bulk runs: which pages they contain, in which shards, and what is damaged."""

import gzip
import os
import random
import re
from pathlib import Path

import pytest
from warc_archives import http, record

from structce.bulk.inputs import LocalCopies, ParquetColumns, ShardReader, list_inputs
from structce.errors import SourceError
from structce.rendering import Document, Source

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

COLUMNS = ParquetColumns()


def read(*names, size=3, columns=COLUMNS):
    """Return the HTML of every page by shards, or what is wrong with it."""
    reader = ShardReader(Source.read, columns)
    shards = []
    try:
        for input in list_inputs(map(str, names), network=True):
            for shard in reader.shards(input, size):
                pages = list(map(_text, reader.loaders(shard)))
                assert len(pages) == shard.n_pages
                shards.append(pages)
    finally:
        reader.close()
    return shards


def _text(page):
    _, load = page
    try:
        document = load()
    except SourceError as error:
        return f"error: {error}"
    assert isinstance(document, Document)
    return document.html


RECORDS = [record(f"https://post.example/{i}", http(f"<p>{i}".encode())) for i in range(5)]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_only_a_record_with_a_bad_header_is_lost(tmp_path, pack):
    pytest.importorskip("fastwarc")
    path = tmp_path / ("a.warc" if pack is bytes else "a.warc.gz")
    records = [*RECORDS[:2], RECORDS[2].replace(b"WARC/1.0", b"WORC/1.0"), *RECORDS[3:]]
    path.write_bytes(b"".join(map(pack, records)))
    pages = [page for shard in read(path) for page in shard]
    assert [page for page in pages if page.startswith("<p>")] == ["<p>0", "<p>1", "<p>3", "<p>4"]
    (error,) = (page for page in pages if page.startswith("error"))
    assert f"{path}#" in error
    assert "damaged" in error


def test_a_truncated_archive_gives_its_pages_and_a_failure(tmp_path):
    pytest.importorskip("fastwarc")
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(map(gzip.compress, RECORDS))[:-30])
    pages = [page for shard in read(path) for page in shard]
    assert pages[:4] == ["<p>0", "<p>1", "<p>2", "<p>3"]
    assert len(pages) == 5
    assert pages[4].startswith("error")


def table(path, html, name="html", group=2):
    """Write a Parquet file with pages."""
    urls = [f"https://post.example/{i}" for i in range(len(html))]
    parquet.write_table(arrow.table({"url": urls, name: html}), path, row_group_size=group)
    return path


@pytest.mark.parametrize("group", [1, 2, 5, 100])
@pytest.mark.parametrize("size", [1, 3, 100])
def test_rows_are_pages_whatever_the_row_groups(tmp_path, group, size):
    html = [f"<p>{i}" for i in range(8)]
    shards = read(table(tmp_path / "a.parquet", html, group=group), size=size)
    assert [page for shard in shards for page in shard] == html
    assert {len(shard) for shard in shards[:-1]} <= {size}


def test_html_may_be_bytes_and_an_empty_row_is_a_failure(tmp_path):
    html = ["<p>ü".encode("cp1252"), None, b"no page"]
    path = table(tmp_path / "a.parquet", html, name="content")
    ((first, second, third),) = read(path, columns=ParquetColumns("content", "address"))
    assert first == "<p>ü"
    assert second == f"error: {path}#2: no HTML in the row"
    assert third.startswith(f"error: {path}#3: contains no markup")


HTML = ["<p>0", "<p>1"]
FORMS = (
    "string large_string string_view binary large_binary binary_view dictionary<string> bytes4"
).split()


def typed(html, form):
    """A column of pages in a form that Arrow has for text or bytes."""
    if form == "dictionary<string>":
        return arrow.array(html).dictionary_encode()
    if form == "bytes4":
        return arrow.array([page.encode() for page in html], arrow.binary(4))
    return arrow.array(html, getattr(arrow, form)())


@pytest.mark.parametrize("form", FORMS)
def test_html_may_be_any_form_of_text(tmp_path, form):
    assert read(table(tmp_path / "a.parquet", typed(HTML, form))) == [HTML]


def test_a_row_of_invalid_text_leaves_the_others_alone(tmp_path):
    raw = arrow.array([b"<p>\xff", b"<p>1"])
    text = arrow.Array.from_buffers(arrow.string(), 2, raw.buffers())
    assert read(table(tmp_path / "a.parquet", text)) == [["<p>\ufffd", "<p>1"]]


OTHER_TYPES = {
    "int64": [1, 2], "double": [0.5, float("nan")], "bool": [True, False], "null": [None, None],
    "list": [HTML, HTML], "struct": [{"a": "<p>"}, {"a": None}], "timestamp": [2**62, 0],
    "map": [[("a", "<p>")], []],
}  # fmt: skip
ARROW_TYPES = {"timestamp": arrow.timestamp("us"), "map": arrow.map_(arrow.utf8(), arrow.utf8())}


@pytest.mark.parametrize("column", ["html", "url"])
@pytest.mark.parametrize("kind", OTHER_TYPES)
def test_a_column_of_another_type_is_one_error(tmp_path, column, kind):
    path = tmp_path / "a.parquet"
    columns = {"html": HTML, "url": ["", ""]}
    columns[column] = arrow.array(OTHER_TYPES[kind], ARROW_TYPES.get(kind))
    parquet.write_table(arrow.table(columns), path)
    if (column, kind) == ("url", "null"):
        assert read(path) == [HTML]  # all addresses unknown
        return
    ((error,),) = read(path)
    assert re.match(rf"error: {re.escape(str(path))}: column '{column}' is {kind}", error)


def test_two_columns_of_a_name_and_none_are_errors(tmp_path):
    for names, reason in ((["html", "html"], "2 columns are called"), (["a", "b"], "it has a, b")):
        parquet.write_table(arrow.table([HTML, HTML], names=names), tmp_path / "a.parquet")
        ((error,),) = read(tmp_path / "a.parquet")
        assert "a.parquet: " in error
        assert reason in error


def test_cells_that_unpack_to_too_much_are_errors(tmp_path, monkeypatch):
    monkeypatch.setattr("structce.bulk.inputs.MAX_PAGE_BYTES", 1_000)
    for html, n_groups in ((["<p>" + "a" * 9_000], 1), (["<p>", "<p>" + "a" * 2_000], 2)):
        path = table(tmp_path / f"{n_groups}.parquet", html)
        *_, error = read(path)[0]
        assert error.startswith(f"error: {path}#{len(html)}: ")
        assert "1,000" in error
    repeated = table(tmp_path / "a.parquet", ["<p>" + "a" * 900] * 90, group=90)
    assert read(repeated) == [["<p>" + "a" * 900] * 3] * 30  # one page in a dictionary


@pytest.mark.parametrize("seed", range(24))
def test_a_damaged_table_is_an_error_for_each_row(tmp_path, seed):
    path = table(tmp_path / "a.parquet", [f"<p>{i}" for i in range(90)], group=30)
    data, rng = bytearray(path.read_bytes()), random.Random(seed)
    if seed < 8:
        data = data[: len(data) * seed // 8]
    else:
        for _ in range(3):
            data[rng.randrange(len(data) - 900 if seed % 2 else 0, len(data))] = rng.randrange(256)
    path.write_bytes(data)
    for page in (page for shard in read(path) for page in shard):
        assert page.startswith(("<p>", f"error: {path}"))
        assert "\n" not in page


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_not_a_file_is_no_table(tmp_path, make):
    path = tmp_path / "a.parquet"
    make(path)
    assert read(path) == [[f"error: {path}: not a file; expected a Parquet file"]]


def test_folders_lists_and_archives_are_one_run(tmp_path, article_html):
    folder = tmp_path / "pages"
    folder.mkdir()
    for i in range(3):
        (folder / f"{i}.html").write_text(article_html(i))
    table(folder / "more.parquet", ["<p>0", "<p>1"])
    single = tmp_path / "x.html"
    single.write_text("<p>single")
    shards = read(single, folder, tmp_path / "missing.html", size=2)
    assert [len(shard) for shard in shards] == [2, 2, 2, 1]
    assert shards[0] == ["<p>0", "<p>1"]
    assert shards[1] == ["<p>single", article_html(0)]
    assert shards[3][0].startswith("error: ")


def test_shards_can_be_read_in_any_order(tmp_path, article_html):
    for i in range(5):
        (tmp_path / f"{i}.html").write_text(article_html(i))
    (folder,) = list_inputs([str(tmp_path)])
    reader = ShardReader(Source.read, COLUMNS)
    shards = list(reader.shards(folder, 2))
    backwards = [list(map(_text, reader.loaders(shard))) for shard in shards[::-1]]
    assert backwards[::-1] == read(tmp_path, size=2)


def test_addresses_need_the_network_option():
    with pytest.raises(SourceError, match="only with --network"):
        list_inputs(["s3://crawl/a.warc.gz"])


def test_a_copy_of_a_remote_archive_is_removed(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    path = table(tmp_path / "a.parquet", ["<p>0", "<p>1"])
    with fsspec.open("memory://crawl/a.parquet", "wb") as file:
        file.write(path.read_bytes())
    copies = LocalCopies()
    copy = copies.path("memory://crawl/a.parquet")
    assert copy.read_bytes() == path.read_bytes()
    copies.close()
    assert not copy.exists()
    assert read("memory://crawl/a.parquet") == [["<p>0", "<p>1"]]
    ((error,),) = read("memory://crawl/b.parquet")
    assert error.startswith("error: memory://crawl/b.parquet: FileNotFoundError")
