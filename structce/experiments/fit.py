"""Fit of a learner on a split: encoded pages, scores or a test, mistakes and their cost."""

from __future__ import annotations

import math
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import msgspec
import numpy as np
import psutil
from scipy.sparse import csr_matrix, vstack
from threadpoolctl import threadpool_limits

from structce.arrays import Integers, Labels, resolve_sets
from structce.corpus import Corpus
from structce.errors import LearnerError
from structce.evaluation import check_confidence, confusion, is_wrong, score_confusion
from structce.experiments.config import Parameters, own_places, part_places
from structce.experiments.toml_tables import written_name
from structce.features import FeatureSet
from structce.labelling import LearnerFactory, encode_pages, fit_learner, make_learner
from structce.labels import UNKNOWN_INDEX, LabelSet
from structce.learners import Features, Learner, Progress, attribute_label, quiet

N_PAGES, N_REGIONS, N_REASONS = 20, 12, 5
"""Numbers of worst pages per split, wrong regions per page and columns per region to report."""

NEIGHBOURS = "(neighbours)"
"""Name, in place of a column, for the contribution of other regions' labels to a score."""

_STOP = ("gap_", "gradient_norm_", "n_epochs_", "n_iterations_", "objective_")
"""Fitted attributes that state how a solver stopped; a learner has some of them."""

_INTERVAL = 0.01
"""Seconds between two samples of the memory: short compared with a fit, and almost free."""

