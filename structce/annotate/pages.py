"""Import of pages for labelling: files, folders and archives become pages of a corpus."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from structce.addresses import join_address
from structce.annotate.workspace import AddedPage, StyleSheet, Workspace
from structce.article import DocumentReader, page_loaders
from structce.corpus import LabelledPage, is_page_id
from structce.datasets import (
    READERS,
    GoldPage,
    Skipped,
    aligned_pages,
    is_labelled_page,
    site_by_rule,
    stated_url,
    unique_id,
)
from structce.errors import SourceError
from structce.labels import NEWS, UNKNOWN
from structce.page import Page, site_of
from structce.rendering import Document, Loader, Renderer, Resources, render_all, with_bar

_BATCH = 50  # pages between writes of the manifest: the most that an interruption loses
_MAX_SHEETS = 60  # style sheets of a page; news pages link to some ten
_MAX_CHARACTERS = 2_000_000  # of each, which is sent to the browser with its page

_IMPORT = re.compile(r"""@import\s+(?:url\(\s*)?["']?([^"')\s;]+)["']?\s*\)?\s*([^;{}]*);""")


def add_sources(
    workspace: Workspace,
    names: Sequence[str],
    renderer: Renderer,
    read: DocumentReader,
    site_from: str = "",
) -> list[str]:
    """Render pages that the corpus lacks, add them, and return one line per error.

    Names are those of files, folders, archives and snapshots. A page that is already there, by the
    name of its file and the digest of its HTML, is skipped. Sites are determined by ``site_from``,
    one of :data:`structce.datasets.SITE_RULES`; by default by the address of the page or the one
    that it states as its own, else by its folder. The renderer is opened here.
    """
    ids: set[str] = set()
    failed = _add_labelled(workspace, names, renderer)
    loaders = []
    for name, load in page_loaders(names, read):
        if is_labelled_page(Path(name).name):
            continue
        file = Path(name.rstrip("/")).name or "page"
        if page_id := _free_id(workspace, file, ids, partial(_digest, load)):
            loaders.append((page_id, name, load))
    if loaders:
        with renderer:
            pages = _rendered(loaders, renderer, failed, site_from)
            while batch := list(islice(pages, _BATCH)):
                workspace.add_pages(batch)
    return failed


def _rendered(
    loaders: Sequence[tuple[str, str, Loader]],
    renderer: Renderer,
    failed: list[str],
    site_from: str,
) -> Iterator[AddedPage]:
    """Yield pages without labels; reasons of failures are added to ``failed``."""
    named = ((name, load) for _, name, load in loaders)
    results = with_bar(render_all(named, renderer), len(loaders))
    for (page_id, _, _), result in zip(loaders, results, strict=True):
        if (page := result.page) is None:
            failed.append(result.error)
            continue
        url = page.url if site_of(page.url) else stated_url(result.document.utf8)
        folder = Path(result.source).resolve().parent.name
        rule = site_from or ("address" if site_of(url) else "folder")
        site = site_by_rule(rule, page_id, url, folder)
        labelled = LabelledPage(page_id, site, site, page, (UNKNOWN,) * len(page))
        yield AddedPage(labelled, result.document.html, style_sheets(result.document))


def style_sheets(document: Document) -> list[StyleSheet]:
    """Return the style sheets that a page links to and imports, if its files are available."""
    if document.resources is None:
        return []
    base, known = document.resources.base, set[str]()
    sheets: list[StyleSheet] = []
    for node in LexborHTMLParser(document.utf8).css("base[href], link[rel~='stylesheet' i][href]"):
        address = join_address(base, (node.attributes["href"] or "").strip())
        if node.tag == "base":
            base = address
        else:
            media = node.attributes.get("media") or ""
            sheets += _sheets(document.resources, address, media, known)
    return sheets


def _sheets(
    resources: Resources, address: str, media: str, known: set[str]
) -> Iterator[StyleSheet]:
    """Yield the style sheet at an address after those that it imports, each once per page."""
    resource = None if address in known or len(known) >= _MAX_SHEETS else resources.get(address)
    known.add(address)
    if resource is None or len(resource.data) > _MAX_CHARACTERS:
        return
    text = resource.data.decode("utf-8", errors="replace")
    for imported, condition in _IMPORT.findall(text):
        inner = condition.strip() or media
        yield from _sheets(resources, join_address(address, imported), inner, known)
    yield StyleSheet(text, media)


def _add_labelled(workspace: Workspace, names: Sequence[str], renderer: Renderer) -> list[str]:
    """Add pages that the browser extension saved, with its labels as initial ones.

    Main content and boilerplate become labels as in an import of the data set; what the extension
    did not judge is unknown. Return one line per error.
    """
    paths = [Path(name) for name in names]
    found = [sorted(path.rglob("*.html")) if path.is_dir() else [path] for path in paths]
    files = [file for group in found for file in group if is_labelled_page(file.name)]
    if not files or workspace.editor.label_set != NEWS:
        return [f"{file}: the extension only has news labels" for file in files]
    reader, failed, ids = READERS["labelled-pages"], list[str](), set[str]()
    with renderer:
        for file in files:
            (item,) = reader.read(file)
            (page,) = aligned_pages([item], renderer, reader.labels)
            if isinstance(page, Skipped) or not isinstance(item, GoldPage):
                failed.append(f"{file}: {page.reason if isinstance(page, Skipped) else ''}")
                continue
            known = partial(str, page.page.provenance.digest)
            if page_id := _free_id(workspace, page.id, ids, known):
                workspace.add_pages([AddedPage(replace(page, id=page_id), item.document().html)])
    return failed


def _free_id(workspace: Workspace, name: str, ids: set[str], digest: Callable[[], str]) -> str:
    """Return an id for a page that no other page has; empty if the corpus has the page."""
    page_id = unique_id(name, ids)
    while page_id in workspace.editor:
        if workspace.page(page_id).page.provenance.digest == digest():
            return ""
        page_id = unique_id(name, ids)
    return page_id if is_page_id(page_id) else ""


def _digest(load: Loader) -> str:
    try:
        source = load()
    except SourceError:  # rendering reports it
        return ""
    return source.provenance.digest if isinstance(source, Page) else source.digest
