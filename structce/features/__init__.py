"""Features of a page as a matrix: a registry of small functions, and the choice of columns."""

from typing import TYPE_CHECKING

from structce.extras import check_import_name
from structce.features import (  # noqa: F401  (registers)
    advertising,
    class_names,
    cues,
    dom,
    landmarks,
    metadata_match,
    paper_forms,
    style,
    tables,
    text,
    zones,
)
from structce.features.columns import column_meaning
from structce.features.consent_notice import consent
from structce.features.encoding import BIAS, ENCODINGS, Descriptions, Encoding
from structce.features.feature_set import FeatureSet, FeatureSetState
from structce.features.landmarks import is_running, text_index
from structce.features.registry import (
    FAMILIES,
    REGISTRY,
    Feature,
    FeatureRegistry,
    FeatureValues,
    feature,
    import_features,
    import_sources,
    load_entry_points,
    once_a_page,
)
from structce.lazy_import import lazy_names

if TYPE_CHECKING:
    from structce.features.contract import ODD_HTML, check_feature, lay_out, values_of
    from structce.features.spengler2010 import PRESETS, markdown_tables, preset_features

_HOMES = {
    **dict.fromkeys(
        "ODD_HTML check_feature lay_out values_of".split(), "structce.features.contract"
    ),
    **dict.fromkeys(
        "PRESETS markdown_tables preset_features".split(), "structce.features.spengler2010"
    ),
}

check_import_name(__name__)
REGISTRY.sort(tables.ordered_names())

__all__ = [
    "BIAS", "ENCODINGS", "FAMILIES", "ODD_HTML", "PRESETS", "REGISTRY", "Descriptions", "Encoding",
    "Feature", "FeatureRegistry", "FeatureSet", "FeatureSetState", "FeatureValues", "check_feature",
    "column_meaning", "consent", "feature", "import_features", "import_sources", "is_running",
    "lay_out", "load_entry_points", "markdown_tables", "once_a_page", "preset_features",
    "text_index", "values_of",
]  # fmt: skip

__getattr__ = lazy_names(__name__, _HOMES)
