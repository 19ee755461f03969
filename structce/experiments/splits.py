"""Studies of an experiment, and the splits of their pages into training, validation and test."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from structce.corpus import WHOLE_SITES, Corpus, Split, split_groups
from structce.experiments.config import ALL_FEATURES, Experiment, Splits
from structce.experiments.toml_tables import require

_PARTS = ("train", "validation", "test")


class StudyPlan(NamedTuple):
    """Plan of a study: one corpus under one way of splitting, with one choice of features.

    The renderer of raw pages is empty for rendered pages, and for any available renderer.
    """

    name: str
    corpus: str
    renderer: str
    by: str
    preset: str = ALL_FEATURES


@dataclass(frozen=True, eq=False)
class SplitPages:
    """The pages of one split, and the group of each training and validation page.

    A learning curve takes groups whole.
    """

    seed: int
    train: Corpus
    validation: Corpus
    test: Corpus
    groups: tuple[str, ...]

    def share(self, share: float, *, refit: bool = True) -> tuple[int, ...]:
        """Return indices of training and validation pages: whole groups, drawn with the seed.

        A smaller share is a subset of a larger one. At least one group; all pages for 1. Without
        ``refit`` there are no validation pages.
        """
        groups = self.groups if refit else self.groups[: len(self.train)]
        names = sorted(set(groups))
        order = np.random.default_rng(self.seed).permutation(len(names))
        drawn = {names[i] for i in order[: max(1, round(share * len(names)))]}
        return tuple(i for i, group in enumerate(groups) if group in drawn)


def plan_studies(experiment: Experiment) -> list[StudyPlan]:
    """Return the studies of an experiment, corpus by corpus."""
    names, presets = [Path(path).name for path in experiment.corpus], experiment.features.preset
    plans = []
    for path, renderer, preset, by in itertools.product(
        experiment.corpus, experiment.renderer or ("",), presets, experiment.splits.by
    ):
        name = path if names.count(Path(path).name) > 1 else Path(path).name
        words = [name, *([f"({renderer})"] if renderer else []), f"by {by}"]
        words += [f"with {preset} features"] if presets != (ALL_FEATURES,) else []
        plans.append(StudyPlan(" ".join(words), path, renderer, by, preset))
    return plans


def draw_splits(experiment: Experiment, corpus: Corpus, by: str) -> Iterator[SplitPages]:
    """Yield the splits of a corpus; a stored split must be of this corpus and have three parts."""
    for seed in range(experiment.seed, experiment.seed + experiment.splits.repeats):
        for train, validation, test in _partitions(experiment.splits, corpus, by, seed):
            groups = tuple(split_groups([*train, *validation], by))
            yield SplitPages(seed, train, validation, test, groups)


def _partitions(splits: Splits, corpus: Corpus, by: str, seed: int) -> Iterator[Sequence[Corpus]]:
    """Yield training, validation and test part of the splits of one seed."""
    if splits.file:
        stored = Split.load(Path(splits.file))
        message = f"{splits.file}: parts {sorted(stored.parts)}; expected {sorted(_PARTS)}"
        require(set(stored.parts) == set(_PARTS), message)
        message = f"{splits.file}: split by {stored.by!r}; the experiment says {by!r}"
        require(stored.by == by or {stored.by, by} == set(WHOLE_SITES), message)
        parts = corpus.parts(stored)
        yield [parts[name] for name in _PARTS]
    elif splits.folds is None:
        n_pages = round(sum(splits.fractions))  # 1 for shares
        message = f"train, validation and test are {splits.fractions}, {n_pages:,} pages in all; "
        message += f"the corpus {corpus.name} has {len(corpus):,}"
        require(n_pages <= len(corpus), message, "splits")
        yield corpus.split(splits.fractions, by=by, seed=seed)
    else:
        folds = corpus.folds(splits.folds, by=by, seed=seed)
        for i, test in enumerate(folds):
            validation = folds[(i + 1) % splits.folds]
            held_out = {page.id for page in (*test, *validation)}
            train = corpus.subset(page.id for page in corpus if page.id not in held_out)
            yield train, validation, test
