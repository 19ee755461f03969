"""Public data set to corpus: every page rendered, its gold aligned, nothing lost silently."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from tqdm import tqdm

from structce.alignment import align
from structce.corpus import Corpus, CorpusWriter, Head, LabelledPage, Manifest
from structce.datasets.base import READERS, DataSetReader, GoldPage, Lost
from structce.errors import CorpusError, SourceError
from structce.gold import AlignmentTally
from structce.labels import NEWS
from structce.page import Page, site_of
from structce.rendering import Document, Renderer, RenderResult, render_all
from structce.snapshot import SUFFIX, unpack_page

SITE_RULES = ("address", "folder", "page", "one")
"""What may tell the sites of pages: their addresses, their folders, that each is of another site,
or that all are of one."""


def import_corpus(
    name: str, source: Path, renderer: Renderer, out: Path, *, site_from: str = ""
) -> Corpus:
    """Write the corpus of a public data set and return it; see :func:`write_corpus`."""
    write_corpus(name, source, renderer, out, site_from=site_from)
    return Corpus.load(out)


def write_corpus(
    name: str, source: Path, renderer: Renderer, out: Path, *, site_from: str = ""
) -> Manifest:
    """Write the corpus of a public data set, rendered and aligned, and return its head.

    Pages are read, rendered and written one after the other, so that memory does not grow with
    their number. Those that stand in the folder already, rendered the same way, are not rendered
    again: an interrupted import goes on where it stopped. The corpus's notes hold, by field, how
    many gold values there are and how they were found (``alignment``), and what was not given:
    pages that could not be read or rendered (``failed``) and such that the data set itself lacks
    (``left_out``). Where the data set may not tell sites, they hold what told them (``sites``).

    Parameters
    ----------
    site_from
        One of ``SITE_RULES``, in place of what the data set says of sites.

    Raises
    ------
    CorpusError
        If the data set is unknown, not there, or no page of it can be read.
    """
    reader = reader_of(name)
    label_set = reader.label_set_of(source)
    is_news = label_set == NEWS
    labels = reader.labels if is_news else label_set.foreground
    covered = reader.labels if is_news else ()  # what values could be is known of the news alone
    writer, tally = CorpusWriter(out, label_set), AlignmentTally()
    lost: dict[bool, dict[str, str]] = {True: {}, False: {}}
    with renderer:
        read = with_site_rule(reader.read(source), site_from)
        pages = aligned_pages(read, renderer, covered, out / "pages")
        for item in tqdm(pages, "pages", unit="page", disable=None, file=sys.stderr):
            if isinstance(item, LabelledPage):
                writer.add(item)
                tally.add(item.matches)
            else:
                lost[item.is_known][item.id] = item.why
    if not len(writer):
        why = next(iter((lost[False] | lost[True]).values()), "it holds none")
        raise CorpusError(f"{source}: no page could be read: {why}")
    notes: dict[str, object] = {"alignment": tally.rows()}
    notes |= {"failed": lost[False], "left_out": lost[True]}
    if site_from or reader.sites is not None:
        notes["sites"] = site_from or (reader.sites and reader.sites(source)) or "page"
    return writer.finish(Head(name, label_set, labels, reader.licence, notes))


def with_site_rule(items: Iterable[GoldPage | Lost], rule: str) -> Iterator[GoldPage | Lost]:
    """Yield pages with the sites of a rule of ``SITE_RULES``; with their own where it is empty.

    A page that has no address, or no folder of its own, is a site of its own.

    Raises
    ------
    CorpusError
        If there is no such rule.
    """
    if rule and rule not in SITE_RULES:
        raise CorpusError(f"sites from {rule!r}; expected one of {', '.join(SITE_RULES)}")
    for item in items:
        if isinstance(item, Lost) or not rule:
            yield item
            continue
        folder = "" if item.folder == "." else item.folder
        told = {"address": site_of(item.url), "folder": folder, "page": "", "one": "all"}
        site = told[rule] or item.id
        yield replace(item, site=site, family=site)


def reader_of(name: str) -> DataSetReader:
    """Return the reader of a data set.

    Raises
    ------
    CorpusError
        If there is none.
    """
    if name not in READERS:
        raise CorpusError(
            f"unknown data set {name!r}; expected one of {', '.join(sorted(READERS))}"
        )
    return READERS[name]


def aligned_pages(
    items: Iterable[GoldPage | Lost],
    renderer: Renderer,
    covered: tuple[str, ...] = NEWS.foreground,
    rendered: Path | None = None,
) -> Iterator[LabelledPage | Lost]:
    """Yield every page of a data set with its labels, or why it is lost, in their order.

    Parameters
    ----------
    renderer
        An open one.
    covered
        Labels that the data set tells of; regions of the others are part of the background. Where
        it tells of none, no region is known.
    rendered
        Folder of snapshots; a page that was rendered the same way is taken from there.
    """
    waiting: deque[GoldPage | Lost] = deque()

    def reads() -> Iterator[tuple[str, Callable[[], Document | Page]]]:
        for item in items:
            waiting.append(item)
            yield item.id, partial(_read, item, renderer, rendered)

    for one in render_all(reads(), renderer):
        yield _aligned(waiting.popleft(), one, covered)


def _read(item: GoldPage | Lost, renderer: Renderer, rendered: Path | None) -> Document | Page:
    if isinstance(item, Lost):
        raise SourceError(item.why)
    document = item.document()
    file = rendered / f"{item.id}{SUFFIX}" if rendered else None
    if file is None or not file.exists():
        return document
    try:
        page = unpack_page(file.read_bytes(), item.id)
    except CorpusError:  # of an older version, or damaged: it is written anew
        return document
    is_same = (page.renderer, page.url) == (renderer.name, document.url)
    return page if is_same and page.provenance == renderer.provenance(document) else document


def _aligned(
    item: GoldPage | Lost, one: RenderResult, covered: tuple[str, ...]
) -> LabelledPage | Lost:
    if isinstance(item, Lost):
        return item
    if one.page is None:
        return Lost(item.id, one.error)
    found = align(one.page, item.gold, covered=covered)
    return LabelledPage(
        item.id, item.site, item.family, one.page, found.labels, item.gold, found.matches
    )
