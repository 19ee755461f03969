"""``structce features``: list, show, measure and create features."""

from __future__ import annotations

from structce.cli.lazy_group import LazyGroup

_SUMMARIES = {
    "list": "List the registered features.",
    "show": "Print the value of a feature at every region of a page.",
    "new": "Write a feature to start from, and its test.",
    "try": "Measure what each feature of a file adds to all others.",
}

command = LazyGroup(
    name="features",
    package=__name__,
    summaries=_SUMMARIES,
    help="List and show the features that describe a region, and create new ones.",
)
