"""Recipes as TOML: the data sets, views, features and learner of a model."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from structce.corpus import VIEWS, Judgement, read_judgements
from structce.datasets import READERS
from structce.errors import CorpusError, ExperimentError, LearnerError
from structce.experiments import (
    Features,
    check_known,
    convert_table,
    read_subject,
    require,
    unknown_name,
)
from structce.features import Descriptions, FeatureSet
from structce.labelling import make_learner
from structce.labels import NEWS
from structce.learners import LEARNERS, CalibrationMethod, Learner
from structce.rendering import RENDERERS

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_DIGEST = re.compile(r"[0-9a-f]{64}")


def _check_plain(file: str, *key: str) -> None:
    require(Path(file).name == file, "expected a name without folders", *key)


class DataSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Public data set that a model is trained on, by the name of its reader.

    The file is its archive or folder among the user's data, the digest that of the archive; an
    empty digest accepts any archive.
    """

    name: str
    file: str
    sha256: str = ""

    def __post_init__(self) -> None:
        key = "data", self.name
        if self.name not in READERS:
            raise unknown_name(self.name, READERS, *key)
        reader = READERS[self.name]
        why = f"models trained on it must not be shared ({reader.licence}); leave it out"
        require(reader.may_train, why, *key)
        is_digest = not self.sha256 or bool(_DIGEST.fullmatch(self.sha256))
        require(is_digest, "expected 64 hexadecimal digits in lower case", *key, "sha256")
        _check_plain(self.file, *key, "file")


class Views(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Shares of the views of pages, and views per page; see :func:`structce.corpus.views_of`."""

    shares: dict[str, float] = msgspec.field(default_factory=lambda: {"stated": 1.0})
    per_page: int = 1

    def __post_init__(self) -> None:
        check_known(tuple(self.shares), VIEWS, ("views", "shares"))
        shares = self.shares.values()
        is_whole = math.isclose(sum(shares), 1, abs_tol=1e-6) and min(shares, default=0) >= 0
        require(is_whole, "expected shares that sum to 1, none below 0", "views", "shares")
        n_likely = sum(share > 0 for share in shares)
        require(1 <= self.per_page <= n_likely, f"expected 1 to {n_likely}", "views", "per_page")


class ChosenLearner(msgspec.Struct, frozen=True):
    """Learner by its registered name, and its hyper-parameters under their Python names."""

    name: str
    parameters: dict[str, Any]


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Recipe of a model, read and checked by :func:`read_recipe`.

    The name is that of the model, without its renderer; the first of the renderers is the default.
    Confidences are calibrated by the method ``calibration``, if any. Judgements are those of people
    on some of the pages, see :mod:`structce.corpus.merge`. If it is ``perturbed``, the model also
    learns from a perturbed copy of each page.
    """

    name: str
    notes: str = ""
    model_licence: str = ""
    renderers: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)] = ("static",)
    seed: int = 0
    folds: int = 5
    data: Annotated[tuple[DataSet, ...], msgspec.Meta(min_length=1)]
    views: Views = Views()
    features: Features = Features(min_pages=2)
    learner: ChosenLearner
    calibration: CalibrationMethod | None = "temperature"
    judgements: tuple[Judgement, ...] = ()
    perturbed: bool = False

    def __post_init__(self) -> None:
        require(bool(_NAME.fullmatch(self.name)), "expected letters, digits, '.', '-', '_'", "name")
        check_known(self.renderers, RENDERERS, ("renderers",))
        require(self.folds >= 2, "expected 2 or more", "folds")

    def make_features(self, descriptions: Descriptions | None = None) -> FeatureSet:
        """Return the unfitted feature set, which may share descriptions of pages."""
        return self.features.feature_set(descriptions=descriptions)

    def make_learner(self) -> Learner:
        """Return the unfitted learner."""
        return make_learner(LEARNERS[self.learner.name], self.learner.parameters, seed=self.seed)


def shipped_recipes() -> tuple[str, ...]:
    """Return the names of the recipes that come with the package, sorted."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.toml")))


def read_recipe(name: str | Path) -> Recipe:
    """Return a recipe of the package by its name, or the recipe in a TOML file.

    Raises ExperimentError if there is no such recipe, a key or value is not as expected, or a data
    set must not be used for training. The message names file and key, and for an unknown name the
    nearest known one.
    """
    path, shipped = Path(name), shipped_recipes()
    if str(name) in shipped:
        path = Path(__file__).with_name(f"{name}.toml")
    elif path.suffix != ".toml":
        names = ", ".join(shipped)
        raise ExperimentError(f"no recipe {str(name)!r}; expected {names}, or a path of .toml")
    try:
        return _recipe(tomllib.loads(path.read_bytes().decode("utf-8-sig")), path.parent)
    except (OSError, ValueError, ExperimentError) as error:
        raise ExperimentError(f"{name}: {error}") from error


def _recipe(table: dict[str, Any], folder: Path) -> Recipe:
    """Return the recipe of a table, whose data sets and learner have the names of their tables."""
    kinds = dict.fromkeys(("data", "learner"), dict[str, dict[str, Any]])
    kinds |= {"features": dict[str, Any]}
    inner = {key: convert_table(table.get(key, {}), kind, (key,)) for key, kind in kinds.items()}
    data = [
        convert_table({"file": f"{name}.zip", **own, "name": name}, DataSet, ("data", name))
        for name, own in inner["data"].items()
    ]
    changes: dict[str, object] = {
        "data": msgspec.to_builtins(data),
        "learner": _learner(inner["learner"]),
        "features": {"min_pages": 2, **inner["features"]},
        "calibration": {"none": None}.get(known := table.get("calibration", "temperature"), known),
    }
    judgements = table.pop("judgements", None)
    recipe = convert_table({**table, **changes}, Recipe)
    notes = " ".join(recipe.notes.split())
    return msgspec.structs.replace(
        recipe, notes=notes, judgements=_judgements(judgements, folder) if judgements else ()
    )


class _JudgementsTable(msgspec.Struct, forbid_unknown_fields=True):
    file: str
    parts: list[str] = msgspec.field(default_factory=list)


def _judgements(entry: object, folder: Path) -> tuple[Judgement, ...]:
    """Return the judgements from a file in the folder of the recipe."""
    table = convert_table(entry, _JudgementsTable, ("judgements",))
    _check_plain(table.file, "judgements", "file")
    try:
        data = (folder / table.file).read_bytes()
        return tuple(read_judgements(data, table.file, table.parts))
    except (OSError, CorpusError) as error:
        raise ExperimentError(str(error), key=("judgements", "file")) from error


def _learner(tables: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """Return the fields of the only learner, whose weights of labels may be a table by label."""
    require(len(tables) == 1, f"expected one learner, got {len(tables)}", "learner")
    ((name, table),) = tables.items()
    if isinstance(weights := table.get("label_weights"), dict):
        check_known(tuple(weights), NEWS.names, ("learner", name, "label_weights"))
        table = {**table, "label_weights": [weights.get(label, 1.0) for label in NEWS.names]}
    learner, parameters, _ = read_subject("learner", name, table, LEARNERS, Any)
    try:
        LEARNERS[learner](**parameters)._check_parameters()
    except (LearnerError, TypeError, ValueError) as error:
        raise ExperimentError(str(error), key=("learner", name)) from None
    return {"name": learner, "parameters": parameters}
