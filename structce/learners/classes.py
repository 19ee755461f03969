"""Labels of learners: classes, gold as positions in them, and the weights of labels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from numbers import Real
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from structce.arrays import MOST_LABELS, UNKNOWN_INDEX, Floats, Labels, allowed_labels, any_of
from structce.errors import LearnerError

Classes: TypeAlias = "NDArray[np.int64] | NDArray[np.str_]"
"""Labels that a learner knows, in the order of its scores, shape (n_labels,)."""

Gold: TypeAlias = "Sequence[Labels] | Sequence[Sequence[object]]"
"""Labels of each page: integers; or strings, None for unknown, or sets of which any is right."""

LabelWeights: TypeAlias = str | Sequence[float] | None
"""``None``, ``"balanced"``, ``"sqrt"``, or one positive number per label."""

_SCHEMES = {"balanced": -1.0, "sqrt": -0.5}  # power of the number of a label's regions
_MOST_SHOWN = 20  # classes in a message
MOST_CLASSES = 2**16  # of a stored learner
LONGEST_CLASS = 1000  # characters of a class of a stored learner


def learn_classes(y: Gold, classes: Sequence[object] | None) -> tuple[Classes, bool]:
    """Return the classes, and whether the labels are positions in them instead of classes.

    Without given ``classes``, they are the labels that occur, sorted. Labels are positions if they
    are integers and the given classes are strings. Raises LearnerError if labels or classes are
    neither strings nor integers, or classes repeat or are missing.
    """
    pages = (_labels_of(page, f"page {i}: labels") for i, page in enumerate(y))
    labels: set[object] = set().union(*pages)
    is_integer = all(isinstance(label, int) for label in labels)
    if classes is None:
        if is_integer and min(labels, default=0) < UNKNOWN_INDEX:  # type: ignore[type-var, operator]
            raise LearnerError("the gold has sets of labels; give the classes that they are of")
        given = sorted(labels - {UNKNOWN_INDEX})  # type: ignore[type-var]
        if not given:
            raise LearnerError("the gold has no known label; give the classes")
    else:
        given = list(classes.tolist() if isinstance(classes, np.ndarray) else classes)
        if not given or len(_labels_of(given, "classes")) != len(given):
            raise LearnerError(f"classes={classes!r:.200}; expected at least one label, each once")
    array = np.array(given)
    if array.dtype.kind not in "iU":
        raise LearnerError(f"classes={classes!r:.200}; expected integers of 64 bits")
    return array, bool(labels) and is_integer and isinstance(given[0], str)


def encode_labels(
    y: Gold, lengths: Sequence[int], classes: Classes, is_encoded: bool
) -> list[Labels]:
    """Return the gold of pages of these lengths as positions in the classes.

    See `structce.arrays.Labels` for unknown labels and sets. Raises LearnerError, with the page, if
    lengths differ or a label is not one of the classes.
    """
    if len(y) != len(lengths):
        raise LearnerError(f"{len(lengths)} pages but labels for {len(y)}")
    places, encoded = _places(classes, is_encoded), []
    for i, (page, length) in enumerate(zip(list(y), lengths, strict=True)):
        shape = page.shape if isinstance(page, np.ndarray) else (len(page),)
        if shape != (length,):
            raise LearnerError(f"page {i} has {length} regions but labels of {shape}")
        _labels_of(page, f"page {i}: labels")
        values: Iterable[object] = page
        inverse: Labels | slice = slice(None)
        if isinstance(page, np.ndarray) and page.dtype != object:
            distinct, inverse = np.unique(page, return_inverse=True)
            values = distinct.tolist()
        try:
            codes = [_code(value, places) for value in values]
        except LearnerError as error:
            raise LearnerError(f"page {i} has {error}") from error
        encoded.append(np.array(codes, dtype=np.int64)[inverse])
    return encoded


def decode_labels(positions: Sequence[Labels], classes: Classes, is_encoded: bool) -> list[Labels]:
    """Return the labels at positions in the classes; the positions if the gold had these."""
    if is_encoded or np.array_equal(classes, np.arange(len(classes))):
        return list(positions)
    return [classes[page] for page in positions]  # type: ignore[misc]  # strings, if gold is


def position_of(label: object, classes: Classes, is_encoded: bool, where: str) -> int:
    """Return the position of one known label; LearnerError if it is not one of the classes."""
    places = _places(classes, is_encoded)
    if isinstance(label, set | frozenset) or label not in places:
        raise LearnerError(f"{where} label {label!r}; expected {_shown(places)}")
    return places[label]


def _labels_of(page: Collection[object] | Labels, what: str) -> set[object]:
    """Return the distinct labels of a page, those of its sets among them."""
    if isinstance(page, np.ndarray) and page.dtype.kind in "iuU":
        return set(np.unique(page).tolist())
    if isinstance(page, str):
        raise LearnerError(f"{what} are one string; expected a list of labels for each page")
    labels: set[object] = set()
    for value in page:
        labels |= set(value) if isinstance(value, set | frozenset) else {value}
    labels = {int(label) if isinstance(label, np.integer) else label for label in labels - {None}}
    kinds = {type(label) for label in labels}
    if kinds - {int} and not all(issubclass(kind, str) for kind in kinds):
        names = ", ".join(sorted(kind.__name__ for kind in kinds))
        raise LearnerError(f"{what} are {names}; expected integers, or strings")
    return labels


def _places(classes: Classes, is_encoded: bool) -> dict[object, int]:
    """Return the position of each label."""
    labels = range(len(classes)) if is_encoded else classes.tolist()
    return {label: place for place, label in enumerate(labels)}


def _code(label: object, places: dict[object, int]) -> int:
    """Return the code of one label, unknown label, or set of labels."""
    if label is None:
        return UNKNOWN_INDEX
    is_set = isinstance(label, set | frozenset)
    if is_set and label and len(places) <= MOST_LABELS and set(label) <= places.keys():  # type: ignore[call-overload]
        return any_of((places[member] for member in label), len(places))  # type: ignore[attr-defined]
    if not is_set and label in places:
        return places[label]
    has_codes = not any(isinstance(own, int) and own < 0 for own in places)
    least = -(2 ** len(places)) if len(places) <= MOST_LABELS else UNKNOWN_INDEX
    if isinstance(label, int | np.integer) and has_codes and least <= int(label) < 0:
        return int(label)
    raise LearnerError(
        f"label {label!r}; expected {_shown(places)}, {UNKNOWN_INDEX} or None if unknown, or a set"
    )


def _shown(places: dict[object, int]) -> str:
    """Return the classes as a message shows them."""
    names = list(places)
    if names == list(range(len(names))):
        return f"0..{len(names) - 1}"
    more = ", ..." if len(names) > _MOST_SHOWN else ""
    return ", ".join(map(repr, names[:_MOST_SHOWN])) + more


def check_label_weights(label_weights: LabelWeights) -> None:
    """Raise LearnerError unless these are valid label weights for some number of labels."""
    try:
        is_valid = (
            label_weights is None
            or (isinstance(label_weights, str) and label_weights in _SCHEMES)
            or (len(label_weights) > 0 and all(map(is_positive, label_weights)))
        )
    except TypeError:
        is_valid = False
    if not is_valid:
        raise LearnerError(
            f"label_weights={label_weights!r}; expected None, one of {sorted(_SCHEMES)}, or one "
            "finite number above 0 for each label"
        )


def is_positive(value: object) -> bool:
    """Return whether a value is a finite number above 0."""
    is_flag = isinstance(value, bool | np.bool_)
    return isinstance(value, Real) and not is_flag and 0 < float(value) < np.inf


def resolve_weights(label_weights: LabelWeights, labels: Sequence[Labels], n_labels: int) -> Floats:
    """Return the weight of each label, shape (n_labels,), above 0.

    ``None`` gives ones. ``"balanced"`` makes the total weight of all labels that occur equal,
    ``"sqrt"`` uses the square roots of these weights; both are scaled so that the mean over known
    regions is 1, and a label that never occurs has weight 1. Only regions with a single known label
    count. Numbers are used as given; raises LearnerError unless there is one per label.
    """
    weights = np.ones(n_labels)
    if isinstance(label_weights, str):
        known = np.concatenate([np.empty(0, dtype=np.int64), *labels])
        counts = np.bincount(known[known >= 0], minlength=n_labels)
        occurs = counts > 0
        weights[occurs] = counts[occurs] ** _SCHEMES[label_weights]
        if occurs.any():
            weights[occurs] *= counts.sum() / (weights * counts).sum()
    elif label_weights is not None:
        weights = np.array(label_weights, dtype=np.float64)
        if len(weights) != n_labels:
            raise LearnerError(
                f"label_weights has {len(weights)} numbers; expected one for each of the "
                f"{n_labels} labels"
            )
    return weights


def choose_labels(scores: Sequence[Floats], labels: Sequence[Labels]) -> list[Labels]:
    """Return labels in which each set is its highest-scoring label; unknown ones stay so."""
    chosen = []
    for page, y in zip(scores, labels, strict=True):
        best = np.where(allowed_labels(y, page.shape[1]), page, -np.inf).argmax(axis=1)
        chosen.append(np.where(y < UNKNOWN_INDEX, best, y))
    return chosen
