"""Damage to a file shows, and nothing larger than expected is read."""

import contextlib
import os
from itertools import product

import numpy as np
import pytest

from structce.errors import ModelError
from structce.learners.storage import (
    describe_bytes,
    parse_json,
    read_bounded,
    read_described,
    read_sealed,
    seal,
)

ENTRIES = {"format": "form", "version": 3, "name": "Zoë", "numbers": [1, 0.1, 1e300], "none": None}


@pytest.fixture
def sealed_path(tmp_path):
    path = tmp_path / "sealed.json"
    path.write_bytes(seal(ENTRIES))
    return path


def test_what_was_sealed_is_read(sealed_path):
    assert read_sealed(sealed_path, "form", 3) == ENTRIES


def test_numpy_values_become_plain(sealed_path):
    entries = {
        "array": np.arange(4, dtype=np.int64).reshape(2, 2),
        "number": np.float32(0.5),
        "flag": np.True_,
        "pair": (1, np.nan),
        "gap": float("inf"),
        "by_index": {10: 1.0, 9: 2.0},
    }
    sealed_path.write_bytes(seal({**ENTRIES, **entries}))
    assert read_sealed(sealed_path, "form", 3) == ENTRIES | {
        "array": [[0, 1], [2, 3]],
        "number": 0.5,
        "flag": True,
        "pair": [1, None],
        "gap": None,
        "by_index": {"10": 1.0, "9": 2.0},
    }


def test_every_altered_byte_is_an_error_or_changes_nothing(sealed_path):
    content = sealed_path.read_bytes()
    for i, bit in product(range(len(content)), (1, 8, 32)):
        sealed_path.write_bytes(content[:i] + bytes([content[i] ^ bit]) + content[i + 1 :])
        with contextlib.suppress(ModelError):
            assert read_sealed(sealed_path, "form", 3) == ENTRIES


def test_another_version_names_both_and_what_wrote_it(sealed_path):
    sealed_path.write_bytes(seal({**ENTRIES, "structce": "9.1"}))
    with pytest.raises(ModelError, match=r"version 3; .* reads version 4\..*use structce 9\.1"):
        read_sealed(sealed_path, "form", 4)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "\ufeff{}", "[" * 100_000, "9" * 5000])
def test_what_is_no_such_object_is_an_error(sealed_path, text):
    sealed_path.write_text(text)
    with pytest.raises(ModelError, match=r"sealed\.json"):
        read_sealed(sealed_path, "form", 3)


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "1e999", "1" + "0" * 400])
def test_numbers_that_are_not_finite_are_refused(sealed_path, text):
    with pytest.raises(ModelError, match="not valid JSON"):
        parse_json(sealed_path, text.encode())


def test_a_described_file_is_that_file_alone(tmp_path):
    path = tmp_path / "data"
    path.write_bytes(b"12345")
    entry = describe_bytes(b"12345")
    assert read_described(path, entry, 5) == b"12345"
    for other in (b"1234", b"12346", b"123456", b""):
        path.write_bytes(other)
        with pytest.raises(ModelError, match="not the file that the manifest was written with"):
            read_described(path, entry, 10)
    for malformed in (None, [], {}, {"bytes": 5}, {**entry, "more": 1}):
        with pytest.raises(ModelError, match="does not describe it"):
            read_described(path, malformed, 5)


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "large"
    with path.open("wb") as file:
        os.truncate(file.fileno(), 2**36)
    with pytest.raises(ModelError, match="at most 5 expected"):
        read_bounded(path, 5)
