"""Pages whose own mark-up, or a list of their elements, says what each text is.

L3S-GN1, Kreuzer's semantic blocks, and CRF-Article-Extractor. What their kinds
leave open stays unknown: a caption is no paragraph, even if an annotator called both content.
"""

from __future__ import annotations

import ast
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from structce.alignment import common_runs
from structce.datasets.base import (
    UTF8_HTML,
    GoldPage,
    PageEntry,
    Skipped,
    files_around,
    open_data_set,
    page_bytes,
    reader,
)
from structce.datasets.text_formats import (
    HEADINGS,
    NOT_SHOWN,
    HtmlNode,
    collapse_spaces,
    files_below,
    html_nodes,
    is_same_page,
    shown_texts,
    stated_url,
    stems,
)
from structce.errors import CorpusError
from structce.gold import Gold, GoldBlock, GoldMark
from structce.io import Folder
from structce.labels import NEWS, UNKNOWN
from structce.language import normalise
from structce.page import site_of
from structce.rendering import Document, Resources, decode, parse

_NONE = NEWS.background


# L3S-GN1

_L3S_KINDS = {
    "x-nc-sel0": ("not content", _NONE),
    "x-nc-sel1": ("headline", "Title"),
    "x-nc-sel2": ("full text", "Paragraph"),
    "x-nc-sel3": ("supplemental", UNKNOWN),
    "x-nc-sel4": ("related", _NONE),
    "x-nc-sel5": ("comments", _NONE),
}
_L3S_TRACE = re.compile(r"x-nc-[\w-]+")
_L3S_ROW = re.compile(r"<urn:uuid:([^>]+)>\s+(\S+)")


@reader("l3s-gn1")
def read_l3s_gn1(path: Path) -> Iterator[PageEntry | Skipped]:
    """Yield the pages in the order of their names.

    The data set has each page twice: in ``original/`` as fetched, and in ``annotated/`` with texts
    in ``span`` elements of the classes ``x-nc-sel0`` to ``x-nc-sel5``. All texts were examined, so
    the gold covers Paragraph, and a known Title.
    """
    folder = open_data_set(path, "url-mapping.txt", "original", "annotated")
    urls = dict(_L3S_ROW.findall((folder / "url-mapping.txt").read_text(encoding="utf-8")))
    names = stems(folder / "original", ".html") | stems(folder / "annotated", ".html")
    for name in sorted(urls.keys() | names):
        if name in urls:
            yield PageEntry(name, _l3s_page, folder, name, urls[name])
        else:
            yield Skipped(name, "url-mapping.txt does not list it, so its site is unknown")


def _l3s_page(folder: Folder, name: str, url: str) -> GoldPage:
    data, content_type = page_bytes(folder / "original" / f"{name}.html"), ""
    annotated = decode((folder / "annotated" / f"{name}.html").read_bytes(), name=name, url=url)
    texts = list(shown_texts(annotated))
    if not is_same_page(texts, data, name):
        data, content_type = _without_spans(annotated), UTF8_HTML
    blocks = list(_l3s_blocks(texts))
    titles = {normalise(block.text) for block in blocks if block.label == "Title"}
    if len(titles) > 1:  # the page's own is the one that its title element contains
        element = parse(annotated).css_first("title")
        window = "" if element is None else normalise(element.text())
        titles = {text for text in titles if text in window}
    title = max(titles, key=len, default="")
    blocks = [
        replace(block, label=UNKNOWN)
        if block.label == "Title" and normalise(block.text) != title
        else block
        for block in blocks
    ]
    covers = frozenset({"Paragraph"} | {block.label for block in blocks if block.label == "Title"})
    gold = Gold(blocks=tuple(blocks), rest=_NONE, covers=covers)
    return GoldPage.of_address(name, url, data, gold, content_type)


def _l3s_blocks(texts: Sequence[HtmlNode]) -> Iterator[GoldBlock]:
    """Yield a block for each run of texts inside one annotated span, or inside none."""

    def class_of(node: HtmlNode) -> str:
        classes = node.attributes.get("class", "").split()
        return next((name for name in reversed(classes) if name in _L3S_KINDS), "")

    def owner_of(text: HtmlNode) -> HtmlNode | None:
        return next(filter(class_of, text.upward()), None)

    for owner, run in groupby(texts, owner_of):
        nodes = list(run)
        kind, label = _L3S_KINDS[class_of(owner) if owner else "x-nc-sel0"]
        words = collapse_spaces(" ".join(node.text for node in nodes))
        if kind == "full text" and nodes[0].is_inside(HEADINGS):
            label = UNKNOWN
        if normalise(words):
            yield GoldBlock(kind, words, label)


