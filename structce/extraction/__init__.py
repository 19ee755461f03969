"""Extraction: whole systems that pick the main content of a page, behind one protocol.

An extractor is one file: a class with ``extract``, under ``@extractor("name")``, imported here.
"""

from typing import TYPE_CHECKING

from structce.doors import lazy_names
from structce.extraction.block_labels import block_labels, text_labels
from structce.extraction.block_svm import BlockClassifier, BlockColumns, BlockSVM
from structce.extraction.blocks import (
    BLOCK_TAGS,
    FEATURE_CLASSES,
    BlockFilter,
    Blocks,
    block_set,
    text_blocks,
)
from structce.extraction.boilernet import (
    BoilerNet,
    BoilerNetTraining,
    load_boilernet,
    save_boilernet,
)
from structce.extraction.cetd import TextDensity
from structce.extraction.cetr import TagRatios
from structce.extraction.content_code_blurring import ContentCodeBlurring
from structce.extraction.content_extractor import ContentExtractor, ContentTemplate
from structce.extraction.dragnet_like import DragnetLike, TreeClassifier
from structce.extraction.entropy import EntropyTemplate, InfoDiscoverer
from structce.extraction.feature_extractor import FeatureExtractor, KFeatureExtractor
from structce.extraction.l_extractor import FeatureClassifier, LExtractor
from structce.extraction.link_filters import Crunch, LinkQuotaFilter
from structce.extraction.parsed_document import Extraction, ParsedDocument, Span
from structce.extraction.peers import Boilerpipe, JusText, NodePeer, Peer
from structce.extraction.regions import Regions
from structce.extraction.registry import (
    EXTRACTORS,
    PAGE_CLASS_METHODS,
    SCHEMES,
    TRAINABLE_METHODS,
    Extractor,
    PageClassMethod,
    Plain,
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
from structce.extraction.templates import (
    TEMPLATE_STATES,
    SiteTemplates,
    Template,
    UpdatableTemplate,
    load_template,
    save_template,
    template_state,
)
from structce.extraction.token_spans import (
    BodyTextExtraction,
    DocumentSlopeCurve,
    MaximumSubsequenceSegmentation,
)
from structce.extraction.trained import (
    STORED_EXTRACTORS,
    ExtractorState,
    StoredExtractor,
    TrainedExtractor,
    Training,
    load_trained,
    read_trained,
    save_trained,
    stored_extractor,
    training_digest,
)
from structce.extraction.web2text import Web2Text, Web2TextMethod
from structce.extraction.web2text_features import CollapsedDom

if TYPE_CHECKING:
    from structce.extraction.benchmark import (
        KILOBYTE,
        SECONDS,
        DocumentRow,
        MethodSystem,
        Outcome,
        Package,
        ProxySystem,
        SummaryRow,
        System,
        digest_of,
        measure,
        measure_document,
        measure_perturbed,
        read_package,
        summarise,
    )
    from structce.extraction.measurement import (
        LearningOutcome,
        LearningTask,
        MeasurementTask,
        Method,
        MethodKind,
        PageDocuments,
        measure_tasks,
        run_learning_tasks,
        training_sets,
    )
    from structce.extraction.measures import (
        LEAVES,
        MEASURES,
        count_leaves,
        extraction_overlaps,
        pooled_leaves,
    )
    from structce.extraction.proxies import LOOPBACK, ExtractionProxy
    from structce.extraction.result_table import COLUMNS, ResultFile, table
    from structce.extraction.selection import text_selector

_LATE = {
    "benchmark": "KILOBYTE SECONDS DocumentRow MethodSystem Outcome Package ProxySystem SummaryRow "
    "System digest_of measure measure_document measure_perturbed read_package summarise",
    "measurement": "LearningOutcome LearningTask MeasurementTask Method MethodKind PageDocuments "
    "measure_tasks run_learning_tasks training_sets",
    "measures": "LEAVES MEASURES count_leaves extraction_overlaps pooled_leaves",
    "proxies": "LOOPBACK ExtractionProxy",
    "result_table": "COLUMNS ResultFile table",
    "selection": "text_selector",
}
_HOMES = {
    name: f"structce.extraction.{module}"
    for module, names in _LATE.items()
    for name in names.split()
}
"""Module of each name of benchmarks and proxies, imported at first use because extraction does not
need their web servers and HTTP clients."""

__all__ = [
    "BLOCK_TAGS",
    "COLUMNS",
    "EXTRACTORS",
    "FEATURE_CLASSES",
    "KILOBYTE",
    "LEAVES",
    "LOOPBACK",
    "MEASURES",
    "PAGE_CLASS_METHODS",
    "SCHEMES",
    "SECONDS",
    "STORED_EXTRACTORS",
    "TEMPLATE_STATES",
    "TRAINABLE_METHODS",
    "BlockClassifier",
    "BlockColumns",
    "BlockFilter",
    "BlockSVM",
    "Blocks",
    "BodyTextExtraction",
    "BoilerNet",
    "BoilerNetTraining",
    "Boilerpipe",
    "CollapsedDom",
    "ContentCodeBlurring",
    "ContentExtractor",
    "ContentTemplate",
    "Crunch",
    "DocumentRow",
    "DocumentSlopeCurve",
    "DragnetLike",
    "EntropyTemplate",
    "Extraction",
    "ExtractionProxy",
    "Extractor",
    "ExtractorState",
    "FeatureClassifier",
    "FeatureExtractor",
    "InfoDiscoverer",
    "JusText",
    "KFeatureExtractor",
    "LExtractor",
    "LearningOutcome",
    "LearningTask",
    "LinkQuotaFilter",
    "MaximumSubsequenceSegmentation",
    "MeasurementTask",
    "Method",
    "MethodKind",
    "MethodSystem",
    "NodePeer",
    "Outcome",
    "Package",
    "PageClassMethod",
    "PageDocuments",
    "ParsedDocument",
    "Peer",
    "Plain",
    "ProxySystem",
    "Regions",
    "ResultFile",
    "SiteTemplates",
    "Span",
    "StoredExtractor",
    "SummaryRow",
    "System",
    "TagRatios",
    "Template",
    "TextDensity",
    "TrainableMethod",
    "TrainedExtractor",
    "Training",
    "TreeClassifier",
    "UpdatableTemplate",
    "Web2Text",
    "Web2TextMethod",
    "WordFilter",
    "block_labels",
    "block_set",
    "count_leaves",
    "describe_extractor",
    "digest_of",
    "extract",
    "extraction_overlaps",
    "extractor",
    "load_boilernet",
    "load_extractors",
    "load_template",
    "load_trained",
    "make_extractor",
    "measure",
    "measure_document",
    "measure_perturbed",
    "measure_tasks",
    "page_class_method",
    "pooled_leaves",
    "read_package",
    "read_trained",
    "run_learning_tasks",
    "save_boilernet",
    "save_template",
    "save_trained",
    "stored_extractor",
    "summarise",
    "table",
    "template_state",
    "text_blocks",
    "text_labels",
    "text_selector",
    "trainable_method",
    "training_digest",
    "training_sets",
]  # fmt: skip

__getattr__ = lazy_names(__name__, _HOMES)
