"""``structce corpus``: make corpora, look at them, and bring them into other forms."""

from __future__ import annotations

from structce.cli.late import LateGroup

HOMES = {
    "list": "structce.cli.corpus.listing:list_corpora",
    "fetch": "structce.cli.corpus.fetching:fetch",
    "import": "structce.cli.corpus.importing:import_",
    "synthesise": "structce.cli.corpus.synthesising:synthesise_",
    "info": "structce.cli.corpus.info:info",
    "show": "structce.cli.corpus.showing:show",
    "audit": "structce.cli.corpus.auditing:audit",
    "validate": "structce.cli.corpus.validating:validate_",
    "split": "structce.cli.corpus.splitting:split",
    "subset": "structce.cli.corpus.parts:subset",
    "merge": "structce.cli.corpus.parts:merge_",
    "dedupe": "structce.cli.corpus.deduping:dedupe",
    "export": "structce.cli.corpus.exporting:export",
    "convert": "structce.cli.corpus.converting:convert",
}

corpus = LateGroup(
    name="corpus", homes=HOMES, help="Make corpora of labelled pages and look at them."
)
"""The group of commands; each stands in a file of its own."""
