"""Region labeller: a feature set, a learner and a label set as one estimator.

The functions with which it learns serve the jobs of experiments and the trials of features, too.
"""

from __future__ import annotations

import inspect
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec
import numpy as np

from structce import learners
from structce.arrays import Floats, Labels, without_background_sets
from structce.errors import LearnerError, ModelError, ModelWarning, RegionError
from structce.features import FeatureSet
from structce.labelling.model_files import (
    MODEL_MANIFEST,
    ArticleTrees,
    load_model_folder,
    save_model_folder,
)
from structce.labels import NEWS, LabelSet
from structce.language import printable
from structce.learners import CalibrationMethod, Callback, Learner, LinearLearner, Progress
from structce.page import Page, Region, shorten

if TYPE_CHECKING:
    import scipy

    # a corpus is only needed for training, and importing it takes 0.6 s
    from structce.corpus import Corpus, LabelledPage
    from structce.labelling.explanation import Explanation

_MOST_SHOWN, _CHARACTERS = 400, 200
"""Regions, and characters of each, that a notebook shows; news pages have some 250."""

DEFAULT_MODELS: Mapping[str, str] = {"static": "news-static", "chromium": "news-chromium"}
"""Names of the shipped models, by the renderer of their training pages."""


class Labelling(msgspec.Struct, frozen=True, eq=False, dict=True, weakref=True):
    """A page with a label and a confidence for every region.

    Parameters
    ----------
    confidence : shape (n_regions,)
        Probability of the label according to the learner, in [0, 1].
    labeller
        The labeller of the page, which can explain its labels; None for labels from elsewhere.
    marginals : shape (n_regions, n_labels)
        Probability of every label of the set at each region, in [0, 1]; None if only the
        confidence is known.
    """

    page: Page
    labels: tuple[str, ...]
    confidence: Floats
    label_set: LabelSet
    labeller: RegionLabeller | None = None
    marginals: Floats | None = None

    def __repr__(self) -> str:
        counts = Counter(self.labels)
        names = [name for name in self.label_set.names if name != self.label_set.background]
        listed = ", ".join(f"{counts[name]} {name}" for name in names if counts[name])
        return f"<Labelling of {self.page!r}: {listed or 'only background'}>"

    def _repr_html_(self) -> str:
        """Return the labelled regions as a list without scripts and URLs, for notebooks."""
        lines = [f"{self.page.title or self.page.url or 'page'}, {self.page.renderer}"]
        regions = list(self.regions())
        for region in regions[:_MOST_SHOWN]:
            label, sure = self.labels[region.index], self.confidence[region.index]
            text = shorten(region.text, _CHARACTERS) or region.tag
            lines.append(f"{label}, {sure:.2f}: {text}")
        if len(regions) > _MOST_SHOWN:
            lines.append(f"and {len(regions) - _MOST_SHOWN:,} more")
        rows = "".join(f"<div>{escape(printable(line))}</div>" for line in lines)
        return f'<div style="max-height:480px;overflow:auto">{rows}</div>'

    def regions(self, label: str | None = None) -> Iterator[Region]:
        """Yield the regions with one label, or with any label except the background."""
        for region, name in zip(self.page, self.labels, strict=True):
            if name == label if label is not None else name != self.label_set.background:
                yield region

    def explain(self, i: int, *, n_columns: int = 10) -> Explanation:
        """Return an explanation of why region `i` has its label and not the runner-up.

        At most ``n_columns`` of the region's columns are listed by name. Raises RegionError if the
        page has no such region; LearnerError if the labels do not come from a labeller, the
        labeller has been refitted since, or its learner cannot be explained.
        """
        from structce.labelling.explanation import explain_region  # late: labelling needs none

        name, matrix = self.page.url or "page", self._matrix
        if not 0 <= i < len(self.page):
            raise RegionError(f"{name}: no region {i}; the page has {len(self.page)}, from 0")
        if self.labeller is None or matrix is None:
            raise LearnerError(
                f"{name}: these labels do not come from a labeller, so they cannot be explained"
            )
        explanation = explain_region(
            self.labeller.learner, matrix, Region(self.page, i), float(self.confidence[i]),
            columns=self.labeller.features.columns_, label_set=self.label_set, n_columns=n_columns,
        )  # fmt: skip
        if explanation.label != self.labels[i]:
            raise LearnerError(
                f"{name}: region {i} is labelled {self.labels[i]}, but its labeller gives "
                f"{explanation.label}; explain the labelling as the labeller returned it"
            )
        return explanation

    @cached_property
    def _matrix(self) -> scipy.sparse.csr_matrix | None:
        return None if self.labeller is None else self.labeller.features.transform(self.page)


