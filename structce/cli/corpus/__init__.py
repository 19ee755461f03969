"""``structce corpus``: make corpora, check and show them, and write them in other forms."""

from structce.cli.lazy_group import LazyGroup

command = LazyGroup(
    name="corpus",
    package=__name__,
    help="Make corpora of labelled pages and look at them.",
    summaries={
        "import": "Make a corpus of a public data set or of your own pages, or list the data sets.",
        "synthesise": "Make a corpus of invented pages with exact labels.",
        "info": "Describe a corpus, or one page of it.",
        "check": "Report everything that is wrong with a corpus or a split of it.",
        "split": "Divide the pages of a corpus into parts.",
        "merge": "Write the pages of several corpora as one.",
        "export": "Write a corpus, or some of its pages, in another form.",
    },
)
