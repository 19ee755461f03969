"""Files of learners: damage and malicious content are errors before anything is unpacked."""

import contextlib
import io
import json
import os
import zipfile
from itertools import product

import numpy as np
import pytest

from structce.errors import ModelError
from structce.learners.multiclass_svm import MulticlassSVM
from structce.learners.registry import load_learner
from structce.learners.storage import (
    HEADER,
    LARGEST,
    LEARNER_FORMAT,
    LEARNER_VERSION,
    Model,
    describe_bytes,
    parse_json,
    read_bounded,
    read_described,
    read_model,
    read_sealed,
    seal,
    write_model,
)

WEIGHTS = np.arange(12.0).reshape(4, 3)


@pytest.fixture
def model_folder(tmp_path):
    write_model(tmp_path, Model({"name": "small"}, {"emissions": WEIGHTS}))
    return tmp_path


@pytest.fixture
def learner_folder(make_pages, tmp_path):
    MulticlassSVM().fit(*make_pages(10), n_labels=3).save(tmp_path)
    return tmp_path


def forge(folder, weights=None, **entries):
    """Replace the weights or entries of the manifest, with the digests that belong to them."""
    manifest = read_sealed(folder / "learner.json", LEARNER_FORMAT, LEARNER_VERSION)
    if weights is not None:
        entries["weights"] = describe_bytes(weights)
        (folder / "weights.npz").write_bytes(weights)
    (folder / "learner.json").write_bytes(seal({**manifest, **entries}))


def npz(**arrays):
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def zipped(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.npy", data)
    return buffer.getvalue()


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_weights_are_two_files_of_float32_without_pickle(tmp_path, share):
    random = np.random.default_rng(0)
    weights = np.where(random.random((500, 9)) < share, random.random((500, 9)), 0.0)
    write_model(tmp_path, Model({}, {"emissions": weights}))
    assert {path.name for path in tmp_path.iterdir()} == {"learner.json", "weights.npz"}
    assert np.array_equal(read_model(tmp_path).arrays["emissions"], weights.astype(np.float32))
    with np.load(tmp_path / "weights.npz", allow_pickle=False) as stored:
        assert stored["emissions"].dtype == np.float32
    assert (tmp_path / "weights.npz").stat().st_size < 1000 + (share + 0.1) * weights.size * 4


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (npz(emissions=np.ones((3, 4), np.float32)), "shape"),
        (npz(emissions=np.ones((4, 3))), "float64"),
        (npz(emissions=np.ones((4, 3), np.float32, order="F")), "emissions"),
        (npz(emissions=np.full((4, 3), np.nan, np.float32)), "NaN"),
        (npz(other=np.ones((4, 3), np.float32)), "other"),
        (npz(emissions=np.ones((4, 3), np.float32), more=np.ones(1)), "more"),
        (zipped(emissions=npy(WEIGHTS.astype(np.float32))[:-4]), ""),
        (zipped(emissions=b"\x93NUMPY\x02\x00" + bytes(100)), "version 1.0 of the npy format"),
        (zipped(emissions=npy(np.array([[print]], dtype=object))), ""),
        (b"PK", "zip"),
    ],
)
def test_weights_of_another_kind_are_malformed(model_folder, weights, message):
    forge(model_folder, weights)
    with pytest.raises(ModelError, match=rf"weights\.npz: malformed weights.*{message}"):
        read_model(model_folder)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(model_folder, monkeypatch):
    forge(model_folder, zipped(emissions=bytes(10**6)))
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("it was unpacked"))
    with pytest.raises(ModelError, match="unpacks to 1000000 bytes, too many"):
        read_model(model_folder)


