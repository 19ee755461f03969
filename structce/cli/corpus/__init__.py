"""``structce corpus``: make corpora, look at them, and bring them into other forms."""

from __future__ import annotations

from structce.cli.late import LateGroup

HOMES = {
    "import": "structce.cli.corpus.importing:import_",
    "synthesise": "structce.cli.corpus.synthesising:synthesise_",
    "info": "structce.cli.corpus.info:info",
}

corpus = LateGroup(
    name="corpus", homes=HOMES, help="Make corpora of labelled pages and look at them."
)
"""The group of commands; each stands in a file of its own."""
