"""Pages as files: exact to the last bit; damaged or hostile files are errors that name them."""

import json
import random
import zlib
from collections.abc import Mapping

import numpy as np
import pytest
from msgspec.structs import replace

from structce.errors import CorpusError, SourceError
from structce.features.contract import ODD_HTML, lay_out
from structce.page import (
    Metadata,
    Page,
    Provenance,
    original_source,
    pack_page,
    read_snapshot,
    snapshot,
    unpack_page,
)
from structce.page import read_header as read_head
from structce.page.snapshot import Header, read_envelope, to_line, write_envelope

ORIGIN = Provenance("ab" * 32, "Browser/1.2", "1280x1024 scripts=off")


def assert_same(first, other):
    """Compare pages or parts of them, numbers by their bits."""
    assert type(first) is type(other)
    if isinstance(first, Page) or type(first).__name__ == "Elements":
        for name in first.__struct_fields__:
            assert_same(getattr(first, name), getattr(other, name))
    elif isinstance(first, np.ndarray) and isinstance(other, np.ndarray):
        if first.dtype.kind == "U":  # as wide as their longest string, or wider
            assert (first.shape, first.tolist()) == (other.shape, other.tolist())
        else:
            assert (first.dtype, first.shape) == (other.dtype, other.shape)
            assert first.tobytes() == other.tobytes()
    elif isinstance(first, Mapping) and isinstance(other, Mapping):
        assert sorted(first) == sorted(other)
        for key in first:
            assert_same(first[key], other[key])
    else:
        assert first == other


def again(page):
    return unpack_page(pack_page(page), "page")


@pytest.mark.parametrize("html", ODD_HTML.values(), ids=list(ODD_HTML))
def test_a_page_comes_back_to_the_last_bit(make_page, html):
    page = make_page(html)
    for variant in (page, lay_out(page), replace(page, provenance=ORIGIN)):
        assert_same(variant, again(variant))
        assert pack_page(again(variant)) == pack_page(variant)


def test_what_a_page_was_rendered_from_is_kept(make_page, tmp_path):
    page = replace(make_page("<p>one</p>"), provenance=ORIGIN)
    path = tmp_path / "a.page"
    path.write_bytes(pack_page(page, "news/\udcff.html"))
    back = read_snapshot(path)
    assert back.source == original_source(str(path)) == "news/\udcff.html"
    assert_same(back.page, page)


def test_a_snapshot_that_cannot_be_read_names_its_file(tmp_path):
    (tmp_path / "a.page").write_bytes(b"{}")
    for name in ("a.page", "none.page"):
        with pytest.raises(SourceError, match=name):
            read_snapshot(tmp_path / name)


def test_halves_of_surrogate_pairs_and_odd_numbers_come_back(make_page):
    item = {"name": "\ud83d", "n": 1e400, "m": 10**400, "x": [0.1, None, True, {"\udc00": ""}]}
    page = make_page("<p>one</p>")
    page = replace(page, text=("\ud83d\ude00",), metadata=Metadata(json_ld=(item,)))
    assert_same(page, again(page))


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"xpath": ()}, "xpath"),
        ({"boxes": np.zeros((1, 3), np.float32)}, "boxes"),
        ({"element": np.array([9], np.int32)}, "element"),
        ({"comment_places": np.array([0], np.int32)}, "comment_places"),
        ({"spans": np.array([[5, 2]], np.int32)}, "spans"),
        ({"boxes": np.full((1, 4), 1e300)}, "float32"),
        ({"breaks": np.array([2**40])}, "int32"),
    ],
)
def test_a_page_that_could_not_be_read_again_is_not_written(make_page, changes, what):
    page = make_page("<p>one</p>", url="https://post.example/7")
    with pytest.raises(CorpusError, match=rf"^https://post\.example/7: .*{what}"):
        pack_page(replace(page, **changes))  # wrong on purpose


def test_another_version_is_an_error(make_page):
    older = pack_page(make_page("<p>one</p>")).replace(b'"version":5', b'"version":4', 1)
    with pytest.raises(CorpusError, match="version 4; this release reads structce-page version 5"):
        unpack_page(older, "news-7")


MANY = 400
"""Damages tried of each kind."""


@pytest.fixture(scope="module")
def full_page(make_page):
    page = lay_out(make_page(ODD_HTML["article"].replace("<h1>", "<!-- a --><h1>")))
    spans = np.tile(np.array([[3, 9]], np.int32), (len(page), 1))
    return replace(page, spans=spans)


@pytest.fixture(scope="module")
def packed(full_page):
    return pack_page(full_page)


