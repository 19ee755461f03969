"""The whole line in one object: feature set, learner and label set; fit, label, save, load."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import clone
from tqdm import tqdm

from structce import __version__
from structce.corpus import Corpus
from structce.errors import ModelError
from structce.features import FeatureSet
from structce.files import compress, to_json, write_whole
from structce.labels import NEWS, LabelSet
from structce.learners import LEARNERS, Learner, load_learner
from structce.page import Page, Region

FORMAT = "structce-model"
VERSION = 1

DEFAULT_MODELS: Mapping[str, str] = {"static": "news-static", "chromium": "news-chromium"}
"""Shipped model by the renderer whose pages it was trained on."""


@dataclass(frozen=True, eq=False)
class Labelling:
    """A page with a label and a confidence for every region.

    Parameters
    ----------
    labels
        One label name a region.
    confidence : shape (n_regions,)
        Probability of the label according to the learner, in [0, 1].
    """

    page: Page
    labels: tuple[str, ...]
    confidence: NDArray[np.float64]
    label_set: LabelSet

    def regions(self, label: str | None = None) -> Iterator[Region]:
        """Yield the regions of one label, or of every label but the background."""
        for region, name in zip(self.page, self.labels, strict=True):
            if name == label if label is not None else name != self.label_set.background:
                yield region


@dataclass
class RegionLabeller:
    """Labels the regions of pages.

    Parameters
    ----------
    features
        Choice of features; its columns are learnt by :meth:`fit`.
    learner
        Any registered learner; its hyper-parameters are kept.
    card
        What the model was trained on, as plain JSON values.

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
    learner: Learner = field(default_factory=lambda: LEARNERS["structured-svm"]())
    label_set: LabelSet = NEWS
    renderer: str = ""
    card: dict[str, object] = field(default_factory=dict)

    def fit(self, corpus: Corpus, *, calibrate: bool = False) -> Self:
        """Learn from every page of a corpus.

        Parameters
        ----------
        calibrate
            First learn from four fifths of the sites alone and find on the others how sure the
            learner may be; takes about as long again. Needs five sites.
        """
        self.label_set = corpus.label_set
        self.renderer = corpus.renderer
        temperature = self._temperature(corpus) if calibrate else 1.0
        self._learn(corpus, self.learner)
        self.learner.temperature_ = temperature
        self.card = {
            "corpus": corpus.name,
            "corpus_digest": corpus.digest,
            "licence": corpus.licence,
            "pages": len(corpus),
            "sites": len(corpus.sites),
            "regions": sum(corpus.counts.values()),
            "labels": corpus.counts,
            "calibrated": calibrate,
        }
        return self

    def _temperature(self, corpus: Corpus) -> float:
        """Return the temperature that fits sites which a learner has not seen."""
        most, others = corpus.split((0.8, 0.2), by="site", seed=0)
        learner = clone(self.learner)
        self._learn(most, learner)
        found = learner.calibrate(*self._encode(others)).temperature_
        return float(found)

    def _learn(self, corpus: Corpus, learner: Learner) -> None:
        pages = [page.page for page in corpus]
        self.features.fit(tqdm(pages, "describing", unit="page", disable=None, file=sys.stderr))
        learner.fit(*self._encode(corpus), n_labels=len(self.label_set))

    def _encode(self, corpus: Corpus) -> tuple[list[csr_matrix], list[NDArray[np.int64]]]:
        matrices = [self.features.transform(page.page) for page in corpus]
        return matrices, [self.label_set.encode(page.labels) for page in corpus]

    def label(self, page: Page) -> Labelling:
        """Return the labels of a page's regions; empty for a page without regions."""
        matrices = [self.features.transform(page)]
        names = self.label_set.decode(self.learner.predict(matrices)[0])
        confidence = np.asarray(self.learner.confidence(matrices)[0], dtype=np.float64)
        return Labelling(page, names, confidence, self.label_set)

    def save(self, folder: Path) -> None:
        """Write the model; the manifest comes last, so half a model is none."""
        write_whole(folder / "features.json.gz", compress(to_json(self.features.state(), indent=0)))
        self.learner.save(folder / "learner")
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "structce": __version__,
            "renderer": self.renderer,
            "labels": list(self.label_set.names),
            "background": self.label_set.background,
            "features_digest": self.features.digest,
            "card": self.card,
        }
        write_whole(folder / "manifest.json", to_json(manifest))

    @classmethod
    def load(cls, model: str | Path) -> Self:
        """Return the model of a folder, or a shipped one by its name.

        Raises
        ------
        ModelError
            If there is none, it is of another version, or a file is damaged.
        """
        folder = find_model(model)
        try:
            manifest = json.loads((folder / "manifest.json").read_bytes())
            found = manifest["format"], manifest["version"]
            if found != (FORMAT, VERSION):
                raise ModelError(
                    f"{folder}: format {found[0]} version {found[1]}; "
                    f"this release reads {FORMAT} version {VERSION}"
                )
            state = json.loads(gzip.decompress((folder / "features.json.gz").read_bytes()))
            features = FeatureSet.from_state(state)
            if features.digest != manifest["features_digest"]:
                raise ModelError(f"{folder}: the feature set is not the one of the manifest")
            return cls(
                features=features,
                learner=load_learner(folder / "learner"),
                label_set=LabelSet(tuple(manifest["labels"]), manifest["background"]),
                renderer=manifest["renderer"],
                card=manifest["card"],
            )
        except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError) as error:
            raise ModelError(f"{folder}: damaged model: {error}") from error


def shipped_models() -> dict[str, Path]:
    """Return the models that come with the package, by name."""
    root = Path(str(resources.files("structce") / "models"))
    return {path.parent.name: path.parent for path in sorted(root.glob("*/manifest.json"))}


def find_model(model: str | Path) -> Path:
    """Return the folder of a model, given the folder or a shipped model's name.

    Raises
    ------
    ModelError
        If there is neither.
    """
    folder, shipped = Path(model), shipped_models()
    if (folder / "manifest.json").is_file():
        return folder
    if str(model) in shipped:
        return shipped[str(model)]
    raise ModelError(
        f"{model}: no model here; expected a folder that 'structce train' wrote, or one of "
        f"{', '.join(shipped) or 'no shipped models'}"
    )
