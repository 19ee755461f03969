"""Page to feature matrix: a registry of small functions, and the choice of their columns."""

from structce.features import dom, style, task, text
from structce.features.featureset import FeatureSet
from structce.features.registry import FAMILIES, REGISTRY, Feature, Registry, feature

__all__ = [
    "FAMILIES",
    "REGISTRY",
    "Feature",
    "FeatureSet",
    "Registry",
    "dom",
    "feature",
    "style",
    "task",
    "text",
]
