"""Recipes as TOML: the data sets, views, features and learner of a model."""

from __future__ import annotations

import inspect
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

import msgspec

from structce.corpus import VIEWS, Judgement, read_judgements
from structce.datasets import READERS
from structce.errors import CorpusError, ExperimentError, FeatureError, LearnerError
from structce.experiments import (
    check_features,
    check_known,
    convert_table,
    require,
    unknown_name,
    written_name,
)
from structce.features import FAMILIES, Descriptions, FeatureSet
from structce.labelling import make_learner
from structce.labels import NEWS
from structce.learners import LEARNERS, CalibrationMethod, Learner
from structce.rendering import RENDERERS

_WEIGHTS = "label_weights"
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class DataSet:
    """Public data set that a model is trained on, by the name of its reader.

    The file is its archive or folder among the user's data, the digest that of the archive; an
    empty digest accepts any archive.
    """

    name: str
    file: str
    sha256: str = ""


@dataclass(frozen=True)
class Recipe:
    """Recipe of a model, read and checked by :func:`read_recipe`.

    Parameters
    ----------
    name
        Name of the model, without its renderer.
    renderers
        Renderers that may render the pages; the first is the default.
    views, views_per_page
        Shares of the views of pages, and the number of views per page; see
        :func:`structce.corpus.views_of`.
    features
        Arguments of :class:`structce.features.FeatureSet`.
    parameters
        Hyper-parameters of the learner, under their Python names.
    calibration
        Method by which confidences are calibrated; None for no calibration.
    judgements
        Judgements on some of the pages, see :mod:`structce.corpus.merge`.
    perturbed
        Whether the model also learns from a perturbed copy of each page.
    """

    name: str
    notes: str
    model_licence: str
    renderers: tuple[str, ...]
    seed: int
    folds: int
    data: tuple[DataSet, ...]
    views: Mapping[str, float]
    views_per_page: int
    features: Mapping[str, object]
    learner: str
    parameters: Mapping[str, object]
    calibration: CalibrationMethod | None
    judgements: tuple[Judgement, ...] = ()
    perturbed: bool = False

    def make_features(self, descriptions: Descriptions | None = None) -> FeatureSet:
        """Return the unfitted feature set, which may share descriptions of pages."""
        return FeatureSet(**self.features, descriptions=descriptions)  # type: ignore[arg-type]  # checked when it was read

    def make_learner(self) -> Learner:
        """Return the unfitted learner."""
        return make_learner(LEARNERS[self.learner], self.parameters, seed=self.seed)


class _DataTable(msgspec.Struct, forbid_unknown_fields=True):
    file: str = ""
    sha256: str = ""


class _ViewsTable(msgspec.Struct, forbid_unknown_fields=True):
    shares: dict[str, float] = msgspec.field(default_factory=lambda: {"stated": 1.0})
    per_page: int = 1


class _FeaturesTable(msgspec.Struct, forbid_unknown_fields=True):
    families: list[str] = msgspec.field(default_factory=lambda: list(FAMILIES))
    include: list[str] = msgspec.field(default_factory=list)
    exclude: list[str] = msgspec.field(default_factory=list)
    min_count: int = 3
    min_pages: int = 2


class _JudgementsTable(msgspec.Struct, forbid_unknown_fields=True):
    file: str
    parts: list[str] = msgspec.field(default_factory=list)


