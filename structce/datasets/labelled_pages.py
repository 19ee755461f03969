"""Labelled pages: files saved by the browser extension, each text content or boilerplate.

A file is the page as it was in the browser's tab, after its scripts ran, with two additions. A
comment after the doctype states facts as a JSON object::

    <!--structce-page
    {"format":1,"url":"https://...","model":"...","threshold":0.5,"saved":"..."}-->

and each judged text is preceded by ``<!--structce content-->`` or ``<!--structce boilerplate-->``.
The page returned is the file without these comments.

Gold. The content texts are the body: one piece of the kind ``Text`` per block-level element, so
that its mark-up decides between Paragraph and Subtitle; the headline is one of them, but the file
does not say which. Boilerplate is None. Texts without a comment, such as those that a script added
after the page was judged, are unknown. The labels are the network's at the user's threshold: they
are gold only as far as the user checked them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from structce.datasets.base import UTF8_HTML, GoldPage, PageEntry, open_data_set, page_bytes, reader
from structce.datasets.text_formats import (
    BLOCKS,
    NOT_SHOWN,
    HtmlNode,
    collapse_spaces,
    drop_empty,
    files_of,
    html_nodes,
    unique_id,
)
from structce.errors import CorpusError
from structce.gold import TEXT, Gold, GoldBlock
from structce.io import Folder
from structce.labels import NEWS, UNKNOWN
from structce.language import normalise
from structce.rendering import Document, decode

_FORMAT = 1
_NAME = re.compile(r"(.*)\.labelled( ?\([0-9]+\))?\.html", re.DOTALL)  # browsers number the second
_FACTS = re.compile(r"<!--structce-page (\{[^<>]*\})-->\n?")
_LABEL = re.compile(r"<!--structce (content|boilerplate)-->")
# In the tree each comment is a character that no text may contain: it moves with its text, even if
# a parser moves text out of a table.
_SIGNS = {"content": "\ufdd0", "boilerplate": "\ufdd1"}
_KINDS = {sign: kind for kind, sign in _SIGNS.items()}
_PIECE = re.compile("([\ufdd0\ufdd1]?)([^\ufdd0\ufdd1]*)")

_Text = tuple[str, str, HtmlNode]
"""Kind (empty if unknown) and words of a text, or white space, and the block that contains it."""


@reader("labelled-pages")
def read_labelled_pages(path: Path) -> Iterator[PageEntry]:
    """Yield the files ``*.labelled.html`` of a folder in the order of their names, or one file.

    ``*.labelled (1).html`` is one as well: so browsers save a file whose name is taken.
    """
    is_page = path.is_file() and path.suffix == ".html"
    files: list[Folder] = [path] if is_page else files_of(open_data_set(path))
    chosen = [file for file in files if is_page or is_labelled_page(file.name)]
    if not chosen:
        raise CorpusError(
            f"{path}: NAME.labelled.html is missing; expected files saved by the extension"
        )
    taken: set[str] = set()
    for file in chosen:
        name = unique_id(_NAME.sub(r"\1\2.html", file.name), taken)
        yield PageEntry(name, _read_page, file, name)


def is_labelled_page(name: str) -> bool:
    """Return whether a file's name is one under which browsers save labelled pages.

    >>> list(map(is_labelled_page, ["a.labelled.html", "a.labelled (1).html", "labelled.html"]))
    [True, True, False]
    """
    return _NAME.fullmatch(name) is not None


def _read_page(file: Folder, name: str) -> GoldPage:
    html = decode(page_bytes(file), name=name, content_type=UTF8_HTML).html
    comment = _FACTS.search(html)
    if comment is None:
        raise CorpusError("no comment <!--structce-page ...-->, which the extension writes")
    facts = json.loads(comment[1])
    if facts["format"] != _FORMAT:
        raise CorpusError(f"format {facts['format']!r}; expected {_FORMAT}")
    html = html[: comment.start()] + html[comment.end() :]
    about = {key: str(facts.get(key, "")) for key in ("model", "threshold", "saved")}
    data = _LABEL.sub("", html).encode("utf-8", errors="replace")
    gold = _gold(list(_texts(html, name)), drop_empty(about))
    return GoldPage.of_address(name, str(facts["url"]), data, gold, UTF8_HTML)


def _texts(html: str, name: str) -> Iterator[_Text]:
    plain = re.sub("[\ufdd0\ufdd1]", "", html)
    marked = _LABEL.sub(lambda match: _SIGNS[match[1]], plain)
    for node in html_nodes(Document(marked, name=name)):
        *_, root = node.upward()
        block = next((element for element in node.upward() if element.tag in BLOCKS), root)
        if node.tag == "br":
            yield "", " ", block
        if node.above is not None and node.above.tag in NOT_SHOWN:
            continue
        for sign, text in _PIECE.findall(node.text):
            if text:
                yield _KINDS.get(sign, ""), text, block


def _gold(texts: list[_Text], about: dict[str, str]) -> Gold:
    judged = [text for text in texts if text[0]]
    if not judged:
        raise CorpusError("no text has a label")
    lines = []
    for _, run in groupby(texts, lambda text: text[2]):
        # Text left out between two texts of a block separates words.
        pieces = [text if kind == "content" else " " for kind, text, _ in run]
        lines.append(collapse_spaces("".join(pieces)))
    labels = {"content": UNKNOWN, "boilerplate": NEWS.background}
    blocks = (
        GoldBlock(kind, collapse_spaces(" ".join(text for _, text, _ in run)), labels[kind])
        for kind, run in groupby(judged, lambda text: text[0])
    )
    return Gold(
        body=tuple((TEXT, line) for line in lines if normalise(line)),
        blocks=tuple(block for block in blocks if normalise(block.text)),
        about=about,
        covers=frozenset({"Paragraph", "Subtitle"}),
    )
