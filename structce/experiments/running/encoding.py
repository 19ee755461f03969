"""From the pages of a split to matrices."""

from __future__ import annotations

from structce.corpus import Corpus
from structce.experiments.running.data import Data, Encoded
from structce.features import FeatureSet


def encode(features: FeatureSet, train: Corpus, validation: Corpus, test: Corpus) -> Data:
    """Return the parts of a split with the columns of the training pages."""
    features.fit([page.page for page in train])
    return Data(
        _encoded(features, train),
        _encoded(features, validation),
        _encoded(features, test),
        tuple(features.columns_),
        train.label_set,
    )


def _encoded(features: FeatureSet, part: Corpus) -> Encoded:
    X = [features.transform(page.page) for page in part]
    y = [part.label_set.encode(page.labels) for page in part]
    return Encoded.of(X, y, len(features.columns_))


def know_sites(corpus: Corpus, features: FeatureSet) -> Corpus:
    """Return the corpus; where a feature asks for it, pages with what their sites have in common.

    All pages of a site are counted, whichever part of a split they are in: that takes pages, as
    whoever labels a site has them, and no labels.
    """
    return corpus.with_sites() if features.needs_sites else corpus
