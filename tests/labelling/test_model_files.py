"""A model on disk is whole, or it is an error that names the file."""

import gzip
import json
import os
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from structce.corpus.corpus import Corpus
from structce.errors import LearnerError, ModelError
from structce.features.feature_set import FeatureSet
from structce.labelling import ArticleTrees, RegionLabeller, check_target
from structce.labelling.model_files import MODEL_FORMAT, MODEL_VERSION
from structce.labels import LabelSet
from structce.learners import BoostedTrees
from structce.learners.registry import LEARNERS
from structce.learners.storage import describe_bytes, pack_arrays, read_sealed, seal

FILES = (
    "manifest.json",
    "README.md",
    "features.json.gz",
    "learner/learner.json",
    "learner/weights.npz",
)


def trained(corpus: Corpus, name: str = "structured-svm", **parameters: object) -> RegionLabeller:
    features = FeatureSet(["dom"], min_count=len(corpus) // 2)
    return RegionLabeller(features, LEARNERS[name](**parameters)).fit(corpus)


@pytest.fixture(scope="module")
def labeller(make_corpus):
    labeller = trained(make_corpus(4), max_epochs=2)
    labeller.learner.temperature_ = 0.5
    return labeller


@pytest.fixture(scope="module")
def other(make_corpus):
    return trained(make_corpus(6), max_epochs=1)


@pytest.fixture
def model_folder(labeller, tmp_path):
    labeller.save(tmp_path / "model")
    return tmp_path / "model"


def contents(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def manifest_of(folder: Path) -> dict[str, object]:
    return read_sealed(folder / "manifest.json", MODEL_FORMAT, MODEL_VERSION)


def forge(folder: Path, name: str = "", data: bytes = b"", **entries: object) -> None:
    """Replace a file or entries of the manifest, with the digests that belong to them."""
    manifest = {**manifest_of(folder), **entries}
    if name:
        (folder / name).write_bytes(data)
        manifest["files"] = {**dict(manifest["files"]), name: describe_bytes(data)}
    (folder / "manifest.json").write_bytes(seal(manifest))


def are_the_same(first: RegionLabeller, other: RegionLabeller) -> bool:
    """Whether two models are the same in all that a prediction or a card depends on."""
    weights = [
        np.array_equal(getattr(first.learner, name), getattr(other.learner, name))
        for name in first.learner.weight_names
    ]
    return (
        all(weights)
        and type(first.learner) is type(other.learner)
        and first.learner.get_params() == other.learner.get_params()
        and first.learner.temperature_ == other.learner.temperature_
        and first.features.state() == other.features.state()
        and (first.label_set, first.renderer, first.card)
        == (other.label_set, other.renderer, other.card)
    )


def interrupt_at(call: int, folder: Path) -> Callable[[Path, Path], Path]:
    """Return `Path.replace`, interrupted once when it works in the folder for the n-th time."""
    replace, calls = Path.replace, []

    def interrupted(path: Path, target: Path) -> Path:
        if folder in path.parents:
            calls.append(path)
            if len(calls) == call + 1:
                raise KeyboardInterrupt
        return replace(path, target)

    return interrupted


def load_if_whole(folder: Path) -> RegionLabeller | None:
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
    assert set(contents(tmp_path)) == set(FILES)


def test_the_manifest_tells_what_the_model_is(model_folder, labeller):
    manifest = manifest_of(model_folder)
    assert manifest["renderer"] == "static"
    assert manifest["labels"] == list(labeller.label_set.names)
    assert manifest["background"] == "None"
    assert manifest["card"] == labeller.card
    learner = dict(manifest["learner"])
    assert learner["learner"] == "structured-svm"
    assert learner["parameters"] == labeller.learner.get_params()
    assert learner["n_columns"] == len(labeller.features.columns_)
    assert learner["temperature"] == 0.5
    assert set(learner["diagnostics"]) == set(labeller.learner.diagnostic_names)
    assert set(dict(manifest["files"])) == set(FILES) - {"manifest.json"}


def test_the_same_model_gives_the_same_files(model_folder, labeller):
    before = contents(model_folder)
    labeller.save(model_folder)
    assert contents(model_folder) == before
    RegionLabeller.load(model_folder).save(model_folder)
    assert contents(model_folder) == before


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
def test_a_file_cut_off_or_grown_is_an_error_that_names_it_and_the_next_step(model_folder, name):
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


@pytest.mark.parametrize("name", FILES)
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
        {"labels": None},
        {"labels": ["Title", 3]},
        {"labels": ["Title", "Title"]},
        {"labels": ["None", "Title"]},
        {"background": "Nothing"},
        {"background": None},
        {"renderer": None},
        {"card": None},
        {"card": []},
        {"files": None},
        {"files": {}},
        {"files": {"README.md": {"bytes": -1, "sha256": None}}},
        {"learner": None},
        {"learner": {}},
        {"learner": {"shapes": {"emissions": []}}},
        {"learner": {"shapes": {"emissions": [3, "9"]}}},
        {"learner": {"shapes": {"emissions": [2**40, 9]}}},
    ],
)
def test_entries_of_wrong_types_are_errors(model_folder, entries):
    forge(model_folder, **entries)
    with pytest.raises(ModelError):
        RegionLabeller.load(model_folder)


