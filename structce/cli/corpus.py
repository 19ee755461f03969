"""``structce corpus``: make corpora, check and show them, and write them in other forms."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

import click

from structce import corpus as corpora
from structce import datasets
from structce.cli import options
from structce.cli.messages import FAILED, fail_with, show_message
from structce.cli.options import RenderingChoice, rendering_options
from structce.corpus import CORPUS_MANIFEST
from structce.datasets import READERS, DataSetReader, GoldPage
from structce.errors import CorpusError
from structce.language import printable

_FACTS = (
    "name title gold labels reading licence may_train citation home archive digest note".split()
)
_NO_NAME = re.compile(r"[^\w.-]+")
_WIDTH = 76  # columns of the line of languages
_CORPUS, _GOTTRON = "corpus", "gottron"
_FORMS = (_CORPUS, *corpora.EXPORTS, _GOTTRON)

_DEFAULT_PARTS = "train=0.5,validation=0.17,test=0.33"
"""Default parts, the same as those of 'structce compare'."""

_path_argument = click.argument("path", metavar="CORPUS", type=options.PATH)


@click.group("corpus")
def command() -> None:
    """Make corpora of labelled pages and look at them."""


@command.command("import", epilog="Example:  structce corpus import fundus fundus.zip news")
@click.argument("name", required=False)
@click.argument("source", metavar="[SRC]", required=False, type=options.PATH)
@click.argument("out", required=False, type=options.PATH)
@click.option("--list", "lists", is_flag=True, help="List the data sets; with NAME, all about one.")
@click.option("--fetch", is_flag=True, help="First download the data set to SRC, unless there.")
@click.option(
    "--site-from", type=click.Choice(datasets.SITE_RULES), help="What makes sites, if not stated."
)
@click.option("--package", is_flag=True, help="Write test packages, pages as they are with texts.")
@click.option("--by", multiple=True, help="One --package per site, family or fact (page_type).")
@options.format_option
@rendering_options
def import_command(
    name: str | None, source: Path | None, out: Path | None, lists: bool, fetch: bool,
    site_from: str | None, package: bool, by: Sequence[str], form: str, chosen: RenderingChoice,
) -> None:  # fmt: skip
    """Read a public data set from a folder or zip archive, render it, and align its gold.

    NAME is one that --list shows, or that of your own reader (--import FILE.py).

    Prints for each field how many gold values were found on their pages, and how. An interrupted
    import continues where it stopped, and so does a download. Exits with 1 if a page failed.
    """
    if lists:
        _print_readers(name, form)
        return
    if name is None or source is None or (out is None and not fetch):
        raise click.UsageError("expected NAME, SRC and OUT; --list shows the names")
    reader = READERS[name]
    if fetch:
        _fetch(reader, source)
    elif not source.exists():
        raise click.UsageError(f"{source}: no such file or folder; --fetch downloads a data set")
    if out is None:
        return
    if package:
        folder_of = partial(_package_folder, out, by)
        pages = reader.read(source)
        written, lost = datasets.write_gold_packages(pages, folder_of, reader.licence)
        for folder, n_pages in written.items():
            show_message(f"{n_pages} pages written to {folder}")
        if not written:
            raise CorpusError(f"{source}: no page has a main text, and all facts of --by")
    else:
        _check_no_corpus(out)
        lost = _write_corpus(reader, source, chosen, out, site_from or "", form)
    fail_with(f"{page}: {reason}" for page, reason in lost.items())


def _check_no_corpus(out: Path) -> None:
    if (out / CORPUS_MANIFEST).exists():
        raise CorpusError(f"{out}: already contains a corpus; name a new folder")


def _write_corpus(
    reader: DataSetReader, source: Path, chosen: RenderingChoice, out: Path, rule: str, form: str
) -> dict[str, str]:
    """Write a corpus, and print how well its gold was matched; return the errors by page."""
    if not rule and reader.sites is not None and not reader.sites(source):
        raise click.UsageError(
            f"{source} does not state which pages belong to one site, and figures on sites that "
            "were trained on are too good: add a column 'site' or 'url', put the pages of each "
            "site into a folder, or give --site-from page (each is of another site) or "
            "--site-from one"
        )
    manifest = datasets.write_corpus(reader.name, source, chosen.start(), out, site_from=rule)
    notes: Mapping[str, object] = manifest["notes"]
    alignment, failed = notes["alignment"], notes["failed"]
    options.print_table(alignment if isinstance(alignment, list) else [], form)
    n_sites = len({row["site"] for row in manifest["pages"]})
    by = f" (sites by {notes['sites']})" if notes.get("sites") else ""
    show_message(f"{len(manifest['pages'])} pages of {n_sites} sites{by} written to {out}")
    return failed if isinstance(failed, dict) else {}


def _package_folder(out: Path, by: Sequence[str], page: GoldPage) -> Path | None:
    """Return the folder of the package of a page; None if it lacks a fact."""
    facts = {**page.gold.about, "site": page.site, "family": page.family}
    values = [_NO_NAME.sub("-", facts.get(name, "")).strip("-.") for name in by]
    return out.joinpath("-".join(values) if values else "") if all(values) else None


def _print_readers(name: str | None, form: str) -> None:
    readers = [READERS[key] for key in ([name] if name else sorted(READERS))]
    rows = [{fact: getattr(reader, fact) for fact in _FACTS} for reader in readers]
    if form == "json":
        options.print_json(rows)
        return
    for row in rows:
        row |= {fact: " ".join(x) for fact, x in row.items() if isinstance(x, tuple)}
        row |= {"train": row["may_train"], "fetch": bool(row["archive"])}
    if name is not None:
        options.print_table({"fact": fact, name: rows[0][fact]} for fact in _FACTS)
    else:
        columns = ("name", "gold", "licence", "train", "fetch")
        options.print_table(({fact: row[fact] for fact in columns} for row in rows), width=48)


def _fetch(reader: DataSetReader, path: Path) -> None:
    if not reader.archive:
        reason = reader.missing or "no known archive of it can be read as it is"
        raise CorpusError(f"{reader.name} cannot be fetched: {reason}. Home: {reader.home}")
    for fact in ("title", "licence", "citation", "home", "archive", "note"):
        show_message(f"{fact:<10}{getattr(reader, fact)}")
    if not reader.may_train:
        show_message("what is learnt from it may not be passed on")
    if not path.exists() and not click.confirm(f"Accept, and download it to {path}?", err=True):
        raise FAILED
    fetched = datasets.fetch_archive(reader.archive, path, digest=reader.digest)
    status = "already exists" if fetched.was_there else "written"
    show_message(f"{path} {status}: {fetched.n_bytes / 1e6:,.1f} MB, SHA-256 {fetched.digest}")


@command.command(
    "synthesise", epilog="Example:  structce corpus synthesise out --seed 1 --sites 40"
)
@click.argument("out", type=options.PATH)
@click.option("--sites", default=20, type=options.COUNT, help="Sites.")
@click.option("--pages", default=3, type=options.COUNT, help="Pages per site.")
@options.seed_option
def synthesise_command(out: Path, sites: int, pages: int, seed: int) -> None:
    """Write invented pages of varied sites, most of them news, with exact labels.

    Templates are assigned to sites in turn: 91 or more sites use every template.
    """
    from structce.synthetic import write_sample  # late: its extra is for this command alone

    _check_no_corpus(out)
    written = write_sample(out, sites, pages, seed=seed)
    show_message(f"{written} pages of {sites} sites written to {out}")


@command.command("info", epilog="Example:  structce corpus info news")
@_path_argument
@options.format_option
@rendering_options
def info_command(path: Path, form: str, chosen: RenderingChoice) -> None:
    """Print pages, sites, languages, labels and sizes of a corpus, and how its gold was matched.

    'structce annotate CORPUS' shows its pages with their labels, and where gold values were found.
    """
    summary = corpora.summarise(chosen.open_corpus(path))
    if form == "json":
        options.print_json([summary])
        return
    for name, value in summary.items():
        if isinstance(value, str | int):
            click.echo(f"{name.replace('_', ' '):<15} {value}")
    languages = " ".join(f"{name}:{n}" for name, n in summary["languages"].items())
    click.echo(f"{'languages':<15} {printable(languages, _WIDTH)}\n")
    rows: list[dict[str, object]] = []
    for name, n in summary["labels"].items():
        pages, sites = summary["pages_by_label"][name], summary["sites_by_label"][name]
        note = "" if name in summary["covered"] else "not covered by the gold"
        rows.append({"label": name, "regions": n, "pages": pages, "sites": sites, "": note})
    options.print_table(rows)
    sizes = [{"per page": name, **values} for name, values in summary["sizes"].items()]
    for table in filter(None, (sizes, summary["gold"])):
        click.echo()
        options.print_table(table)


@command.command("check", epilog="Example:  structce corpus check news --duplicates")
@_path_argument
@click.option("--duplicates", is_flag=True, help="List near-duplicate pages, and shared templates.")
@options.format_option
@rendering_options
def check_command(path: Path, duplicates: bool, form: str, chosen: RenderingChoice) -> None:
    """Read every file of a corpus and report everything that is wrong, errors first.

    Errors are damaged or missing files, labels on no region, a digest that does not fit; warnings
    are what is odd, such as a page without any known label. Exits with 1 on an error.

    A model that was trained on a copy of a test page, or on a site with the same template, looks
    better than it is: 'structce corpus export --dedupe' writes a corpus without duplicates.
    """
    if duplicates:
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


@command.command(
    "split", epilog="Example:  structce corpus split news split.json --parts train=0.7,test=0.3"
)
@_path_argument
@click.argument("out", metavar="OUT.json", type=options.FILE)
@click.option(
    "--by", type=click.Choice(corpora.SPLIT_BY), default="site", help="What stays together."
)
@click.option(
    "--parts",
    default=_DEFAULT_PARTS,
    callback=lambda _context, _option, text: _part_sizes(text),
    help="Shares of the pages, or numbers of pages.",
)
@options.seed_option
@rendering_options
def split_command(
    path: Path, out: Path, by: corpora.SplitBy, parts: dict[str, float], seed: int,
    chosen: RenderingChoice,
) -> None:  # fmt: skip
    """Divide the pages of a corpus into named parts, write the split, and print its parts.

    By site, sites stay whole, and so do families of sites that share a template. If pages in two
    parts are nearly the same, or sites share a template that was not known, nothing is written:
    'structce corpus export --dedupe' fixes that. By time, the first part gets the oldest pages and
    the last the newest. By page, pages are drawn at random, as in Spengler et al. (2010): every
    figure on such a split is too good. The file fits no other corpus.
    """
    corpus = chosen.open_corpus(path)
    drawn = corpus.draw_split(parts, by=by, seed=seed)
    divided = corpus.parts(drawn)
    if by == "site":
        corpora.refuse_leaks(divided)
    drawn.save(out)
    rows: list[dict[str, object]] = []
    for name, part in divided.items():
        n_regions = sum(len(page.page) for page in part)
        row = {"part": name, "pages": len(part), "sites": len(part.sites), "regions": n_regions}
        rows.append({**row, **part.counts, "?": part.n_unknown})
    options.print_table(rows)
    straddling = drawn.straddling_families(corpus.pages)
    if by != "site" and straddling:
        show_message(f"warning: {len(straddling)} families of sites are in several parts")
    show_message(f"split by {by} written to {out}")


def _part_sizes(text: str) -> dict[str, float]:
    parts = [part.partition("=") for part in text.split(",")]
    with suppress(ValueError):
        sizes = {name: float(size) for name, _, size in parts}
        is_valid = all(name and 0 < size < math.inf for name, size in sizes.items())
        if is_valid and len(sizes) == len(parts):
            return sizes
    raise click.BadParameter(
        f"{text!r}; expected distinct names with sizes above 0, such as {_DEFAULT_PARTS}"
    )


@command.command("merge", epilog="Example:  structce corpus merge fundus wcxb --out news")
@click.argument("paths", metavar="CORPUS CORPUS...", nargs=-1, required=True, type=options.PATH)
@click.option("--out", required=True, type=options.PATH, help="Folder to write the corpus to.")
@rendering_options
def merge_command(paths: tuple[Path, ...], out: Path, chosen: RenderingChoice) -> None:
    """Write the pages of several corpora as one.

    A background region that could have a label that its corpus does not cover may be either from
    then on. Ids that two corpora use get the name of their corpus in front.
    """
    if len(paths) < 2:
        raise click.UsageError("expected at least two corpora")
    _check_new_folder(out)
    merged = corpora.merge([chosen.open_corpus(path) for path in paths])
    merged.save(out)
    rows = merged.notes["merged"]
    for row in rows if isinstance(rows, list) else ():
        show_message(
            f"{row['name']}: {row['n_pages']} pages; {row['n_turned_several']:,} background "
            f"regions may have another label, {len(row['renamed'])} ids changed"
        )
    show_message(f"{len(merged)} pages of {len(merged.sites)} sites written to {out}")


def _check_new_folder(out: Path) -> None:
    """Raise a CorpusError if a folder is not empty: its files would be mixed with the corpus."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CorpusError(f"{out}: already exists; name a new folder")


