"""Page to feature matrix: a registry of small functions, and the choice of their columns."""

from structce.features import dom, naming, style, task, text, zones  # noqa: F401  (registers)
from structce.features.featureset import FeatureSet
from structce.features.registry import FAMILIES, REGISTRY, Feature, Registry, feature

__all__ = [
    "FAMILIES",
    "REGISTRY",
    "Feature",
    "FeatureSet",
    "Registry",
    "feature",
]
