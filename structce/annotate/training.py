"""Background training of a model on finished pages, while people continue to label.

It runs in a separate process at low priority; the labelling page switches to the model when it is
ready. Its scores are added to those of the first model, since a few dozen pages of one site say
much about this site and little else.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from structce.annotate.proposals import Proposer
from structce.corpus import Corpus, label_set_of, read_labelled_page, read_manifest
from structce.features import FeatureSet
from structce.labelling import RegionLabeller, make_learner
from structce.learners import LEARNERS

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

LEARNER = "structured-svm"
"""A chain, since it needs few pages; its settings suit a few dozen."""

_SETTINGS = {"lambda_": 0.01, "max_epochs": 30, "tol": 0.05}

MOST_PAGES = 300
"""Most pages to learn from, the last finished ones, so that training takes about a minute."""

_NICE = 10


def _train(folder: Path, names: Sequence[str], out: Path) -> None:
    # Ends in good order when it is terminated, so that its semaphores are released.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if hasattr(os, "nice"):
        os.nice(_NICE)
    sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  ends with the process
    opened, manifest = read_manifest(folder)
    label_set = label_set_of(manifest)
    rows = {row["id"]: row for row in manifest["pages"]}
    pages = tuple(read_labelled_page(opened, rows[name], label_set) for name in names)
    corpus = Corpus(manifest["name"], pages, label_set)
    learner = make_learner(LEARNERS[LEARNER], _SETTINGS, seed=0)
    least = 1 if len(pages) < 5 else 2
    features = FeatureSet(min_count=least, min_pages=least)
    RegionLabeller(features, learner).fit(corpus).save(out)


class BackgroundTraining:
    """Training on a corpus whenever ``every`` further pages are finished."""

    def __init__(self, folder: Path, every: int = 10) -> None:
        self.folder = folder
        self.every = every
        self.n_learnt = 0
        self.problem = ""
        self._process: BaseProcess | None = None
        self._out = tempfile.TemporaryDirectory(prefix="structce-annotate-")
        self._folder = Path(self._out.name)

    @property
    def is_running(self) -> bool:
        """Whether a model is being trained now."""
        return self._process is not None

    def begin(self, done: Sequence[str]) -> None:
        """Begin to train on the finished pages if enough are new."""
        if self.is_running or len(done) < self.n_learnt + self.every:
            return
        self.n_learnt = len(done)
        self._folder = Path(self._out.name) / f"model-{self.n_learnt}"
        context = multiprocessing.get_context("spawn")
        arguments = (self.folder, list(done[-MOST_PAGES:]), self._folder)
        self._process = context.Process(target=_train, args=arguments, daemon=True)
        self._process.start()

    def take(self, first: Proposer) -> Proposer | None:
        """Return the newly trained model, combined with the first; None if there is no new one.

        A failed training leaves its reason in ``problem``.
        """
        if self._process is None or self._process.is_alive():
            return None
        code, self._process = self._process.exitcode, None
        if code:
            trained_on = f"training on {self.n_learnt} pages"
            self.problem = f"{trained_on} failed; labelling continues without it"
            return None
        self.problem = ""
        name = f"{self.n_learnt} pages of yours"
        labeller = RegionLabeller.load(self._folder)
        if first.labeller is None:
            return Proposer(labeller, name, first.label_set)
        return Proposer(labeller, f"{first.name} and {name}", first.label_set, first)

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the running training."""
        if self._process is not None:
            self._process.join(seconds)

    def close(self) -> None:
        """End the running training, and remove the model."""
        if self._process is not None and self._process.is_alive():
            self._process.terminate()
            self._process.join()
        self._process = None
        self._out.cleanup()
