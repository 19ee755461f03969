"""The pages of CRF-Article-Extractor: news of 2018, each element content or not.

``data/SPLIT/html/NAME.html`` is a page, and ``data/SPLIT/tsv/NAME.tsv`` lists its elements in
document order: ``content`` or ``ignore``, a number, the element's name, its parent's name, and its
own texts as a list in Python 2 notation. Scripts and some other elements have no row. The rows are
therefore aligned with the page's elements by names and texts, and an element keeps its address in
the page. A page is lost if a row of content matches no element.

Gold is one mark for each element whose row differs from that of the element around it:

* ``content`` is the main text: Subtitle inside ``h1`` to ``h6``, else Paragraph; but unknown for
  bold words in an element that is not content itself, such as a ``p`` that contains nothing else:
  such a line may be either.
* ``ignore`` is everything else. It includes headlines, bylines, dates and captions, so it is
  unknown, except inside ``nav``, ``form``, ``button`` or a ``footer`` outside the article, where it
  is None. Links to other articles between paragraphs are also in it, and stay unknown.

Every element of the main text was marked, so the gold covers Paragraph and Subtitle on pages
where no line of the main text is unknown, else nothing.
"""

from __future__ import annotations

import ast
import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from structce.alignment import common_runs
from structce.datasets.base import GoldPage, PageEntry, open_data_set, page_bytes, reader, stems
from structce.datasets.text_formats import HEADINGS, NOT_SHOWN, HtmlNode, html_nodes
from structce.errors import CorpusError
from structce.gold import Gold, GoldMark
from structce.io import Folder
from structce.labels import NEWS, UNKNOWN
from structce.language import normalise
from structce.page import site_of
from structce.rendering import Document, decode

_SPLITS = ("train", "validation", "test")
_BOLD = frozenset({"b", "strong"})
_NO_ARTICLE = frozenset({"nav", "form", "button"})
_ARTICLE = frozenset({"article", "main"})
_N_COLUMNS = 6
_MAX_FIELD = 10_000_000  # characters of a field: texts of a script can be long
_CONTENT, _IGNORE = "content", "ignore"


@dataclass(frozen=True)
class _Row:
    is_content: bool
    tag: str
    parent: str
    text: str


@dataclass(frozen=True)
class _Element:
    node: HtmlNode
    text: str

    @property
    def key(self) -> tuple[str, str, str]:
        above = self.node.above
        return self.node.tag, "None" if above is None else above.tag, self.text


@reader(
    "crf-article-extractor",
    title="news pages of 2018, most of them Indonesian, each element content or not",
    licence="gold: none stated; pages: copyright of their publishers",
    citation="feryandi (2018). CRF-Article-Extractor. GitHub repository.",
    gold=("regions",),
    labels=("Paragraph", "Subtitle"),
    home="https://github.com/feryandi/CRF-Article-Extractor",
    may_train=False,
)
def read_crf_article_extractor(path: Path) -> Iterator[PageEntry]:
    """Yield the pages of training, validation and test, each in the order of their names."""
    folder = open_data_set(path, *(f"data/{split}/html" for split in _SPLITS))
    for split in _SPLITS:
        part = folder / "data" / split
        for name in sorted(stems(part / "html", ".html") | stems(part / "tsv", ".tsv")):
            page_id = f"{split}-{name}"
            yield PageEntry(page_id, _read_page, part, name, page_id)


def _read_page(part: Folder, name: str, page_id: str) -> GoldPage:
    data = page_bytes(part / "html" / f"{name}.html")
    rows = _rows((part / "tsv" / f"{name}.tsv").read_text(encoding="utf-8"))
    document = decode(data, name=page_id)
    elements = _elements(document)
    gold = _gold(rows, elements)
    return GoldPage.of_address(page_id, _url(elements), data, gold, site=name)


