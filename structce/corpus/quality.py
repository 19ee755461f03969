"""Quality of a corpus: defects of its files, its contents in numbers, and audits of its gold.

An audit shows gold values beside the regions they were matched with, for people to judge. Texts are
returned as on the page; the caller must make them safe to print.
"""

from __future__ import annotations

import hashlib
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict

import numpy as np
from rapidfuzz import fuzz, process, utils
from rapidfuzz.distance import Levenshtein
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
from structce.extras import load_extra
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
from structce.labels import UNKNOWN, LabelSet, allowed_names, is_exact_label
from structce.language import normalise
from structce.page import SUFFIX, Page
from structce.rendering import StaticRenderer, decode

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Defects of a corpus on disk

_SAFE = re.compile(r"\w[\w.-]*")


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
        if not _SAFE.fullmatch(row["id"]):
            continue
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
        if not _SAFE.fullmatch(row["id"]):
            what = "id is not a safe file name; the page was not read"
            yield Defect("error", row["id"], what)
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


# A corpus in numbers and pictures

QUARTILES = ("least", "quarter", "median", "three quarters", "most")
"""Names of the five numbers that summarise the sizes of pages."""


class Summary(TypedDict):
    """Contents of a corpus in numbers, as plain JSON values.

    ``one_of_several`` is the number of regions whose gold is a set of labels; ``languages`` and
    ``pages_by_site`` count pages, the largest first, ``?`` where no language is stated; ``sizes``
    are quartiles per page; ``gold`` has one row per field.
    """

    name: str
    licence: str
    renderer: str
    pages: int
    sites: int
    families: int
    languages: dict[str, int]
    regions: int
    unknown: int
    one_of_several: int
    covered: list[str]
    digest: str
    labels: dict[str, int]
    pages_by_label: dict[str, int]
    sites_by_label: dict[str, int]
    sizes: dict[str, dict[str, float]]
    pages_by_site: dict[str, int]
    gold: list[dict[str, object]]


def summarise(corpus: Corpus) -> Summary:
    """Return the summary of a corpus."""
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
    return dict(zip(QUARTILES, values, strict=False))


def language_of(stated: str) -> str:
    """Return a stated language without country, in lower case: ``de`` for ``de_AT``."""
    return stated.replace("_", "-").split("-")[0].strip().lower() or "?"