@dataclass
class RegionLabeller:
    """Estimator that labels the regions of pages.

    Parameters
    ----------
    features
        Feature set, whose columns :meth:`fit` determines.
    learner
        Any registered learner, with its hyper-parameters.
    label_set, renderer
        Labels of the regions, and name of the renderer of the training pages; :meth:`fit` takes
        both from the corpus.
    card
        Facts about the training data, as plain JSON values. Besides the entries of :meth:`fit`,
        the model card shows ``scores`` (names to numbers, or to objects of numbers),
        ``model_licence`` and ``notes``.
    trees
        Trees that choose the values and the body of articles; empty unless they were fitted.

    Examples
    --------
    >>> from structce import RegionLabeller
    >>> from structce.rendering import Document, StaticRenderer
    >>> labeller = RegionLabeller.load("news-static")
    >>> page = StaticRenderer().render(Document("<h1>Ferry to stop</h1><p>By Ann Lee"))
    >>> len(labeller.label(page).labels)
    2
    """

    features: FeatureSet = field(default_factory=FeatureSet)
    learner: Learner = field(default_factory=lambda: learners.StructuredSVM())
    label_set: LabelSet = NEWS
    renderer: str = ""
    card: dict[str, object] = field(default_factory=dict)
    trees: ArticleTrees = field(default_factory=ArticleTrees, repr=False)

    def __repr__(self) -> str:
        kind = type(self.learner).__name__
        pages = f"{self.renderer} pages" if self.renderer else "not fitted"
        return f"<RegionLabeller {kind}, {len(self.label_set)} labels, {pages}>"

    @property
    def training_sets(self) -> frozenset[str]:
        """Names of the data sets that the model was trained on, as its card says."""
        listed = self.card.get("data")
        rows = listed if isinstance(listed, list) else []
        names = {str(row["name"]) for row in rows if isinstance(row, dict) and "name" in row}
        return frozenset(names or {str(self.card["corpus"])} if "corpus" in self.card else names)

    def fit(self, corpus: Corpus, *, calibrate: CalibrationMethod | None = None) -> Self:
        """Fit features and learner to all pages of a corpus.

        To ``calibrate`` (see :meth:`structce.learners.base.Learner.calibrate`), the learner is
        first fitted to four fifths of the sites and calibrated on the others, which takes about as
        long again and needs five sites. Raises CorpusError if no region has a known label.
        """
        corpus.check_known()
        self.label_set = corpus.label_set
        self.renderer = corpus.renderer
        calibrated: Learner | None = None
        if calibrate is not None:
            from sklearn.base import clone  # late: it takes a second, and labelling needs none

            most, others = corpus.split((0.8, 0.2), by="site", seed=0)
            calibrated = clone(self.learner)
            self._learn(most, calibrated)
            X, y = encode_pages(self.features, others, self.label_set)
            calibrated.calibrate(X, y, method=calibrate)
        self._learn(corpus, self.learner)
        if calibrated is not None:
            self.learner.take_calibration(calibrated)
        self.card = {**corpus_card(corpus), "calibrated": bool(calibrate)}
        return self

    def _learn(self, corpus: Corpus, learner: Learner) -> None:
        from tqdm import tqdm

        pages = [page.page for page in corpus]
        self.features.fit(tqdm(pages, "describing", unit="page", disable=None, file=sys.stderr))
        with tqdm(desc="learning", unit="epoch", disable=None, file=sys.stderr) as bar:
            X, y = encode_pages(self.features, corpus, self.label_set)

            def show(progress: Progress) -> None:
                objective, gap = f"{progress.objective:.4g}", f"{progress.gap:.1%}"
                bar.total = progress.max_epochs
                bar.set_postfix(objective=objective, gap=gap, refresh=False)
                bar.update(progress.epoch - bar.n)

            fit_learner(learner, X, y, label_set=self.label_set, callback=show)

    def label(self, page: Page) -> Labelling:
        """Return the labels of a page's regions; none for a page without regions.

        Features that need other pages of the site are unknown on a page without such counts. A
        page of a different renderer from that of the training pages gives a `ModelWarning`.
        """
        if not isinstance(page, Page):
            raise TypeError(
                f"expected a Page, got {type(page).__name__}; a renderer makes pages from HTML, "
                "and structce.label() takes HTML, files and addresses"
            )
        if message := self.renderer_conflict(page.renderer):
            warnings.warn(message, ModelWarning, stacklevel=2)
        return self._label(page)

    def _label(self, page: Page) -> Labelling:
        if isinstance(self.learner, LinearLearner):
            scores = self.features.scores(page, self.learner.emissions_)
        else:
            (scores,) = self.learner.scores([self.features.transform(page)])
        (indices, marginals), *_ = self.learner.decode_scores([scores])
        confidence = marginals[np.arange(len(indices)), indices]
        names = self.label_set.decode(indices)
        return Labelling(page, names, confidence, self.label_set, self, marginals)

    def renderer_conflict(self, renderer: str) -> str:
        """Return a warning about labelling pages of a renderer; empty if there is no conflict."""
        if not renderer or self.renderer in ("", renderer):
            return ""
        return (
            f"the model was trained on pages of the {self.renderer} renderer, but these were "
            f"rendered by {renderer}: expect more mistakes"
        )

    def save(self, folder: str | Path) -> None:
        """Write the model and its card to a folder, replacing an older model there.

        Raises ModelError if the folder contains something else; LearnerError if the learner is not
        fitted.
        """
        save_model_folder(
            Path(folder), self.features, self.learner, self.label_set, self.renderer, self.card,
            self.trees,
        )  # fmt: skip

    @classmethod
    def load(cls, model: str | Path) -> Self:
        """Return the model in a folder, or a shipped model by name.

        Raises ModelError if there is no model, it is of an unsupported version, or a file is
        damaged.
        """
        return cls(*load_model_folder(find_model(model)))