def _without_spans(annotated: Document) -> bytes:
    """Return the annotated page without the spans, classes and style sheet of the annotation."""
    root = parse(annotated)
    for sheet in root.css("style"):
        if ".x-nc-sel0" in (sheet.html or ""):
            sheet.decompose()
    for node in root.css("[class*='x-nc-']"):
        classes = _L3S_TRACE.sub("", node.attributes["class"] or "").split()
        if node.tag == "span" and not classes:
            node.unwrap(delete_empty=True)
        elif classes:
            node.attrs["class"] = " ".join(classes)
        else:
            del node.attrs["class"]
    return (root.html or "").encode("utf-8", errors="replace")


# Kreuzer's semantic blocks

_BLOCK_SETS = ("dataset-popular", "dataset-random")
_MARKED = ".blocks.html"
_BLOCK_LABELS = (
    {"Ad": "Advertisement", "Image": "Multimedia", "Video": "Multimedia"}
    | dict.fromkeys("Footer Header LinkList Logo Menu Searchbar".split(), _NONE)
    | dict.fromkeys("Article Author Comments Content Sidebar Table Title".split(), UNKNOWN)
)
_BLOCK_TRACE = re.compile(
    rb"\s(?:data-block(?:-type)?=\"[^\"<>]*\"|class=\"\")"
    rb"|\*?\[data-block\]\s*\{[^{}]*\}"  # style rule by which the tool showed marks
)
_BLOCK_STATED = re.compile(rb"<[^<>]*\sdata-block-type=\"([^\"<>]*)\"")
_BLOCK_ROW = re.compile(r":?\"?(https?://[^\"\s]+)\"\s*:\s*\"/opt/([^\"]+)\"")


@reader("semantic-blocks")
def read_semantic_blocks(path: Path) -> Iterator[PageEntry | Skipped]:
    """Yield the pages, the popular ones first, in the order of their sites' names.

    A site's folder in ``dataset-popular/`` or ``dataset-random/`` contains the page's style sheets,
    and ``*.blocks.html``: the page after its scripts ran, in which marked elements have the
    attributes ``data-block`` (the level) and ``data-block-type``. Bytes that are valid UTF-8 are
    read as such, whatever the meta element says.
    """
    folder = open_data_set(path, *(f"{name}/mapping.txt" for name in _BLOCK_SETS))
    around, paths = files_around(path, folder), files_below(folder)
    for name in _BLOCK_SETS:
        text = (folder / name / "mapping.txt").read_bytes().decode("utf-8", errors="replace")
        urls = {prefix: url for url, prefix in _BLOCK_ROW.findall(text)}
        for site in sorted(entry.name for entry in (folder / name).iterdir() if entry.is_dir()):
            page_id = f"{name.removeprefix('dataset-')}-{site}"
            prefix = f"{name}/{site}"
            marked = [p for p in paths if p.startswith(f"{prefix}/") and p.endswith(_MARKED)]
            if not marked:
                yield Skipped(page_id, f"{prefix}: no marked document (*{_MARKED})", is_known=True)
            for n, file in enumerate(marked):
                entry_id = f"{page_id}-{n + 1}" if n else page_id
                page = f"{file.removesuffix(_MARKED)}.html"
                url = urls.get(page, "")
                yield PageEntry(
                    entry_id, _blocks_page, folder / file, entry_id, url, site, around(page)
                )


def _blocks_page(
    file: Folder, page_id: str, url: str, folder: str, around: Resources
) -> GoldPage | Skipped:
    data = page_bytes(file)
    try:
        data.decode("utf-8")
        content_type = UTF8_HTML
    except UnicodeDecodeError:
        content_type = ""
    marked = decode(data, name=page_id, content_type=content_type)
    marks = [
        GoldMark(kind, node.xpath, _block_label(kind))
        for node in html_nodes(marked)
        if (kind := node.attributes.get("data-block-type"))
    ]
    kinds = Counter(kind.decode(errors="replace") for kind in _BLOCK_STATED.findall(data))
    if kinds and not marks:
        reason = f"a parser sees none of its {kinds.total()} marks: the file is broken upstream"
        return Skipped(page_id, reason, is_known=True)
    lacking = kinds - Counter(mark.kind for mark in marks)
    marks += [GoldMark(kind, "", _block_label(kind)) for kind in sorted(lacking.elements())]
    site = site_of(url) or site_of(f"http://{folder}/")
    gold, data = Gold(marks=tuple(marks)), _BLOCK_TRACE.sub(b"", data)
    return GoldPage(page_id, site, site, url, data, gold, content_type, around)


