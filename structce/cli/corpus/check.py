"""``structce corpus check``: errors of a corpus, copies of pages, leaks of a split."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from structce import corpus as corpora
from structce.cli import options
from structce.cli.inputs import RenderingChoice, corpus_options
from structce.cli.messages import FAILED, show_message


@click.command("check", epilog="Example:  structce corpus check news --duplicates")
@click.argument("path", metavar="CORPUS", type=options.PATH)
@click.option("--duplicates", is_flag=True, help="List near-duplicate pages, and shared templates.")
@click.option(
    "--split", type=options.EXISTING_FILE, help="Find duplicates and templates in two of its parts."
)
@options.format_option
@corpus_options
def command(
    path: Path, duplicates: bool, split: Path | None, form: str, chosen: RenderingChoice
) -> None:
    """Read every file of a corpus and report everything that is wrong, errors first.

    Errors are damaged or missing files, labels on no region, a digest that does not fit; warnings
    are what is odd, such as a page without any known label. Exits with 1 on an error.

    A model that was trained on a copy of a test page, or on a site with the same template, looks
    better than it is: 'structce corpus export --dedupe' writes a corpus without duplicates.
    """
    if split is not None:
        corpora.refuse_leaks(chosen.open_corpus(path).parts(corpora.Split.load(split)))
        show_message(f"no duplicates and no templates in two parts of {split}")
    elif duplicates:
        corpus = chosen.open_corpus(path)
        find = {"duplicate": corpora.find_duplicates, "template": corpora.find_templates}
        rows = [
            {"kind": kind, "first": p.first, "second": p.second, "similarity": p.similarity}
            for kind, pairs in find.items()
            for p in pairs(corpus)
        ]
        options.print_table(rows, form)
    else:
        findings = sorted(corpora.validate(path), key=lambda finding: finding.level)
        if findings or form == "json":
            options.print_table(map(asdict, findings), form)
        n_errors = sum(finding.level == "error" for finding in findings)
        show_message(f"{path}: {n_errors} errors, {len(findings) - n_errors} warnings")
        if n_errors:
            raise FAILED
