"""``structce corpus subset``, ``merge``, ``split`` and ``dedupe``: corpora from other corpora."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import click
import numpy as np
from tabulate import tabulate

from structce.cli.corpus_options import CorpusOpener, corpus_options
from structce.cli.options import EXISTING_FILE, FILE, PATH, format_option, print_table
from structce.corpus import (
    COVERAGES,
    DUPLICATE_THRESHOLD,
    SPLIT_BY,
    WHOLE_SITES,
    Corpus,
    Coverage,
    LabelledPage,
    SimilarPair,
    Split,
    SplitBy,
    find_duplicates,
    find_templates,
    merge,
    refuse_leaks,
    with_families,
    without_duplicates,
)
from structce.errors import CorpusError
from structce.labels import UNKNOWN

_DEFAULT_PARTS = "train=0.5,validation=0.17,test=0.33"
"""Default parts, the same as those of 'structce compare'."""


@click.command(
    "subset",
    epilog="Examples:  structce corpus subset news german --lang de;  "
    "structce corpus subset news train --part news.split.json:train;  "
    "structce corpus subset news few --max-pages 50 --seed 7",
)
@click.argument("path", metavar="CORPUS", type=PATH)
@click.argument("out", type=PATH)
@click.option(
    "--ids",
    type=click.File(encoding="utf-8-sig"),
    metavar="FILE",
    help="Pages with these ids, one per line; - reads standard input.",
)
@click.option(
    "--site", "sites", multiple=True, metavar="S", help="Pages of a site; repeat for several."
)
@click.option(
    "--lang",
    "langs",
    multiple=True,
    metavar="LANG",
    help="Pages that state a language: de includes de-AT; repeat for several.",
)
@click.option("--id-prefix", metavar="TEXT", help="Pages whose id begins with TEXT.")
@click.option("--part", metavar="SPLIT.json:NAME", help="The pages of one part of a split.")
@click.option(
    "--max-pages", type=click.IntRange(1), metavar="N", help="N of these pages, drawn at random."
)
@click.option("--seed", default=0, help="For --max-pages.")
@corpus_options
def subset_command(
    path: Path, out: Path, ids: TextIO | None, sites: tuple[str, ...], langs: tuple[str, ...],
    id_prefix: str | None, part: str | None, max_pages: int | None, seed: int,
    opener: CorpusOpener,
) -> None:  # fmt: skip
    """Write the pages of a corpus that meet all given conditions, in their order.

    A corpus of raw pages becomes one of rendered pages.
    """
    conditions = {
        "part": part,
        "ids": [line.strip() for line in ids if line.strip()] if ids else None,
        "site": list(sites),
        "lang": list(langs),
        "id_prefix": id_prefix,
        "max_pages": max_pages,
    }
    conditions = {name: value for name, value in conditions.items() if value not in (None, [])}
    if not conditions:
        raise click.UsageError("choose pages by --ids, --site, --lang, --id-prefix, --part, ...")
    _check_new_folder(out)
    corpus = opener.open(path)
    chosen = corpus if part is None else _part(corpus, part)
    if (page_ids := conditions.get("ids")) is not None and isinstance(page_ids, list):
        chosen = chosen.subset(page_ids)
    if unknown := set(sites) - set(corpus.sites):
        raise CorpusError(f"{path}: no page of the site {min(unknown)!r}")
    kept = [page.id for page in chosen if _meets_conditions(page, sites, langs, id_prefix or "")]
    if not kept:
        raise CorpusError(f"{path}: no page meets all conditions")
    if max_pages is not None:
        kept = np.random.default_rng(seed).permutation(sorted(kept))[:max_pages].tolist()
        conditions["seed"] = seed
    source = {"name": corpus.name, "digest": corpus.digest, "notes": dict(corpus.notes)}
    subset = replace(chosen.subset(kept), notes={"subset_of": source, "chosen": conditions})
    subset.save(out)
    _print_written(subset, out)


@click.command(
    "merge",
    epilog="Example:  structce corpus merge fundus wcxb --out both --labels common --name news",
)
@click.argument("paths", metavar="CORPUS CORPUS...", nargs=-1, required=True, type=PATH)
@click.option("--out", required=True, type=PATH, help="Folder to write the corpus to.")
@click.option(
    "--labels",
    type=click.Choice(COVERAGES),
    default="all",
    help="Labels that any corpus covers, or those that all of them cover.",
)
@click.option(
    "--name", default="", show_default=False, help="Default: the names of all corpora, joined by +."
)
@corpus_options
def merge_command(
    paths: tuple[Path, ...], out: Path, labels: Coverage, name: str, opener: CorpusOpener
) -> None:
    """Write the pages of several corpora as one.

    With --labels all, a background region that could have a label that its corpus does not cover
    may be either from then on: no learner takes it for background, and both are right. With
    --labels common, labels that not all corpora cover become background.

    Ids that two corpora use get the name of their corpus in front; sites that two corpora share
    stay on one side of every split. All pages must come from one renderer.
    """
    if len(paths) < 2:
        raise click.UsageError("expected at least two corpora")
    _check_new_folder(out)
    merged = merge([opener.open(path) for path in paths], labels, name)
    merged.save(out)
    rows = merged.notes["merged"]
    for row in rows if isinstance(rows, list) else ():
        turned, renamed = row["n_turned_several"], len(row["renamed"])
        click.echo(
            f"{row['name']}: {row['n_pages']} pages; {turned:,} background regions may "
            f"have another label, {renamed} ids changed",
            err=True,
        )
    _print_written(merged, out)


def _part(corpus: Corpus, text: str) -> Corpus:
    file, _, name = text.rpartition(":")
    if not file or not name:
        raise click.BadParameter(f"--part {text!r}; expected SPLIT.json:NAME")
    parts = corpus.parts(Split.load(Path(file)))
    if name not in parts:
        raise click.BadParameter(f"--part {text!r}: expected one of {', '.join(parts)}")
    return parts[name]


def _meets_conditions(
    page: LabelledPage, sites: Iterable[str], langs: Iterable[str], id_prefix: str
) -> bool:
    lang = page.page.lang.replace("_", "-").lower()
    wanted = [language.lower() for language in langs]
    return (
        (not sites or page.site in sites)
        and (
            not wanted
            or any(lang == language or lang.startswith(f"{language}-") for language in wanted)
        )
        and page.id.startswith(id_prefix)
    )


def _check_new_folder(out: Path) -> None:
    """Raise a CorpusError if a folder is not empty: its files would be mixed with the corpus."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CorpusError(f"{out}: already exists; name a new folder")


