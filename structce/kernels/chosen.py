"""Choice between the compiled kernels and those in NumPy.

Without compiled kernels those of :mod:`structce.kernels.reference` run, in NumPy. Some have no
such version here, as their textbook versions are beside their only uses; they are None then.
``STRUCTCE_KERNELS=reference`` in the environment chooses NumPy in any case.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from importlib import import_module
from types import ModuleType
from typing import Any

from structce.arrays import Floats, Integers, Integers32
from structce.kernels import reference
from structce.kernels.reference import *  # noqa: F403

# ruff: noqa: F405  (names of the reference)

__all__ = [
    "add_rows", "best_labels", "bin_numbers", "bits_down", "bits_up", "block_sums",
    "chain_marginals", "compiled", "count_characters", "count_latin", "count_tags", "counts_above",
    "find_columns", "find_parts", "find_phrases", "find_texts", "first_rows",
    "map_codes", "map_rows", "near_unions", "nearest", "normalise", "number_values",
    "packed_paths", "path_numbers", "places_of", "places_of_keys", "read_attributes", "read_names",
    "read_texts", "scan_markup", "score_tokens", "split_words", "sum_leaves", "sum_names",
    "sums_below", "tree_walk", "unions_down", "word_filter",
]  # fmt: skip


def _load(name: str) -> ModuleType | None:
    if os.environ.get("STRUCTCE_KERNELS") == "reference":
        return None
    try:
        return import_module(f"structce.kernels.{name}")
    except ImportError:
        return None


_MODULE = _load("_compiled")
if _MODULE is not None:
    globals().update({name: f for name, f in vars(_MODULE).items() if name in reference.__all__})

compiled = _MODULE is not None
"""Whether the compiled kernels run."""

chain_marginals: Callable[[Floats, Integers, Floats], Floats] | None
chain_marginals = getattr(_MODULE, "chain_marginals", None)
"""Marginals of the labels of several chains, concatenated: scores, lengths, transitions."""

best_labels: Callable[[Floats, Integers, Floats], Integers] | None
best_labels = getattr(_MODULE, "best_labels", None)
"""Highest-scoring labels of several chains, from the same arguments."""

score_tokens: Callable[..., Floats] | None = getattr(_MODULE, "score_tokens", None)
"""Scores of the tokens of bylines, see :mod:`structce.bylines.columns`."""

scan_markup: Callable[..., tuple[Any, ...]] | None = getattr(_MODULE, "scan_markup", None)
"""Scan of a source, see :func:`structce.rendering.html_scanner.scan_markup`."""

count_tags: Callable[[bytes, tuple[tuple[bytes, ...], ...], int], tuple[Any, ...]] | None
count_tags = getattr(_MODULE, "count_tags", None)
"""Counts of tags, see :func:`structce.rendering.static.parser.count_tags`."""

encode: Callable[[str], bytes | None] | None = getattr(_MODULE, "encode", None)
"""A text of wide characters in UTF-8; None for any other, or one with lone surrogates."""

find_texts: Callable[..., tuple[Integers32, Integers32, Integers32]] | None
find_texts = getattr(_MODULE, "find_texts", None)
"""Texts of a source that a page contains, see `structce.rendering.source_spans`."""

read_attributes: Callable[[str, int], dict[str, str]] | None
read_attributes = getattr(_MODULE, "read_attributes", None)
"""Attributes of a start tag as written, from a place on; the first of a name counts."""

Words = tuple[str, ...]

split_words: Callable[[list[str], Callable[[str], Words]], list[Words]] | None
split_words = getattr(_MODULE, "split_words", None)
"""Words of texts, see :func:`structce.language.split_words`, which splits those not so simple."""

read_texts: Callable[..., tuple[list[str], Integers]] | None
read_texts = getattr(_MODULE, "read_texts", None)
"""Letters, words and signs of texts, see :func:`structce.language.read_texts`, in the same way."""

word_filter: Callable[[Iterable[str]], Any] | None = getattr(_MODULE, "word_filter", None)
"""Filter of texts for words that are sought in them, an argument of ``read_texts``."""

count_latin: Callable[[str], tuple[int, int, int, int] | None] | None
count_latin = getattr(_MODULE, "count_latin", None)
"""Counts of a text, see `structce.article.quality`; None if letters are beyond Latin-1."""

normalise: Callable[[list[str], Callable[[str], str]], list[str]] | None
normalise = getattr(_MODULE, "normalise", None)
"""Letters of texts, see :func:`structce.language.normalise`, in the same way."""


find_phrases: Callable[[tuple[str, ...], dict[str, Any]], dict[str, Any]] | None
find_phrases = getattr(_MODULE, "find_phrases", None)
"""Phrases among words, see :func:`structce.language.cues.find_phrases`."""


def tree_walk() -> ModuleType | None:
    """Return the compiled walk over a parsed page, see `structce.rendering.static.traversal`."""
    return _load("_walk")
