"""Import of public data sets as corpora: render pages, align their gold, report every loss."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from tqdm import tqdm

from structce.alignment import align
from structce.corpus import Corpus, CorpusWriter, LabelledPage, Manifest
from structce.datasets.base import READERS, GoldPage, Skipped
from structce.errors import CorpusError, SourceError
from structce.gold import AlignmentTally
from structce.labels import NEWS
from structce.page import SUFFIX, Page, site_of, unpack_page
from structce.rendering import Document, Renderer, render_all

Change = Callable[[GoldPage | Skipped], GoldPage | Skipped]

SITE_RULES = ("address", "folder", "page", "one")
"""Rules that determine the sites of pages: by address, by folder, one site per page, or one site
for all."""


def import_corpus(
    name: str,
    source: Path,
    renderer: Renderer,
    out: Path,
    *,
    site_from: str = "",
    change: Change | None = None,
) -> Corpus:
    """Write the corpus of a public data set and return it; see :func:`write_corpus`."""
    write_corpus(name, source, renderer, out, site_from=site_from, change=change)
    return Corpus.load(out)


def write_corpus(
    name: str,
    source: Path,
    renderer: Renderer,
    out: Path,
    *,
    site_from: str = "",
    change: Change | None = None,
) -> Manifest:
    """Write the corpus of a public data set, rendered and aligned, and return its manifest.

    Pages are read, rendered and written one after the other, so that memory use does not grow with
    their number. Pages that are already in the folder and were rendered the same way are not
    rendered again: an interrupted import continues where it stopped. ``site_from`` is one of
    ``SITE_RULES``, to replace the sites stated by the data set; ``change`` is applied to each page.

    The corpus is named after the data set or, if its pages are the user's, after their folder or
    file. Its notes record the ``data_set``; by field, how many gold values there are and how they
    were found (``alignment``); the pages that could not be read or rendered (``failed``) and that
    the data set itself lacks (``left_out``); and, if it may not state sites, what determined them
    (``sites``).
    Raises CorpusError if the data set is unknown or missing, or none of its pages can be read.
    """
    reader = READERS[name]
    label_set = reader.label_set_of(source)
    is_news = label_set == NEWS
    labels = reader.labels if is_news else label_set.foreground
    covered = reader.labels if is_news else ()  # values have labels only in the news set
    writer, tally = CorpusWriter(out, label_set), AlignmentTally()
    failed: dict[str, str] = {}
    left_out: dict[str, str] = {}
    with renderer:
        items = reader.read(source) if change is None else map(change, reader.read(source))
        pages = aligned_pages(_with_sites(items, site_from), renderer, covered, out / "pages")
        for item in tqdm(pages, "pages", unit="page", disable=None, file=sys.stderr):
            if isinstance(item, LabelledPage):
                writer.add(item)
                tally.add(item.matches)
            else:
                (left_out if item.is_known else failed)[item.id] = item.reason
    if not len(writer):
        reason = next(iter((failed | left_out).values()), "it has none")
        raise CorpusError(f"{source}: no page could be read: {reason}")
    notes: dict[str, object] = {"data_set": name, "alignment": tally.rows()}
    notes |= {"failed": failed, "left_out": left_out}
    if site_from or reader.sites is not None:
        notes["sites"] = site_from or (reader.sites and reader.sites(source)) or "page"
    place = source.resolve()
    own_name = place.name if place.is_dir() else place.stem
    return writer.finish(own_name if reader.is_own else name, labels, reader.licence, notes)


def _with_sites(items: Iterable[GoldPage | Skipped], rule: str) -> Iterator[GoldPage | Skipped]:
    """Yield pages with sites by a rule of ``SITE_RULES``; unchanged if the rule is empty."""
    if rule and rule not in SITE_RULES:
        raise CorpusError(f"unknown site rule {rule!r}; expected one of {', '.join(SITE_RULES)}")
    for item in items:
        if isinstance(item, Skipped) or not rule:
            yield item
            continue
        folder = "" if item.folder == "." else item.folder
        site = site_by_rule(rule, item.id, item.url, folder)
        yield replace(item, site=site, family=site)


def site_by_rule(rule: str, page_id: str, url: str, folder: str) -> str:
    """Return the site of a page by one of ``SITE_RULES``; if that says nothing, the page itself."""
    sites = {"address": site_of(url), "folder": folder, "page": "", "one": "all"}
    return sites[rule] or page_id


def aligned_pages(
    items: Iterable[GoldPage | Skipped],
    renderer: Renderer,
    covered: tuple[str, ...] = NEWS.foreground,
    rendered: Path | None = None,
) -> Iterator[LabelledPage | Skipped]:
    """Yield every page of a data set in order, with its labels or with why it is lost.

    The renderer is open. Regions of other labels than ``covered``, those that the data set
    annotates, count as background; if it is empty, no region is known. ``rendered`` is a folder of
    snapshots: a page that was rendered the same way is loaded from there.
    """
    waiting: deque[GoldPage | Skipped] = deque()

    def reads() -> Iterator[tuple[str, Callable[[], Document | Page]]]:
        for item in items:
            waiting.append(item)
            yield item.id, partial(_read, item, renderer, rendered)

    for result in render_all(reads(), renderer):
        item = waiting.popleft()
        if isinstance(item, Skipped):
            yield item
        elif result.page is None:
            yield Skipped(item.id, result.error)
        else:
            labels, matches = align(result.page, item.gold, covered=covered)
            page = result.page
            yield LabelledPage(item.id, item.site, item.family, page, labels, item.gold, matches)


def _read(item: GoldPage | Skipped, renderer: Renderer, rendered: Path | None) -> Document | Page:
    if isinstance(item, Skipped):
        raise SourceError(item.reason)
    document = item.document()
    file = rendered / f"{item.id}{SUFFIX}" if rendered else None
    if file is None or not file.exists():
        return document
    try:
        page = unpack_page(file.read_bytes(), item.id)
    except CorpusError:  # older version, or damaged: it is rendered again
        return document
    is_same = (page.renderer, page.url) == (renderer.name, document.url)
    return page if is_same and page.provenance == renderer.provenance(document) else document