def _print_written(corpus: Corpus, out: Path) -> None:
    click.echo(f"{len(corpus)} pages of {len(corpus.sites)} sites written to {out}", err=True)


@click.command(
    "split",
    epilog="Example:  structce corpus split news news.split.json --by site "
    "--parts train=0.5,validation=0.17,test=0.33 --seed 7",
)
@click.argument("path", metavar="CORPUS", type=PATH)
@click.argument("out", metavar="OUT.json", type=FILE)
@click.option(
    "--by",
    type=click.Choice(SPLIT_BY),
    default="site",
    help="What stays together, or the order of the pages.",
)
@click.option(
    "--parts",
    default=_DEFAULT_PARTS,
    metavar="NAME=SIZE,...",
    help="Names of the parts with their shares of the pages, of sum 1, or numbers of pages.",
)
@click.option("--seed", default=0, help="The same seed gives the same bytes.")
@click.option(
    "--undated",
    type=click.Choice(["error", "leave-out"]),
    default="error",
    help="What to do with pages without a date, with --by time.",
)
@click.option(
    "--allow-leaks",
    is_flag=True,
    help="Also write a split by site that separates copies of a page, or sites of one template.",
)
@format_option
@corpus_options
def split_command(
    path: Path, out: Path, by: SplitBy, parts: str, seed: int, undated: str, allow_leaks: bool,
    form: str, opener: CorpusOpener,
) -> None:  # fmt: skip
    """Divide the pages of a corpus into named parts, write the split, and print its parts.

    By site, sites stay whole, and so do families of sites that share a template; family is another
    name for it. If pages in two parts are nearly the same, or sites in two parts share a template
    that was not known, nothing is written: 'structce corpus dedupe' fixes that.

    By time, the first part gets the oldest pages and the last the newest; pages of one day stay
    together. The date is that of the gold, or else the one that the page states for machines.
    Sites may be in several parts: this tests how a model ages, not how it does on unseen sites.

    By page, pages are drawn at random, as in Spengler et al. (2010). Pages of one site are then in
    several parts, and every figure on such a split is too good.

    The file contains the digest of the corpus and fits no other. A corpus of raw pages has a
    different digest for each renderer.
    """
    sizes = _read_sizes(parts)
    corpus = opener.open(path)
    drawn = corpus.draw_split(sizes, by=by, seed=seed, dated_only=undated == "leave-out")
    divided = corpus.parts(drawn)
    if by in WHOLE_SITES and not allow_leaks:
        refuse_leaks(divided)
    drawn.save(out)
    summaries = {name: _part_summary(part) for name, part in divided.items()}
    if form == "json":
        rows = [{"part": name, **values} for name, values in summaries.items()]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=1))
    else:
        click.echo(_parts_table(summaries))
    if drawn.left_out:
        click.echo(f"warning: {len(drawn.left_out)} pages are in no part", err=True)
    if by not in WHOLE_SITES and (straddling := drawn.straddling_families(corpus.pages)):
        click.echo(f"warning: {len(straddling)} families of sites are in several parts", err=True)
    click.echo(f"split by {by} written to {out}", err=True)


