"""Data sets from their public homes: asked for, checked, whole or not at all."""

from structce.corpora.retrieval.archives import Archive, archive_of
from structce.corpora.retrieval.fetching import Fetched, fetch_archive

__all__ = ["Archive", "Fetched", "archive_of", "fetch_archive"]