Epochs = tuple[tuple[int, float | None, float | None], ...]
PageLabels = tuple[tuple[int, ...], ...]
PageConfidences = tuple[tuple[float, ...], ...]


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One fit of one learner on one split.

    Parameters
    ----------
    step
        ``tuning``: fit on the training part, score and calibrate on the validation part. ``test``:
        fit on both, or with ``refit`` false on the training part, predict the test part.
    temperature
        Temperature of the calibration that a tested model takes over; None without calibration.
    part
        Part of the features, ``without text``, or of the training sites, ``share 0.5``; empty for
        all of them.
    pages
        Indices of the pages, of training and validation part together, that a tested model is
        fitted on; empty for all.
    """

    study: str
    split: int
    candidate: str
    learner: str
    parameters: Parameters
    step: Literal["tuning", "test"]
    seed: int
    measure: str
    temperature: float | None = None
    part: str = ""
    pages: tuple[int, ...] = ()
    neighbours: bool = True
    refit: bool = True

    def __str__(self) -> str:
        settings = [f"{written_name(name)} = {value}" for name, value in self.parameters.items()]
        parts = filter(None, (self.candidate, *settings, self.part))
        return f"{', '.join(parts)}, {self.study}, split {self.split + 1}, {self.step}"


class WrongRegion(msgspec.Struct, frozen=True):
    """Region of a test page with a wrong label: numbers of page and region, label indices."""

    page: int
    region: int
    gold: int
    predicted: int
    confidence: float | None = None
    reasons: dict[str, float] = {}


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """Outcome of a job: a value on the validation pages, or labels of the test pages, or an error.

    Parameters
    ----------
    n_columns
        Number of columns that the model was fitted on, including the bias.
    predictions, before, after
        Label indices page by page, with the confidence of each label before calibration and after
        it; without confidences for a learner that has none, and for parts.
    wrong
        Wrong regions of the worst pages; none for parts.
    """

    value: float | None = None
    temperature: float | None = None
    stop: dict[str, float | None] = {}
    costs: dict[str, tuple[float, float]] = {}
    n_columns: int = 0
    predictions: PageLabels = ()
    before: PageConfidences = ()
    after: PageConfidences = ()
    epochs: Epochs = ()
    warnings: tuple[str, ...] = ()
    wrong: tuple[WrongRegion, ...] = ()
    error: str = ""


@dataclass(frozen=True, eq=False)
class EncodedPages:
    """Pages stacked into one matrix and one array of label indices, with the borders between them.

    Worker processes can share a few large arrays in memory; the matrix of a page is a view.

    Parameters
    ----------
    rows : shape (n_regions, n_columns)
    labels : shape (n_regions,)
        -1 where the label is unknown.
    borders : shape (n_pages + 1,)
        Row at which each page begins, and at which the last ends.
    """

    rows: csr_matrix
    labels: Labels
    borders: Labels

    @classmethod
    def of(cls, X: Sequence[csr_matrix], y: Sequence[Labels], n_columns: int) -> EncodedPages:
        """Return stacked pages; there may be none."""
        empty = csr_matrix(np.zeros((0, n_columns), dtype=X[0].dtype if X else np.float32))
        borders = np.cumsum([0, *(len(labels) for labels in y)])
        labels = np.concatenate([np.zeros(0, dtype=np.int64), *y])
        return cls(vstack([empty, *X], format="csr"), labels, borders.astype(np.int64))

    def __len__(self) -> int:
        return len(self.borders) - 1

    def __add__(self, other: EncodedPages) -> EncodedPages:
        rows = vstack([self.rows, other.rows], format="csr")
        borders = np.concatenate([self.borders, self.borders[-1] + other.borders[1:]])
        return EncodedPages(rows, np.concatenate([self.labels, other.labels]), borders)

    @property
    def matrices(self) -> list[csr_matrix]:
        """One matrix per page, shape (n_regions, n_columns)."""
        return [self._page(first, last) for first, last in pairwise(self.borders.tolist())]

    @property
    def targets(self) -> list[Labels]:
        """One array of label indices per page, shape (n_regions,)."""
        return [self.labels[first:last] for first, last in pairwise(self.borders.tolist())]

    def take(self, places: Integers) -> EncodedPages:
        """Return the pages with some columns, by index; much cheaper than encoding again."""
        return EncodedPages(self.rows[:, places], self.labels, self.borders)

    def pages(self, chosen: Sequence[int]) -> EncodedPages:
        """Return some of the pages, by index."""
        X, y = self.matrices, self.targets
        return EncodedPages.of([X[i] for i in chosen], [y[i] for i in chosen], self.rows.shape[1])

    def _page(self, first: int, last: int) -> csr_matrix:
        begin, end = self.rows.indptr[first], self.rows.indptr[last]
        borders = self.rows.indptr[first : last + 1] - begin
        cells = self.rows.data[begin:end], self.rows.indices[begin:end], borders
        return csr_matrix(cells, shape=(last - first, self.rows.shape[1]), copy=False)


@dataclass(frozen=True, eq=False)
class EncodedSplit:
    """The three parts of a split, encoded with the columns of the training pages."""

    train: EncodedPages
    validation: EncodedPages
    test: EncodedPages
    columns: tuple[str, ...]
    label_set: LabelSet

    def take(self, places: Integers) -> EncodedSplit:
        """Return the three parts with some columns, by index."""
        columns = tuple(self.columns[i] for i in places.tolist())
        parts = (part.take(places) for part in (self.train, self.validation, self.test))
        train, validation, test = parts
        return EncodedSplit(train, validation, test, columns, self.label_set)


def encode_split(
    features: FeatureSet, train: Corpus, validation: Corpus, test: Corpus
) -> EncodedSplit:
    """Fit the features on the training pages and encode all three parts with their columns."""
    features.fit([page.page for page in train])
    columns, label_set = tuple(features.columns_), train.label_set

    def encoded(part: Corpus) -> EncodedPages:
        return EncodedPages.of(*encode_pages(features, part, label_set), len(columns))

    parts = encoded(train), encoded(validation), encoded(test)
    return EncodedSplit(*parts, columns, label_set)


def can_calibrate(factory: LearnerFactory) -> bool:
    """Return whether the learner gives confidences and can be calibrated.

    Every subclass of :class:`structce.learners.Learner` can. Anything else that fits and predicts
    may take part in an experiment, too, without these figures.
    """
    return isinstance(factory, type) and issubclass(factory, Learner)


def run_job(job: Job, factory: LearnerFactory, data: EncodedSplit) -> Outcome:
    """Return the outcome of a job; an error that it raises is an outcome, too.

    Linear algebra runs in one thread, so that the numbers are the same wherever the job runs.
    """
    with warnings.catch_warnings(record=True) as caught, threadpool_limits(1), quiet():
        warnings.simplefilter("always")
        try:
            if not job.neighbours:
                data = data.take(own_places(data.columns))
            if job.step == "tuning":
                return _tune(job, factory, data)
            outcome = _test(job, factory, data)
        except Exception as error:  # any error of a learner is one failed row of the report
            return Outcome(error=f"{type(error).__name__}: {error}")
    messages = dict.fromkeys([*outcome.warnings, *(str(warning.message) for warning in caught)])
    return msgspec.structs.replace(outcome, warnings=tuple(messages))


def _tune(job: Job, factory: LearnerFactory, data: EncodedSplit) -> Outcome:
    """Fit on the training part; score, then calibrate, on the validation part."""
    part, temperature = data.validation, None
    with metered() as cost:
        model, _ = _fit(job, factory, data.train, data.label_set)
        predictions = np.concatenate(_predict(job, model, part))
        matrix = confusion(part.labels, predictions, len(data.label_set))
        if can_calibrate(factory):
            model.calibrate(part.matrices, part.targets)
            temperature = float(model.temperature_)
    return Outcome(
        value=float(getattr(score_confusion(matrix, data.label_set), job.measure)),
        temperature=temperature,
        stop=_diagnostics(model),
        costs={"tuning": (cost[0], cost[1])},
    )


def _test(job: Job, factory: LearnerFactory, data: EncodedSplit) -> Outcome:
    """Fit on the training part, by default with the validation part, and predict the test part."""
    seen = data.train + data.validation if job.refit else data.train
    seen = seen.pages(job.pages) if job.pages else seen
    if job.part and not job.pages:
        places = part_places(job.part, data.columns)
        data, seen = data.take(places), seen.take(places)
    with metered() as training:
        model, epochs = _fit(job, factory, seen, data.label_set)
    with metered() as prediction:
        predictions = _predict(job, model, data.test)
    # Raises if a label is out of range.
    confusion(data.test.labels, np.concatenate(predictions), len(data.label_set))
    before, after = _confidences(job, model, data.test, predictions)
    gap, tol = getattr(model, "gap_", 0.0), getattr(model, "tol", math.inf)
    unfinished = f"stopped at a gap of {gap:.3g}, above the tolerance {tol:g}"
    outcome = Outcome(
        n_columns=len(data.columns),
        predictions=tuple(tuple(page.tolist()) for page in predictions),
        stop=_diagnostics(model),
        costs={
            name: (own[0], own[1])
            for name, own in (("training", training), ("prediction", prediction))
        },
        warnings=(unfinished,) if gap > tol else (),
    )
    if job.part:
        return outcome
    more: dict[str, Any] = {"before": before, "after": after, "epochs": epochs}
    more["wrong"] = tuple(find_mistakes(model, data, predictions, after))
    return msgspec.structs.replace(outcome, **more)


def _fit(
    job: Job, factory: LearnerFactory, part: EncodedPages, label_set: LabelSet
) -> tuple[Learner, Epochs]:
    """Return a learner that is fitted on some pages, and what its solver reported."""
    model = make_learner(factory, job.parameters, seed=job.seed)
    epochs: list[tuple[int, float | None, float | None]] = []

    def watch(progress: Progress) -> None:
        epochs.append((int(progress.epoch), _finite(progress.objective), _finite(progress.gap)))

    fit_learner(model, part.matrices, part.targets, label_set=label_set, callback=watch)
    return model, tuple(epochs)


def _predict(job: Job, model: Learner, part: EncodedPages) -> list[Labels]:
    predictions = model.predict(part.matrices)
    shapes, expected = [y.shape for y in predictions], [y.shape for y in part.targets]
    if shapes != expected:
        raise LearnerError(
            f"{job.learner}: predicted labels of shapes {shapes[:3]}... do not fit "
            f"{len(part)} pages of {[shape[0] for shape in expected[:3]]}... regions"
        )
    return predictions


def _confidences(
    job: Job, model: Learner, part: EncodedPages, predictions: Sequence[Labels]
) -> tuple[PageConfidences, PageConfidences]:
    """Return the confidences of the test pages before calibration and after it."""
    if job.temperature is None or not isinstance(model, Learner):
        return (), ()
    before = model.confidence(part.matrices)
    model.temperature_, model.calibration_ = job.temperature, None
    after = model.confidence(part.matrices)
    for confidences in (before, after):
        check_confidence(np.concatenate(confidences), part.labels == np.concatenate(predictions))
    first, second = (tuple(tuple(page.tolist()) for page in pages) for pages in (before, after))
    return first, second


def _diagnostics(model: Learner) -> dict[str, float | None]:
    """Return how the solver of a fitted learner stopped; None for values that are not finite."""
    values = {name: getattr(model, name) for name in _STOP if hasattr(model, name)}
    return {name.removesuffix("_"): _finite(value) for name, value in values.items()}


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None


def find_mistakes(
    model: Learner,
    data: EncodedSplit,
    predictions: Sequence[Labels],
    confidence: Sequence[Sequence[float]],
) -> Iterator[WrongRegion]:
    """Yield wrong regions of the test pages with the lowest accuracy, page by page.

    Among pages of equal accuracy, those with more wrong regions come first. Within a page, regions
    whose right label is not the background come first, in reading order. The confidence of the
    predicted labels may be empty.
    """
    X, background = data.test.matrices, data.label_set.index(data.label_set.background)
    pages = []
    for page, (gold, given) in enumerate(zip(data.test.targets, predictions, strict=True)):
        wrong = np.flatnonzero(is_wrong(gold, given)).tolist()
        if wrong:
            share = len(wrong) / int((gold != UNKNOWN_INDEX).sum())
            right = resolve_sets(gold, given, len(data.label_set)).tolist()
            pages.append((1 - share, -len(wrong), page, wrong, right))
    for *_, page, wrong, right in sorted(pages)[:N_PAGES]:
        for i in sorted(wrong, key=lambda i: (right[i] == background, i))[:N_REGIONS]:
            yield WrongRegion(
                page=page,
                region=i,
                gold=right[i],
                predicted=int(predictions[page][i]),
                confidence=float(confidence[page][i]) if confidence else None,
                reasons=_reasons(model, X[page], i, right[i], data.columns),
            )


def _reasons(
    model: Learner, page: Features, i: int, right: int, columns: Sequence[str]
) -> dict[str, float]:
    """Return the columns that add most to the lead of the predicted label over the right one.

    Empty for objects that are not learners of the package, and for unexplainable learners.
    """
    try:
        attribution = attribute_label(model, page, i) if isinstance(model, Learner) else None
    except LearnerError:
        attribution = None
    if attribution is None:
        return {}
    chosen, scores = attribution.chosen, attribution.label_scores
    leads = attribution.contributions[:, chosen] - attribution.contributions[:, right]
    others = float(scores[chosen] - scores[right] - leads.sum())
    names = (columns[column] for column in attribution.columns)
    reasons = list(zip(names, leads.tolist(), strict=True))
    reasons += [(NEIGHBOURS, others)] if abs(others) > 1e-9 else []
    strongest = sorted(reasons, key=lambda reason: (-reason[1], reason[0]))[:N_REASONS]
    return {column: lead for column, lead in strongest if lead > 0}


@contextmanager
def metered() -> Iterator[list[float]]:
    """Give a list that has the wall-clock seconds and megabytes of the block once it is over.

    Megabytes are the peak resident memory of the process in the block minus that at its beginning.
    Memory that the process held before and reuses does not count.
    """
    process, cost, over = psutil.Process(), list[float](), threading.Event()
    samples = [process.memory_info().rss]

    def watch() -> None:
        while not over.wait(_INTERVAL):
            samples.append(process.memory_info().rss)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    begin = time.perf_counter()
    try:
        yield cost
    finally:
        seconds = time.perf_counter() - begin
        over.set()
        watcher.join()
        samples.append(process.memory_info().rss)
        cost += [seconds, (max(samples) - samples[0]) / 1e6]
