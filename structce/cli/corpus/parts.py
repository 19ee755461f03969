"""``structce corpus subset`` and ``merge``: fewer pages of one corpus, all pages of several."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import click
import numpy as np

from structce.cli.options import browser_option, open_for, renderer_option
from structce.corpora.merging import LABELS, Labels, merge
from structce.corpus import Corpus, LabelledPage
from structce.corpus.splitting import Split
from structce.errors import CorpusError

_PATH = click.Path(path_type=Path)


@click.command(
    epilog="Examples:  structce corpus subset news german --lang de;  "
    "structce corpus subset news train --part news.split.json:train;  "
    "structce corpus subset news few --max-pages 50 --seed 7"
)
@click.argument("path", metavar="CORPUS", type=_PATH)
@click.argument("out", type=_PATH)
@click.option(
    "--ids",
    type=click.File(encoding="utf-8"),
    metavar="FILE",
    help="Pages of these ids, one a line; - reads standard input.",
)
@click.option(
    "--site", "sites", multiple=True, metavar="S", help="Pages of a site; again for more."
)
@click.option(
    "--lang",
    "langs",
    multiple=True,
    metavar="LANG",
    help="Pages that state a language: de takes de-AT, too; again for more.",
)
@click.option("--id-prefix", metavar="TEXT", help="Pages whose id begins so.")
@click.option("--part", metavar="SPLIT.json:NAME", help="The pages of one part of a split.")
@click.option(
    "--max-pages", type=click.IntRange(1), metavar="N", help="N of these pages, drawn at random."
)
@click.option("--seed", default=0, show_default=True, help="For --max-pages.")
@renderer_option
@browser_option
def subset(
    path: Path,
    out: Path,
    ids: TextIO | None,
    sites: tuple[str, ...],
    langs: tuple[str, ...],
    id_prefix: str | None,
    part: str | None,
    max_pages: int | None,
    seed: int,
    renderer: str | None,
    browser: str | None,
) -> None:
    """Write those pages of a corpus that meet all conditions given, in their order.

    A corpus of raw pages becomes one of rendered pages.
    """
    asked = {
        "part": part,
        "ids": [line.strip() for line in ids if line.strip()] if ids else None,
        "site": list(sites),
        "lang": list(langs),
        "id_prefix": id_prefix,
        "max_pages": max_pages,
    }
    asked = {name: value for name, value in asked.items() if value not in (None, [])}
    if not asked:
        raise click.UsageError("say which pages: --ids, --site, --lang, --id-prefix, --part, ...")
    _check_new(out)
    corpus = open_for(path, renderer, browser)
    chosen = corpus if part is None else _part(corpus, part)
    if (named := asked.get("ids")) is not None and isinstance(named, list):
        chosen = chosen.subset(named)
    if unknown := set(sites) - set(corpus.sites):
        raise CorpusError(f"{path}: no page of the site {min(unknown)!r}")
    kept = [one.id for one in chosen if _is_meant(one, sites, langs, id_prefix or "")]
    if not kept:
        raise CorpusError(f"{path}: no page meets all conditions")
    if max_pages is not None:
        kept = np.random.default_rng(seed).permutation(sorted(kept))[:max_pages].tolist()
        asked["seed"] = seed
    of = {"name": corpus.name, "digest": corpus.digest, "notes": dict(corpus.notes)}
    made = replace(chosen.subset(kept), notes={"subset_of": of, "chosen": asked})
    made.save(out)
    _tell(made, out)


@click.command(
    "merge",
    epilog="Example:  structce corpus merge fundus wcxb --out both --labels common --name news",
)
@click.argument("paths", metavar="CORPUS CORPUS...", nargs=-1, required=True, type=_PATH)
@click.option("--out", required=True, type=_PATH, help="Folder to write the corpus to.")
@click.option(
    "--labels",
    type=click.Choice(LABELS),
    default="all",
    show_default=True,
    help="Labels that any corpus tells of, or those that all of them tell of.",
)
@click.option("--name", default="", help="Default: the names of all, joined by +.")
@renderer_option
@browser_option
def merge_(
    paths: tuple[Path, ...],
    out: Path,
    labels: Labels,
    name: str,
    renderer: str | None,
    browser: str | None,
) -> None:
    """Write the pages of several corpora as one.

    With --labels all, a background region becomes unknown where it could have a label that its
    corpus tells nothing of: no learner takes it for background, and no score counts it. With
    --labels common, labels that not all corpora tell of become background.

    Ids that two corpora use get their corpus's name in front; sites that two corpora have stay on
    one side of every split. All pages must come from one renderer.
    """
    if len(paths) < 2:
        raise click.UsageError("expected two corpora or more")
    _check_new(out)
    made = merge([open_for(path, renderer, browser) for path in paths], labels, name)
    made.save(out)
    rows = made.notes["merged"]
    for row in rows if isinstance(rows, list) else ():
        turned, renamed = row["n_turned_unknown"], len(row["renamed"])
        click.echo(
            f"{row['name']}: {row['n_pages']} pages; {turned:,} background regions became "
            f"unknown, {renamed} ids changed",
            err=True,
        )
    _tell(made, out)


def _part(corpus: Corpus, text: str) -> Corpus:
    file, _, name = text.rpartition(":")
    if not file or not name:
        raise click.BadParameter(f"--part {text!r}; expected SPLIT.json:NAME")
    parts = corpus.parts(Split.load(Path(file)))
    if name not in parts:
        raise click.BadParameter(f"--part {text!r}: expected one of {', '.join(parts)}")
    return parts[name]


def _is_meant(
    page: LabelledPage, sites: Iterable[str], langs: Iterable[str], id_prefix: str
) -> bool:
    lang = page.page.lang.replace("_", "-").lower()
    wanted = [one.lower() for one in langs]
    return (
        (not sites or page.site in sites)
        and (not wanted or any(lang == one or lang.startswith(f"{one}-") for one in wanted))
        and page.id.startswith(id_prefix)
    )


def _check_new(out: Path) -> None:
    """Raise a CorpusError if something stands in a folder: its files would be among ours."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CorpusError(f"{out}: is there already; name a new folder")


def _tell(made: Corpus, out: Path) -> None:
    click.echo(f"{len(made)} pages of {len(made.sites)} sites written to {out}", err=True)
