"""Readers of public data sets, one file each; importing this package registers them."""

from structce.corpora.readers import fundus as fundus
from structce.corpora.readers.base import (
    KINDS,
    READERS,
    GoldPage,
    Lost,
    Reader,
    open_data_set,
    reader,
)

__all__ = ["KINDS", "READERS", "GoldPage", "Lost", "Reader", "open_data_set", "reader"]
