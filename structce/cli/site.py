"""``structce site`` and ``template``: what is learnt of one site, and kept in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from structce import extraction
from structce.addresses import split_address
from structce.article import (
    COLUMNS,
    LabelledReading,
    PageReader,
    Reading,
    SiteRules,
    evidence_of,
    learn_rules,
    page_loaders,
)
from structce.cli import options
from structce.cli.messages import fail_with, show_message
from structce.cli.options import RenderingChoice, choose_models, rendering_options, show_progress
from structce.datasets import READERS, GoldPage
from structce.errors import CorpusError, ExtractionError, StructceError
from structce.page import site_of
from structce.rendering import check_markup, open_sources


@click.group("site")
def command() -> None:
    """Learn where the pages of a site show their values, from a few labelled pages."""


@command.command(
    "learn", epilog="Example:  structce site learn pages/ --gold three.csv -o rules.toml"
)
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
@click.option(
    "--gold",
    type=options.EXISTING_FILE,
    required=True,
    metavar="TABLE",
    help="Labelled pages, as CSV or JSON Lines: their files, as seen from the table, and title, "
    "authors, date, text, or columns of your own.",
)
@click.option("-o", "--out", type=options.FILE, required=True, metavar="RULES.toml")
@options.model_option
@options.force_option
@rendering_options
def learn_site(
    sources: tuple[str, ...], gold: Path, out: Path, model: str | None, force: bool,
    chosen: RenderingChoice,
) -> None:  # fmt: skip
    """Write rules for a site, which a person may read and edit, for 'structce label --rules'.

    A rule is right on two labelled pages or more, and wrong on none; three pages are a good start.
    Prints for each rule on how many labelled pages it is right, and on how many of the pages SRC it
    finds something, and how many different values: one value on all pages may not be the page's.
    """
    if out.exists() and not force:
        raise click.UsageError(f"{out} already exists; --force overwrites it")
    renderer, models = choose_models(model, chosen)
    reader = PageReader(renderer, models, spans=False)
    with renderer:
        labelled = list(_labelled(reader, gold))
    hosts = {split_address(page.reading.article.url).hostname or "" for page in labelled}
    rules = learn_rules(labelled, sorted(hosts - {""}))
    read = chosen.reader()
    loaders = list(page_loaders(sources, read))
    outcomes = reader.pipe(loaders, partial(_found, rules=rules), workers=chosen.workers)
    pages = list(show_progress(outcomes, len(loaders), waits=True))
    rules.save(out)
    options.print_table(_rows(rules, [page.value for page in pages if page.value]))
    stated = {name for page in labelled for name in page.gold.others}
    for truth in (page.gold for page in labelled):
        fields = {"title": truth.title, "authors": truth.authors, "date": truth.date}
        stated |= {name for name, value in {**fields, "text": truth.body}.items() if value}
    if missing := sorted(stated - {*rules.fields}):
        show_message(f"no good rule for {', '.join(missing)}, which the model decides if it can")
    show_message(f"{len(rules.fields)} rules from {len(labelled)} pages written to {out}")
    fail_with(page.error for page in pages if page.error)


def _labelled(reader: PageReader, table: Path) -> Iterator[LabelledReading]:
    """Yield the labelled pages of a table; its own columns are further values."""
    for page in READERS["table"].read(table):
        if not isinstance(page, GoldPage):
            raise CorpusError(f"{table}: {page.reason}; files are looked for in {table.parent}")
        others = {name: (value,) for name, value in page.gold.about.items() if name not in COLUMNS}
        gold = replace(page.gold, others=others, about={})
        yield LabelledReading(reader(page.document(), page.id), gold)


def _found(_: str, reading: Reading, *, rules: SiteRules) -> Mapping[str, str]:
    """Return the values that rules find on a page, in the process that read it."""
    evidence = evidence_of(reading.labelling)
    values = {}
    for name in rules.fields:
        if choices := rules.choices(evidence, name):
            values[name] = "; ".join(choice.candidate.value for choice in choices)
    page = evidence.page
    if (is_body := rules.body(page)) is not None:
        values["text"] = " ".join(text for i, text in enumerate(page.text) if is_body[i])
    return values


def _rows(rules: SiteRules, pages: Sequence[Mapping[str, str]]) -> Iterator[dict[str, object]]:
    for name, rule in rules.fields.items():
        values = [page[name] for page in pages if name in page]
        yield {
            "field": name,
            "right": f"{rule.right} of {rule.right + rule.wrong}",
            "found": f"{len(values)} of {len(pages)}",
            "different": len({*values}),
            "paths": ", ".join(rule.paths),
        }


@click.group("template")
def template_command() -> None:
    """Learn what the pages of a site share, to extract what they do not.

    What is learnt from a few pages serves all of the site: structce extract PAGE --method
    template:FILE.
    """


@template_command.command(
    "learn", epilog="Example:  structce template learn pages/ --out post.template"
)
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
@click.option("--out", required=True, type=options.FILE, help="File for the template.")
@click.option("--method", default="content-extractor", help="See 'structce extract --list'.")
def learn_template(sources: tuple[str, ...], out: Path, method: str) -> None:
    """Learn the template of a site from its pages: files, folders, archives or addresses.

    Five to ten pages are enough, and two are needed. A page that cannot be read is left out; the
    command then exits with 1.
    """
    opened, sites, errors = list(open_sources(sources)), set[str](), list[str]()

    def documents() -> Iterator[extraction.ParsedDocument]:
        for source in show_progress(opened, len(opened), waits=True):
            try:
                document = check_markup(source.read())
            except StructceError as error:
                errors.append(str(error))
                continue
            sites.add(site_of(document.url))
            yield extraction.ParsedDocument.of(document)

    template = extraction.PAGE_CLASS_METHODS.make(method).learn(documents())
    if not isinstance(template, extraction.Template):
        raise ExtractionError(f"{out}: what this method learns cannot be saved to a file")
    if len(sites) > 1:
        named = ", ".join(sorted(site or "no address" for site in sites))
        show_message(f"warning: a template is for one site; these pages are from {named}")
    extraction.save_template(template, out)
    pages, rows = template.n_pages, len(template.rows())
    show_message(f"{out}: {template.method}, learnt from {pages:,} pages, {rows:,} rows")
    fail_with(errors)
