"""Quality of a corpus: defects of its files, its contents in numbers, and audits of its gold.

An audit shows gold values beside the regions they were matched with, for people to judge. Texts are
returned as on the page; the caller must make them safe to print.
"""

from __future__ import annotations

import hashlib
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np
from tqdm import tqdm

from structce.corpus.corpus import Corpus, raw_content, read_raw
from structce.corpus.storage import (
    LabelledPage,
    Manifest,
    PageRow,
    attach_labels,
    digest_of,
    label_set_of,
    read_gold,
    read_labelled_page,
    read_manifest,
)
from structce.errors import CorpusError, StructceError
from structce.gold import (
    EXACT,
    MATCH_METHODS,
    MENTIONED,
    ORDERED,
    PLACED,
    READ,
    SIMILAR,
    AlignmentTally,
    Match,
)
from structce.io import Folder
from structce.labels import LabelSet, allowed_names, is_exact_label
from structce.language import normalise
from structce.page import SUFFIX, Page
from structce.rendering import StaticRenderer, decode

# Defects of a corpus on disk


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
    defects = [*_manifest_defects(manifest, label_set), *_strays(folder, manifest)]
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
            errors = _page_errors(page, row, manifest, label_set)
            defects += [Defect("error", page.id, what) for what in errors]
            if not page.labels:
                defects.append(Defect("warning", page.id, "no region"))
            elif not page.n_known:
                defects.append(Defect("warning", page.id, "no region whose label is known"))
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


def _page_errors(
    page: LabelledPage, row: PageRow, manifest: Manifest, label_set: LabelSet
) -> Iterator[str]:
    """Yield what is wrong with a page that could be read."""
    renderer = manifest["renderer"] or page.page.renderer
    if page.page.renderer not in renderer.split("+"):
        yield f"rendered by {page.page.renderer}; the manifest says {renderer}"
    if page.page.url != row["url"]:
        yield f"address {page.page.url!r}; the manifest says {row['url']!r}"
    if n := len(page.page) - len(set(page.page.xpath)):
        yield f"{n} regions share their address with another one"
    if odd := set(page.labels) & (set(label_set.foreground) - set(manifest["covered"])):
        yield f"label {min(odd)!r}, which is not covered"
    gold, n_regions = page.gold, len(page.page)
    marked = [block.label for block in gold.blocks] + [mark.label for mark in gold.marks]
    for label in sorted({gold.rest, *gold.covers, *marked}):
        if not allowed_names(label) <= set(label_set.names):
            yield f"gold has label {label!r}, which is not one of {label_set.names}"
    for match in page.matches:
        name = f"match of {match.field} {match.value[:40]!r}"
        if out := [i for i in (*match.regions, *match.rivals) if not 0 <= i < n_regions]:
            yield f"{name}: region {out[0]} of {n_regions}, counted from 0"
        is_known = match.method in (*MATCH_METHODS, "")
        if not is_known or bool(match.method) != bool(match.regions):
            yield f"{name}: method {match.method!r}, {len(match.regions)} regions"
        if not 0 <= match.score <= 1:
            yield f"{name}: score {match.score}; expected 0 to 1"


def _strays(folder: Folder, manifest: Manifest) -> Iterator[Defect]:
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

    ``one_of_several`` is the number of regions whose gold is a set of labels; ``languages`` and
    ``pages_by_site`` count pages, the largest first, ``?`` where no language is stated; ``sizes``
    are quartiles per page; ``gold`` has one row per field.
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
        "languages": _by_count(language_of(page.page.lang) for page in corpus),
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


def language_of(stated: str) -> str:
    """Return a stated language without country, in lower case: ``de`` for ``de_AT``."""
    return stated.replace("_", "-").split("-")[0].strip().lower() or "?"


