"""What came of every fit, while an experiment runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from structce.experiments.families import Variant
from structce.experiments.results import Trial

Key = tuple[str, Variant | None]
"""A learner, and the part of the features it was given; None for all of them."""


class Book:
    """Trials of every split by learner and features, and the first error of each that raised."""

    def __init__(self) -> None:
        self._trials: dict[Key, list[Trial]] = {}
        self._errors: dict[Key, str] = {}

    def write(self, key: Key, attempt: Callable[[], Trial]) -> Trial | None:
        """Make an attempt, unless one under its key failed before, and note what comes of it."""
        if key in self._errors:
            return None
        try:
            trial = attempt()
        except Exception as error:  # whatever a learner raises is one failed row of the report
            self._errors[key] = f"{type(error).__name__}: {error}"
            return None
        self._trials.setdefault(key, []).append(trial)
        return trial

    def read(self, key: Key) -> Sequence[Trial] | str:
        """Return the trials of a key, one a split, or the error of the one that raised."""
        return self._errors.get(key) or self._trials[key]