def read(data):
    """Return the page; None where there is an error of the right kind, which names the file."""
    message = ""
    try:
        return unpack_page(data, "news-7")
    except CorpusError as error:
        message = str(error)
    assert message.startswith("news-7: ")
    return None


def rebuilt(page, strings, table):
    """Return a snapshot of any content, with a checksum that is right."""
    head = Header(page.renderer, len(page), page.provenance)
    return write_envelope(head, to_line(strings) + table, "news-7")


def opened(packed):
    """Return the strings and the numbers of a snapshot."""
    line, _, table = read_envelope(packed, "news-7")[1].partition(b"\n")
    return json.loads(line), table


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"not a page", b"\xff\xfe", b"[]\n[]\n", b"{}\n{}\n", b"1" * 5000, b"[" * 100_000],
)
def test_other_data_is_an_error_that_names_the_file(data):
    for function in (unpack_page, read_envelope, read_head):
        with pytest.raises(CorpusError, match="news-7: damaged"):
            function(data, "news-7")


def test_flipped_bytes_give_an_error_or_the_same_page(packed):
    chance = random.Random(3)
    for _ in range(MANY):
        data = bytearray(packed)
        for _ in range(chance.choice([1, 1, 1, 5, 50])):
            # Half of them in the two lines, which are a small part of the file.
            data[chance.randrange(chance.choice([300, len(data)]))] = chance.randrange(256)
        back = read(bytes(data))
        assert back is None or pack_page(back) == packed


def test_any_other_number_gives_an_error_or_a_sound_page(full_page, packed):
    strings, table = opened(packed)
    chance = random.Random(5)
    n_pages = 0
    for _ in range(MANY):
        numbers = np.frombuffer(table, np.uint8).reshape(4, -1).copy()
        column = chance.randrange(numbers.shape[1])
        value = chance.choice([0, 1, 2, 7, 255, 2**31 - 1, 2**31, 2**32 - 1])
        numbers[:, column] = np.array([value], "<u4").view(np.uint8)
        back = read(rebuilt(full_page, strings, numbers.tobytes()))
        if back is not None:
            assert len(pack_page(back)) > 100
            assert len(back.blocks) == len(back.styles["display"]) == len(full_page)
            n_pages += 1
    assert 0 < n_pages < MANY


OTHERS = (
    None, True, 0, -1, 1.5, 10**30, "", "x", [], {}, [None], ["x"], [1], [[]], [{}], {"x": 1},
    {"x": None}, {"x": ["x"]}, {"x": [1]}, [{"x": 1}], [{"x": "x"}], ["x"] * 1000,
)  # fmt: skip


@pytest.mark.parametrize("value", OTHERS, ids=lambda value: repr(value)[:20])
def test_any_other_value_in_any_place_gives_an_error_or_a_page(full_page, packed, value):
    strings, table = opened(packed)
    for key in strings:
        outer = strings | {key: value}
        places = [outer]
        if isinstance(inner := strings[key], dict):
            places += [strings | {key: inner | {name: value}} for name in (*inner, "display")]
        if isinstance(inner, list) and inner:
            places += [strings | {key: [value, *inner[1:]]}, strings | {key: inner[1:]}]
        for changed in places:
            back = read(rebuilt(full_page, changed, table))
            assert back is None or len(back) == len(full_page)


def test_numbers_that_are_missing_or_left_over_are_an_error(full_page, packed):
    strings, table = opened(packed)
    for other in (table[:-4], table + bytes(4), table[:-1], table + b"x", b""):
        assert read(rebuilt(full_page, strings, other)) is None
    assert read(rebuilt(full_page, strings, table)) is not None


def test_what_unpacks_to_too_much_is_an_error(packed, monkeypatch):
    monkeypatch.setattr(snapshot, "MAX_COLUMN_BYTES", 10**6)
    lines = b"".join(packed.splitlines(keepends=True)[:2])
    with pytest.raises(CorpusError, match="news-7: the page is too large"):
        unpack_page(lines + zlib.compress(bytes(10**7)), "news-7")


def test_one_long_style_that_makes_a_column_wide_is_an_error(full_page, packed, monkeypatch):
    monkeypatch.setattr(snapshot, "MAX_STYLE_BYTES", 10**6)
    strings, table = opened(packed)
    others = strings["styles"]["display"][1:]
    changed = strings | {"styles": strings["styles"] | {"display": ["x" * 200_000, *others]}}
    with pytest.raises(CorpusError, match="news-7: the page is too large"):
        unpack_page(rebuilt(full_page, changed, table), "news-7")
