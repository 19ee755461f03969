"""Articles of labelled pages: title, authors, date and text, each with its place.

The modules for many pages, tables and records, and those that fit the trees of a model, are
imported at first use; reading one page does not need them.
"""

from typing import TYPE_CHECKING

from structce.article.article import Article
from structce.article.blocks import (
    Block,
    Cell,
    Image,
    Inline,
    ListItem,
    Mark,
    Part,
    line_text,
    nested,
)
from structce.article.body_choice import Favour
from structce.article.characters import printable
from structce.article.evidence import Evidence
from structce.article.one_call import Readable, label
from structce.article.places import labelled_regions
from structce.article.reader import PageOutcome, PageReader, ReadingPool
from structce.article.reading import (
    ArticleReader,
    Reading,
    evidence_of,
    read_article,
    read_labelling,
    warn_of_nothing,
)
from structce.article.record import article_record, region_record
from structce.article.structure import body_blocks, body_text
from structce.article.values import (
    DOUBTFUL,
    Access,
    ArticleFields,
    Context,
    FieldValue,
    Item,
    LabelledRegion,
    NextPage,
    Post,
)
from structce.doors import lazy_names

if TYPE_CHECKING:
    from structce.article.asynchronous import label_async, label_files_async
    from structce.article.batch import DocumentReader, label_files, page_loaders
    from structce.article.fitting import Example, fit_trees, make_body_example, make_example
    from structce.article.frame import COLUMNS, article_row, article_schema, parquet_bytes, to_frame
    from structce.article.page_records import (
        PageRecord,
        explain_regions,
        explained_label,
        page_head,
        page_record,
        unlabelled_regions,
        without_doubtful,
    )
    from structce.article.story import follow_pages, join_pages

_HOMES = {
    "COLUMNS": "structce.article.frame",
    "DocumentReader": "structce.article.batch",
    "Example": "structce.article.fitting",
    "PageRecord": "structce.article.page_records",
    "article_row": "structce.article.frame",
    "article_schema": "structce.article.frame",
    "explain_regions": "structce.article.page_records",
    "explained_label": "structce.article.page_records",
    "fit_trees": "structce.article.fitting",
    "follow_pages": "structce.article.story",
    "join_pages": "structce.article.story",
    "label_async": "structce.article.asynchronous",
    "label_files": "structce.article.batch",
    "label_files_async": "structce.article.asynchronous",
    "make_body_example": "structce.article.fitting",
    "make_example": "structce.article.fitting",
    "page_head": "structce.article.page_records",
    "page_loaders": "structce.article.batch",
    "page_record": "structce.article.page_records",
    "parquet_bytes": "structce.article.frame",
    "to_frame": "structce.article.frame",
    "unlabelled_regions": "structce.article.page_records",
    "without_doubtful": "structce.article.page_records",
}

__all__ = [
    "COLUMNS",
    "DOUBTFUL",
    "Access",
    "Article",
    "ArticleFields",
    "ArticleReader",
    "Block",
    "Cell",
    "Context",
    "DocumentReader",
    "Evidence",
    "Example",
    "Favour",
    "FieldValue",
    "Image",
    "Inline",
    "Item",
    "LabelledRegion",
    "ListItem",
    "Mark",
    "NextPage",
    "PageOutcome",
    "PageReader",
    "PageRecord",
    "Part",
    "Post",
    "Readable",
    "Reading",
    "ReadingPool",
    "article_record",
    "article_row",
    "article_schema",
    "body_blocks",
    "body_text",
    "evidence_of",
    "explain_regions",
    "explained_label",
    "fit_trees",
    "follow_pages",
    "join_pages",
    "label",
    "label_async",
    "label_files",
    "label_files_async",
    "labelled_regions",
    "line_text",
    "make_body_example",
    "make_example",
    "nested",
    "page_head",
    "page_loaders",
    "page_record",
    "parquet_bytes",
    "printable",
    "read_article",
    "read_labelling",
    "region_record",
    "to_frame",
    "unlabelled_regions",
    "warn_of_nothing",
    "without_doubtful",
]

__getattr__ = lazy_names(__name__, _HOMES)