def _rows(text: str) -> list[_Row]:
    rows = []
    csv.field_size_limit(_MAX_FIELD)
    for n, fields in enumerate(csv.reader(io.StringIO(text), delimiter="\t"), 1):
        if len(fields) != _N_COLUMNS or fields[0] not in (_CONTENT, _IGNORE):
            raise CorpusError(
                f"row {n}: expected {_CONTENT} or {_IGNORE} and five more columns, "
                f"got {len(fields)} columns beginning with {fields[:1]}"
            )
        texts = ast.literal_eval(fields[4])
        rows.append(_Row(fields[0] == _CONTENT, fields[2], fields[3], normalise("".join(texts))))
    return rows


def _elements(document: Document) -> list[_Element]:
    """Return the elements of a page in document order, each with its own texts."""
    texts: dict[HtmlNode, list[str]] = {}
    for node in html_nodes(document):
        if node.tag:
            texts[node] = []
        elif node.above is not None:
            texts[node.above].append(node.text)
    return [_Element(node, normalise("".join(strings))) for node, strings in texts.items()]


def _url(elements: Sequence[_Element]) -> str:
    """Return the address that the page states for itself; empty if it states none."""
    for element in elements:
        attributes = element.node.attributes
        if attributes.get("rel") == "canonical" and site_of(attributes.get("href", "")):
            return attributes["href"]
        if attributes.get("property") == "og:url" and site_of(attributes.get("content", "")):
            return attributes["content"]
    return ""


def _gold(rows: Sequence[_Row], elements: Sequence[_Element]) -> Gold:
    content = _content(rows, elements)
    visible = [
        element.node
        for element in elements
        if element.text and not element.node.is_inside(NOT_SHOWN)
    ]
    with_text = {above for node in visible for above in node.upward()}
    candidates = (_mark(element.node, content) for element in elements if element.node in with_text)
    marks = [mark for mark in candidates if mark is not None]
    is_settled = all(mark.label != UNKNOWN for mark in marks if mark.kind == _CONTENT)
    covers = frozenset({"Paragraph", "Subtitle"}) if is_settled else frozenset[str]()
    return Gold(marks=tuple(marks), covers=covers)


def _content(rows: Sequence[_Row], elements: Sequence[_Element]) -> dict[HtmlNode, bool]:
    """Return whether an element is content, for each element with a row.

    Raises CorpusError if a row of content matches no element.
    """
    ours = [(row.tag, row.parent, row.text) for row in rows]
    theirs = [element.key for element in elements]
    is_content: dict[HtmlNode, bool] = {}
    lacking = {n for n, row in enumerate(rows) if row.is_content}
    for run in common_runs(ours, theirs):
        for n in range(run.length):
            is_content[elements[run.second + n].node] = rows[run.first + n].is_content
            lacking.discard(run.first + n)
    if lacking:
        row = rows[min(lacking)]
        raise CorpusError(
            f"{len(lacking)} rows of content match no element of the page; "
            f"the first is {row.tag} with {row.text[:40]!r}"
        )
    return is_content


def _mark(node: HtmlNode, content: Mapping[HtmlNode, bool]) -> GoldMark | None:
    """Return the mark of an element; None if it would repeat that of an ancestor."""
    if content.get(node):
        return GoldMark(_CONTENT, node.xpath, _content_label(node, content))
    around = [content.get(above, False) for above in node.upward()]
    if node in content and any(around):
        return GoldMark(_IGNORE, node.xpath, UNKNOWN)
    is_apart = node.tag in _NO_ARTICLE or (node.tag == "footer" and not node.is_inside(_ARTICLE))
    return GoldMark(_IGNORE, node.xpath, NEWS.background) if is_apart else None


def _content_label(node: HtmlNode, content: Mapping[HtmlNode, bool]) -> str:
    if node.is_inside(HEADINGS):
        return "Subtitle"
    stands_alone = node.above is not None and not content.get(node.above)
    return UNKNOWN if node.tag in _BOLD and stands_alone else "Paragraph"
