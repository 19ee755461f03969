"""A model on disk is whole, or it is an error that names the file."""

import gzip
import json
import os
import random
import shutil
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from structce.errors import ModelError
from structce.features.feature_set import FeatureSet
from structce.labelling import ArticleTrees, RegionLabeller, check_target
from structce.labelling.model_files import MODEL_FORMAT, MODEL_VERSION
from structce.labels import LabelSet
from structce.learners import BoostedTrees
from structce.learners.registry import LEARNERS
from structce.learners.storage import (
    LEARNER_FORMAT,
    LEARNER_VERSION,
    describe_bytes,
    pack_arrays,
    read_sealed,
    seal,
)

FILES = (
    "manifest.json README.md features.json.gz learner/learner.json learner/weights.npz trees.npz"
).split()
COLUMNS = {"title": ("p", "place", "level"), "title-sure": ("p_first", "p_gap")}


def trained(corpus, name="structured-svm", **parameters):
    features = FeatureSet(["dom"], min_count=len(corpus) // 2)
    return RegionLabeller(features, LEARNERS[name](**parameters)).fit(corpus)


def grown(name):
    """Return trees that hang on all their columns, with unknown values among the rows."""
    rng = np.random.default_rng(len(name))
    rows = rng.normal(size=(200, len(COLUMNS[name])))
    is_right = rows.sum(axis=1) > 0
    rows[rng.random(rows.shape) < 0.1] = np.nan
    trees = BoostedTrees.fit(rows, is_right, COLUMNS[name], n_trees=4, depth=3)
    return trees.calibrated(trees.log_odds(rows) * 2, is_right)


@pytest.fixture(scope="module")
def labeller(make_corpus):
    labeller = trained(make_corpus(4), max_epochs=2)
    labeller.learner.temperature_ = 0.5
    trees = ArticleTrees({"title": grown("title")}, {"title": grown("title-sure")})
    return replace(labeller, trees=trees)


@pytest.fixture(scope="module")
def other(make_corpus):
    return trained(make_corpus(6), max_epochs=1)


@pytest.fixture
def model_folder(labeller, tmp_path):
    labeller.save(tmp_path / "model")
    return tmp_path / "model"


def contents(folder):
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def manifest_of(folder):
    return read_sealed(folder / "manifest.json", MODEL_FORMAT, MODEL_VERSION)


def forge(folder, name="", data=b"", **entries):
    """Replace a file or entries of the manifest, with the digests that belong to them."""
    manifest = {**manifest_of(folder), **entries}
    if name:
        (folder / name).write_bytes(data)
        manifest["files"] = {**dict(manifest["files"]), name: describe_bytes(data)}
    (folder / "manifest.json").write_bytes(seal(manifest))


def are_the_same(first, other):
    """Whether two models give the same files."""
    with tempfile.TemporaryDirectory() as place:
        folders = [Path(place, n, "model") for n in "ab"]
        for labeller, folder in zip((first, other), folders, strict=True):
            labeller.save(folder)
        return contents(folders[0]) == contents(folders[1])


def interrupt_at(call, folder):
    """Return `Path.replace`, interrupted once when it works in the folder for the n-th time."""
    replace, calls = Path.replace, []

    def interrupted(path, target):
        if folder in path.parents:
            calls.append(path)
            if len(calls) == call + 1:
                raise KeyboardInterrupt
        return replace(path, target)

    return interrupted


def load_if_whole(folder):
    try:
        return RegionLabeller.load(folder)
    except ModelError:
        return None


@pytest.mark.parametrize("name", sorted(LEARNERS))
def test_a_model_of_every_learner_comes_back_the_same(make_corpus, tmp_path, name):
    limits = {"linear-chain-crf": {}, "boosted-trees": {"n_rounds": 3}}
    limit = limits.get(name, {"max_epochs": 2})
    model = trained(make_corpus(3), name, lambda_=0.5, **limit)
    model.card["scores"] = {"macro F1": 0.5}
    model.save(tmp_path)
    assert are_the_same(RegionLabeller.load(tmp_path), model)
    assert set(contents(tmp_path)) == {*FILES} - {"trees.npz"}


@pytest.mark.parametrize("name", FILES)
def test_an_altered_byte_is_an_error_or_changes_nothing(model_folder, labeller, name):
    chance = random.Random(name)
    content = (model_folder / name).read_bytes()
    places = {0, 1, 2, 3, len(content) - 1, *chance.choices(range(len(content)), k=60)}
    for place in places:
        altered = bytearray(content)
        altered[place] ^= chance.randrange(1, 256)
        (model_folder / name).write_bytes(altered)
        loaded = load_if_whole(model_folder)
        assert loaded is None or are_the_same(loaded, labeller)


@pytest.mark.parametrize("name", FILES)
def test_truncated_or_grown_file_is_an_error(model_folder, name):
    content = (model_folder / name).read_bytes()
    lengths = [0, 1, 20, len(content) // 2, len(content) - 2]
    for data in [*(content[:length] for length in lengths), content + b"x"]:
        (model_folder / name).write_bytes(data)
        with pytest.raises(ModelError, match=rf"{Path(name).name}.*\. (Copy|Train|Name) "):
            RegionLabeller.load(model_folder)


@pytest.mark.parametrize("name", FILES[1:])
def test_a_missing_file_is_named(model_folder, name):
    (model_folder / name).unlink()
    with pytest.raises(ModelError, match=Path(name).name):
        RegionLabeller.load(model_folder)
    (model_folder / name).mkdir()
    with pytest.raises(ModelError, match=Path(name).name):
        RegionLabeller.load(model_folder)


@pytest.mark.parametrize("name", FILES[:-1])
def test_a_file_of_another_model_is_an_error(model_folder, other, tmp_path, name):
    other.save(tmp_path / "other")
    shutil.copy(tmp_path / "other" / name, model_folder / name)
    with pytest.raises(ModelError, match="was written with"):
        RegionLabeller.load(model_folder)


def test_another_format_or_version_is_named(model_folder, labeller):
    forge(model_folder, version=1, structce="0.0.7")
    with pytest.raises(ModelError, match=r"version 1; this release reads version 3.*0\.0\.7"):
        RegionLabeller.load(model_folder)
    labeller.save(model_folder)  # over a model of another version
    forge(model_folder, format="structce-corpus")
    with pytest.raises(ModelError, match="not of format 'structce-model'"):
        RegionLabeller.load(model_folder)


@pytest.mark.parametrize(
    "entries",
    [
        {"labels": ["Title", 3]},
        {"renderer": "\x1b[2J"},
        {"card": None},
        {"files": {}},
        {"files": {"README.md": {"bytes": -1, "sha256": None}}},
        {"learner": {"shapes": {"emissions": [3, "9"]}}},
        {"learner": {"shapes": {"emissions": [2**40, 9]}}},
        {"trees": {"other": ["p", "place", "level"]}},
        {"trees": {f"tree{n}": ["p"] for n in range(10_000)}},
        {"tree_shapes": {"title.roots": [2**40]}},
    ],
)
def test_entries_of_wrong_types_are_errors(model_folder, entries):
    forge(model_folder, **entries)
    with pytest.raises(ModelError) as error:
        RegionLabeller.load(model_folder)
    assert len(str(error.value)) < 600


def test_mismatched_parts_are_not_saved_or_loaded(model_folder, labeller, tmp_path):
    other = LabelSet(("Title", "None"), "None")
    wrong = RegionLabeller(labeller.features, labeller.learner, other)
    with pytest.raises(ModelError, match="2 labels; the learner expects"):
        wrong.save(tmp_path / "wrong")
    assert not (tmp_path / "wrong").exists()
    state = labeller.features.state()
    state["columns"] = list(labeller.features.columns_[1:])
    forge(model_folder, "features.json.gz", gzip.compress(json.dumps(state).encode()))
    with pytest.raises(ModelError, match="columns"):
        RegionLabeller.load(model_folder)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        *((data, "must contain") for data in (b"[]", b"{}")),
        *((data, "not valid JSON") for data in (b"{", b"[" * 100_000, b"\xff")),
    ],
)
def test_a_feature_set_that_is_none_is_an_error(model_folder, state, message):
    forge(model_folder, "features.json.gz", gzip.compress(state))
    with pytest.raises(ModelError, match=rf"features\.json\.gz: .*{message}"):
        RegionLabeller.load(model_folder)


