"""Snapshots that are damaged or hostile: an error that names the file, and never another."""

from __future__ import annotations

import json
import random
import zlib
from dataclasses import replace

import numpy as np
import pytest

from structce.errors import CorpusError
from structce.features.contract import ODD_HTML, lay_out
from structce.page import Page, check_snapshot, pack_page, snapshot, unpack_page
from structce.page import read_header as read_head
from structce.page.snapshot import Header, read_envelope, to_line, write_envelope

Json = object
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


def read(data: bytes) -> Page | None:
    """Return the page; None where there is an error of the right kind, which names the file."""
    message = ""
    try:
        return unpack_page(data, "news-7")
    except CorpusError as error:
        message = str(error)
    assert message.startswith("news-7: ")
    return None


def rebuilt(page: Page, strings: dict[str, Json], table: bytes) -> bytes:
    """Return a snapshot of any content, with a checksum that is right."""
    head = Header(page.renderer, len(page), page.provenance)
    return write_envelope(head, to_line(strings) + table, "news-7")


def opened(packed: bytes) -> tuple[dict[str, Json], bytes]:
    """Return the strings and the numbers of a snapshot."""
    line, _, table = read_envelope(packed, "news-7")[1].partition(b"\n")
    return json.loads(line), table


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"not a page", b"\xff\xfe", b"[]\n[]\n", b"{}\n{}\n", b"1" * 5000, b"[" * 100_000],
)
def test_other_data_is_an_error_that_names_the_file(data):
    for function in (unpack_page, check_snapshot, read_head):
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


OTHERS: tuple[Json, ...] = (
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


def test_short_columns_that_stand_for_too_much_are_an_error(full_page, packed, monkeypatch):
    monkeypatch.setattr(snapshot, "MAX_EXPANDED", 10**6)
    strings, table = opened(packed)
    styles, addresses = strings["styles"], strings["xpath"]
    long = "x" * 200_000
    for changed in (
        strings | {"styles": styles | {"cursor": [long]}},
        strings | {"xpath": [addresses[0].replace("body", long), *addresses[1:]]},
        strings | {"xpath": [address + long for address in addresses]},
    ):
        assert len(json.dumps(changed)) < 10**7
        with pytest.raises(CorpusError, match="news-7: the page is too large"):
            unpack_page(rebuilt(full_page, changed, table), "news-7")
