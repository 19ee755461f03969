"""Quality of a corpus: defects of its files, and its contents in numbers."""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from tqdm import tqdm

from structce.corpus.corpus import Corpus, raw_content, read_raw
from structce.corpus.storage import (
    LabelledPage,
    Manifest,
    attach_labels,
    digest_of,
    label_set_of,
    read_labelled_page,
    read_manifest,
)
from structce.errors import StructceError
from structce.gold import AlignmentTally
from structce.io import Folder
from structce.labels import LabelSet, allowed_names, is_exact_label
from structce.language import language_code
from structce.page import SUFFIX
from structce.rendering import StaticRenderer, decode


@dataclass(frozen=True)
class Defect:
    """One defect, or possible defect, of a corpus, or of a page if it has an id."""

    level: Literal["error", "warning"]
    page: str
    what: str


def validate(path: Path) -> list[Defect]:
    """Return the defects of a corpus on disk; empty for a sound corpus.

    Every page is read. Raw pages are rendered without a browser, to check that each label is on a
    region. Of errors that make a page unreadable, the first is reported.
    """
    try:
        folder, manifest = read_manifest(path)
        label_set = label_set_of(manifest)
    except StructceError as error:
        return [Defect("error", "", str(error))]
    defects = [*_manifest_defects(manifest, label_set), *_stray_files(folder, manifest)]
    digests: list[tuple[str, str]] = []
    raw = hashlib.sha256()
    for row in tqdm(manifest["pages"], "pages", unit="page", disable=None, file=sys.stderr):
        try:
            if manifest["renderer"]:
                page = read_labelled_page(folder, row, label_set)
                digests.append((page.id, page.digest))
            else:
                data, named = read_raw(folder, row["id"])
                rendered = StaticRenderer().render(decode(data, name=row["id"], url=row["url"]))
                labels = attach_labels(rendered, named, label_set, row["id"])
                page = LabelledPage(row["id"], row["site"], row["family"], rendered, labels)
                raw.update(raw_content(data.decode(errors="replace"), named))
            defects += _page_defects(page, manifest, label_set)
        except StructceError as error:
            what = str(error).replace(f"{folder}/", "").replace(f"{path}/", "")
            defects.append(Defect("error", row["id"], what))
    if not any(defect.level == "error" for defect in defects):
        digest = digest_of(label_set, digests) if manifest["renderer"] else raw.hexdigest()
        if digest != manifest["digest"]:
            what = "pages or labels changed since the manifest was written"
            defects.append(Defect("error", "", what))
    return defects


def _manifest_defects(manifest: Manifest, label_set: LabelSet) -> Iterator[Defect]:
    """Yield defects of covered labels, ids, sites and families."""
    if odd := set(manifest["covered"]) - set(label_set.foreground):
        what = f"covered label {min(odd)!r} is not one of {label_set.foreground}"
        yield Defect("error", "", what)
    if not manifest["pages"]:
        yield Defect("warning", "", "no page")
    counts = Counter(row["id"] for row in manifest["pages"])
    for row in manifest["pages"]:
        if counts[row["id"]] > 1:
            yield Defect("error", row["id"], f"{counts[row['id']]} pages of this id")
        if not (row["site"] and row["family"]):
            what = f"site {row['site']!r}, family {row['family']!r}; neither may be empty"
            yield Defect("error", row["id"], what)


def _page_defects(page: LabelledPage, manifest: Manifest, label_set: LabelSet) -> Iterator[Defect]:
    """Yield what is wrong with a page that could be read."""
    gold, n_regions = page.gold, len(page.page)
    if odd := set(page.labels) & (set(label_set.foreground) - set(manifest["covered"])):
        yield Defect("error", page.id, f"label {min(odd)!r}, which is not covered")
    marked = [block.label for block in gold.blocks] + [mark.label for mark in gold.marks]
    for label in sorted({gold.rest, *gold.covers, *marked}):
        if not allowed_names(label) <= set(label_set.names):
            what = f"gold has label {label!r}, which is not one of {label_set.names}"
            yield Defect("error", page.id, what)
    for match in page.matches:
        if out := [i for i in (*match.regions, *match.rivals) if not 0 <= i < n_regions]:
            what = f"match of {match.field}: region {out[0]} of {n_regions}, counted from 0"
            yield Defect("error", page.id, what)
    if not page.n_known:
        what = "no region whose label is known" if page.labels else "no region"
        yield Defect("warning", page.id, what)


def _stray_files(folder: Folder, manifest: Manifest) -> Iterator[Defect]:
    """Yield files that belong to no page."""
    ids = {row["id"] for row in manifest["pages"]}
    suffix = SUFFIX if manifest["renderer"] else ".html"
    for kind, end in {"pages": suffix, "labels": ".json", "gold": ".json"}.items():
        there = folder / kind
        names = {file.name for file in there.iterdir()} if there.is_dir() else set()
        if odd := sorted(names - {f"{name}{end}" for name in ids}):
            what = f"{len(odd)} files in {kind}/ that belong to no page, such as {odd[0]}"
            yield Defect("warning", "", what)


# A corpus in numbers

_QUARTILES = ("least", "quarter", "median", "three quarters", "most")


def summarise(corpus: Corpus) -> dict[str, Any]:
    """Return the contents of a corpus in numbers, as plain JSON values.

    ``languages`` and ``pages_by_site`` count pages, the largest first; ``sizes`` are quartiles per
    page; ``gold`` has one row per field.
    """
    tally = AlignmentTally()
    pages_by_label: Counter[str] = Counter()
    sites_of: dict[str, set[str]] = {}
    for page in corpus:
        tally.add(page.matches)
        for label in set(filter(is_exact_label, page.labels)):
            pages_by_label[label] += 1
            sites_of.setdefault(label, set()).add(page.site)
    names = corpus.label_set.names
    regions = [len(page.page) for page in corpus]
    characters = [sum(map(len, page.page.text)) for page in corpus]
    return {
        "name": corpus.name,
        "licence": corpus.licence,
        "renderer": corpus.renderer,
        "pages": len(corpus),
        "sites": len(corpus.sites),
        "families": len({page.family for page in corpus}),
        "languages": _by_count(language_code(page.page.lang) or "?" for page in corpus),
        "regions": sum(regions),
        "unknown": corpus.n_unknown,
        "one_of_several": corpus.n_several,
        "covered": [n for n in names if n in (*corpus.covered, corpus.label_set.background)],
        "digest": corpus.digest,
        "labels": corpus.counts,
        "pages_by_label": {name: pages_by_label[name] for name in names},
        "sites_by_label": {name: len(sites_of.get(name, ())) for name in names},
        "sizes": {"regions": _quartiles(regions), "characters": _quartiles(characters)},
        "pages_by_site": _by_count(page.site for page in corpus),
        "gold": tally.rows(),
    }


def _quartiles(numbers: Sequence[int]) -> dict[str, float]:
    values = np.quantile(numbers, (0, 0.25, 0.5, 0.75, 1)).tolist() if numbers else []
    return dict(zip(_QUARTILES, values, strict=False))


def _by_count(names: Iterable[str]) -> dict[str, int]:
    """Return how often each name occurs, the most frequent first, then by name."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))