class _RecipeTable(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    data: dict[str, dict[str, object]]
    learner: dict[str, dict[str, object]]
    notes: str = ""
    model_licence: str = ""
    renderers: list[str] = msgspec.field(default_factory=lambda: ["static"])
    seed: int = 0
    folds: int = 5
    calibration: Literal["temperature", "isotonic", "none"] = "temperature"
    views: _ViewsTable = msgspec.field(default_factory=_ViewsTable)
    features: _FeaturesTable = msgspec.field(default_factory=_FeaturesTable)
    judgements: _JudgementsTable | None = None
    perturbed: bool = False


def shipped_recipes() -> tuple[str, ...]:
    """Return the names of the recipes that come with the package, sorted."""
    files = (Path(file.name) for file in resources.files(__package__).iterdir())
    return tuple(sorted(file.stem for file in files if file.suffix == ".toml"))


def read_recipe(name: str | Path) -> Recipe:
    """Return a recipe of the package by its name, or the recipe in a TOML file.

    Raises ExperimentError if there is no such recipe, a key or value is not as expected, or a data
    set must not be used for training. The message names file and key, and for an unknown name the
    nearest known one.
    """
    file = _recipe_file(name)
    try:
        table = tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise ExperimentError(f"{name}: {error}") from error
    try:
        recipe = convert_table(table, _RecipeTable)
        judgements = _read_judgements(file, recipe.judgements)
        return replace(_recipe(recipe), judgements=judgements)
    except ExperimentError as error:
        raise ExperimentError(f"{name}: {error}") from None


def _recipe_file(name: str | Path) -> Path | Traversable:
    shipped = shipped_recipes()
    if str(name) in shipped:
        return resources.files(__package__) / f"{name}.toml"
    if Path(name).suffix != ".toml":
        names = ", ".join(shipped)
        raise ExperimentError(
            f"no recipe {str(name)!r}; expected {names}, or the path of a .toml file"
        )
    return Path(name)


def _recipe(table: _RecipeTable) -> Recipe:
    require(bool(_NAME.fullmatch(table.name)), "expected letters, digits, '.', '-', '_'", "name")
    require(bool(table.renderers), f"expected some of {', '.join(RENDERERS)}", "renderers")
    check_known(table.renderers, RENDERERS, ("renderers",))
    require(table.folds >= 2, "expected 2 or more", "folds")
    _check_views(table.views)
    learner, parameters = _read_learner(table.learner)
    return Recipe(
        name=table.name,
        notes=" ".join(table.notes.split()),
        model_licence=table.model_licence,
        renderers=tuple(table.renderers),
        seed=table.seed,
        folds=table.folds,
        data=tuple(_read_data_set(*row) for row in table.data.items()),
        views=table.views.shares,
        views_per_page=table.views.per_page,
        features=_read_features(table.features),
        learner=learner,
        parameters=parameters,
        calibration=None if table.calibration == "none" else table.calibration,
        perturbed=table.perturbed,
    )


def _read_judgements(
    recipe: Path | Traversable, table: _JudgementsTable | None
) -> tuple[Judgement, ...]:
    """Return the judgements from a file in the folder of the recipe."""
    if table is None:
        return ()
    folder = recipe.parent if isinstance(recipe, Path) else resources.files(__package__)
    is_plain = Path(table.file).name == table.file
    require(is_plain, "expected a name without folders", "judgements", "file")
    try:
        data = (folder / table.file).read_bytes()
        return tuple(read_judgements(data, table.file, table.parts))
    except (OSError, CorpusError) as error:
        raise ExperimentError(str(error), key=("judgements", "file")) from error


def _read_data_set(name: str, values: dict[str, object]) -> DataSet:
    if name not in READERS:
        raise unknown_name(name, READERS, "data", name)
    why = f"models trained on it must not be shared ({READERS[name].licence}); leave it out"
    require(READERS[name].may_train, why, "data", name)
    table = convert_table(values, _DataTable, at=("data", name))
    is_digest = not table.sha256 or bool(_DIGEST.fullmatch(table.sha256))
    require(is_digest, "expected 64 hexadecimal digits in lower case", "data", name, "sha256")
    file = table.file or f"{name}.zip"
    require(Path(file).name == file, "expected a name without folders", "data", name, "file")
    return DataSet(name, file, table.sha256)


def _check_views(table: _ViewsTable) -> None:
    for view in table.shares:
        if view not in VIEWS:
            raise unknown_name(view, VIEWS, "views", "shares", view)
    shares = table.shares.values()
    is_whole = math.isclose(sum(shares), 1, abs_tol=1e-6) and min(shares, default=0) >= 0
    require(is_whole, "expected shares that sum to 1, none below 0", "views", "shares")
    n_likely = sum(share > 0 for share in shares)
    require(1 <= table.per_page <= n_likely, f"expected 1 to {n_likely}", "views", "per_page")


def _read_features(table: _FeaturesTable) -> Mapping[str, object]:
    check_features(table.families, table.include, table.exclude)
    arguments = msgspec.to_builtins(table)
    try:
        FeatureSet(**arguments)
    except FeatureError as error:
        raise ExperimentError(str(error), key=("features",)) from None
    return dict(arguments)


def _read_learner(tables: dict[str, dict[str, object]]) -> tuple[str, Mapping[str, object]]:
    """Return the name and the hyper-parameters of the only learner."""
    require(len(tables) == 1, f"expected one learner, got {len(tables)}", "learner")
    ((name, values),) = tables.items()
    if name not in LEARNERS:
        raise unknown_name(name, LEARNERS, "learner", name)
    known = {written_name(key): key for key in inspect.signature(LEARNERS[name]).parameters}
    parameters = {}
    for written, value in values.items():
        if written not in known:
            raise unknown_name(written, known, "learner", name, written)
        is_table = written == _WEIGHTS and isinstance(value, dict)
        parameters[known[written]] = _weights(value, name) if is_table else value
    try:
        LEARNERS[name](**parameters)._check_parameters()
    except (LearnerError, TypeError, ValueError) as error:
        raise ExperimentError(str(error), key=("learner", name)) from None
    return name, parameters


def _weights(weights: object, learner: str) -> list[object]:
    """Return one weight per label, given the weights of some labels; others weigh 1."""
    given: dict[str, object] = dict(weights) if isinstance(weights, dict) else {}
    for label in given:
        if label not in NEWS.names:
            raise unknown_name(label, NEWS.names, "learner", learner, _WEIGHTS, label)
    return [given.get(label, 1.0) for label in NEWS.names]
