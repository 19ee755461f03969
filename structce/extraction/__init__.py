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
from structce.extraction.boilerpipe import Boilerpipe
from structce.extraction.cetd import TextDensity
from structce.extraction.cetr import TagRatios
from structce.extraction.combination import Cascade, Vote
from structce.extraction.commands import Command, PublishedTexts
from structce.extraction.content_code_blurring import ContentCodeBlurring
from structce.extraction.content_extractor import ContentExtractor, ContentTemplate
from structce.extraction.dragnet_like import DragnetLike, TreeClassifier
from structce.extraction.entropy import EntropyTemplate, InfoDiscoverer
from structce.extraction.feature_extractor import FeatureExtractor, KFeatureExtractor
from structce.extraction.justext import JusText
from structce.extraction.l_extractor import FeatureClassifier, LExtractor
from structce.extraction.link_filters import Crunch, LinkQuotaFilter
from structce.extraction.parsed_document import Extraction, ParsedDocument, Span
from structce.extraction.peers import Peer, defuddle, readability_js
from structce.extraction.regions import Regions
from structce.extraction.registry import (
    EXTRACTORS,
    OPERATORS,
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
    make_page_class_method,
    make_trainable_method,
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
        System,
        digest_of,
        measure,
        measure_document,
        measure_perturbed,
        read_package,
    )
    from structce.extraction.measurement import (
        JobOutcome,
        MeasurementJob,
        Method,
        MethodKind,
        PageDocuments,
        run_jobs,
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
    from structce.extraction.result_table import COLUMNS, PARTS, ResultFile, document_cells, table
    from structce.extraction.selection import text_selector

_LATE = {
    "benchmark": "KILOBYTE SECONDS DocumentRow MethodSystem Outcome Package ProxySystem "
    "System digest_of measure measure_document measure_perturbed read_package",
    "measurement": "JobOutcome MeasurementJob Method MethodKind PageDocuments run_jobs "
    "training_sets",
    "measures": "LEAVES MEASURES count_leaves extraction_overlaps pooled_leaves",
    "proxies": "LOOPBACK ExtractionProxy",
    "result_table": "COLUMNS PARTS ResultFile document_cells table",
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
    "BLOCK_TAGS", "COLUMNS", "EXTRACTORS", "FEATURE_CLASSES", "KILOBYTE", "LEAVES", "LOOPBACK",
    "MEASURES", "OPERATORS", "PAGE_CLASS_METHODS", "PARTS", "SCHEMES", "SECONDS",
    "STORED_EXTRACTORS", "TEMPLATE_STATES", "TRAINABLE_METHODS", "BlockClassifier",
    "BlockColumns", "BlockFilter", "BlockSVM", "Blocks", "BodyTextExtraction", "BoilerNet",
    "BoilerNetTraining", "Boilerpipe", "Cascade", "CollapsedDom", "Command",
    "ContentCodeBlurring", "ContentExtractor", "ContentTemplate", "Crunch", "DocumentRow",
    "DocumentSlopeCurve", "DragnetLike", "EntropyTemplate", "Extraction", "ExtractionProxy",
    "Extractor", "ExtractorState", "FeatureClassifier", "FeatureExtractor", "InfoDiscoverer",
    "JobOutcome", "JusText", "KFeatureExtractor", "LExtractor", "LinkQuotaFilter",
    "MaximumSubsequenceSegmentation", "MeasurementJob", "Method", "MethodKind", "MethodSystem",
    "Outcome", "Package", "PageClassMethod", "PageDocuments", "ParsedDocument", "Peer", "Plain",
    "ProxySystem", "PublishedTexts", "Regions", "ResultFile", "SiteTemplates", "Span",
    "StoredExtractor", "System", "TagRatios", "Template", "TextDensity", "TrainableMethod",
    "TrainedExtractor", "Training", "TreeClassifier", "UpdatableTemplate", "Vote", "Web2Text",
    "Web2TextMethod", "WordFilter", "block_labels", "block_set", "count_leaves", "defuddle",
    "describe_extractor", "digest_of", "document_cells", "extract", "extraction_overlaps",
    "extractor", "load_boilernet", "load_extractors", "load_template", "load_trained",
    "make_extractor", "make_page_class_method", "make_trainable_method", "measure",
    "measure_document", "measure_perturbed", "page_class_method", "pooled_leaves",
    "read_package", "read_trained", "readability_js", "run_jobs", "save_boilernet",
    "save_template", "save_trained", "stored_extractor", "table", "template_state",
    "text_blocks", "text_labels", "text_selector", "trainable_method", "training_digest",
    "training_sets",
]  # fmt: skip

__getattr__ = lazy_names(__name__, _HOMES)