@command.command("export", epilog="Example:  structce corpus export news news.jsonl --to jsonl")
@_path_argument
@click.argument("out", type=options.PATH)
@click.option("--to", "form", type=click.Choice(_FORMS), default=_CORPUS, help="Form of OUT.")
@click.option("--part", metavar="SPLIT.json:NAME", help="The pages of one part of a split.")
@click.option("--dedupe", is_flag=True, help="Leave out copies, and join families of templates.")
@rendering_options
def export_command(
    path: Path, out: Path, form: str, part: str | None, dedupe: bool, chosen: RenderingChoice
) -> None:
    """Write the pages of a corpus, or of one part of it, in their order.

    With --dedupe, the page with the most known labels is kept of each group of duplicates, and
    sites that share a template become one family, which splits by site keep whole.

    jsonl and parquet have pages, regions and labels. gottron is a test package: for each page its
    HTML, its main text, and metadata. Exits with 1 if a page could not be written. Corpora of
    rendered pages have no HTML; 'structce corpus import --package' writes packages of data sets.
    """
    if form == _CORPUS:
        _check_new_folder(out)
    if form == _GOTTRON and corpora.read_manifest(path)[1]["renderer"]:
        raise click.UsageError(
            f"{path} keeps rendered pages without their HTML; write packages from the data set it "
            "was imported from: structce corpus import NAME SRC OUT --package"
        )
    corpus = pages = chosen.open_corpus(path)
    if part is not None:
        file, _, name = part.rpartition(":")
        parts = corpus.parts(corpora.Split.load(Path(file)))
        if name not in parts:
            raise click.BadParameter(f"--part {part!r}: expected one of {', '.join(parts)}")
        source = {"name": corpus.name, "digest": corpus.digest, "notes": dict(corpus.notes)}
        pages = replace(parts[name], notes={"subset_of": source, "part": part})
    if dedupe:
        joined = corpora.with_families(pages, pairs=corpora.find_templates(pages))
        pages = corpora.without_duplicates(joined, corpora.find_duplicates(pages))
    lost: dict[str, str] = {}
    if form == _CORPUS:
        pages.save(out)
    elif form == _GOTTRON:
        lost = datasets.write_package(pages, datasets.raw_pages(path), out)
    else:
        corpora.EXPORTS[form](pages, out)
    show_message(f"{len(pages) - len(lost)} of {len(corpus)} pages written to {out}")
    fail_with(f"{page}: {reason}" for page, reason in lost.items())
