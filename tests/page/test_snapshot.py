"""Pages as files: exact to the last bit, the same bytes everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

import numpy as np
import pytest

from structce.errors import CorpusError, SourceError
from structce.features.contract import ODD_HTML, lay_out
from structce.page import (
    Metadata,
    Page,
    Provenance,
    original_source,
    pack_page,
    read_snapshot,
    unpack_page,
)

ORIGIN = Provenance("ab" * 32, "Browser/1.2", "1280x1024 scripts=off")


def assert_same(first: object, other: object) -> None:
    """Compare pages or parts of them, numbers by their bits."""
    assert type(first) is type(other)
    if isinstance(first, Page) or type(first).__name__ == "Elements":
        for field in fields(first):  # both are dataclasses
            assert_same(getattr(first, field.name), getattr(other, field.name))
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


def again(page: Page) -> Page:
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


def test_version_3_is_read_as_a_page_that_knows_no_joins(make_page):
    page = make_page("<p>one<b>two</b></p>")
    assert again(page).joins.tolist() == [False, True]
    older = pack_page(replace(page, joins=None)).replace(b'"version":4', b'"version":3', 1)
    unpacked = unpack_page(older, "news-7")
    assert unpacked.joins is None
    assert unpacked.text == page.text
