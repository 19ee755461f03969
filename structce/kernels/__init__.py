"""Kernels: loops over typed columns, compiled if a compiler was there at installation."""

from structce.kernels.chosen import (
    add_rows,
    best_labels,
    bin_numbers,
    chain_marginals,
    compiled,
    count_characters,
    counts_above,
    has_empty,
    look_up,
    nearest,
    path_numbers,
    scan_markup,
    subtree_ends,
    sum_leaves,
    sums_below,
)

__all__ = [
    "add_rows",
    "best_labels",
    "bin_numbers",
    "chain_marginals",
    "compiled",
    "count_characters",
    "counts_above",
    "has_empty",
    "look_up",
    "nearest",
    "path_numbers",
    "scan_markup",
    "subtree_ends",
    "sum_leaves",
    "sums_below",
]
