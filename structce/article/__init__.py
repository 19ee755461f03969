"""Articles of labelled pages: title, authors, date and text, each with its place."""

from structce.article.one_call import label
from structce.article.reading import read_article, segments
from structce.article.structure import body_blocks, body_text
from structce.article.values import Article, Block, Cell, FieldValue, Image, ListItem

__all__ = [
    "Article",
    "Block",
    "Cell",
    "FieldValue",
    "Image",
    "ListItem",
    "body_blocks",
    "body_text",
    "label",
    "read_article",
    "segments",
]
