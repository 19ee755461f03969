"""Bylines read as sequences: names, agencies, roles, organisations and places among their tokens.

``tokens`` splits a byline and looks up lists of words, ``columns`` names the features of each
token, and ``reader`` finds the names.
"""

from structce.bylines.columns import JOINED_SCRIPTS, NOTHING_STATED, PageNames, columns_of, shape_of
from structce.bylines.reader import (
    BYLINE_LABELS,
    BylineName,
    BylineReader,
    current_reader,
    load_reader,
    save_reader,
    shipped_reader,
    stated_by,
    use_reader,
)
from structce.bylines.tokens import (
    LIST_BITS,
    Hints,
    bare,
    byline_of,
    hints_at,
    hints_of_elements,
    list_bits,
    lists_of,
    tokens_of,
)

__all__ = [
    "BYLINE_LABELS", "JOINED_SCRIPTS", "LIST_BITS", "NOTHING_STATED", "BylineName", "BylineReader",
    "Hints", "PageNames", "bare", "byline_of", "columns_of", "current_reader", "hints_at",
    "hints_of_elements", "list_bits", "lists_of", "load_reader", "save_reader", "shape_of",
    "shipped_reader", "stated_by", "tokens_of", "use_reader",
]  # fmt: skip