def test_sizes_are_checked_before_files_are_read(model_folder, tmp_path):
    forge(model_folder, npz(emissions=np.ones((4, 3), np.float32)) + bytes(3 * HEADER))
    with pytest.raises(ModelError, match=r"weights\.npz has .* bytes; at most"):
        read_model(model_folder)
    with (tmp_path / "large").open("wb") as file:
        os.truncate(file.fileno(), 2**36)
    with pytest.raises(ModelError, match="at most 5 expected"):
        read_bounded(tmp_path / "large", 5)
    with pytest.raises(ModelError, match="has more than"):
        write_model(tmp_path / "new", Model({}, {"huge": np.broadcast_to(0.0, (LARGEST, 2))}))
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("shape", [[2**20, 2**20], [10**30], [LARGEST + 1], [-1, 3], ["4", 3], 4])
def test_impossible_shapes_are_refused(model_folder, shape):
    forge(model_folder, shapes={"emissions": shape})
    with pytest.raises(ModelError, match=r"learner\.json: .*emissions"):
        read_model(model_folder)


# Sealed objects

ENTRIES = {"format": "form", "version": 3, "name": "Zoë", "numbers": [1, 0.1, 1e300], "none": None}


@pytest.fixture
def sealed_path(tmp_path):
    path = tmp_path / "sealed.json"
    path.write_bytes(seal(ENTRIES))
    return path


def test_numpy_values_become_plain(sealed_path):
    assert read_sealed(sealed_path, "form", 3) == ENTRIES
    entries = {
        "array": np.arange(4, dtype=np.int64).reshape(2, 2),
        "number": np.float32(0.5),
        "flag": np.True_,
        "pair": (1, np.nan),
        "by_index": {10: 1.0, 9: float("inf")},
    }
    sealed_path.write_bytes(seal({**ENTRIES, **entries}))
    assert read_sealed(sealed_path, "form", 3) == ENTRIES | {
        "array": [[0, 1], [2, 3]],
        "number": 0.5,
        "flag": True,
        "pair": [1, None],
        "by_index": {"10": 1.0, "9": None},
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
def test_other_json_is_an_error(sealed_path, text):
    sealed_path.write_text(text)
    with pytest.raises(ModelError, match=r"sealed\.json"):
        read_sealed(sealed_path, "form", 3)


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "1e999", "1" + "0" * 400])
def test_numbers_that_are_not_finite_are_refused(sealed_path, text):
    with pytest.raises(ModelError, match="not valid JSON"):
        parse_json(sealed_path, text.encode())


def test_only_the_described_file_is_read(tmp_path):
    path, entry = tmp_path / "data", describe_bytes(b"12345")
    path.write_bytes(b"12345")
    assert read_described(path, entry, 5) == b"12345"
    for malformed in (None, [], {}, {"bytes": 5}, {**entry, "more": 1}):
        with pytest.raises(ModelError, match="does not describe it"):
            read_described(path, malformed, 5)
    for other in (b"1234", b"12346", b"123456", b""):
        path.write_bytes(other)
        with pytest.raises(ModelError, match="not the file that the manifest was written with"):
            read_described(path, entry, 10)


# Learners


@pytest.mark.parametrize("name", ["learner.json", "weights.npz"])
@pytest.mark.parametrize("kept", [0.0, 0.5, 0.99])
def test_a_truncated_file_is_an_error(learner_folder, name, kept):
    content = (learner_folder / name).read_bytes()
    (learner_folder / name).write_bytes(content[: int(kept * len(content))])
    with pytest.raises(ModelError):
        load_learner(learner_folder)


@pytest.mark.parametrize(
    "entries",
    [
        {"version": 99},
        {"learner": "no-such-learner"},
        {"parameters": {"no_such": 1}},
        {"parameters": [1]},
        {"n_labels": 4},
        {"temperature": "warm"},
        {"shapes": {"emissions": [1, 1]}},
    ],
)
def test_an_inconsistent_manifest_is_an_error(learner_folder, entries):
    path = learner_folder / "learner.json"
    manifest = json.loads(path.read_text())
    manifest.pop("digest")
    path.write_bytes(seal({**manifest, **entries}))
    with pytest.raises(ModelError):
        load_learner(learner_folder)


def test_a_learner_that_is_not_registered_is_named_with_what_to_do(learner_folder):
    path = learner_folder / "learner.json"
    manifest = json.loads(path.read_text())
    manifest.pop("digest")
    path.write_bytes(seal({**manifest, "learner": "my-own"}))
    with pytest.raises(ModelError, match=r"unknown learner 'my-own'.*--import FILE"):
        load_learner(learner_folder)
