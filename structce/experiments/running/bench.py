"""One split of a study: its columns, its matrices once something asks for them, its outcomes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from structce.corpus import Corpus
from structce.experiments.asking.spec import Experiment
from structce.experiments.finding.inputs import Part, Split
from structce.experiments.running.data import Data
from structce.experiments.running.encoding import encode
from structce.experiments.running.metering import Meter
from structce.experiments.running.store import Store, code_digest, key_of, source_digest
from structce.experiments.running.studies import Parts
from structce.experiments.running.units import Columns, Outcome, Spent, Step, Task
from structce.features import REGISTRY, FeatureSet
from structce.snapshot import pack_page


@dataclass(frozen=True)
class Ground:
    """What all splits of a study stand on.

    Parameters
    ----------
    features
        One feature set, fitted anew on each split: it describes each page once.
    digests
        SHA-256 over everything that a page holds, and its labels, by page.
    code
        SHA-256 over the code that does the units; see :func:`code_digest`.
    """

    experiment: Experiment
    features: FeatureSet
    store: Store
    digests: Mapping[str, str]
    code: str

    @classmethod
    def of(
        cls, experiment: Experiment, features: FeatureSet, store: Store, corpus: Corpus
    ) -> Ground:
        """Return the ground of a corpus, all its pages and the code looked at once."""
        digests = {
            page.id: hashlib.sha256(page.digest.encode() + pack_page(page.page)).hexdigest()
            for page in corpus
        }
        return cls(experiment, features, store, digests, code_digest())

    def base(self, parts: Parts) -> str:
        """Return what all units of a split hang on, as a digest."""
        label_set = parts.train.label_set
        return key_of(
            {
                "code": self.code,
                "labels": [list(label_set.names), label_set.background],
                "pages": [
                    [self.digests[page.id] for page in part]
                    for part in (parts.train, parts.validation, parts.test)
                ],
                # What recurs on a site is counted over pages of all parts, and of none.
                "corpus": sorted(self.digests.values()) if self.features.needs_sites else [],
                "features": [
                    self.experiment.min_count,
                    self.experiment.min_pages,
                    {name: source_digest(REGISTRY[name].compute) for name in self.features.names},
                ],
            }
        )


class Bench:
    """One split of a study, before its units are done and after.

    Attributes
    ----------
    number
        From 0.
    base
        What all its units hang on, as a digest.
    outcomes
        Of every unit that was done, in the order of its tasks.
    """

    def __init__(self, number: int, parts: Parts, ground: Ground) -> None:
        self.number = number
        self.parts = parts
        self.outcomes: list[tuple[Task, Outcome]] = []
        self.base = ground.base(parts)
        self._ground = ground
        self._data: Data | None = None
        self._columns: Columns | None = None

    @property
    def data(self) -> Data:
        """The matrices of the split, made when they are asked for first."""
        if self._data is None:
            self._data, found = self._encode()
            self._columns = self._columns or self._kept() or self._keep(found)
        return self._data

    @property
    def columns(self) -> Columns:
        """What the training pages gave; read where it is kept, so that nothing is encoded."""
        self._columns = self._columns or self._kept()
        if self._columns is None:
            self._data, found = self._encode()
            self._columns = self._keep(found)
        return self._columns

    def _kept(self) -> Columns | None:
        return self._ground.store.read(self._columns_key, Columns)

    def _keep(self, found: Columns) -> Columns:
        self._ground.store.write(self._columns_key, found)
        return found

    def _encode(self) -> tuple[Data, Columns]:
        parts = self.parts
        with Meter() as meter:
            data = encode(self._ground.features, parts.train, parts.validation, parts.test)
        counts = {
            str(one): len(one.places(data.columns)) for one in self._ground.experiment.variants
        }
        return data, Columns(len(data.columns), Spent(meter.seconds, meter.megabytes), counts)

    @property
    def split(self) -> Split:
        """Which pages served for what."""
        parts = self.parts
        train, validation, test = map(Part.of, (parts.train, parts.validation, parts.test))
        return Split(parts.seed, train, validation, test, self.columns.n_columns)

    def of(self, arm: str, step: Step) -> list[tuple[Task, Outcome]]:
        """Return what came of the units of an arm that tune, or test."""
        return [one for one in self.outcomes if (one[0].arm, one[0].step) == (arm, step)]

    def forget(self) -> None:
        """Let the matrices go; the outcomes stay."""
        self._data = None

    @property
    def _columns_key(self) -> str:
        return key_of(
            {"base": self.base, "columns": [str(one) for one in self._ground.experiment.variants]}
        )
