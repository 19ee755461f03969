"""From the pages of a split to matrices."""

from __future__ import annotations

import time

from structce.corpus import Corpus
from structce.experiments.inputs import Part, Split
from structce.experiments.trial import Data, Encoded
from structce.features import FeatureSet


def encode(
    features: FeatureSet, train: Corpus, validation: Corpus, test: Corpus
) -> tuple[Data, Split]:
    """Return the parts of a split with the columns of the training pages, and what it took."""
    begin = time.perf_counter()
    features.fit([page.page for page in train])
    encoded = [
        Encoded(
            [features.transform(page.page) for page in part],
            [part.label_set.encode(page.labels) for page in part],
        )
        for part in (train, validation, test)
    ]
    seconds = time.perf_counter() - begin
    split = Split(
        Part.of(train), Part.of(validation), Part.of(test), len(features.columns_), seconds
    )
    return Data(encoded[0], encoded[1], encoded[2], train.label_set), split


def know_sites(corpus: Corpus, features: FeatureSet) -> Corpus:
    """Return the corpus; where a feature asks for it, pages with what their sites have in common.

    All pages of a site are counted, whichever part of a split they are in: that takes pages, as
    whoever labels a site has them, and no labels.
    """
    return corpus.with_sites() if features.needs_sites else corpus
