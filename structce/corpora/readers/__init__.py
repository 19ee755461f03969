"""Readers of public data sets, one file each; importing this package registers them."""

from structce.corpora.readers import article_benchmark as article_benchmark
from structce.corpora.readers import big9 as big9
from structce.corpora.readers import cleaneval as cleaneval
from structce.corpora.readers import crf_article_extractor as crf_article_extractor
from structce.corpora.readers import dragnet as dragnet
from structce.corpora.readers import fundus as fundus
from structce.corpora.readers import google_trends as google_trends
from structce.corpora.readers import gottron as gottron
from structce.corpora.readers import htmldate as htmldate
from structce.corpora.readers import l3s_gn1 as l3s_gn1
from structce.corpora.readers import news600 as news600
from structce.corpora.readers import newspaper4k as newspaper4k
from structce.corpora.readers import readability as readability
from structce.corpora.readers import semantic_blocks as semantic_blocks
from structce.corpora.readers import swde as swde
from structce.corpora.readers import trafilatura as trafilatura
from structce.corpora.readers import wcxb as wcxb
from structce.corpora.readers.base import (
    KINDS,
    READERS,
    GoldPage,
    Lost,
    Reader,
    open_data_set,
    page_bytes,
    reader,
)

__all__ = [
    "KINDS",
    "READERS",
    "GoldPage",
    "Lost",
    "Reader",
    "open_data_set",
    "page_bytes",
    "reader",
]
