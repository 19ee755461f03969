"""Bulk labelling: WARC, Parquet, folders and lists to Parquet, in processes or on a Ray cluster."""

from structce.bulk.engines import ENGINES, BulkCounts, BulkSettings, EngineName, run_bulk
from structce.bulk.inputs import ParquetColumns
from structce.bulk.tables import BulkFolder

__all__ = [
    "ENGINES", "BulkCounts", "BulkFolder", "BulkSettings", "EngineName", "ParquetColumns",
    "run_bulk",
]  # fmt: skip