class ModelChoice:
    """Choice of each page's model: the requested one, or the shipped one for the page's renderer.

    Models are loaded on first use. The requested one is a shipped model's name or a model's folder;
    ``news`` or None selects the shipped ones. ``labeller`` is the same model, already loaded.
    """

    def __init__(
        self, model: str | Path | None = None, labeller: RegionLabeller | None = None
    ) -> None:
        self.model = None if model == "news" else model
        self._loaded = {} if labeller is None else {self.name(labeller.renderer): labeller}

    def __reduce__(self) -> tuple[type[Self], tuple[str | Path | None]]:
        # Another process loads its models itself.
        return type(self), (self.model,)

    def name(self, renderer: str) -> str:
        """Return the name or folder of the model for pages of a renderer."""
        return str(self.model if self.model is not None else DEFAULT_MODELS[renderer])

    def labeller(self, renderer: str) -> RegionLabeller:
        """Return the model for pages of a renderer; errors are those of its loading."""
        name = self.name(renderer)
        if name not in self._loaded:
            self._loaded[name] = RegionLabeller.load(name)
        return self._loaded[name]

    def conflict(self, renderer: str) -> str:
        """Return a warning about using the model on pages of a renderer; empty without conflict."""
        message = self.labeller(renderer).renderer_conflict(renderer)
        return message and f"{self.name(renderer)}: {message}"

    def label(self, page: Page) -> Labelling:
        """Return the labels of a page's regions, without warning of conflicts."""
        return self.labeller(page.renderer)._label(page)


