"""``structce corpus info``: what a corpus, or one page of it, contains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from structce import corpus
from structce.cli import options
from structce.cli.inputs import RenderingChoice, corpus_options
from structce.cli.messages import show_message
from structce.errors import CorpusError
from structce.extras import load_extra
from structce.language import printable

_CONTEXT_REGIONS, _TEXT = 2, 76  # regions around a match, columns of a text


@click.command("info", epilog="Example:  structce corpus info news --plots pictures")
@click.argument("path", metavar="CORPUS", type=options.PATH)
@click.argument("page", required=False)
@click.option("--plots", type=options.FOLDER, help="Also draw labels, sizes, languages and sites.")
@click.option("--field", "fields", multiple=True, help="With PAGE: this field; repeat for several.")
@options.format_option
@corpus_options
def command(
    path: Path, page: str | None, plots: Path | None, fields: tuple[str, ...], form: str,
    chosen: RenderingChoice,
) -> None:  # fmt: skip
    """Print pages, sites, languages, labels and sizes of a corpus, and how its gold was matched.

    With PAGE, the name of a page or a part of it that no other name has: print its regions with
    their labels, and where the gold values were found; with --field, only these values and what is
    around them. Long texts are cut.
    """
    if page is not None:
        labelled = _find_page(path, page, chosen)
        if form == "json":
            views = [corpus.region_view(labelled, i) for i in range(len(labelled.page))]
            matches = [asdict(match) | {"state": match.state} for match in labelled.matches]
            regions = [asdict(view) for view in views]
            options.print_json({"id": labelled.id, "matches": matches, "regions": regions})
        else:
            _print_page(labelled, fields)
        return
    if plots is not None:
        load_extra("matplotlib", "drawing plots", "plots")  # before the pages are read
    opened = chosen.open_corpus(path)
    summary = corpus.summarise(opened)
    if form == "json":
        options.print_table([dict(summary)], form)
    else:
        _print_summary(summary)
    if plots is not None:
        show_message(f"{len(corpus.draw_plots(opened, plots))} pictures written to {plots}")


def _print_summary(summary: corpus.Summary) -> None:
    """Print the tables of a summary: facts, labels, sizes, and gold if there is any."""
    for name, value in summary.items():
        if isinstance(value, str | int):
            click.echo(f"{name.replace('_', ' '):<15} {value}")
    languages = " ".join(f"{name}:{n}" for name, n in summary["languages"].items())
    click.echo(f"{'languages':<15} {printable(languages, _TEXT)}\n")
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


def _find_page(path: Path, name: str, chosen: RenderingChoice) -> corpus.LabelledPage:
    """Return a page by its name or a part of it; of a rendered corpus no other page is read."""
    folder, manifest = corpus.read_manifest(path)
    rows = {row["id"]: row for row in manifest["pages"]}
    names = [name] if name in rows else [key for key in rows if name.lower() in key.lower()]
    if len(names) != 1:
        some = ", ".join((names or list(rows))[:5])
        what = f"{len(names)} pages match" if names else "no page matches"
        raise CorpusError(f"{path}: {what} {name!r}; there are {some}, ...")
    if manifest["renderer"]:
        label_set = corpus.label_set_of(manifest)
        return corpus.read_labelled_page(folder, rows[names[0]], label_set)
    return chosen.open_corpus(path).subset(names).pages[0]


def _print_page(labelled: corpus.LabelledPage, fields: Sequence[str]) -> None:
    """Print the regions, or with fields those around their values, and what was not found."""
    known = list(dict.fromkeys(match.field for match in labelled.matches))
    wanted = corpus.select_fields(fields, known) if fields else known
    if unknown := set(map(str.lower, fields)) - set(map(str.lower, wanted)):
        there = printable(", ".join(known)) or "none"
        raise CorpusError(f"{labelled.id}: no value of a field {min(unknown)!r}; there are {there}")
    n_regions = len(labelled.page)
    click.echo(f"{printable(labelled.id)}  {printable(labelled.page.url or labelled.site)}\n")
    if not fields:
        found = corpus.matches_by_region(labelled.matches)
        how = {i: f"{near[0].method} {near[0].score:.2f}" for i, near in found.items()}
        _print_regions(labelled, range(n_regions), how)
    for match in labelled.matches:
        if match.field not in wanted or (match.regions and not fields):
            continue
        click.echo(f"\n{printable(match.field)}: {printable(match.value)}")
        click.echo(f"{match.state}: {match.method or 'in no region'}, score {match.score:.2f}")
        marks = dict.fromkeys(match.rivals, "as good") | dict.fromkeys(match.regions, "here")
        nearest = None if marks else corpus.most_similar_region(labelled.page, match.value)
        if nearest is not None:
            marks = {nearest[0]: f"{nearest[1]:.0f} % alike"}
        ranges = corpus.context_ranges(sorted(marks), n_regions, _CONTEXT_REGIONS)
        _print_regions(labelled, [i for part in ranges for i in part], marks)


def _print_regions(
    labelled: corpus.LabelledPage, regions: Sequence[int], marks: dict[int, str]
) -> None:
    views = {i: corpus.region_view(labelled, i) for i in regions}
    rows = [
        {"region": i, "found": marks.get(i, ""), "label": view.label, "tag": view.tag,
         "xpath": view.xpath, "text": view.text}
        for i, view in views.items()
    ]  # fmt: skip
    options.print_table(rows, width=_TEXT)
