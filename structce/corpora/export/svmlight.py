"""SVMlight's format, which LIBLINEAR, XGBoost and scikit-learn read: a region a line, in numbers.

::

    9 qid:1 4:1 17:0.125
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.datasets import dump_svmlight_file

from structce.corpora.export.writing import shown, whole
from structce.corpus import Corpus
from structce.features import FeatureSet
from structce.files import to_json
from structce.labels import UNKNOWN_INDEX


def names_file(out: Path) -> Path:
    """Return where the names stand that the numbers of an export mean: ``OUT.names.json``."""
    return out.with_name(f"{out.name}.names.json")


def write_svmlight(corpus: Corpus, out: Path, features: FeatureSet) -> int:
    """Write one line a region, ``label qid:page column:value``; return regions left out.

    Labels, pages and columns are numbers from 1, as SVMlight asks; what they mean stands beside
    the file, in :func:`names_file`: a JSON object of ``labels``, ``pages`` (ids) and ``columns``,
    each an array whose first entry is number 1. Regions of unknown label are left out.

    Parameters
    ----------
    features
        A fitted set.
    """
    names = {
        "labels": list(corpus.label_set.names),
        "pages": [page.id for page in corpus],
        "columns": list(features.columns_),
    }
    with whole(out) as part, whole(names_file(out)) as side, part.open("wb") as file:
        side.write_bytes(to_json(names))
        for number, page in enumerate(shown(corpus), start=1):
            y = corpus.label_set.encode(page.labels)
            known = y != UNKNOWN_INDEX
            if known.any():
                rows = features.transform(page.page)[known]
                qid = np.full(rows.shape[0], number)
                dump_svmlight_file(rows, y[known] + 1, file, zero_based=False, query_id=qid)
    return corpus.n_unknown