def _read_sizes(text: str) -> dict[str, float]:
    """Return the size of each part from comma-separated ``name=size`` pairs."""
    sizes: dict[str, float] = {}
    for piece in text.split(","):
        name, _, value = piece.partition("=")
        name = name.strip()
        try:
            size = float(value)
        except ValueError:
            size = math.nan
        if not name or name in sizes or not 0 < size < math.inf:
            raise click.BadParameter(
                f"--parts {text!r}: {piece!r}; expected distinct names with sizes above 0, "
                f"such as {_DEFAULT_PARTS}"
            )
        sizes[name] = size
    return sizes


def _part_summary(part: Corpus) -> dict[str, object]:
    """Return the numbers of pages, sites, regions, and regions of each label of a part."""
    return {
        "pages": len(part),
        "sites": len(part.sites),
        "families": len({page.family for page in part}),
        "regions": sum(len(page.page) for page in part),
        "labels": part.counts,
        "unknown": part.n_unknown,
    }


def _parts_table(summaries: Mapping[str, Mapping[str, object]]) -> str:
    """Return a table with a column for each part: pages, sites, regions, and labels below."""
    columns = []
    for values in summaries.values():
        labels = values["labels"]
        counts = labels if isinstance(labels, dict) else {}
        above = {name: values[name] for name in ("pages", "sites", "families", "regions")}
        columns.append({**above, **counts, f"{UNKNOWN} (label unknown)": values["unknown"]})
    rows = [[name, *(column[name] for column in columns)] for name in columns[0]]
    return tabulate(rows, headers=["", *summaries], intfmt=",")


@click.command(
    "dedupe",
    epilog="Examples:  structce corpus dedupe news --out news-clean;  "
    "structce corpus dedupe news --split news.split.json",
)
@click.argument("path", metavar="CORPUS", type=PATH)
@click.option(
    "--out",
    type=PATH,
    help="Folder for the corpus with one page of each group of duplicates, and joined families.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    default=DUPLICATE_THRESHOLD,
    help="Smallest share of common text that makes two pages duplicates.",
)
@click.option(
    "--split",
    type=EXISTING_FILE,
    metavar="SPLIT.json",
    help="Only check this split: exit with 1 if duplicates or a template are in two parts.",
)
@format_option
@corpus_options
def dedupe_command(
    path: Path, out: Path | None, threshold: float, split: Path | None, form: str,
    opener: CorpusOpener,
) -> None:  # fmt: skip
    """List near-duplicate pages, and sites that share a page template.

    A model that was trained on a copy of a test page, or on a site with the same template, looks
    better than it is. Pages are compared by their running text, without text that repeats on the
    pages of a site; sites by the names and classes of their elements, rare ones counting most.

    With --out, the page with the most known labels is kept of each group of duplicates, and sites
    that share a template become one family, which splits by site keep whole.
    """
    if out is not None and split is not None:
        raise click.UsageError("--out excludes --split; write the corpus first, then split it")
    if out is not None:
        _check_new_folder(out)
    corpus = opener.open(path)
    if split is not None:
        refuse_leaks(_read_parts(split, corpus), threshold=threshold)
        click.echo(f"no duplicates and no templates in two parts of {split}", err=True)
        return
    pages, sites = find_duplicates(corpus, threshold=threshold), find_templates(corpus)
    joined = with_families(corpus, pairs=sites)
    print_table(
        [
            *_pair_rows("duplicate", pages, {}),
            *_pair_rows("template", sites, _family_by_site(joined)),
        ],
        form,
    )
    click.echo(_duplicates_text(pages, joined), err=True)
    if out is not None:
        kept = without_duplicates(joined, pages)
        kept.save(out)
        click.echo(f"{len(kept)} of {len(corpus)} pages written to {out}", err=True)


def _read_parts(path: Path, corpus: Corpus) -> dict[str, Corpus]:
    """Return the parts of a corpus that a file names: ``{"parts": {name: [ids]}}``."""
    try:
        parts = json.loads(path.read_bytes())["parts"]
        named = {str(name): [str(page_id) for page_id in ids] for name, ids in parts.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorpusError(
            f'{path}: {type(error).__name__}: {error}; expected {{"parts": {{NAME: [IDS]}}}}, '
            "as 'structce corpus split' writes it"
        ) from error
    return {name: corpus.subset(ids) for name, ids in named.items()}


def _pair_rows(
    kind: str, pairs: Sequence[SimilarPair], families: Mapping[str, str]
) -> list[dict[str, object]]:
    return [
        {
            "kind": kind,
            "first": pair.first,
            "second": pair.second,
            "similarity": pair.similarity,
            "family": families.get(pair.first, ""),
        }
        for pair in pairs
    ]


def _family_by_site(corpus: Corpus) -> dict[str, str]:
    return {page.site: page.family for page in corpus}


def _duplicates_text(pages: Sequence[SimilarPair], joined: Corpus) -> str:
    """Return the numbers of duplicates and of families with several sites in one line."""
    sizes = Counter(_family_by_site(joined).values())
    shared = [n for n in sizes.values() if n > 1]
    return (
        f"{len(joined)} pages, pairs of near-duplicates: {len(pages)}; {len(joined.sites)} sites, "
        f"in families with others: {sum(shared)}, families: {len(shared)}"
    )
