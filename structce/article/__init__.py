"""Articles of labelled pages: title, authors, date and text, each with its place on the page.

From the top: ``api`` and ``batch`` are the functions of users, ``reader`` renders, labels and reads
pages, and ``reading`` makes an article of a labelled page. ``evidence`` is what all its fields are
chosen by: ``titles``, ``dates`` and ``authors`` offer ``candidates``, among which ``choice``
chooses; ``block_columns`` and ``body_choice`` find the text, ``posts`` that of threads, and
``structure`` makes blocks of it. ``roles``, ``page_type``, ``quality``, ``verdict`` and ``context``
add to it. ``values`` and ``blocks`` are the types of the result, ``record`` and ``formats`` its
forms.

The modules for many pages, tables and records, and those that fit the trees of a model, are
imported at first use; reading one page does not need them.
"""

from typing import TYPE_CHECKING

from structce.article.api import HtmlReader, extract, label, load
from structce.article.article import Article
from structce.article.blocks import (
    Block,
    Cell,
    Image,
    Inline,
    ListItem,
    Mark,
    Part,
    nested,
    printable,
)
from structce.article.body_choice import Favour
from structce.article.chunks import (
    Chunk,
    TokenCounter,
    Unit,
    body_units,
    count_words,
    locate_words,
    longest_run,
    written,
)
from structce.article.evidence import Evidence, evidence_of
from structce.article.quality import RISKS, RiskTable, risk_table
from structce.article.reader import PageOutcome, PageReader, ReadingPool
from structce.article.reading import (
    PageRecord,
    Reading,
    page_head,
    page_record,
    read_article,
    read_labelling,
    warn_if_empty,
    without_doubtful,
)
from structce.article.record import article_record
from structce.article.regions import join_regions
from structce.article.site_rules import FieldRule, SiteRules
from structce.article.structure import body_blocks, body_text
from structce.article.values import (
    DOUBTFUL,
    Access,
    Context,
    FieldValue,
    LabelledRegion,
    NextPage,
    Post,
    TextSource,
    Verdict,
    VerdictKind,
)
from structce.lazy_import import lazy_names

if TYPE_CHECKING:
    from structce.article.batch import (
        DocumentReader,
        label_async,
        label_files,
        label_files_async,
        page_loaders,
    )
    from structce.article.explanation import (
        ValueExplanation,
        explain_regions,
        explain_value,
        explained_label,
    )
    from structce.article.fitting import Example, fit_trees, make_body_example, make_example
    from structce.article.frame import (
        CHUNK_COLUMNS,
        COLUMNS,
        article_row,
        chunk_rows,
        parquet_bytes,
        table_schema,
        to_frame,
    )
    from structce.article.site_learning import LabelledReading, learn_rules

_NAMES = {
    "batch": "DocumentReader label_async label_files label_files_async page_loaders",
    "explanation": "ValueExplanation explain_regions explain_value explained_label",
    "fitting": "Example fit_trees make_body_example make_example",
    "frame": "CHUNK_COLUMNS COLUMNS article_row chunk_rows parquet_bytes table_schema to_frame",
    "site_learning": "LabelledReading learn_rules",
}

__all__ = [
    "CHUNK_COLUMNS", "COLUMNS", "DOUBTFUL", "RISKS", "Access", "Article", "Block", "Cell", "Chunk",
    "Context", "DocumentReader", "Evidence", "Example", "Favour", "FieldRule", "FieldValue",
    "HtmlReader", "Image", "Inline", "LabelledReading", "LabelledRegion", "ListItem", "Mark",
    "NextPage", "PageOutcome", "PageReader", "PageRecord", "Part", "Post", "Reading", "ReadingPool",
    "RiskTable", "SiteRules", "TextSource", "TokenCounter", "Unit", "ValueExplanation", "Verdict",
    "VerdictKind", "article_record", "article_row", "body_blocks", "body_text", "body_units",
    "chunk_rows", "count_words", "evidence_of", "explain_regions", "explain_value",
    "explained_label", "extract", "fit_trees", "join_regions", "label", "label_async",
    "label_files", "label_files_async", "learn_rules", "load", "locate_words", "longest_run",
    "make_body_example", "make_example", "nested", "page_head", "page_loaders", "page_record",
    "parquet_bytes", "printable", "read_article", "read_labelling", "risk_table", "table_schema",
    "to_frame", "warn_if_empty", "without_doubtful", "written",
]  # fmt: skip

__getattr__ = lazy_names(
    __name__,
    {name: f"{__name__}.{home}" for home, names in _NAMES.items() for name in names.split()},
)
