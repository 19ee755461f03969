"""Training data sets of the models behind methods, on which their scores are too optimistic."""

from __future__ import annotations

import json

from structce.extraction.boilernet.storage import shipped_folder
from structce.extraction.measurement import Method
from structce.labelling import RegionLabeller

_BOILERNET = "boilernet.json"
_STATED = {"web2text-wcxb": frozenset({"wcxb", "fundus"})}


def training_sets(method: Method) -> frozenset[str]:
    """Return the names of the data sets that a method's shipped model was trained on.

    Empty for methods without a model, and for those trained in the experiment itself.

    Raises
    ------
    ModelError
        If there is no such model.
    """
    if method.extractor == "regions":
        model = str(dict(method.parameters).get("model", "news-static"))
        return RegionLabeller.load(model).training_sets
    if method.extractor == "boilernet-small":
        stated = json.loads((shipped_folder() / _BOILERNET).read_bytes())
        return frozenset(stated["training"]["pages"])
    return _STATED.get(method.extractor, frozenset())
