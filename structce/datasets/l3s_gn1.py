"""L3S-GN1: news pages of 2008 whose texts seven people sorted into five kinds.

The data set has each page twice: in ``original/`` as it was fetched, and in ``annotated/`` as a
browser showed it to the annotators, with texts wrapped in ``span`` elements of the classes
``x-nc-sel0`` to ``x-nc-sel5``; of nested spans the innermost counts.

The page returned is the original. It contains the same texts as the annotated one, but also what
that one has lost: the addresses of links, comments, meta elements. It does not contain the class
names of the annotation, from which a learner could read the answer. Some originals are cut off in
the head, so that no parser finds a text in them: if less than half of the annotated words are in
the original, the annotated page is returned with all traces of the annotation removed.

Gold is one block per span, in document order, and one for each stretch of text between spans:

=============  ============================================================================
headline       Title. If several texts are headlines, the one contained in the page's ``title``
               element; the data do not say which of the others is a subtitle or a kicker.
full text      Paragraph; unknown inside ``h1`` to ``h6``, where it may be a subtitle.
supplemental   unknown: captions, bylines, dates, sources in one kind.
related        None, as are comments.
not content    None: marked so, or not marked at all, which means the same.
=============  ============================================================================

Text that only the original contains is also None: it was hidden, and nobody marked it. All texts
were examined, so the gold covers Paragraph, and Title on pages where one headline is known. Images
were not examined. Subtitles and advertisements have no kind of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from structce.datasets.base import (
    UTF8_HTML,
    GoldPage,
    Lost,
    PageEntry,
    open_data_set,
    page_bytes,
    reader,
    stems,
)
from structce.datasets.text_formats import (
    HEADINGS,
    HtmlNode,
    is_same_page,
    joined_text,
    shown_texts,
)
from structce.errors import CorpusError
from structce.gold import Gold, GoldBlock
from structce.io import Folder
from structce.labels import NEWS, UNKNOWN
from structce.language import normalise
from structce.rendering import Document, decode, parse

_KINDS = {
    "x-nc-sel0": ("not content", NEWS.background),
    "x-nc-sel1": ("headline", "Title"),
    "x-nc-sel2": ("full text", "Paragraph"),
    "x-nc-sel3": ("supplemental", UNKNOWN),
    "x-nc-sel4": ("related", NEWS.background),
    "x-nc-sel5": ("comments", NEWS.background),
}
_TRACE = re.compile(r"x-nc-[\w-]+")
_ROW = re.compile(r"<urn:uuid:([^>]+)>\s+(\S+)")


@reader(
    "l3s-gn1",
    title="English news pages of 2008, texts sorted into headline, full text and other kinds",
    licence="gold: L3S, for research only; pages: copyright of their publishers",
    citation="C. Kohlschütter, P. Fankhauser, W. Nejdl (2010). Boilerplate detection using shallow "
    "text features. WSDM.",
    gold=("blocks",),
    labels=("Paragraph", "Title"),
    home="https://github.com/geodrome/page-signal",
    may_train=False,
)
def read_l3s_gn1(path: Path) -> Iterator[PageEntry | Lost]:
    """Yield the pages in the order of their names."""
    folder = open_data_set(path, "url-mapping.txt", "original", "annotated")
    listed = _ROW.findall((folder / "url-mapping.txt").read_text(encoding="utf-8"))
    if not listed:
        raise CorpusError(f"{path}: url-mapping.txt: expected rows of '<urn:uuid:...> address'")
    urls = dict(listed)
    names = stems(folder / "original", ".html") | stems(folder / "annotated", ".html")
    for name in sorted(urls.keys() | names):
        if name in urls:
            yield PageEntry(name, _read_page, folder, name, urls[name])
        else:
            yield Lost(name, "url-mapping.txt does not list it, so its site is unknown")


def _read_page(folder: Folder, name: str, url: str) -> GoldPage:
    data = page_bytes(folder / "original" / f"{name}.html")
    annotated = decode((folder / "annotated" / f"{name}.html").read_bytes(), name=name, url=url)
    texts = list(shown_texts(annotated))
    content_type = ""
    if not is_same_page(texts, data, name):
        data, content_type = _without_traces(annotated), UTF8_HTML
    return GoldPage.of_address(name, url, data, _gold(annotated, texts), content_type)


def _without_traces(annotated: Document) -> bytes:
    """Return the annotated page without the spans, classes and style sheet of the annotation."""
    root = parse(annotated)
    for sheet in root.css("style"):
        if ".x-nc-sel0" in (sheet.html or ""):
            sheet.decompose()
    for node in root.css("[class*='x-nc-']"):
        classes = _TRACE.sub("", node.attributes["class"] or "").split()
        if node.tag == "span" and not classes:
            node.unwrap(delete_empty=True)
        elif classes:
            node.attrs["class"] = " ".join(classes)
        else:
            del node.attrs["class"]
    return (root.html or "").encode("utf-8", errors="replace")


def _gold(annotated: Document, texts: list[HtmlNode]) -> Gold:
    blocks = [_block(owner, list(run)) for owner, run in groupby(texts, _owner)]
    blocks = [block for block in blocks if normalise(block.text)]
    blocks = list(_with_one_title(blocks, annotated))
    is_known = any(block.label == "Title" for block in blocks)
    return Gold(
        blocks=tuple(blocks),
        rest=NEWS.background,
        covers=frozenset({"Paragraph", "Title"} if is_known else {"Paragraph"}),
    )


def _owner(text: HtmlNode) -> HtmlNode | None:
    """Return the innermost element around a text that has a kind."""
    return next((node for node in text.upward() if _kinds(node)), None)


def _kinds(node: HtmlNode) -> list[str]:
    return [name for name in node.attributes.get("class", "").split() if name in _KINDS]


def _block(owner: HtmlNode | None, run: list[HtmlNode]) -> GoldBlock:
    kind, label = _KINDS[_kinds(owner)[-1] if owner else "x-nc-sel0"]
    if kind == "full text" and run[0].is_inside(HEADINGS):
        label = UNKNOWN
    return GoldBlock(kind, joined_text(run), label)


def _with_one_title(blocks: list[GoldBlock], annotated: Document) -> Iterator[GoldBlock]:
    """Yield the blocks; of several headlines only the page's own is a Title."""
    headlines = {normalise(block.text) for block in blocks if block.label == "Title"}
    element = parse(annotated).css_first("title")
    stated = "" if element is None else normalise(element.text())
    candidates = {text for text in headlines if text in stated} if len(headlines) > 1 else headlines
    title = max(candidates, key=len, default="")
    for block in blocks:
        is_other = block.label == "Title" and normalise(block.text) != title
        yield GoldBlock(block.kind, block.text, UNKNOWN) if is_other else block
