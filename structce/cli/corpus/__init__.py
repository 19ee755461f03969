"""``structce corpus``: make corpora, look at them, and bring them into other forms."""

from __future__ import annotations

from structce.cli.lazy_group import LateGroup

HOMES = {
    "list": "structce.cli.corpus.datasets:list_corpora",
    "fetch": "structce.cli.corpus.datasets:fetch",
    "import": "structce.cli.corpus.datasets:import_",
    "synthesise": "structce.cli.corpus.datasets:synthesise_",
    "info": "structce.cli.corpus.inspect:info",
    "show": "structce.cli.corpus.inspect:show",
    "audit": "structce.cli.corpus.audit:audit",
    "validate": "structce.cli.corpus.inspect:validate_",
    "split": "structce.cli.corpus.transform:split",
    "subset": "structce.cli.corpus.transform:subset",
    "merge": "structce.cli.corpus.transform:merge_",
    "dedupe": "structce.cli.corpus.transform:dedupe",
    "export": "structce.cli.corpus.convert:export",
    "convert": "structce.cli.corpus.convert:convert",
}

corpus = LateGroup(
    name="corpus", homes=HOMES, help="Make corpora of labelled pages and look at them."
)
"""The group of commands; each stands in a file of its own."""
