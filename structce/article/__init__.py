"""Articles of labelled pages: title, authors, date and text, each with its place.

The modules that fit the trees of a model are imported at first use; labelling does not need them.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from structce.article.characters import printable
from structce.article.choice import Favour
from structce.article.evidence import Evidence
from structce.article.one_call import Readable, label
from structce.article.places import labelled_regions
from structce.article.reading import (
    Reading,
    evidence_of,
    read_article,
    read_labelling,
    warn_of_nothing,
)
from structce.article.record import article_record, region_record
from structce.article.structure import body_blocks, body_text
from structce.article.values import (
    Article,
    Block,
    Cell,
    FieldValue,
    Image,
    LabelledRegion,
    ListItem,
    Post,
)

if TYPE_CHECKING:
    from structce.article.fitting import Example, fit_trees, make_body_example, make_example

_FITTING = ("Example", "fit_trees", "make_body_example", "make_example")

__all__ = [
    "Article",
    "Block",
    "Cell",
    "Evidence",
    "Example",
    "Favour",
    "FieldValue",
    "Image",
    "LabelledRegion",
    "ListItem",
    "Post",
    "Readable",
    "Reading",
    "article_record",
    "body_blocks",
    "body_text",
    "evidence_of",
    "fit_trees",
    "label",
    "labelled_regions",
    "make_body_example",
    "make_example",
    "printable",
    "read_article",
    "read_labelling",
    "region_record",
    "warn_of_nothing",
]


def __getattr__(name: str) -> object:
    """Return a public name of the module that fits trees, importing it at first use."""
    if name not in _FITTING:
        raise AttributeError(f"module 'structce.article' has no attribute {name!r}")
    return getattr(import_module("structce.article.fitting"), name)
