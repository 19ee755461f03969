"""CleanEval and CleanPortalEval: pages in a common format, each with a file of its text.

Gold. ``<h>`` becomes a piece of the kind ``Subtitle``, ``<p>`` and ``<l>`` one of the kind
``Paragraph``, a piece without a mark one of the kind ``Text``. In CleanPortalEval the first ``<h>``
is the headline, so it is the title. In CleanEval it may be the headline or the heading of a
section; the data do not say which: its kind is ``Text``, and there is no title.

Coverage. The annotators kept all text that is content, so every paragraph and heading of the page
is in the gold. The converse is not true of CleanEval, where nearly everything was kept: bylines,
dates, captions and tables are among the paragraphs, as ``<p>``. Author, Date, Caption and, for
CleanEval, Title cannot be covered.

The encoding stated by the wrapper of a page is used, right or wrong: the annotators' text shows
that they saw the page in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path

import webencodings

from structce.datasets.base import GoldPage, Lost, PageEntry, open_data_set, page_bytes, reader
from structce.datasets.text_formats import decode_text
from structce.gold import TEXT, Gold
from structce.io import Folder
from structce.language import normalise

_BODY = ("Paragraph", "Subtitle")
_KINDS = {"h": "Subtitle", "p": "Paragraph", "l": "Paragraph", "": TEXT}
_LICENCE = "gold: none stated; pages: copyright of their publishers, for research and tests"

_WRAPPER = re.compile(rb'\s*<text((?:\s+[\w-]+\s*=\s*"[^"]*")*)\s*>\s*')
_WRAPPER_END = re.compile(rb"</text>\s*\Z")
_ATTRIBUTE = re.compile(rb'([\w-]+)\s*=\s*"([^"]*)"')

_URL_LINE = re.compile(r"\s*URL:\s*((?:\w+://|www\.).*|)")
_COMMENT = re.compile(r"^\s*<!--.*-->\s*$", re.MULTILINE)
_NO_LINE = re.compile(r"\n[\W_]*(?=\n)")  # a blank line, or a rule across the page

# Bullets of lists as the text browser draws them. A number may be part of the page's text; before a
# list item it seldom is.
_BULLET = r"(?:[*+o#§·•»-]|--)"
_NUMBER = r"(?:\d{1,3}[.)]|\(?\w[.)])"
_LEADING_BULLET = re.compile(rf"\A{_BULLET}(?:\s+|$)")
_LEADING_NUMBER = re.compile(rf"\A{_NUMBER}(?:\s+|$)")

# Mistyped marks (``<h<``, ``<l.``, ``<pIn``) count; one inside a word is part of the page's text.
_MARK = re.compile(
    rf"(?:^[ \t]*(?:{_BULLET}|{_NUMBER})[ \t]+|(?<![^\s>*]))<([hplHPL])(?:>|[.<]|(?=[A-Z]))",
    re.MULTILINE,
)


@dataclass(frozen=True)
class _Part:
    """Pages and texts of one folder."""

    folder: Folder
    prefix: str  # of the ids of its pages
    name: str  # fact ``split`` of its pages; empty for a data set without parts
    has_headline: bool  # whether the first heading is the headline
    may_lack: bool  # whether pages may lack a text

    def names(self) -> list[str]:
        """Return the names of all pages and texts, numbers in numerical order."""
        files = [*(self.folder / "input").iterdir(), *(self.folder / "GoldStandard").iterdir()]
        names = {file.name.rpartition(".")[0] for file in files}
        return sorted(names, key=lambda name: (len(name) if name.isdigit() else 0, name))


@reader(
    "cleaneval",
    title="English pages of all kinds with their text, of a shared task in 2007",
    licence=_LICENCE,
    citation="M. Baroni, F. Chantree, A. Kilgarriff, S. Sharoff (2008). Cleaneval: a competition "
    "for cleaning web pages. LREC.",
    gold=("body",),
    labels=_BODY,
    home="https://cleaneval.sigwac.org.uk",
    may_train=False,
)
def read_cleaneval(path: Path) -> Iterator[PageEntry]:
    """Yield the pages of the development part, then those of the final part, by number.

    The fact ``split`` names the part, ``dev`` or ``final``.
    Some pages of the final part have no text, in the data set itself. One page is in both parts.
    """
    folder = open_data_set(path, *_layout("cleaneval-dev/"), *_layout("cleaneval-final/"))
    yield from _list(_Part(folder / "cleaneval-dev", "dev-", "dev", False, False))
    yield from _list(_Part(folder / "cleaneval-final", "final-", "final", False, True))


@reader(
    "cleanportaleval",
    title="English pages of four news portals with their text, in the form of CleanEval",
    licence=_LICENCE,
    citation="I. Endredy, A. Novak (2013). More effective boilerplate removal - the GoldMiner "
    "algorithm. Polibits 48.",
    gold=("title", "body"),
    labels=(*_BODY, "Title"),
    home="https://github.com/ppke-nlpg/CleanPortalEval",
    may_train=False,
)
def read_cleanportaleval(path: Path) -> Iterator[PageEntry]:
    """Yield the pages in the order of their names.

    Two pages are lists of stories; their text is empty.
    """
    yield from _list(_Part(open_data_set(path, *_layout("")), "", "", True, False))


def _layout(above: str) -> tuple[str, str]:
    return f"{above}input", f"{above}GoldStandard"


def _list(part: _Part) -> Iterator[PageEntry]:
    for name in part.names():
        yield PageEntry(f"{part.prefix}{name}", _read_page, part, name)


def _read_page(part: _Part, name: str) -> GoldPage | Lost:
    text = part.folder / "GoldStandard" / f"{name}.txt"
    page_id = f"{part.prefix}{name}"
    if not text.exists():
        return Lost(page_id, f"GoldStandard has no {name}.txt", is_known=part.may_lack)
    url, pieces = read_gold(text.read_bytes())
    if not pieces:
        return Lost(page_id, f"no text in GoldStandard/{name}.txt", is_known=True)
    data, own_url, content_type = unwrap_page(page_bytes(part.folder / "input" / f"{name}.html"))
    about = {"split": part.name} if part.name else {}
    gold = replace(_gold(pieces, has_headline=part.has_headline), about=about)
    return GoldPage.of_address(page_id, own_url or url, data, gold, content_type)


def _gold(pieces: tuple[tuple[str, str], ...], *, has_headline: bool) -> Gold:
    first = next((n for n, (mark, _) in enumerate(pieces) if mark == "h"), None)
    body = [(_KINDS[mark], text) for mark, text in pieces]
    if first is None:
        return Gold(body=tuple(body), covers=frozenset(_BODY))
    title = pieces[first][1]
    if has_headline:
        del body[first]
        return Gold(title=title, body=tuple(body), covers=frozenset((*_BODY, "Title")))
    body[first] = (TEXT, title)
    return Gold(body=tuple(body), covers=frozenset(_BODY))


def unwrap_page(data: bytes) -> tuple[bytes, str, str]:
    """Return a page as its server sent it, and the address and content type stated by its wrapper.

    Both are empty without a wrapper, the content type also if the encoding is unknown. The wrapper
    precedes the doctype, so a browser would render in quirks mode, drop the doctype, and move the
    content of the head into the body.
    """
    wrapper = _WRAPPER.match(data)
    if wrapper is None:
        return data, "", ""
    pairs = _ATTRIBUTE.findall(wrapper.group(1))
    stated = {name.decode(): unescape(decode_text(value)) for name, value in pairs}
    encoding = stated.get("encoding", "")
    content_type = f"text/html; charset={encoding}" if webencodings.lookup(encoding) else ""
    page = _WRAPPER_END.sub(b"", data[wrapper.end() :])
    return page, stated.get("id", "").strip(), content_type


def read_gold(data: bytes) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the address, or "", and the mark and text of each piece of a gold file.

    The mark is ``h``, ``p`` or ``l``; empty for a piece without one, at the start or after a blank
    line. Character references are decoded; bullets drawn by the text browser, numbers of list
    items, and lines without a letter or digit are removed.
    """
    text = decode_text(data).replace("\r\n", "\n").replace("\r", "\n")
    head = _URL_LINE.match(text)
    text = unescape(_COMMENT.sub("", text[head.end() :] if head else text))
    url = unescape(head.group(1)).strip() if head else ""
    return url, tuple(_pieces(text))


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    parts = _MARK.split(text)
    for mark, part in zip(["", *parts[1::2]], parts[::2], strict=True):
        kind = mark.lower()
        for block in _NO_LINE.split(part):
            line = _without_bullet(kind, " ".join(block.split()))
            if normalise(line):
                yield kind, line
                kind = ""


def _without_bullet(mark: str, line: str) -> str:
    line = _LEADING_BULLET.sub("", line)
    number = _LEADING_NUMBER.match(line)
    # Outside list items, a number is a list marker only if nothing follows it.
    if number is None or not (mark == "l" or (not mark and number.end() == len(line))):
        return line
    return line[number.end() :]
