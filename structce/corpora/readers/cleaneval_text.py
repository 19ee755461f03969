"""The two kinds of files of CleanEval: a page in a wrapper, and its text with marks of a letter.

The page stands between ``<text id="URL" title=".." encoding="..">`` and ``</text>``. The gold is a
dump of the page by a text browser, lines cut at 70 columns, in which annotators deleted what is no
content and put ``<h>`` before headings, ``<p>`` before paragraphs and ``<l>`` before list items. A
first line ``URL: ..`` may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

import webencodings

from structce.corpora.readers.plain_text import decode_text
from structce.text import normalise

_WRAPPER = re.compile(rb'\s*<text((?:\s+[\w-]+\s*=\s*"[^"]*")*)\s*>\s*')
_WRAPPER_END = re.compile(rb"</text>\s*\Z")
_ATTRIBUTE = re.compile(rb'([\w-]+)\s*=\s*"([^"]*)"')

_URL_LINE = re.compile(r"\s*URL:\s*((?:\w+://|www\.).*|)")
_COMMENT = re.compile(r"^\s*<!--.*-->\s*$", re.MULTILINE)
_NO_LINE = re.compile(r"\n[\W_]*(?=\n)")  # blank, or drawn across the page

# How the text browser draws the bullets of lists. A number may be the page's own words; before a
# list item it seldom is.
_BULLET = r"(?:[*+o#§·•»-]|--)"
_NUMBER = r"(?:\d{1,3}[.)]|\(?\w[.)])"
_LEADING_BULLET = re.compile(rf"\A{_BULLET}(?:\s+|$)")
_LEADING_NUMBER = re.compile(rf"\A{_NUMBER}(?:\s+|$)")

# Mistyped marks (``<h<``, ``<l.``, ``<pIn``) count; one in the middle of a word is the page's own.
_MARK = re.compile(
    rf"(?:^[ \t]*(?:{_BULLET}|{_NUMBER})[ \t]+|(?<![^\s>*]))<([hplHPL])(?:>|[.<]|(?=[A-Z]))",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Wrapped:
    """A page without its wrapper, and what that told.

    Parameters
    ----------
    data
        The page as its server sent it.
    url
        Empty where there was no wrapper.
    content_type
        Empty where the wrapper names no encoding that there is.
    """

    data: bytes
    url: str
    content_type: str


def unwrap(data: bytes) -> Wrapped:
    """Take the wrapper of a page away.

    It stands before the doctype, so that a browser would render in quirks mode, drop the doctype,
    and put all that the head holds into the body.
    """
    found = _WRAPPER.match(data)
    if found is None:
        return Wrapped(data, "", "")
    pairs = _ATTRIBUTE.findall(found.group(1))
    told = {name.decode(): unescape(decode_text(value)) for name, value in pairs}
    encoding = told.get("encoding", "")
    content_type = f"text/html; charset={encoding}" if webencodings.lookup(encoding) else ""
    page = _WRAPPER_END.sub(b"", data[found.end() :])
    return Wrapped(page, told.get("id", "").strip(), content_type)


def read_gold(data: bytes) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the address, or "", and mark and text of each piece of a gold file.

    The mark is ``h``, ``p`` or ``l``; empty where a piece has none: it comes first, or after a
    blank line. Of character references the characters are given; bullets that the text browser
    drew, numbers of list items, and lines without a letter or digit are left out.
    """
    text = decode_text(data).replace("\r\n", "\n").replace("\r", "\n")
    head = _URL_LINE.match(text)
    text = unescape(_COMMENT.sub("", text[head.end() :] if head else text))
    url = unescape(head.group(1)).strip() if head else ""
    return url, tuple(_pieces(text))


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    parts = _MARK.split(text)
    for mark, part in zip(["", *parts[1::2]], parts[::2], strict=True):
        own = mark.lower()
        for block in _NO_LINE.split(part):
            line = _without_bullet(own, " ".join(block.split()))
            if normalise(line):
                yield own, line
                own = ""


def _without_bullet(mark: str, line: str) -> str:
    line = _LEADING_BULLET.sub("", line)
    number = _LEADING_NUMBER.match(line)
    # Outside of list items a number is that of one only where nothing follows it.
    if number is None or not (mark == "l" or (not mark and number.end() == len(line))):
        return line
    return line[number.end() :]
