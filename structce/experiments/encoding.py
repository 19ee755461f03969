"""From the pages of a split to matrices."""

from __future__ import annotations

import time
from dataclasses import replace

from structce.corpus import Corpus
from structce.experiments.inputs import Part, Split
from structce.experiments.trial import Data, Encoded
from structce.features import REGISTRY, FeatureSet
from structce.site import with_sites


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
    if not asks_for_sites(features):
        return corpus
    known = with_sites([one.page for one in corpus], [one.site for one in corpus])
    pages = (replace(one, page=page) for one, page in zip(corpus, known, strict=True))
    return replace(corpus, pages=tuple(pages))


def asks_for_sites(features: FeatureSet) -> bool:
    """Return whether a feature needs to know what the pages of a site have in common."""
    return any(REGISTRY[name].needs == "site" for name in features.names)
