"""Articles of labelled pages: title, authors, date and text, each with its place."""

from structce.article.characters import printable
from structce.article.choice import Favour
from structce.article.fitting import Example, fit_trees, make_example
from structce.article.one_call import label
from structce.article.reading import evidence_of, read_article
from structce.article.record import article_record
from structce.article.structure import body_blocks, body_text
from structce.article.values import Article, Block, Cell, FieldValue, Image, ListItem

__all__ = [
    "Article",
    "Block",
    "Cell",
    "Example",
    "Favour",
    "FieldValue",
    "Image",
    "ListItem",
    "article_record",
    "body_blocks",
    "body_text",
    "evidence_of",
    "fit_trees",
    "label",
    "make_example",
    "printable",
    "read_article",
]
