"""Kreuzer's semantic blocks: home pages of 2013 with blocks marked by hand, at two levels.

A site's folder in ``dataset-popular/`` or ``dataset-random/`` contains the page as fetched, its
style sheets, and ``*.blocks.html``: the page after its scripts ran, in which marked elements have
the attributes ``data-block`` (the level) and ``data-block-type``.

The page returned is the marked document without these attributes, the style rule that showed them,
and all empty ``class`` attributes: the tool left one on every second element that it marked, and
rarely on others. None of this changes an address. Style sheets are included. Bytes that are valid
UTF-8 are read as such, whatever the meta element says, which an earlier tool wrote.

Gold is one mark per element, with its type as kind:

==========================================  ===============================================
Ad                                          Advertisement
Image, Video                                Multimedia for the media in it; texts in it, such
                                            as captions and links, are unknown
LinkList, Menu, Header, Footer, Logo,       None
Searchbar
Article, Content, Sidebar, Table, Comments  unknown: they contain many things
Title, Author                               unknown. We inspected all: a Title heads any block
                                            of a home page, an Author is an imprint or a
                                            contact address; neither is a page's headline or
                                            byline.
==========================================  ===============================================

Regions outside all marks are unknown; an element of two types has the label that one of them
implies. A mark that is not in the page's tree, because its tag is in a script or a comment, has no
address and is counted as missing. Blocks are coarse, and it is not stated that every advertisement
or image was marked, so nothing is covered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from structce.datasets.base import (
    UTF8_HTML,
    GoldPage,
    Lost,
    PageEntry,
    files_around,
    open_data_set,
    page_bytes,
    reader,
)
from structce.datasets.text_formats import files_below, html_nodes
from structce.errors import CorpusError
from structce.gold import Gold, GoldMark
from structce.io import Folder
from structce.labels import NEWS, UNKNOWN
from structce.page import site_of
from structce.rendering import Resources, decode

_SETS = ("dataset-popular", "dataset-random")
_MARKED = ".blocks.html"
_LABELS = (
    {"Ad": "Advertisement", "Image": "Multimedia", "Video": "Multimedia"}
    | dict.fromkeys(("Footer", "Header", "LinkList", "Logo", "Menu", "Searchbar"), NEWS.background)
    | dict.fromkeys(("Article", "Author", "Comments", "Content"), UNKNOWN)
    | dict.fromkeys(("Sidebar", "Table", "Title"), UNKNOWN)
)
_TRACE = re.compile(
    rb"\s(?:data-block(?:-type)?=\"[^\"<>]*\"|class=\"\")"
    rb"|\*?\[data-block\]\s*\{[^{}]*\}"  # style rule by which the tool showed marks
)
_STATED = re.compile(rb"<[^<>]*\sdata-block-type=\"([^\"<>]*)\"")
_ROW = re.compile(r":?\"?(https?://[^\"\s]+)\"\s*:\s*\"/opt/([^\"]+)\"")


@reader(
    "semantic-blocks",
    title="home pages of 2013 with advertisements, images, menus and other blocks marked",
    licence="gold: public domain, attribution encouraged; pages: copyright of their publishers",
    citation="R. Kreuzer (2013). A quantitative comparison of semantic web page segmentation "
    "algorithms. Master's thesis, Universiteit Utrecht.",
    gold=("regions",),
    labels=("Advertisement", "Multimedia"),
    home="https://github.com/rkrzr/dataset-popular",
)
def read_semantic_blocks(path: Path) -> Iterator[PageEntry | Lost]:
    """Yield the pages, the popular ones first, in the order of their sites' names."""
    folder = open_data_set(path, *(f"{name}/mapping.txt" for name in _SETS))
    around, paths = files_around(path, folder), files_below(folder)
    for name in _SETS:
        urls = _urls(folder / name / "mapping.txt")
        for site in sorted(entry.name for entry in (folder / name).iterdir() if entry.is_dir()):
            page_id = f"{name.removeprefix('dataset-')}-{site}"
            place = f"{name}/{site}"
            marked = [p for p in paths if p.startswith(f"{place}/") and p.endswith(_MARKED)]
            if not marked:
                yield Lost(page_id, f"{place}: no marked document (*{_MARKED})", is_known=True)
            for n, file in enumerate(marked):
                file_id = f"{page_id}-{n + 1}" if n else page_id
                page = f"{file.removesuffix(_MARKED)}.html"
                url = urls.get(page, "")
                yield PageEntry(
                    file_id, _read_page, folder / file, file_id, url, site, around(page)
                )


def _urls(mapping: Folder) -> dict[str, str]:
    """Return the address of each page, by its path."""
    text = mapping.read_bytes().decode("utf-8", errors="replace")
    return {place: url for url, place in _ROW.findall(text)}


def _read_page(
    file: Folder, page_id: str, url: str, folder: str, around: Resources
) -> GoldPage | Lost:
    data = page_bytes(file)
    content_type = _content_type(data)
    marked = decode(data, name=page_id, content_type=content_type)
    marks = [
        GoldMark(kind, node.xpath, _label(kind, page_id))
        for node in html_nodes(marked)
        if (kind := node.attributes.get("data-block-type"))
    ]
    stated = Counter(kind.decode(errors="replace") for kind in _STATED.findall(data))
    if stated and not marks:
        reason = f"a parser sees none of its {stated.total()} marks: the file is broken upstream"
        return Lost(page_id, reason, is_known=True)
    lacking = stated - Counter(mark.kind for mark in marks)
    marks += [GoldMark(kind, "", _label(kind, page_id)) for kind in sorted(lacking.elements())]
    site = site_of(url) or site_of(f"http://{folder}/")
    gold = Gold(marks=tuple(marks))
    return GoldPage(page_id, site, site, url, _TRACE.sub(b"", data), gold, content_type, around)


def _content_type(data: bytes) -> str:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return UTF8_HTML


def _label(kind: str, page_id: str) -> str:
    """Return the label of a type; of several types, the one label that they imply."""
    unknown = [part for part in kind.split() if part not in _LABELS]
    if unknown:
        raise CorpusError(
            f"{page_id}: block of type {unknown[0]!r}; expected one of {', '.join(sorted(_LABELS))}"
        )
    labels = {_LABELS[part] for part in kind.split()} - {UNKNOWN}
    return labels.pop() if len(labels) == 1 else UNKNOWN
