"""Files of learners: damage and malicious content are errors before anything is unpacked."""

import io
import os
import re
import zipfile

import numpy as np
import pytest

from structce.errors import ModelError
from structce.learners.registry import load_learner
from structce.learners.storage import (
    HEADER,
    LARGEST,
    MOST_ARRAYS,
    describe_bytes,
    parse_json,
    read_bounded,
    read_described,
    read_manifest,
    read_sealed,
    read_weights,
    seal,
    write_model,
)
from structce.learners.svm import MulticlassSVM

WEIGHTS = np.arange(12.0).reshape(4, 3)


@pytest.fixture
def model_folder(tmp_path):
    write_model(tmp_path, {"name": "small"}, {"emissions": WEIGHTS})
    return tmp_path


@pytest.fixture
def learner_folder(make_pages, tmp_path):
    MulticlassSVM(max_epochs=2).fit(*make_pages(10), classes=range(3)).save(tmp_path)
    return tmp_path


def forge(folder, weights=None, **entries):
    """Replace the weights or entries of the manifest, with the digests that belong to them."""
    manifest = read_manifest(folder)
    if weights is not None:
        entries["weights"] = describe_bytes(weights)
        (folder / "weights.npz").write_bytes(weights)
    (folder / "learner.json").write_bytes(seal({**manifest, **entries}))


def buffered(write):
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


def npz(**arrays):
    return buffered(lambda buffer: np.savez_compressed(buffer, **arrays))


def zipped(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.npy", data)
    return buffer.getvalue()


def npy(array):
    return buffered(lambda buffer: np.save(buffer, array))


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_weights_are_two_files_of_float32_without_pickle(tmp_path, share):
    random = np.random.default_rng(0)
    weights = np.where(random.random((500, 9)) < share, random.random((500, 9)), 0.0)
    write_model(tmp_path, {}, {"emissions": weights})
    assert {path.name for path in tmp_path.iterdir()} == {"learner.json", "weights.npz"}
    read = read_weights(tmp_path, read_manifest(tmp_path))["emissions"]
    assert np.array_equal(read, weights.astype(np.float32))
    with np.load(tmp_path / "weights.npz", allow_pickle=False) as stored:
        assert stored["emissions"].dtype == np.float32
    assert (tmp_path / "weights.npz").stat().st_size < 1000 + (share + 0.1) * weights.size * 4


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (npz(emissions=np.ones((3, 4), np.float32)), "shape"),
        (npz(emissions=np.ones((4, 3))), "<f8"),
        (npz(emissions=np.ones((4, 3), np.float32, order="F")), "emissions"),
        (npz(emissions=np.full((4, 3), np.nan, np.float32)), "NaN"),
        (npz(other=np.ones((4, 3), np.float32)), "other"),
        (npz(emissions=np.ones((4, 3), np.float32), more=np.ones(1)), "more"),
        (zipped(emissions=npy(WEIGHTS.astype(np.float32))[:-4]), ""),
        (zipped(emissions=b"\x93NUMPY\x02\x00" + bytes(100)), "expected .*descr"),
        (zipped(emissions=npy(np.array([[print]], dtype=object))), ""),
        (b"PK", "zip"),
    ],
)
def test_weights_of_another_kind_are_malformed(model_folder, weights, message):
    forge(model_folder, weights)
    with pytest.raises(ModelError, match=rf"weights\.npz: malformed weights.*{message}"):
        read_weights(model_folder, read_manifest(model_folder))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(model_folder, monkeypatch):
    forge(model_folder, zipped(emissions=bytes(10**6)))
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("it was unpacked"))
    with pytest.raises(ModelError, match="unpacks to 1000000 bytes, too many"):
        read_weights(model_folder, read_manifest(model_folder))