def _block_label(kind: str) -> str:
    """Return the label of a type; of several types, the one label that they imply."""
    labels = {_BLOCK_LABELS[part] for part in kind.split()} - {UNKNOWN}
    return labels.pop() if len(labels) == 1 else UNKNOWN


# CRF-Article-Extractor

_SPLITS = ("train", "validation", "test")
_BOLD = frozenset({"b", "strong"})
_NO_ARTICLE = frozenset({"nav", "form", "button"})
_ARTICLE = frozenset({"article", "main"})
_MAX_FIELD = 10_000_000  # characters of a field: texts of a script can be long
_CONTENT, _IGNORE = "content", "ignore"


@reader("crf-article-extractor")
def read_crf_article_extractor(path: Path) -> Iterator[PageEntry]:
    """Yield the pages of training, validation and test, each in the order of their names.

    ``data/SPLIT/tsv/NAME.tsv`` lists the elements of a page in document order: ``content`` or
    ``ignore``, a number, the element's name, its parent's name, and its own texts as a list in
    Python 2 notation. Some have no row, so rows are aligned with elements by names and texts. A
    page is lost if a row of content matches no element.
    """
    folder = open_data_set(path, *(f"data/{split}/html" for split in _SPLITS))
    for split in _SPLITS:
        part = folder / "data" / split
        for name in sorted(stems(part / "html", ".html") | stems(part / "tsv", ".tsv")):
            page_id = f"{split}-{name}"
            yield PageEntry(page_id, _crf_page, part, name, page_id)


def _crf_page(part: Folder, name: str, page_id: str) -> GoldPage:
    data = page_bytes(part / "html" / f"{name}.html")
    rows = (part / "tsv" / f"{name}.tsv").read_text(encoding="utf-8")
    texts: dict[HtmlNode, list[str]] = {}  # own texts of the elements, in document order
    for node in html_nodes(decode(data, name=page_id)):
        if node.tag:
            texts[node] = []
        elif node.above is not None:
            texts[node.above].append(node.text)
    elements = {node: normalise("".join(strings)) for node, strings in texts.items()}
    content = _content_elements(rows, elements)
    visible = [node for node, text in elements.items() if text and not node.is_inside(NOT_SHOWN)]
    with_text = {above for node in visible for above in node.upward()}
    candidates = (_crf_mark(node, content) for node in elements if node in with_text)
    marks = [mark for mark in candidates if mark is not None]
    is_settled = all(mark.label != UNKNOWN for mark in marks if mark.kind == _CONTENT)
    covers = frozenset({"Paragraph", "Subtitle"}) if is_settled else frozenset[str]()
    gold = Gold(marks=tuple(marks), covers=covers)
    return GoldPage.of_address(page_id, stated_url(data), data, gold, site=name)


def _content_elements(table: str, elements: Mapping[HtmlNode, str]) -> dict[HtmlNode, bool]:
    """Return whether an element is content, for each element with a row."""
    csv.field_size_limit(_MAX_FIELD)
    rows = [
        (kind == _CONTENT, (tag, above, normalise("".join(ast.literal_eval(words)))))
        for kind, _, tag, above, words, _ in csv.reader(io.StringIO(table), delimiter="\t")
    ]
    nodes = list(elements)
    theirs = [
        (node.tag, node.above.tag if node.above else "None", text)
        for node, text in elements.items()
    ]
    content: dict[HtmlNode, bool] = {}
    lacking = {n for n, (is_content, _) in enumerate(rows) if is_content}
    for run in common_runs([key for _, key in rows], theirs):
        for n in range(run.length):
            content[nodes[run.second + n]] = rows[run.first + n][0]
            lacking.discard(run.first + n)
    if lacking:
        first = rows[min(lacking)][1]
        raise CorpusError(f"{len(lacking)} rows of content match no element; the first is {first}")
    return content


def _crf_mark(node: HtmlNode, content: Mapping[HtmlNode, bool]) -> GoldMark | None:
    """Return the mark of an element; None if it would repeat that of an ancestor."""
    if content.get(node):
        label = "Subtitle" if node.is_inside(HEADINGS) else "Paragraph"
        stands_alone = node.above is not None and not content.get(node.above)
        is_either = label == "Paragraph" and node.tag in _BOLD and stands_alone
        return GoldMark(_CONTENT, node.xpath, UNKNOWN if is_either else label)
    if node in content and any(content.get(above, False) for above in node.upward()):
        return GoldMark(_IGNORE, node.xpath, UNKNOWN)
    is_apart = node.tag in _NO_ARTICLE or (node.tag == "footer" and not node.is_inside(_ARTICLE))
    return GoldMark(_IGNORE, node.xpath, _NONE) if is_apart else None