def test_unregistered_features_are_named(model_folder):
    state = RegionLabeller.load(model_folder).features.state()
    state["names"] = ["text.my-own"]
    forge(model_folder, "features.json.gz", gzip.compress(json.dumps(state).encode()))
    with pytest.raises(ModelError, match=r"needs --import FILE.*text\.my-own"):
        RegionLabeller.load(model_folder)


def test_what_unpacks_to_more_than_its_columns_could_is_refused(model_folder):
    forge(model_folder, "features.json.gz", gzip.compress(b" " * 2**25))
    with pytest.raises(ModelError, match=r"features\.json\.gz: .*unpacks to over"):
        RegionLabeller.load(model_folder)
    for data in (b"no gzip", gzip.compress(b"{}")[:-4], gzip.compress(b"{}") + b"more"):
        forge(model_folder, "features.json.gz", data)
        with pytest.raises(ModelError, match=r"features\.json\.gz: "):
            RegionLabeller.load(model_folder)


def test_a_file_larger_than_the_manifest_implies_is_not_read(model_folder):
    for name in FILES:
        content = (model_folder / name).read_bytes()
        os.truncate(model_folder / name, 2**34)  # a hole that takes no room on the disk
        with pytest.raises(ModelError, match=rf"{Path(name).name}: cannot be read .*more than"):
            RegionLabeller.load(model_folder)
        (model_folder / name).write_bytes(content)