def test_a_manifest_that_tells_of_another_learner_is_an_error(model_folder):
    learner = dict(manifest_of(model_folder)["learner"])
    forge(model_folder, learner={**learner, "temperature": 0.25})
    with pytest.raises(ModelError, match=r"a different learner from learner/learner\.json"):
        RegionLabeller.load(model_folder)


def test_parts_that_do_not_fit_together_are_neither_saved_nor_loaded(
    model_folder, labeller, tmp_path
):
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


def test_what_has_learnt_nothing_is_not_saved(tmp_path):
    with pytest.raises(LearnerError, match="not fitted"):
        RegionLabeller().save(tmp_path / "model")
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (b"[]", "must contain"),
        (b"{}", "must contain"),
        (b"{", "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b"\xff", "not valid JSON"),
    ],
)
def test_a_feature_set_that_is_none_is_an_error(model_folder, state, message):
    forge(model_folder, "features.json.gz", gzip.compress(state))
    with pytest.raises(ModelError, match=rf"features\.json\.gz: .*{message}"):
        RegionLabeller.load(model_folder)


def test_features_that_are_not_registered_are_named_with_what_to_do(model_folder):
    state = RegionLabeller.load(model_folder).features.state()
    state["names"] = ["text.my-own"]
    forge(model_folder, "features.json.gz", gzip.compress(json.dumps(state).encode()))
    with pytest.raises(ModelError, match=r"text\.my-own.*import them first"):
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
        with pytest.raises(ModelError, match=rf"{Path(name).name} has 17179869184 bytes; at most"):
            RegionLabeller.load(model_folder)
        (model_folder / name).write_bytes(content)


def test_a_save_that_is_interrupted_anywhere_leaves_the_old_model(model_folder, other, monkeypatch):
    before = contents(model_folder)
    for call in range(2 * len(FILES)):
        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", interrupt_at(call, model_folder))
            with pytest.raises(KeyboardInterrupt):
                other.save(model_folder)
        assert contents(model_folder) == before
    other.save(model_folder)
    assert are_the_same(RegionLabeller.load(model_folder), other)


def test_files_beside_a_model_stay_and_those_of_something_else_are_not_written_over(
    model_folder, labeller, tmp_path, make_corpus
):
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


COLUMNS = {"title": ("p", "place", "level"), "title-sure": ("p_first", "p_gap")}