def corpus_card(corpus: Corpus) -> dict[str, object]:
    """Return the entries of a model's card on the corpus that it was trained on.

    Languages are those that pages state (``de``, not ``de-AT``), the most frequent first.
    """
    stated = (page.page.lang.replace("_", "-").split("-")[0].strip().lower() for page in corpus)
    languages = Counter(language for language in stated if language.isalpha())
    card: dict[str, object] = {
        "corpus": corpus.name,
        "corpus_digest": corpus.digest,
        "licence": corpus.licence,
        "pages": len(corpus),
        "sites": len(corpus.sites),
        "regions": sum(corpus.counts.values()),
        "labels": corpus.counts,
        "languages": dict(sorted(languages.items(), key=lambda item: (-item[1], item[0]))),
    }
    inexact = {"unknown_regions": corpus.n_unknown, "several_regions": corpus.n_several}
    return card | {name: n_regions for name, n_regions in inexact.items() if n_regions}


def find_model(model: str | Path) -> Path:
    """Return the folder of a model, given the folder or the name of a shipped model."""
    if (Path(model) / MODEL_MANIFEST).is_file():
        return Path(model)
    root = Path(__file__).parents[1] / "models"
    shipped = {path.parent.name: path.parent for path in sorted(root.glob(f"*/{MODEL_MANIFEST}"))}
    if str(model) in shipped:
        return shipped[str(model)]
    raise ModelError(
        f"{model}: no such model; expected a folder written by 'structce train', or one of "
        f"{', '.join(shipped) or 'no shipped models'}"
    )


LearnerFactory = Callable[..., Learner]
"""Creates a learner from its hyper-parameters: usually its class."""


def encode_pages(
    features: FeatureSet, pages: Iterable[LabelledPage], label_set: LabelSet
) -> tuple[list[scipy.sparse.csr_matrix], list[Labels]]:
    """Return the matrix and the label indices of each page, given a fitted feature set.

    Matrices have the shape (n_regions, n_columns), arrays of labels (n_regions,).
    """
    pages = list(pages)
    X = [features.transform(page.page) for page in pages]
    return X, [label_set.encode(page.labels) for page in pages]


def make_learner(
    factory: LearnerFactory, parameters: Mapping[str, object], *, seed: int
) -> Learner:
    """Return a learner with the given hyper-parameters, not fitted.

    The seed becomes its ``random_state`` if it has one and the parameters do not set it.
    """
    seeded = {"random_state": seed} if _takes(factory, "random_state") else {}
    return factory(**{**seeded, **parameters})


def fit_learner(
    learner: Learner,
    X: Sequence[scipy.sparse.csr_matrix],
    y: Sequence[Labels],
    *,
    label_set: LabelSet,
    callback: Callback | None = None,
) -> Learner:
    """Fit a learner on encoded pages and return it.

    Sets of labels that include the background are learnt as unknown: nobody annotated these
    regions, and a learner would only confirm what it already believes. The callback is called
    after every epoch; a user's own learner that takes no callback is fitted without.
    """
    background = label_set.index(label_set.background)
    gold = [without_background_sets(labels, background) for labels in y]
    if callback is not None and _takes(learner.fit, "callback"):
        return learner.fit(X, gold, classes=label_set.names, callback=callback)
    return learner.fit(X, gold, classes=label_set.names)


def _takes(function: Callable[..., object], parameter: str) -> bool:
    return parameter in inspect.signature(function).parameters