def _by_count(names: Iterable[str]) -> dict[str, int]:
    """Return how often each name occurs, the most frequent first, then by name."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


def draw_plots(corpus: Corpus, folder: Path) -> list[Path]:
    """Draw labels, sizes, languages and sites of a corpus, each as SVG and as PNG.

    Returns the files. The same corpus gives the same bytes with the same matplotlib. Raises
    MissingExtraError if matplotlib is not installed.
    """
    matplotlib = load_extra("matplotlib", "drawing plots", "plots")
    from matplotlib.figure import Figure

    summary = summarise(corpus)
    per_site = [f"2^{n.bit_length() - 1} or more" for n in summary["pages_by_site"].values()]
    bars = {
        "labels": ("regions", summary["labels"] | {UNKNOWN: summary["unknown"]}),
        "languages": ("pages", dict(list(summary["languages"].items())[:20])),
        "sites": ("sites by their pages", dict(sorted(Counter(per_site).items()))),
        "regions": ("pages by their regions", None),
    }
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    with matplotlib.rc_context({"svg.hashsalt": "structce", "text.parse_math": False}):
        for name, (what, counts) in bars.items():
            figure = Figure(layout="constrained")
            axes: Axes = figure.subplots()
            if counts is None:
                axes.hist([len(page.page) for page in corpus], bins="auto")
            else:
                axes.bar_label(axes.barh(list(counts)[::-1], list(counts.values())[::-1]))
            axes.set_title(f"{corpus.name}: {what}")
            for end, metadata in {"svg": {"Date": None}, "png": {"Software": None}}.items():
                files.append(folder / f"{name}.{end}")
                figure.savefig(files[-1], dpi=150, metadata=metadata)
    return files


# Audits

UNCERTAIN, RANDOM = "uncertain", "random"
ORDERS = (UNCERTAIN, RANDOM)
STATES = ("found", "ambiguous", "missing")
"""Values of :attr:`structce.gold.Match.state`."""

_N_AROUND = 2  # regions with something to read that are shown before and after a match

# What a match's method and its rivals add to its uncertainty, which is otherwise 1 minus its score:
# the weaker the evidence, the more. The sums only order cards.
_METHOD_UNCERTAINTY = {
    EXACT: 0.0, PLACED: 0.0, ORDERED: 0.05, READ: 0.1, SIMILAR: 0.2, MENTIONED: 0.4
}  # fmt: skip
_RIVAL_UNCERTAINTY = 0.5
_OTHER_NOTATION = frozenset({"Date", "Multimedia"})  # not written as the gold's values are

MIN_SIMILARITY = 60.0
"""Least similarity, in per cent, of a region that is shown for a value that was not found."""

IN_BOTH, IN_GOLD, ON_PAGE = "same", "gold", "page"
"""Where a part of two compared texts is: in both, in the gold alone, or on the page alone."""

_MAX_WORDS = 4_000  # of either text that are compared; the time grows with the product of both
_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_SOURCES = ("src", "data-src", "data", "srcset", "data-srcset", "poster")
_FIRST = re.compile(r"\[1\](?=/|$)")


@dataclass(frozen=True)
class RegionView:
    """One region as an audit or a listing shows it.

    Its XPath is shortened, see :func:`short_xpath`. The text of media is an address and the
    alternative text.
    """

    index: int
    label: str
    tag: str
    xpath: str
    text: str


class DiffPart(NamedTuple):
    """A stretch of text that is in the gold, on the page, or in both (as on the page)."""

    where: str
    text: str


@dataclass(frozen=True)
class AuditCard:
    """One gold value beside its match, which has this number among those of its page.

    ``text`` is that of the matched regions, with the moment stated by a ``time`` element from which
    a date was read, or of the region most similar to a value that was not found. ``differences``
    are both texts as one line; empty if they have the same words, or a different notation.
    ``before`` and ``after`` are the nearest regions that have a text.
    """

    page: str
    url: str
    number: int
    match: Match
    label: str
    text: str
    is_same: bool
    differences: tuple[DiffPart, ...]
    before: tuple[RegionView, ...]
    places: tuple[RegionView, ...]
    after: tuple[RegionView, ...]
    rivals: tuple[RegionView, ...]


def audit_sample(
    path: Path,
    *,
    fields: Sequence[str] = (),
    states: Sequence[str] = ("found", "ambiguous"),
    n: int = 100,
    order: str = UNCERTAIN,
    seed: int = 0,
) -> tuple[list[AuditCard], int]:
    """Return some matches of a corpus on disk, each with its surroundings, and of how many.

    Only the pages of the sample are read completely. Fields are given in any case, and all are used
    if none is given. The order ``uncertain`` takes the ``n`` matches that are least similar, found
    by weaker methods, or with rivals (ties at random); ``random`` takes any. Raises CorpusError if
    a file is damaged, or the corpus has no value of the fields.
    """
    folder, manifest = read_manifest(path)
    rows = {row["id"]: row for row in manifest["pages"]}
    entries = [
        (name, number, match)
        for name in rows
        for number, match in enumerate(read_gold(folder, name)[1])
    ]
    present = sorted({match.field for _, _, match in entries})
    if not present:
        raise CorpusError(f"{path}: no gold values; 'structce corpus import' writes them")
    wanted = select_fields(fields, present) if fields else present
    if unknown := {*map(str.lower, fields)} - {*map(str.lower, wanted)}:
        raise CorpusError(f"{path}: no value of a field {min(unknown)!r}; there are {present}")
    entries = [e for e in entries if e[2].field in wanted and e[2].state in states]
    n_matches = len(entries)
    random.Random(seed).shuffle(entries)
    if order == UNCERTAIN:
        entries.sort(key=lambda entry: -uncertainty(entry[2]))
    chosen = entries[:n]
    label_set = label_set_of(manifest)
    cards: dict[tuple[str, int], AuditCard] = {}
    for name, of_page in groupby(sorted(chosen, key=lambda e: e[0]), key=lambda e: e[0]):
        page = read_labelled_page(folder, rows[name], label_set)
        cards |= {(name, number): _card(page, number, match) for _, number, match in of_page}
    return [cards[name, number] for name, number, _ in chosen], n_matches


def uncertainty(match: Match) -> float:
    """Return the uncertainty of a match: 0 for the same words in one place."""
    by_method = _METHOD_UNCERTAINTY.get(match.method, 0.0)
    return 1 - match.score + by_method + _RIVAL_UNCERTAINTY * bool(match.rivals)


def _card(labelled: LabelledPage, number: int, match: Match) -> AuditCard:
    page = labelled.page
    near = None if match.regions else most_similar_region(page, match.value)
    regions = match.regions or ((near[0],) if near else ())
    text = " ".join(filter(None, (region_words(page, i) for i in regions)))
    if match.method == READ and (moment := _stated_moment(page, regions[0])):
        text = f"{text} (datetime {moment})"
    is_same = bool(text) and is_same_text(match.value, text)
    is_compared = text and not is_same and match.method != READ
    differs = is_compared and match.field not in _OTHER_NOTATION
    return AuditCard(
        page=labelled.id,
        url=page.url,
        number=number,
        match=match,
        label=labelled.labels[regions[0]] if regions else "",
        text=text,
        is_same=is_same,
        differences=differences(match.value, text) if differs else (),
        before=_around(labelled, range(regions[0] - 1, -1, -1))[::-1] if regions else (),
        places=tuple(region_view(labelled, i) for i in regions),
        after=_around(labelled, range(regions[-1] + 1, len(page))) if regions else (),
        rivals=tuple(region_view(labelled, i) for i in match.rivals),
    )


def _around(labelled: LabelledPage, regions: Iterable[int]) -> tuple[RegionView, ...]:
    """Return the first of some regions that have a text."""
    with_text = (i for i in regions if labelled.page.text[i])
    return tuple(region_view(labelled, i) for i in islice(with_text, _N_AROUND))


def region_view(labelled: LabelledPage, i: int) -> RegionView:
    """Return the view of one region of a page."""
    page = labelled.page
    xpath = short_xpath(page.xpath[i])
    return RegionView(i, labelled.labels[i], page.tag[i], xpath, region_words(page, i))


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


def short_xpath(xpath: str, n_steps: int = 4) -> str:
    """Return the last steps of an XPath, without the index of first children.

    >>> short_xpath("/html[1]/body[1]/div[2]/article[1]/p[3]/text()[1]")
    '…/div[2]/article/p[3]'
    """
    steps = _FIRST.sub("", xpath).strip("/").split("/")
    if steps[-1] == "text()":
        steps.pop()
    whole = len(steps) < n_steps
    return ("/" if whole else "…/") + "/".join(steps if whole else steps[1 - n_steps :])


def select_fields(asked: Iterable[str], there: Iterable[str]) -> list[str]:
    """Return the requested fields, in any case: ``date`` also means ``Date``."""
    names = {name.lower() for name in asked}
    return [name for name in there if name.lower() in names]


def matches_by_region(matches: Iterable[Match]) -> dict[int, list[Match]]:
    """Return the matches of each region; regions without one are left out."""
    by_region: dict[int, list[Match]] = {}
    for match in matches:
        for i in match.regions:
            by_region.setdefault(i, []).append(match)
    return by_region


def most_similar_region(page: Page, value: str) -> tuple[int, float] | None:
    """Return the region whose text is most similar to a value, and the similarity in per cent.

    None if no similarity reaches ``MIN_SIMILARITY``; on a tie the first.
    """
    if not utils.default_process(value):  # punctuation alone is like every icon
        return None
    nearest = process.extractOne(
        value, page.text, scorer=fuzz.ratio, processor=utils.default_process,
        score_cutoff=MIN_SIMILARITY,
    )  # fmt: skip
    return None if nearest is None else (nearest[2], nearest[1])


def is_same_text(gold: str, page: str) -> bool:
    """Return whether two texts have the same letters and digits in the same order."""
    return normalise(gold) == normalise(page)


def differences(gold: str, page: str) -> tuple[DiffPart, ...]:
    """Return the differences of two texts as one line of parts, in order.

    Case, white space and compatibility forms of letters are ignored; punctuation is not.
    """
    ours, theirs = (_WORD.findall(" ".join(t.split()))[: 2 * _MAX_WORDS] for t in (gold, page))
    folded = [[normalise(word) or word for word in side] for side in (ours, theirs)]
    parts: list[DiffPart] = []
    for is_equal, group in groupby(Levenshtein.opcodes(*folded), lambda step: step.tag == "equal"):
        run = list(group)
        old = "".join(ours[run[0].src_start : run[-1].src_end])
        new = "".join(theirs[run[0].dest_start : run[-1].dest_end])
        sides = [(IN_BOTH, new)] if is_equal else [(IN_GOLD, old), (ON_PAGE, new)]
        parts += [DiffPart(where, text) for where, text in sides if text]
    return tuple(parts)


def shorten(parts: tuple[DiffPart, ...], kept: int = 60) -> Iterator[DiffPart]:
    """Yield parts, shortened to ``kept`` characters at either end if they are long.

    Differing parts keep twice as much.
    """
    for where, text in parts:
        room = kept if where == IN_BOTH else 2 * kept
        if len(text) > 3 * room:
            text = f"{text[:room].rstrip()} … {text[-room:].lstrip()}"
        yield DiffPart(where, text)
