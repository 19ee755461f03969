import json
import zipfile

import numpy as np
import pytest

from structce.errors import LearnerError, ModelError
from structce.learners.linear import LinearLearner
from structce.learners.multiclass_svm import MulticlassSVM
from structce.learners.registry import LEARNERS, learner, load_learner
from structce.learners.storage import Model, read_model, seal, write_model


@pytest.fixture
def model_folder(make_pages, tmp_path):
    X, y = make_pages(10)
    MulticlassSVM().fit(X, y, n_labels=3).save(tmp_path)
    return tmp_path


def change(folder, **entries):
    """Write other entries, with the digest that belongs to them."""
    path = folder / "learner.json"
    manifest = json.loads(path.read_text())
    manifest.pop("digest")
    path.write_bytes(seal({**manifest, **entries}))


def test_a_taken_name_is_an_error():
    with pytest.raises(LearnerError, match="taken by another learner"):
        learner("multiclass-svm")(MulticlassSVM)
    with pytest.raises(LearnerError, match="taken"):
        LEARNERS["greedy-svm"] = MulticlassSVM


def own(base=MulticlassSVM, **methods):
    """Return a learner's class with methods of its own."""
    return type("Own", (base,), methods)


def takes_anything(self, **settings):
    pass


def needs_a_value(self, *, smoothing):
    pass


def forgets(self, *, smoothing=1.0):
    pass


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (own(object), "expected a class derived from Learner"),
        (own(LinearLearner), "no method .*_fit"),
        (own(__init__=takes_anything), r"\*\*settings: expected keyword arguments with defaults"),
        (own(__init__=needs_a_value), "smoothing: expected keyword arguments with defaults"),
        (own(__init__=forgets), "is not stored as self.smoothing"),
    ],
)
def test_a_class_that_is_not_a_learner_is_an_error(kind, reason):
    with pytest.raises(LearnerError, match=reason):
        learner("own")(kind)
    assert "own" not in LEARNERS


@pytest.mark.parametrize(
    ("emissions", "reason"),
    [
        (np.zeros((2, 2)), "has shape"),
        (None, "no array"),
        (np.nan, "NaN or infinity"),
    ],
)
def test_training_that_sets_no_weights_is_an_error(make_pages, emissions, reason):
    def fit(self, pages, labels, callback):
        shape = self.n_columns_, self.n_labels_
        self.emissions_ = np.full(shape, emissions) if emissions is np.nan else emissions

    X, y = make_pages(4)
    with pytest.raises(LearnerError, match=rf"Own: .*{reason}"):
        own(_fit=fit)().fit(X, y, n_labels=3)


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(LearnerError, match=r"greedy-svm.*did you mean 'structured-svm'"):
        LEARNERS["structred-svm"]
    assert "structred-svm" not in LEARNERS


def test_a_model_is_two_files_without_pickle(model_folder):
    assert {path.name for path in model_folder.iterdir()} == {"learner.json", "weights.npz"}
    assert all(
        name.endswith(".npy") for name in zipfile.ZipFile(model_folder / "weights.npz").namelist()
    )
    with np.load(model_folder / "weights.npz", allow_pickle=False) as arrays:
        assert all(arrays[name].dtype.kind in "fi" for name in arrays)


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_weights_are_stored_as_float32(tmp_path, share):
    random = np.random.default_rng(0)
    weights = np.where(random.random((500, 9)) < share, random.random((500, 9)), 0.0)
    write_model(tmp_path, Model({}, {"emissions": weights}))
    assert np.array_equal(read_model(tmp_path).arrays["emissions"], weights.astype(np.float32))
    with np.load(tmp_path / "weights.npz", allow_pickle=False) as stored:
        assert stored["emissions"].dtype == np.float32
    size = (tmp_path / "weights.npz").stat().st_size
    assert size < 1000 + (share + 0.1) * weights.size * 4


def test_another_version_is_an_error_that_names_both(model_folder):
    change(model_folder, version=99)
    with pytest.raises(ModelError, match=r"version 99; this release reads version 2"):
        load_learner(model_folder)


@pytest.mark.parametrize("name", ["learner.json", "weights.npz"])
@pytest.mark.parametrize("kept", [0.0, 0.5, 0.99])
def test_a_file_cut_off_is_an_error(model_folder, name, kept):
    content = (model_folder / name).read_bytes()
    (model_folder / name).write_bytes(content[: int(kept * len(content))])
    with pytest.raises(ModelError):
        load_learner(model_folder)


def test_weights_of_another_model_are_an_error(model_folder, make_pages, tmp_path):
    X, y = make_pages(10, seed=5)
    MulticlassSVM().fit(X, y, n_labels=3).save(tmp_path / "other")
    (tmp_path / "other" / "weights.npz").replace(model_folder / "weights.npz")
    with pytest.raises(ModelError, match="not the file"):
        load_learner(model_folder)


@pytest.mark.parametrize(
    "entries",
    [
        {"learner": "no-such-learner"},
        {"parameters": {"no_such": 1}},
        {"parameters": [1]},
        {"n_labels": 4},
        {"n_labels": None},
        {"n_columns": 1.5},
        {"temperature": "warm"},
        {"diagnostics": {}},
        {"shapes": None},
        {"shapes": {"emissions": [1, 1]}},
    ],
)
def test_a_manifest_that_does_not_fit_is_an_error(model_folder, entries):
    change(model_folder, **entries)
    with pytest.raises(ModelError):
        load_learner(model_folder)
