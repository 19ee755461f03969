"""``structce corpus info``, ``validate`` and ``show``: contents and errors of a corpus."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import click
from tabulate import tabulate

from structce.cli.corpus_options import CorpusOpener, corpus_options
from structce.cli.messages import FAILED
from structce.cli.options import FILE, FOLDER, PATH, format_option, print_table
from structce.corpus import (
    LabelledPage,
    Summary,
    context_ranges,
    draw_plots,
    label_set_of,
    matches_by_region,
    most_similar_region,
    read_labelled_page,
    read_manifest,
    region_view,
    select_fields,
    summarise,
    validate,
)
from structce.errors import CorpusError
from structce.extras import load_extra
from structce.gold import Match
from structce.io import write_atomic
from structce.labels import allowed_names
from structce.language import printable
from structce.rendering import ChromiumRenderer, Document, start_renderer
from structce.visualisation import draw_labels, region_page, text_layout_page

_MAX_LANGUAGES = 12
"""Number of languages in the table, about one line; JSON has all."""

_CONTEXT_REGIONS = 2
"""Regions shown before and after a match."""

_LABEL, _TAG, _XPATH, _HOW = 13, 10, 30, 14  # columns of the terminal
_WIDTH, _LEAST = 150, 40  # columns without a terminal, least columns of a text
_COLOURS = {"found": "green", "ambiguous": "yellow", "missing": "red"}


@click.command(
    "info",
    epilog="Examples:  structce corpus info data/sample --format json;  "
    "structce corpus info news --plots pictures",
)
@click.argument("path", metavar="CORPUS", type=PATH)
@click.option(
    "--plots",
    type=FOLDER,
    metavar="FOLDER",
    help="Also draw labels, sizes, languages and sites, each as SVG and as PNG.",
)
@format_option
@corpus_options
def info_command(path: Path, plots: Path | None, form: str, opener: CorpusOpener) -> None:
    """Print pages, sites, languages, labels and sizes of a corpus, and how its gold was matched."""
    if plots is not None:
        # Checked before the pages are read, which may take long.
        load_extra("matplotlib", "drawing plots", "plots")
    corpus = opener.open(path)
    summary = summarise(corpus)
    if form == "json":
        print_table([dict(summary)], form)
    else:
        click.echo("\n\n".join(_summary_tables(summary)))
    if plots is not None:
        files = draw_plots(corpus, plots)
        click.echo(f"{len(files)} pictures written to {plots}", err=True)


def _summary_tables(summary: Summary) -> Iterator[str]:
    """Yield the tables of a summary: facts, labels, sizes, and gold if there is any."""
    yield tabulate(_summary_facts(summary).items(), tablefmt="plain", disable_numparse=True)
    n_known = max(sum(summary["labels"].values()), 1)
    labels = [
        [
            name,
            f"{n:,}",
            f"{n / n_known:.2%}",
            f"{summary['pages_by_label'][name]:,}",
            f"{summary['sites_by_label'][name]:,}",
            "" if name in summary["covered"] else "not covered by the gold",
        ]
        for name, n in summary["labels"].items()
    ]
    headers = ["label", "regions", "of known", "pages", "sites", ""]
    alignment = ["left", *["right"] * 4, "left"]
    yield tabulate(labels, headers, disable_numparse=True, colalign=alignment)
    if summary["pages"]:
        sizes = [{"per page": name, **values} for name, values in summary["sizes"].items()]
        yield tabulate(sizes, headers="keys", floatfmt=",.0f")
    if summary["gold"]:
        yield tabulate(summary["gold"], headers="keys")


def _summary_facts(summary: Summary) -> dict[str, str]:
    largest = next(
        (f"; most pages: {n:,} of {name}" for name, n in summary["pages_by_site"].items()), ""
    )
    return {
        "name": summary["name"],
        "licence": summary["licence"],
        "renderer": summary["renderer"],
        "pages": f"{summary['pages']:,}",
        "sites": f"{summary['sites']:,}{largest}",
        "families": f"{summary['families']:,}",
        "languages": _languages_text(summary["languages"]),
        "regions": f"{summary['regions']:,}",
        "of these unknown": _share_text(summary["unknown"], summary["regions"]),
        "one of several labels": _share_text(summary["one_of_several"], summary["regions"]),
        "digest": summary["digest"],
    }


def _share_text(n: int, total: int) -> str:
    return f"{n:,} ({n / max(total, 1):.1%})"


def _languages_text(languages: Mapping[str, int]) -> str:
    """Return the most frequent languages with their pages, and the number of others."""
    named = [f"{name}:{n}" for name, n in languages.items()]
    others = len(named) - _MAX_LANGUAGES
    return " ".join(named[:_MAX_LANGUAGES]) + (f" and {others} others" if others > 0 else "")


@click.command("validate", epilog="Example:  structce corpus validate news --format json")
@click.argument("path", metavar="CORPUS", type=PATH)
@format_option
def validate_command(path: Path, form: str) -> None:
    """Read every file of a corpus and report everything that is wrong, errors first.

    Errors: damaged or missing files, labels on no region or outside the set, ids that are not safe
    file names, matches of missing regions, a digest that does not fit. Warnings: what is allowed
    but odd, such as a page without any known label. Exits with 1 on an error.
    """
    findings = sorted(validate(path), key=lambda finding: finding.level)
    if findings or form == "json":
        print_table([asdict(finding) for finding in findings], form)
    n_errors = sum(finding.level == "error" for finding in findings)
    n_warnings = len(findings) - n_errors
    click.echo(f"{path}: {n_errors} errors, {n_warnings} warnings", err=True)
    if n_errors:
        raise FAILED


@click.command(
    "show", epilog="Example:  structce corpus show news at-DiePresse_2025_06_05 --field author"
)
@click.argument("path", metavar="CORPUS", type=PATH)
@click.argument("page", metavar="PAGE")
@click.option(
    "--field",
    "fields",
    multiple=True,
    metavar="NAME",
    help="Only values of this field, such as author, with their surroundings; repeat for several.",
)
@click.option(
    "--overlay",
    type=FILE,
    metavar="OUT.html|OUT.png",
    help="Also draw the regions with their labels: an HTML page, or a picture (which needs "
    "a corpus of the chromium renderer, and a browser).",
)
@format_option
@corpus_options
def show_page_command(
    path: Path, page: str, fields: tuple[str, ...], overlay: Path | None, form: str,
    opener: CorpusOpener,
) -> None:  # fmt: skip
    """Print where the gold values of a page were found, and how.

    PAGE is the page's name in the corpus, or a part of it that no other name has. Without --field
    all regions are listed with their labels. Texts and values are shown as they are on the page;
    long ones are cut.
    """
    if overlay is not None and overlay.suffix.lower() not in (".html", ".png"):
        raise click.UsageError(f"--overlay {overlay}: expected a name that ends in .html or .png")
    labelled, background = _find_page(path, page, opener)
    chosen = _select_matches(labelled, fields)
    if form == "json":
        click.echo(json.dumps(_page_json(labelled, chosen, fields), ensure_ascii=False, indent=1))
    else:
        lines = _match_lines(labelled, chosen) if fields else _region_lines(labelled)
        click.echo("\n".join([*_heading_lines(labelled, background), *lines]))
    if overlay is not None:
        _write_overlay(labelled, background, chosen if fields else None, overlay, opener.browser)


def _find_page(path: Path, name: str, opener: CorpusOpener) -> tuple[LabelledPage, str]:
    """Return a page of a corpus by its name or a part of it, and the label of the background.

    Where the corpus is rendered, no other page is read.
    """
    folder, manifest = read_manifest(path)
    rows = {row["id"]: row for row in manifest["pages"]}
    names = (
        [name] if name in rows else [page_id for page_id in rows if name.lower() in page_id.lower()]
    )
    if len(names) != 1:
        some = ", ".join((names or list(rows))[:5])
        what = f"{len(names)} pages match" if names else "no page matches"
        raise CorpusError(f"{path}: {what} {name!r}; there are {some}, ...")
    if manifest["renderer"]:
        labelled = read_labelled_page(folder, rows[names[0]], label_set_of(manifest))
    else:
        labelled = opener.open(path).subset(names).pages[0]
    return labelled, manifest["background"]


def _select_matches(labelled: LabelledPage, fields: Sequence[str]) -> list[Match]:
    """Return the matches of the named fields, ignoring case; all matches if no field is named."""
    known = list(dict.fromkeys(match.field for match in labelled.matches))
    wanted = select_fields(fields, known)
    if unknown := set(map(str.lower, fields)) - set(map(str.lower, wanted)):
        there = printable(", ".join(known)) or "none, as the gold of this page has no values"
        raise CorpusError(f"{labelled.id}: no value of a field {min(unknown)!r}; there are {there}")
    return [match for match in labelled.matches if not fields or match.field in wanted]


def _heading_lines(labelled: LabelledPage, background: str) -> Iterator[str]:
    sets = map(allowed_names, labelled.labels)
    n_labelled = sum(bool(names) and background not in names for names in sets)
    yield click.style(printable(labelled.id), bold=True)
    yield printable(labelled.page.url or labelled.site)
    n_regions = len(labelled.page)
    yield f"{labelled.page.renderer}: {n_regions} regions, {n_labelled} of them with a label"


def _region_lines(labelled: LabelledPage) -> Iterator[str]:
    """Yield a line for each region, followed by the values that were not found."""
    by_region = matches_by_region(labelled.matches)
    for i in range(len(labelled.page)):
        matches = by_region.get(i, [])
        how = f"{matches[0].method} {matches[0].score:.2f}" if matches else ""
        yield _region_line(labelled, i, " ", f"{how:<{_HOW}}", matches[0] if matches else None)
    if missing := [match for match in labelled.matches if match.state == "missing"]:
        yield ""
        yield "not found:"
        yield from (
            f"  {printable(match.field)}: {printable(match.value, _WIDTH)}" for match in missing
        )


def _match_lines(labelled: LabelledPage, chosen: Sequence[Match]) -> Iterator[str]:
    for match in chosen:
        yield ""
        yield f"{click.style(printable(match.field), bold=True)}: {printable(match.value)}"
        state = click.style(match.state, fg=_COLOURS[match.state])
        if not match.regions:
            yield f"{state}: in no region"
            if nearest := most_similar_region(labelled.page, match.value):
                yield f"the nearest text, {nearest[1]:.0f} % alike:"
                yield _region_line(labelled, nearest[0], "?")
            continue
        yield f"{state}: {match.method}, score {match.score:.2f}"
        for n, stretch in enumerate(
            context_ranges(match.regions, len(labelled.page), _CONTEXT_REGIONS)
        ):
            if n:
                yield "      …"
            yield from (
                _region_line(labelled, i, ">" if i in match.regions else " ") for i in stretch
            )
        if match.rivals:
            yield "as good, or nearly:"
            yield from (_region_line(labelled, i, "~") for i in match.rivals)


def _region_line(
    labelled: LabelledPage, i: int, mark: str, how: str = "", match: Match | None = None
) -> str:
    place = region_view(labelled, i)
    label = printable(place.label, _LABEL)
    tag, xpath = printable(place.tag, _TAG), printable(place.xpath, _XPATH)
    line = f"{mark} {i:>5}  {label:<{_LABEL}}{how}{tag:<{_TAG}} {xpath:<{_XPATH}} "
    width = shutil.get_terminal_size((_WIDTH, 0)).columns
    line += printable(place.text, max(_LEAST, width - len(line)))
    if match is not None:
        return click.style(line, fg=_COLOURS[match.state])
    return click.style(line, bold=True) if mark == ">" else line


def _page_json(
    labelled: LabelledPage, chosen: Sequence[Match], fields: Sequence[str]
) -> dict[str, object]:
    shown = {i for match in chosen for i in (*match.regions, *match.rivals)}
    around = [
        i
        for part in context_ranges(sorted(shown), len(labelled.page), _CONTEXT_REGIONS)
        for i in part
    ]
    listed = around if fields else range(len(labelled.page))
    return {
        "id": labelled.id,
        "site": labelled.site,
        "family": labelled.family,
        "url": labelled.page.url,
        "renderer": labelled.page.renderer,
        "n_regions": len(labelled.page),
        "matches": [asdict(match) | {"state": match.state} for match in chosen],
        "regions": [
            asdict(region_view(labelled, i)) | {"xpath": labelled.page.xpath[i]} for i in listed
        ],
    }


def _write_overlay(
    labelled: LabelledPage,
    background: str,
    chosen: Sequence[Match] | None,
    path: Path,
    browser: str | None,
) -> None:
    if path.suffix.lower() == ".html":
        write_atomic(path, region_page(labelled, chosen, background=background).encode())
    else:
        write_atomic(path, _overlay_png(labelled, background, chosen, browser))
    click.echo(f"written: {path}", err=True)


def _overlay_png(
    labelled: LabelledPage, background: str, chosen: Sequence[Match] | None, browser: str | None
) -> bytes:
    """Return a PNG of the texts of a page in their boxes, with labels drawn over them."""
    if not labelled.page.has_layout:
        raise click.UsageError(
            f"--overlay: {labelled.id} has no layout, which the {labelled.page.renderer} renderer "
            "does not compute; give a name that ends in .html"
        )
    wanted = None if chosen is None else {i for match in chosen for i in match.regions}
    names = [
        None if label == background or (wanted is not None and i not in wanted) else label
        for i, label in enumerate(labelled.labels)
    ]
    renderer = start_renderer("chromium", browser=browser)
    if not isinstance(renderer, ChromiumRenderer):
        raise CorpusError("a picture needs the chromium renderer; see 'structce doctor'")
    with renderer:
        return draw_labels(
            renderer,
            Document(text_layout_page(labelled.page), name=labelled.id),
            labelled.page,
            names,
        )
