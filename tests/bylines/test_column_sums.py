"""Scores by sums that are kept, against the sum of the weights of each token's columns."""

import numpy as np
import pytest

from structce.bylines import PageNames, columns_of, shipped_reader, tokens_of
from structce.bylines.columns import ColumnSums

BYLINES = (
    "By Ann Lee and Tom Rost, AP | 3 May 2026",
    "Von Dr. Mia Öz\nRedaktion Politik\nFoto: dpa",
    "李雷 韩梅梅\n记者",
    "Ann Lee",
    "",
    "·",
    "Published 12:30 by @annlee, photo by Tom Rost and others in Berlin",
)
NAMES = PageNames.of(["Ann Lee"], ["Harbour Post"], "Ferry of Tom to stop")
HINTS = (frozenset({"author", "link"}), frozenset({"date"}))


def sums_of(reader):
    return ColumnSums(reader.learner.emissions_, reader.columns, reader.given)


def obvious_scores(reader, tokens, code, hints):
    rows = columns_of(tokens, code, NAMES, reader.given, hints)
    weights = reader.learner.emissions_
    known = [[reader.columns[name] for name in row if name in reader.columns] for row in rows]
    return np.array([weights[at].sum(axis=0) for at in known]).reshape(-1, weights.shape[1])


@pytest.mark.parametrize("hints", [(), HINTS])
@pytest.mark.parametrize("code", ["en", "de", ""])
def test_scores_are_the_sums_of_the_weights_of_columns(code, hints):
    reader = shipped_reader()
    sums = sums_of(reader)
    for bylines in (BYLINES, BYLINES[:1], BYLINES[4:5], ()):
        texts = [tokens_of(byline) for byline in bylines]
        scores = sums.scores(texts, code, NAMES, [hints] * len(texts))
        for tokens, sums_of_text in zip(texts, scores, strict=True):
            expected = obvious_scores(reader, tokens, code, hints)
            assert np.allclose(sums_of_text, expected, atol=1e-12)
