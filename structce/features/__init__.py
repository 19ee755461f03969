"""Page to feature matrix: a registry of small functions, and the choice of their columns."""

from structce.features import (  # noqa: F401  (registers)
    advertisements,
    authors,
    colours,
    comments,
    date_lines,
    densities,
    dom,
    figures,
    headings,
    images,
    layout,
    lines,
    lists,
    media_boxes,
    moments,
    names,
    naming,
    profiles,
    screen_rows,
    semantics,
    sentences,
    shapes,
    shares,
    siblings,
    site_counts,
    spacing,
    stated,
    stated_dates,
    stated_places,
    style,
    task,
    text,
    text_column,
    zones,
)
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