def test_sizes_are_checked_before_files_are_read(model_folder, tmp_path):
    forge(model_folder, npz(emissions=np.ones((4, 3), np.float32)) + bytes(3 * HEADER))
    with pytest.raises(ModelError, match=r"weights\.npz: cannot be read .*more than"):
        read_weights(model_folder, read_manifest(model_folder))
    with (tmp_path / "large").open("wb") as file:
        os.truncate(file.fileno(), 2**36)
    with pytest.raises(ModelError, match="more than 5 bytes"):
        read_bounded(tmp_path / "large", 5)
    with pytest.raises(ModelError, match="has more than"):
        write_model(tmp_path / "new", {}, {"huge": np.broadcast_to(0.0, (LARGEST, 2))})
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "shapes",
    [
        *({"emissions": shape} for shape in ([2**20] * 2, [10**30], [LARGEST + 1])),
        *({"emissions": shape} for shape in ([-1, 3], ["4"], 4)),
        {f"emissions{n}": [LARGEST // 10] for n in range(11)},
        {f"emissions{n}": [0] for n in range(MOST_ARRAYS + 1)},
        "emissions" * 10**5,
    ],
)  # fmt: skip
def test_impossible_shapes_are_refused(model_folder, shapes):
    forge(model_folder, shapes=shapes)
    with pytest.raises(ModelError, match=r"learner\.json: .*emissions") as error:
        read_weights(model_folder, read_manifest(model_folder))
    assert len(str(error.value)) < 500


ENTRIES = {"format": "form", "version": 3, "name": "Zoë", "numbers": [1, 0.1, 1e300], "none": None}


@pytest.fixture
def sealed_path(tmp_path):
    path = tmp_path / "sealed.json"
    path.write_bytes(seal(ENTRIES))
    return path


def test_numpy_values_become_plain(sealed_path):
    assert read_sealed(sealed_path, "form", 3) == ENTRIES
    entries = {
        "array": (np.arange(4, dtype=np.int64).reshape(2, 2), [[0, 1], [2, 3]]),
        "number": (np.float32(0.5), 0.5),
        "flag": (np.True_, True),
        "pair": ((1, np.nan), [1, None]),
        "by_index": ({10: 1.0, 9: float("inf")}, {"10": 1.0, "9": None}),
    }
    sealed_path.write_bytes(seal(ENTRIES | {name: given for name, (given, _) in entries.items()}))
    plain = {name: value for name, (_, value) in entries.items()}
    assert read_sealed(sealed_path, "form", 3) == ENTRIES | plain


@pytest.mark.parametrize("text", ["", "[]", "[" * 100_000, "9" * 5000])
def test_other_json_is_an_error(sealed_path, text):
    sealed_path.write_text(text)
    with pytest.raises(ModelError, match=r"sealed\.json"):
        read_sealed(sealed_path, "form", 3)


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "1e999", "1" + "0" * 400])
def test_numbers_that_are_not_finite_are_refused(sealed_path, text):
    with pytest.raises(ModelError, match="not valid JSON"):
        parse_json(sealed_path, text.encode())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
@pytest.mark.parametrize("kind", ["pipe", "device", "loop", "folder"])
def test_what_is_not_a_file_is_not_waited_for(tmp_path, kind):
    path = tmp_path / "data"
    if kind in ("pipe", "folder"):
        {"pipe": os.mkfifo, "folder": os.mkdir}[kind](path)
    else:
        path.symlink_to("/dev/zero" if kind == "device" else "data")
    with pytest.raises(ModelError, match="data: cannot be read"):
        read_bounded(path, 10)


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


HOSTILE = [
    ({"version": 99, "structce": "x" * 10**5}, "version 99"),
    ({"learner": "no-such-learner"}, "--import FILE.*unknown learner 'no-such-learner'"),
    ({"learner": "x" * 10**5}, "length"),
    ({"learner": "greedy-svm", "parameters": {"context": 10**9}}, "diagnostics|shapes"),
    ({"parameters": {"no_such": 1}}, "no_such"),
    ({"parameters": {"lambda_": "x"}}, "lambda_"),
    ({"n_labels": 4}, "shapes"),
    ({"n_labels": 10**12}, "n_labels"),
    ({"n_columns": 1e300}, "n_columns"),
    ({"classes": ["a"]}, "1 classes, but n_labels is 3"),
    ({"classes": ["a", 1, "b"]}, "expected integers, or strings"),
    ({"classes": [0, 1, 2**70]}, "classes|int64"),
    ({"columns": ["a"]}, "1 columns; expected 12"),
    ({"temperature": 1e-300}, "temperature"),
    ({"calibration": {"thresholds": [0.1], "values": [2.0]}}, "values in"),
    ({"diagnostics": {}}, "gap_"),
    ({"diagnostics": {"gap_": {"a": [[1]]}}}, "diagnostics"),
    ({"shapes": {"emissions": [12, 3], "more": [1]}}, "shapes"),
]


@pytest.mark.parametrize(("entries", "message"), HOSTILE)
def test_a_malformed_or_hostile_manifest_is_a_short_error(learner_folder, entries, message):
    forge(learner_folder, **entries)
    with pytest.raises(ModelError, match=r"learner\.json|weights\.npz") as error:
        load_learner(learner_folder)
    assert re.search(message, str(error.value))
    assert len(str(error.value)) < 700
