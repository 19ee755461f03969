"""``structce features``: list, show, measure and create features."""

from structce.cli.lazy_group import LazyGroup

command = LazyGroup(
    name="features",
    package=__name__,
    help="List and show the features that describe a region, and create new ones.",
    summaries={
        "list": "List the registered features.",
        "show": "Print the value of a feature at every region of a page.",
        "new": "Write a feature to start from, and its test.",
        "try": "Measure what each feature of a file adds to all others.",
    },
)
