"""Articles as documents of spaCy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from structce.adapters.pages import article_metadata
from structce.article import Article, Block, FieldValue
from structce.extras import load_extra

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_tokens = load_extra("spacy.tokens", "to_spacy", "spacy")

SPANS = "structce"
"""Key of the spans in ``doc.spans``, and name of the extension attributes."""

_LABELS = {"heading": "Subtitle", "figure": "Caption"}  # all other blocks: Paragraph

_tokens.Doc.set_extension(SPANS, default=None, force=True)
_tokens.Span.set_extension(SPANS, default=None, force=True)


class _Piece(NamedTuple):
    label: str
    text: str
    place: dict[str, object]


def to_spacy(article: Article, nlp: Language) -> Doc:
    """Return an article as a document with a span for each labelled part.

    Its text is title, authors, date and blocks of the body, each on lines of its own. The spans in
    ``doc.spans["structce"]`` are labelled ``Title``, ``Author``, ``Date``, ``Subtitle``,
    ``Paragraph`` or ``Caption``. ``span._.structce`` is a dictionary of the span's ``xpath``,
    ``span`` in the source, ``box`` and ``confidence``; ``doc._.structce`` one of the page's address
    and values. All are plain, so that a ``DocBin`` stores them. Only the tokeniser of the pipeline
    is used; ``nlp(doc)`` then applies its components.
    """
    pieces = [*_fields(article), *_blocks(article.body)]
    doc = nlp.make_doc("\n".join(piece.text for piece in pieces))
    start, spans = 0, []
    for label, text, place in pieces:
        end = start + len(text)
        span = doc.char_span(start, end, label=label, alignment_mode="expand")
        span._.structce = place
        spans.append(span)
        start = end + 1  # the line break
    doc.spans[SPANS] = spans
    doc._.structce = {"url": article.url, **article_metadata(article)}
    return doc


def _fields(article: Article) -> Iterator[_Piece]:
    title, authors, date = article.title, article.authors, article.date
    values = [("Title", title), *(("Author", author) for author in authors), ("Date", date)]
    for label, value in values:
        if value is not None:
            yield _Piece(label, value.value, _place(value))


def _blocks(blocks: tuple[Block, ...]) -> Iterator[_Piece]:
    for block in blocks:
        text = block.content if block.kind == "figure" else "\n".join(block.lines)
        if text:
            yield _Piece(_LABELS.get(block.kind, "Paragraph"), text, _place(block))


def _place(part: FieldValue | Block) -> dict[str, object]:
    if isinstance(part, FieldValue):
        span = part.span
    else:
        span = (part.spans[0][0], part.spans[-1][1]) if part.spans else None
    place = {"xpath": part.xpath, "span": span, "box": part.box}
    return {**place, "confidence": part.confidence}