def _by_count(names: Iterable[str]) -> dict[str, int]:
    """Return how often each name occurs, the most frequent first, then by name."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


# Audits

ORDERS = ("uncertain", "random")
"""Orders of an audit: the least certain matches first, or any."""

_N_AROUND = 2  # regions with something to read that are shown before and after a match

# What a match's method and its rivals add to its uncertainty, which is otherwise 1 minus its score:
# the weaker the evidence, the more. The sums only order cards.
_METHOD_UNCERTAINTY = {
    EXACT: 0.0, PLACED: 0.0, ORDERED: 0.05, READ: 0.1, SIMILAR: 0.2, MENTIONED: 0.4
}  # fmt: skip
_RIVAL_UNCERTAINTY = 0.5
_SOURCES = ("src", "data-src", "data", "srcset", "data-srcset", "poster")


def audit(
    path: Path, *, fields: Sequence[str] = (), n: int = 100, order: str = ORDERS[0], seed: int = 0
) -> list[dict[str, object]]:
    """Return some matches of a corpus on disk, each with its text on the page and surroundings.

    Only the pages of the sample are read completely. Fields are given in any case, and all are used
    if none is given. The order ``uncertain`` takes the ``n`` matches that are least similar, found
    by weaker methods, or with rivals (ties at random); ``random`` takes any. The text of a date
    that was read has the moment stated by its ``time`` element; a text with the same letters and
    digits as the gold is ``=``. Raises CorpusError if a file is damaged, or the corpus has no value
    of the fields.
    """
    folder, manifest = read_manifest(path)
    rows = {row["id"]: row for row in manifest["pages"]}
    entries = [(name, match) for name in rows for match in read_gold(folder, name)[1]]
    present = sorted({match.field for _, match in entries})
    if not present:
        raise CorpusError(f"{path}: no gold values; 'structce corpus import' writes them")
    wanted = {name.lower() for name in fields or present}
    if unknown := wanted - {name.lower() for name in present}:
        raise CorpusError(f"{path}: no value of a field {min(unknown)!r}; there are {present}")
    entries = [e for e in entries if e[1].field.lower() in wanted and e[1].regions]
    random.Random(seed).shuffle(entries)
    if order == ORDERS[0]:
        entries.sort(key=lambda entry: -uncertainty(entry[1]))
    label_set = label_set_of(manifest)
    pages: dict[str, Page] = {}
    for name in {name for name, _ in entries[:n]}:
        pages[name] = read_labelled_page(folder, rows[name], label_set).page
    return [_audit_row(name, pages[name], match) for name, match in entries[:n]]


def uncertainty(match: Match) -> float:
    """Return the uncertainty of a match: 0 for the same words in one place."""
    by_method = _METHOD_UNCERTAINTY.get(match.method, 0.0)
    return 1 - match.score + by_method + _RIVAL_UNCERTAINTY * bool(match.rivals)


def _audit_row(name: str, page: Page, match: Match) -> dict[str, object]:
    first, last = match.regions[0], match.regions[-1]
    text = " ".join(filter(None, (region_words(page, i) for i in match.regions)))
    if match.method == READ and (moment := _stated_moment(page, first)):
        text = f"{text} (datetime {moment})"
    is_same = bool(text) and normalise(match.value) == normalise(text)
    return {
        "page": name,
        "region": first,
        "how": f"{match.method} {match.score:.2f}",
        "field": match.field,
        "gold": match.value,
        "text": "=" if is_same else text,
        "before": " | ".join(_texts_near(page, range(first - 1, -1, -1))[::-1]),
        "after": " | ".join(_texts_near(page, range(last + 1, len(page)))),
        "rivals": len(match.rivals),
    }


def _texts_near(page: Page, regions: Iterable[int]) -> list[str]:
    """Return the texts of the first of some regions that have one."""
    return list(islice((region_words(page, i) for i in regions if page.text[i]), _N_AROUND))


def region_words(page: Page, i: int) -> str:
    """Return the text of a region; for media the address and the alternative text."""
    if not page.is_media[i]:
        return page.text[i]
    row = page.attributes[i]
    source = next((row[name] for name in _SOURCES if row.get(name)), "")
    return " ".join(filter(None, [source, row.get("alt", "")]))


def _stated_moment(page: Page, i: int) -> str:
    """Return the moment that a ``time`` element around a region states; empty without one."""
    for above in page.elements.ancestors(int(page.element[i])):
        if page.elements.tag[above] == "time":
            return page.elements.attributes[above].get("datetime", "")
    return ""
