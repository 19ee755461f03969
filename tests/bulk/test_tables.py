"""Tables of shards: what is written of pages and failures."""

import io

import pytest

from structce.article import PageOutcome
from structce.bulk.inputs import Shard
from structce.bulk.tables import shard_tables

parquet = pytest.importorskip("pyarrow.parquet")


def rows(data):
    return parquet.read_table(io.BytesIO(data)).to_pylist()


def written(*outcomes):
    """Return the rows of a page and of a failure."""
    tables = shard_tables(Shard(0, "pages", "", 0, 2), outcomes, has_regions=False)
    (page,), (failure,) = (rows(tables.files[name]) for name in ("pages", "failed"))
    return page, failure


def test_passwords_in_addresses_are_not_written():
    address = "https://ann:secret@post.example/a"
    known = {"source": address, "url": address, "record": f'{{"canonical_url": "{address}"}}'}
    text = "Ask https://ann:secret@post.example/a"
    failed = PageOutcome(address, None, f"{address}: 404")
    page, failure = written(PageOutcome(address, {**known, "text": text}), failed)
    assert page["source"] == page["url"] == failure["source"] == "https://***@post.example/a"
    assert page["record"] == '{"canonical_url": "https://***@post.example/a"}'
    assert failure["error"] == "https://***@post.example/a: 404"
    assert page["text"] == text  # what the page itself says is left alone


def test_lone_surrogates_are_replaced():
    given = {"source": "b\udcff.html", "title": "Ferry \ud83d", "authors": ["Ann \udc00"]}
    failed = PageOutcome("c\udcff.html", None, "empty")
    page, failure = written(PageOutcome("b\udcff.html", given), failed)
    assert (page["title"], page["authors"]) == ("Ferry \ufffd", ["Ann \ufffd"])
    assert (page["source"], failure["source"]) == ("b\ufffd.html", "c\ufffd.html")


def test_chunks_are_rows_of_their_own():
    chunk = {"number": 0, "text": "Ask https://a:b@post.example", "headings": ["Ferry", "Routes"]}
    chunk |= {"source": "a.html", "quote": "Ask", "start": 3, "end": 9, "regions": [4]}
    outcomes = [PageOutcome("a.html", {"source": "a.html", "chunks": [chunk, chunk]})]
    tables = shard_tables(Shard(2, "pages", "", 5, 1), outcomes, has_regions=False, has_chunks=True)
    assert set(tables.files) == {"pages", "failed", "chunks"}
    assert "chunks" not in rows(tables.files["pages"])[0]
    first, second = rows(tables.files["chunks"])
    assert first == second
    assert (first["input"], first["position"], first["start"]) == (2, 5, 3)
    assert {name: first[name] for name in chunk} == chunk
