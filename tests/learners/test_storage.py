"""Weights that somebody wrote on purpose: refused before they are unpacked, or as malformed."""

import contextlib
import io
import zipfile

import numpy as np
import pytest

from structce.errors import ModelError
from structce.io import write_all_atomic
from structce.learners.storage import (
    HEADER,
    LARGEST,
    LEARNER_FORMAT,
    LEARNER_VERSION,
    Model,
    describe_bytes,
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


def forge(folder, weights=None, **entries):
    """Replace the weights or entries of the manifest, with the digests that belong to them."""
    manifest = read_sealed(folder / "learner.json", LEARNER_FORMAT, LEARNER_VERSION)
    if weights is not None:
        entries["weights"] = describe_bytes(weights)
        (folder / "weights.npz").write_bytes(weights)
    write_all_atomic({folder / "learner.json": seal({**manifest, **entries})})


def npz(compressed=True, **arrays):
    buffer = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(buffer, **arrays)
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


def test_a_header_written_in_another_way_is_read(model_folder):
    own = npy(WEIGHTS.astype(np.float32))
    other = own.replace(b"(4, 3), }", b"(4,3) , }")
    assert other != own
    forge(model_folder, zipped(emissions=other))
    assert np.array_equal(read_model(model_folder).arrays["emissions"], WEIGHTS)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (npz(emissions=np.ones((3, 4), np.float32)), "shape"),
        (npz(emissions=np.ones(12, np.float32)), "shape"),
        (npz(emissions=np.ones((4, 3))), "float64"),
        (npz(emissions=np.ones((4, 3), np.int32)), "int32"),
        (npz(emissions=np.ones((4, 3), ">f4")), ">f4"),
        (npz(emissions=np.ones((4, 3), np.float32, order="F")), "emissions"),
        (npz(emissions=np.full((4, 3), "x")), "emissions"),
        (npz(emissions=np.full((4, 3), np.nan, np.float32)), "NaN"),
        (npz(emissions=np.full((4, 3), np.inf, np.float32)), "infinity"),
        (npz(other=np.ones((4, 3), np.float32)), "other"),
        (npz(), "expected"),
        (npz(emissions=np.ones((4, 3), np.float32), more=np.ones(1)), "more"),
        (zipped(emissions=npy(WEIGHTS.astype(np.float32))[:-4]), ""),
        (zipped(emissions=npy(WEIGHTS.astype(np.float32)) + b"0000"), ""),
        (zipped(emissions=b""), ""),
        (zipped(emissions=b"\x93NUMPY\x02\x00" + bytes(100)), "version 1.0 of the npy format"),
        (b"", "zip"),
        (b"PK", "zip"),
    ],
)
def test_weights_of_another_kind_are_malformed(model_folder, weights, message):
    forge(model_folder, weights)
    with pytest.raises(ModelError, match=rf"weights\.npz: malformed weights.*{message}"):
        read_model(model_folder)


def test_an_array_of_objects_is_not_unpickled(model_folder):
    array = np.array([[print]], dtype=object)
    buffer = io.BytesIO()
    np.savez(buffer, emissions=array)
    forge(model_folder, buffer.getvalue(), shapes={"emissions": [1, 1]})
    with pytest.raises(ModelError, match="object of shape"):
        read_model(model_folder)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(model_folder, monkeypatch):
    bomb = zipped(emissions=bytes(10**6))
    forge(model_folder, bomb)
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("it was unpacked"))
    with pytest.raises(ModelError, match="unpacks to 1000000 bytes, too many"):
        read_model(model_folder)


def test_a_file_larger_than_its_shapes_is_refused(model_folder):
    forge(model_folder, npz(emissions=np.ones((4, 3), np.float32)) + bytes(3 * HEADER))
    with pytest.raises(ModelError, match=r"weights\.npz has .* bytes; at most"):
        read_model(model_folder)


@pytest.mark.parametrize("shape", [[2**20, 2**20], [10**30], [LARGEST + 1], [-1, 3], ["4", 3], 4])
def test_impossible_shapes_are_refused(model_folder, shape):
    (model_folder / "weights.npz").unlink()
    forge(model_folder, shapes={"emissions": shape})
    with pytest.raises(ModelError, match=r"learner\.json: .*emissions"):
        read_model(model_folder)


def test_what_could_not_be_read_is_not_written(tmp_path):
    huge = np.broadcast_to(0.0, (LARGEST, 2))
    with pytest.raises(ModelError, match="has more than"):
        write_model(tmp_path, Model({}, {"emissions": huge}))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("ignore:Duplicate name", "ignore:Reading `.npy`")
def test_altered_weights_are_malformed_or_weights(model_folder):
    random = np.random.default_rng(0)
    for compressed in (True, False):
        weights = npz(compressed, emissions=WEIGHTS.astype(np.float32))
        for i in range(0, len(weights), 3):
            altered = bytearray(weights)
            altered[i] = random.integers(256)
            forge(model_folder, bytes(altered))
            with contextlib.suppress(ModelError):
                assert read_model(model_folder).arrays["emissions"].shape == (4, 3)
