"""``structce corpus``: make corpora, inspect them, and convert them."""

from __future__ import annotations

from structce.cli.lazy_group import LazyGroup

_COMMANDS = {
    "list": "structce.cli.corpus.datasets:list_datasets_command",
    "fetch": "structce.cli.corpus.datasets:fetch_command",
    "import": "structce.cli.corpus.datasets:import_command",
    "synthesise": "structce.cli.corpus.datasets:synthesise_command",
    "info": "structce.cli.corpus.inspect:info_command",
    "show": "structce.cli.corpus.inspect:show_page_command",
    "audit": "structce.cli.corpus.audit:audit_command",
    "validate": "structce.cli.corpus.inspect:validate_command",
    "select": "structce.cli.corpus.convert:select_command",
    "split": "structce.cli.corpus.transform:split_command",
    "subset": "structce.cli.corpus.transform:subset_command",
    "merge": "structce.cli.corpus.transform:merge_command",
    "dedupe": "structce.cli.corpus.transform:dedupe_command",
    "export": "structce.cli.corpus.convert:export_command",
    "convert": "structce.cli.corpus.convert:convert_command",
}

corpus_group = LazyGroup(
    name="corpus", targets=_COMMANDS, help="Make corpora of labelled pages and look at them."
)