def grown(n_columns: int, seed: int) -> BoostedTrees:
    """Return trees that hang on all their columns, with unknown values among the rows."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(200, n_columns))
    is_right = rows.sum(axis=1) > 0
    rows[rng.random(rows.shape) < 0.1] = np.nan
    names = tuple(COLUMNS.values())[n_columns == 2]
    trees = BoostedTrees.fit(rows, is_right, names, n_trees=4, depth=3)
    return trees.calibrated(trees.log_odds(rows) * 2, is_right)


@pytest.fixture(scope="module")
def with_trees(labeller):
    return replace(labeller, trees=ArticleTrees({"title": grown(3, 0)}, {"title": grown(2, 1)}))


@pytest.fixture
def tree_folder(with_trees, tmp_path):
    with_trees.save(tmp_path / "model")
    return tmp_path / "model"


def have_the_same_trees(first: RegionLabeller, other: RegionLabeller) -> bool:
    """Whether the trees of two models answer any row the same."""
    others = other.trees.stored()
    if {name: trees.names for name, trees in first.trees.stored().items()} != {
        name: trees.names for name, trees in others.items()
    }:
        return False
    rng = np.random.default_rng(9)
    for name, trees in first.trees.stored().items():
        rows = rng.normal(size=(50, len(trees.names)))
        rows[::5] = np.nan
        if not np.array_equal(trees.probability(rows), others[name].probability(rows)):
            return False
    return True


def test_trees_come_back_with_the_model(tree_folder, with_trees):
    back = RegionLabeller.load(tree_folder)
    assert are_the_same(back, with_trees)
    assert have_the_same_trees(back, with_trees)
    assert set(contents(tree_folder)) == {*FILES, "trees.npz"}
    before = contents(tree_folder)
    back.save(tree_folder)
    assert contents(tree_folder) == before


def test_a_manifest_of_before_there_were_trees_is_read(model_folder):
    manifest = manifest_of(model_folder)
    assert "trees" not in manifest
    assert "tree_shapes" not in manifest
    assert not RegionLabeller.load(model_folder).trees


def test_a_model_without_trees_takes_no_heed_of_those_that_another_left(
    tree_folder, labeller, with_trees
):
    labeller.save(tree_folder)
    assert not RegionLabeller.load(tree_folder).trees
    with_trees.save(tree_folder)
    assert have_the_same_trees(RegionLabeller.load(tree_folder), with_trees)


def test_trees_that_are_missing_cut_off_or_grown_are_an_error(tree_folder):
    path = tree_folder / "trees.npz"
    content = path.read_bytes()
    for data in (b"", content[:20], content[: len(content) // 2], content[:-2], content + b"x"):
        path.write_bytes(data)
        with pytest.raises(ModelError, match=r"trees\.npz.*\. (Copy|Train|Name) "):
            RegionLabeller.load(tree_folder)
    path.unlink()
    with pytest.raises(ModelError, match=r"trees\.npz"):
        RegionLabeller.load(tree_folder)


def test_an_altered_byte_of_the_trees_is_an_error_or_changes_nothing(tree_folder, with_trees):
    chance = random.Random(3)
    path = tree_folder / "trees.npz"
    content = path.read_bytes()
    for place in {0, 1, len(content) - 1, *chance.choices(range(len(content)), k=60)}:
        altered = bytearray(content)
        altered[place] ^= chance.randrange(1, 256)
        path.write_bytes(altered)
        loaded = load_if_whole(tree_folder)
        assert loaded is None or have_the_same_trees(loaded, with_trees)


def test_a_file_of_trees_larger_than_the_manifest_implies_is_not_read(tree_folder):
    os.truncate(tree_folder / "trees.npz", 2**34)
    with pytest.raises(ModelError, match=r"trees\.npz has 17179869184 bytes; at most"):
        RegionLabeller.load(tree_folder)


def stored(folder: Path) -> dict[str, np.ndarray]:
    with np.load(folder / "trees.npz") as arrays:
        return {name: arrays[name] for name in arrays.files}


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("title.roots", 1e6),
        ("title.children", -1),
        ("title-sure.columns", 2),
        ("title.depth", 1000),
        ("title.roots", np.nan),
        ("title.columns", np.inf),
        ("title.line", np.nan),
    ],
)
def test_forged_trees_that_point_nowhere_are_an_error(tree_folder, part, value):
    arrays = stored(tree_folder)
    arrays[part] = np.full(arrays[part].shape, value)
    forge(tree_folder, "trees.npz", pack_arrays(arrays))
    with pytest.raises(ModelError, match=r"trees\.npz: .*(damaged trees|malformed)"):
        RegionLabeller.load(tree_folder)


def test_an_array_of_trees_that_is_missing_or_odd_is_an_error(tree_folder):
    arrays = stored(tree_folder)
    del arrays["title.values"]
    forge(tree_folder, "trees.npz", pack_arrays(arrays))
    with pytest.raises(ModelError, match=r"trees\.npz"):
        RegionLabeller.load(tree_folder)


@pytest.mark.parametrize(
    "entries",
    [
        {"trees": []},
        {"trees": {"title": 3}},
        {"trees": {"title": ["p"]}},
        {"trees": {"other": ["p", "place", "level"]}},
        {"tree_shapes": {}},
        {"tree_shapes": None},
        {"tree_shapes": {"title.roots": [2**40]}},
        {"tree_shapes": {"title.roots": ["4"]}},
    ],
)
def test_entries_of_trees_of_wrong_types_are_errors(tree_folder, entries):
    forge(tree_folder, **entries)
    with pytest.raises(ModelError):
        RegionLabeller.load(tree_folder)
