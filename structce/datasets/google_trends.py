"""GoogleTrends-2017: result pages of the searches of 2017, each text content or boilerplate.

The layout is that of the authors' software, BoilerNet: ``prepared_html/NAME.html`` is a page in
which every text stands in a ``span`` with the attribute ``__boilernet_label``, 1 for content and 0
for boilerplate; comments, ``head``, scripts and frames are gone. Some copies have the pages as they
were fetched, too, in ``raw_html/`` under the same names. Lists of a split may stand beside them;
they are not read. **Not known** to us are the names of the pages, their addresses (lost, as the
authors say), the finer kinds that the annotators saw, and a licence. What is written here follows
the authors' description and their software; no copy of the data was at hand to try it on.

The page that is given is the raw one, if it is there and holds most words of the prepared one; else
the prepared one without the labels and without spans that have nothing but a label. Without
addresses each page is a site of its own, though pages of one publisher may be among them.

Gold is one block a text: ``content`` is Paragraph inside ``p``, but unknown elsewhere and in
``figure``, ``header``, ``footer`` and ``aside``, since headlines, bylines and captions of a page
are content as well; ``boilerplate`` is None. Unknown content may be paragraphs, so nothing is
covered.
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
    """Yield the pages in the order of their names.

    Raises
    ------
    CorpusError
        If there is no folder of prepared pages.
    """
    folder = open_data_set(path, "prepared_html")
    files = sorted(one.name for one in (folder / "prepared_html").iterdir())
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
