"""GoogleTrends-2017: search result pages of 2017, each text content or boilerplate.

The layout is that of the authors' software, BoilerNet: ``prepared_html/NAME.html`` is a page in
which every text is in a ``span`` with the attribute ``__boilernet_label``, 1 for content and 0 for
boilerplate; comments, ``head``, scripts and frames are removed. Some copies also have the pages as
fetched, in ``raw_html/`` under the same names. Lists of a split may be beside them; they are not
read. **Unknown** to us are the names of the pages, their addresses (lost, as the authors say), the
finer kinds that the annotators saw, and a licence. This module follows the authors' description and
their software; we had no copy of the data to test it on.

The page returned is the raw one, if it exists and contains most words of the prepared one; else the
prepared one without the labels and without spans that have only a label. Without addresses each
page is a site of its own, although some may share a publisher.

Gold is one block per text: ``content`` is Paragraph inside ``p``, but unknown elsewhere and in
``figure``, ``header``, ``footer`` and ``aside``, since headlines, bylines and captions of a page
are also content; ``boilerplate`` is None. Unknown content may be paragraphs, so nothing is covered.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from structce.datasets.base import UTF8_HTML, GoldPage, PageEntry, open_data_set, page_bytes, reader
from structce.datasets.text_formats import (
    HtmlNode,
    is_same_page,
    joined_text,
    safe_ids,
    shown_texts,
)
from structce.errors import CorpusError
from structce.gold import Gold, GoldBlock
from structce.io import Folder
from structce.labels import NEWS, UNKNOWN
from structce.language import normalise
from structce.rendering import Document, decode, parse

_LABEL = "__boilernet_label"
_KINDS = {"0": "boilerplate", "1": "content"}
_ASIDE = frozenset({"figure", "header", "footer", "aside"})
_SUFFIX = ".html"


@reader(
    "googletrends-2017",
    title="result pages of the searches of 2017, each text content or boilerplate",
    licence="gold: not known; pages: copyright of their publishers",
    citation="J. Leonhardt, A. Anand, M. Khosla (2020). Boilerplate removal using a neural "
    "sequence labeling model. WWW companion.",
    gold=("blocks",),
    labels=("Paragraph",),
    home="https://github.com/mrjleo/boilernet",
    may_train=False,
)
def read_google_trends(path: Path) -> Iterator[PageEntry]:
    """Yield the pages in the order of their names."""
    folder = open_data_set(path, "prepared_html")
    files = sorted(file.name for file in (folder / "prepared_html").iterdir())
    names = [name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX)]
    for name, page_id in zip(names, safe_ids(names), strict=True):
        yield PageEntry(page_id, _read_page, folder, f"{name}{_SUFFIX}", page_id)


def _read_page(folder: Folder, name: str, page_id: str) -> GoldPage:
    data = page_bytes(folder / "prepared_html" / name)
    prepared = decode(data, name=page_id, content_type=UTF8_HTML)
    texts = list(shown_texts(prepared))
    blocks = [_block(owner, list(run)) for owner, run in groupby(texts, _owner) if owner]
    if not blocks:
        raise CorpusError(f"no text has the attribute {_LABEL}")
    gold = Gold(blocks=tuple(block for block in blocks if normalise(block.text)))
    raw = folder / "raw_html" / name
    if raw.exists():
        data = page_bytes(raw)
        if is_same_page(texts, data, page_id):
            return GoldPage(page_id, page_id, page_id, "", data, gold)
    return GoldPage(page_id, page_id, page_id, "", _without_labels(prepared), gold, UTF8_HTML)


def _owner(text: HtmlNode) -> HtmlNode | None:
    return next((node for node in text.upward() if _LABEL in node.attributes), None)


def _block(owner: HtmlNode, run: list[HtmlNode]) -> GoldBlock:
    value = owner.attributes[_LABEL]
    if value not in _KINDS:
        raise CorpusError(f"{_LABEL} is {value!r}; expected 0 or 1")
    label = NEWS.background
    if value == "1":
        is_plain = owner.is_inside({"p"}) and not owner.is_inside(_ASIDE)
        label = "Paragraph" if is_plain else UNKNOWN
    return GoldBlock(_KINDS[value], joined_text(run), label)


def _without_labels(prepared: Document) -> bytes:
    root = parse(prepared)
    for node in root.css(f"[{_LABEL}]"):
        if node.tag == "span" and len(node.attributes) == 1:
            node.unwrap(delete_empty=True)
        else:
            del node.attrs[_LABEL]
    return (root.html or "").encode("utf-8", errors="replace")
