"""Rewriting of documents so that a browser shows only their main content, and reading them back."""

from __future__ import annotations

from html import escape

import numpy as np

from structce.evaluation import fold_space
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.plain import Plain
from structce.extraction.result import Extraction

_PAGE = """<!doctype html>
<html><head><meta charset="utf-8"><title>{title}</title></head><body>
{body}
</body></html>
"""


def rewrite(document: ParsedDocument, extraction: Extraction) -> str:
    """Return the HTML of a document with only its main content.

    If the extraction has positions, every other word is replaced by a space, and all tags stay, so
    that the page keeps its layout. Otherwise a new page is returned, with a paragraph per line.
    """
    if extraction.text and not extraction.spans:
        lines = (f"<p>{escape(line)}</p>" for line in extraction.text.splitlines() if line.strip())
        return _PAGE.format(title=escape(document.url), body="\n".join(lines))
    words = document.words
    dropped = np.flatnonzero(~document.words_in(extraction.spans))
    pieces: list[str] = []
    position = 0
    for start, end in zip(words.start[dropped].tolist(), words.end[dropped].tolist(), strict=True):
        pieces += (document.html[position:start], " ")
        position = end
    return "".join((*pieces, document.html[position:]))


def shown_text(html: str) -> str:
    """Return the text of an HTML source according to Gottron (2007, section 4.2).

    Without tags, comments, scripts and styles; entities resolved; white space folded.
    """
    return fold_space(Plain().extract(ParsedDocument(html)).text)
