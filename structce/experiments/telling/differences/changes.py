"""What was asked, given and installed differently in two reports, name by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from structce.experiments.asking.names import written_name
from structce.experiments.asking.spec import Experiment
from structce.experiments.finding.inputs import Source
from structce.experiments.telling.files import as_plain


@dataclass(frozen=True)
class Change:
    """Something that two reports have differently.

    Parameters
    ----------
    name
        Of what, as an experiment file writes it: ``splits.folds``, ``arms.crf.lambda``.
    before, after
        Its values in words; empty where there is none.
    """

    name: str
    before: str
    after: str


def changes(before: Mapping[str, object], after: Mapping[str, object]) -> tuple[Change, ...]:
    """Return what differs between two dictionaries, however deep; values that read alike do not.

    In the order of the first one, then what the second one alone has.
    """
    first, second = dict(_flat(before)), dict(_flat(after))
    named = [(name, first.get(name, ""), second.get(name, "")) for name in {**first, **second}]
    return tuple(Change(*one) for one in named if one[1] != one[2])


def experiment_changes(before: Experiment, after: Experiment) -> tuple[Change, ...]:
    """Return what two experiments ask differently; arms are told apart by their names."""
    return changes(_asked(before), _asked(after))


def source_changes(before: Source, after: Source) -> tuple[Change, ...]:
    """Return in what two corpora differ; where they stand does not count, sites are counted."""
    return changes(_given(before), _given(after))


def _asked(experiment: Experiment) -> dict[str, object]:
    arms = {
        arm.name: {
            "learner": arm.learner,
            **{written_name(name): values for name, values in arm.values.items()},
        }
        for arm in experiment.arms
    }
    return {**_fields(experiment), "arms": arms}


def _given(source: Source) -> dict[str, object]:
    given = _fields(source)
    del given["path"], given["sites"]
    return {**given, "n_sites": len(source.sites)}


def _fields(value: object) -> dict[str, object]:
    plain = as_plain(value)
    return plain if isinstance(plain, dict) else {}


def _flat(values: Mapping[str, object], lead: str = "") -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{lead}{name}.")
        else:
            yield f"{lead}{name}", _in_words(value)


def _in_words(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_in_words(one) for one in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.12g}"
    return "" if value is None else str(value)
