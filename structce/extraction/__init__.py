"""Extraction: whole systems that pick the main content of a page, behind one protocol.

An extractor is one file: a class with ``extract``, under ``@extractor("name")``, imported here.
"""

from typing import TYPE_CHECKING

from structce.extraction import (  # noqa: F401  # each registers its extractors
    block_svm,
    dragnet_like,
    element_methods,
    entropy,
    feature_extractor,
    peers,
    regions,
    token_methods,
)
from structce.extraction.block_labels import block_labels, text_labels
from structce.extraction.blocks import BlockFilter, Blocks, block_set, text_blocks
from structce.extraction.boilernet import BoilerNet, BoilerNetTraining, save_boilernet
from structce.extraction.content_extractor import ContentExtractor, ContentTemplate
from structce.extraction.parsed_document import Extraction, ParsedDocument, Span
from structce.extraction.registry import (
    EXTRACTORS,
    PAGE_CLASS_METHODS,
    TRAINABLE_METHODS,
    Extractor,
    PageClassMethod,
    TrainableMethod,
    WordFilter,
    describe_extractor,
    extract,
    extractor,
    load_extractors,
    make_extractor,
    page_class_method,
    trainable_method,
)
from structce.extraction.trained import (
    ExtractorState,
    SiteTemplates,
    StoredExtractor,
    Template,
    TrainedExtractor,
    Training,
    load_template,
    read_trained,
    save_template,
    save_trained,
    stored_extractor,
    training_digest,
)
from structce.extraction.web2text import Web2Text, Web2TextMethod
from structce.extraction.web2text_features import CollapsedDom
from structce.lazy_import import lazy_names

if TYPE_CHECKING:
    from structce.extraction.measurement import (
        PARTS,
        DocumentRow,
        MeasurementJob,
        Method,
        digest_of,
        start_measuring,
        training_sets,
    )
    from structce.extraction.measures import LEAVES, MEASURES, count_leaves, pooled_leaves
    from structce.extraction.proxies import SERVER_SETTINGS, ExtractionProxy

_LATE = {
    "measurement": "PARTS DocumentRow MeasurementJob Method digest_of start_measuring "
    "training_sets",
    "measures": "LEAVES MEASURES count_leaves pooled_leaves",
    "proxies": "SERVER_SETTINGS ExtractionProxy",
}
"""Names by module that are imported at first use, because extraction does not need web servers."""

__all__ = [
    "EXTRACTORS", "LEAVES", "MEASURES", "PAGE_CLASS_METHODS", "PARTS",
    "SERVER_SETTINGS", "TRAINABLE_METHODS", "BlockFilter", "Blocks", "BoilerNet",
    "BoilerNetTraining", "CollapsedDom", "ContentExtractor", "ContentTemplate", "DocumentRow",
    "Extraction", "ExtractionProxy", "Extractor", "ExtractorState", "MeasurementJob",
    "Method", "PageClassMethod", "ParsedDocument", "SiteTemplates",
    "Span", "StoredExtractor", "Template", "TrainableMethod", "TrainedExtractor", "Training",
    "Web2Text", "Web2TextMethod", "WordFilter", "block_labels", "block_set", "count_leaves",
    "describe_extractor", "digest_of", "extract", "extractor", "load_extractors",
    "load_template", "make_extractor", "page_class_method", "pooled_leaves",
    "read_trained", "save_boilernet", "save_template", "save_trained",
    "start_measuring", "stored_extractor", "text_blocks", "text_labels", "trainable_method",
    "training_digest", "training_sets",
]  # fmt: skip

__getattr__ = lazy_names(
    __name__,
    {name: f"{__name__}.{module}" for module, names in _LATE.items() for name in names.split()},
)
