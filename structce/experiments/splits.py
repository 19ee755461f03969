"""Studies of an experiment, and the splits of their pages into training, validation and test."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from structce.corpus import WHOLE_SITES, Corpus, Split, split_groups
from structce.errors import ExperimentError
from structce.experiments.config import Experiment

_PARTS = ("train", "validation", "test")


@dataclass(frozen=True)
class StudyPlan:
    """Plan of a study: one corpus under one way of splitting.

    Parameters
    ----------
    renderer
        Of raw pages; empty for rendered ones, and for whichever the machine has.
    """

    name: str
    corpus: str
    renderer: str
    by: str


@dataclass(frozen=True, eq=False)
class SplitPages:
    """The pages of one split.

    Parameters
    ----------
    groups
        Group of each training and validation page that a learning curve takes or leaves whole.
    """

    seed: int
    train: Corpus
    validation: Corpus
    test: Corpus
    groups: tuple[str, ...]

    def share(self, share: float) -> tuple[int, ...]:
        """Return numbers of training and validation pages: whole groups, drawn with the seed.

        A smaller share is part of a greater one. At least one group; all pages for 1.
        """
        names = sorted(set(self.groups))
        order = np.random.default_rng(self.seed).permutation(len(names))
        n_taken = max(1, round(share * len(names)))
        taken = {names[i] for i in order[:n_taken]}
        return tuple(i for i, group in enumerate(self.groups) if group in taken)


def plan_studies(experiment: Experiment) -> list[StudyPlan]:
    """Return the studies of an experiment, corpus by corpus."""
    names = [Path(path).name for path in experiment.corpora]
    twice = {name for name, n in Counter(names).items() if n > 1}
    found = []
    for path, renderer, by in itertools.product(
        experiment.corpora, experiment.renderers or ("",), experiment.splits.by
    ):
        name = path if Path(path).name in twice else Path(path).name
        words = [name, *([f"({renderer})"] if renderer else []), f"by {by}"]
        found.append(StudyPlan(" ".join(words), path, renderer, by))
    return found


def count_splits(experiment: Experiment) -> int:
    """Return the number of splits of each study."""
    return (experiment.splits.folds or 1) * experiment.splits.repeats


def draw_splits(experiment: Experiment, corpus: Corpus, by: str) -> Iterator[SplitPages]:
    """Yield the splits of a corpus.

    Raises
    ------
    CorpusError
        If there are too few sites or pages, or a stored split is of another corpus.
    ExperimentError
        If a stored split has other parts, or keeps other things together.
    """
    splits = experiment.splits
    if splits.file:
        yield _stored(splits.file, corpus, by, experiment.seed)
        return
    for seed in range(experiment.seed, experiment.seed + splits.repeats):
        if splits.folds is None:
            yield _parts(corpus.split(splits.fractions, by=by, seed=seed), by, seed)
        else:
            yield from _folded(corpus, splits.folds, by, seed)


def _folded(corpus: Corpus, n: int, by: str, seed: int) -> Iterator[SplitPages]:
    """Yield one split a fold: it is the test part, the next one the validation part."""
    folds = corpus.folds(n, by=by, seed=seed)
    for i, test in enumerate(folds):
        validation = folds[(i + 1) % n]
        held_out = {page.id for page in (*test, *validation)}
        train = corpus.subset(page.id for page in corpus if page.id not in held_out)
        yield _parts((train, validation, test), by, seed)


def _stored(path: str, corpus: Corpus, by: str, seed: int) -> SplitPages:
    split = Split.load(Path(path))
    if set(split.parts) != set(_PARTS):
        raise ExperimentError(f"{path}: parts {sorted(split.parts)}; expected {sorted(_PARTS)}")
    if split.by != by and {split.by, by} != set(WHOLE_SITES):
        raise ExperimentError(f"{path}: split by {split.by!r}; the experiment says {by!r}")
    parts = corpus.parts(split)
    return _parts([parts[name] for name in _PARTS], by, seed)


def _parts(parts: Sequence[Corpus], by: str, seed: int) -> SplitPages:
    train, validation, test = parts
    pages = [*train, *validation]
    return SplitPages(seed, train, validation, test, tuple(split_groups(pages, by)))
