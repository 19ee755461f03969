"""An experiment as TOML: the file that asks the same."""

from __future__ import annotations

import re
from collections.abc import Iterable

import tomli_w

from structce.experiments.asking.names import written_name
from structce.experiments.asking.reading import PARTS
from structce.experiments.asking.spec import Arm, Experiment, Splits

_LIST = re.compile(r"\[\n((?: {4}.*,\n)+)\]$", re.MULTILINE)

_WIDTH = 100
"""No list of more characters stands in one line; our choice, the width of our code."""


def to_toml(experiment: Experiment) -> str:
    """Return a file that :func:`read_experiment` makes an equal experiment of.

    Defaults are written out, so that the file means the same whatever they will be.
    """
    table = {
        "question": experiment.question,
        "corpus": _single(experiment.corpora),
        **_unless_empty("renderer", experiment.renderers),
        "seed": experiment.seed,
        "measure": experiment.measure,
        **_unless_empty("learning_curve", experiment.learning_curve),
        "splits": _splits(experiment.splits),
        "features": {
            "families": list(experiment.families),
            **_unless_empty("include", experiment.include),
            **_unless_empty("exclude", experiment.exclude),
            "min_count": experiment.min_count,
            "min_pages": experiment.min_pages,
            **_unless_empty("ablation", experiment.ablation),
        },
        "learner": {arm.name: _arm(arm) for arm in experiment.arms},
    }
    return _LIST.sub(_in_one_line, tomli_w.dumps(table))


def _splits(splits: Splits) -> dict[str, object]:
    table: dict[str, object] = {}
    if splits.file:
        table["file"] = splits.file
    elif splits.folds is not None:
        table["folds"] = splits.folds
    else:
        table.update(zip(PARTS, splits.fractions, strict=True))
    return {**table, "by": _single(splits.by), "repeats": splits.repeats}


def _arm(arm: Arm) -> dict[str, object]:
    named = {} if arm.name == arm.learner else {"learner": arm.learner}
    return {**named, **{written_name(name): _single(arm.values[name]) for name in arm.values}}


def _single(values: Iterable[object]) -> object:
    """Return the only value, or a list of them."""
    found = list(values)
    return found[0] if len(found) == 1 else found


def _unless_empty(name: str, values: Iterable[object]) -> dict[str, list[object]]:
    found = list(values)
    return {name: found} if found else {}


def _in_one_line(found: re.Match[str]) -> str:
    """Return a list without its line breaks, if it fits; strings hold none that are not escaped."""
    items = [line.strip().removesuffix(",") for line in found[1].splitlines()]
    line = f"[{', '.join(items)}]"
    return line if len(line) <= _WIDTH else found[0]