def test_interrupted_save_leaves_the_old_model(model_folder, other, monkeypatch):
    before = contents(model_folder)
    for call in range(2 * len(FILES) - 2):
        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", interrupt_at(call, model_folder))
            with pytest.raises(KeyboardInterrupt):
                other.save(model_folder)
        assert contents(model_folder) == before
    other.save(model_folder)
    assert are_the_same(RegionLabeller.load(model_folder), other)


def test_foreign_files_are_not_overwritten(model_folder, labeller, tmp_path, make_corpus):
    (model_folder / "notes.txt").write_text("mine")
    labeller.save(model_folder)
    assert (model_folder / "notes.txt").read_text() == "mine"
    make_corpus(2).save(tmp_path / "corpus")
    (tmp_path / "README.md").write_text("mine")
    for target in (tmp_path / "corpus", tmp_path):
        before = contents(target)
        with pytest.raises(ModelError, match="choose a new folder"):
            labeller.save(target)
        assert contents(target) == before
    check_target(tmp_path / "new")


def stored(folder):
    with np.load(folder / "trees.npz") as arrays:
        return {name: arrays[name] for name in arrays.files}


CIRCLE = [[1, 1], [0, 0]]


@pytest.mark.parametrize(
    ("part", "forged"),
    [
        ("title.roots", lambda array: array + 1e6),
        ("title.roots", lambda array: array[:0]),
        ("title.children", lambda array: array + 3e9),
        ("title.children", lambda array: np.concatenate([CIRCLE, array[2:]])),
        ("title-sure.columns", lambda array: array * 0 + 2),
        ("title.thresholds", lambda array: array[:-1]),
        ("title.depth", lambda array: array * 0 + 1000),
        ("title.line", lambda array: array * np.nan),
    ],
)
def test_forged_trees_are_an_error(model_folder, part, forged):
    arrays = stored(model_folder)
    arrays[part] = forged(arrays[part].astype(float))
    shapes = {name: list(array.shape) for name, array in arrays.items()}
    forge(model_folder, "trees.npz", pack_arrays(arrays), tree_shapes=shapes)
    with pytest.raises(ModelError, match=r"trees\.npz: .*(damaged trees|malformed|no tree)"):
        RegionLabeller.load(model_folder)


def test_weights_of_too_many_columns_are_not_unpacked(model_folder, monkeypatch):
    learner = dict(manifest_of(model_folder)["learner"])
    learner |= {"n_columns": 10**6, "shapes": {"emissions": [10**6, 9], "transitions": [9, 9]}}
    form = {"format": LEARNER_FORMAT, "version": LEARNER_VERSION}
    forge(model_folder, "learner/learner.json", seal({**form, **learner}), learner=learner)
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("it was unpacked"))
    with pytest.raises(ModelError, match=r"columns.* the learner expects 1000000 and 9"):
        RegionLabeller.load(model_folder)
