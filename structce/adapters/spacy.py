"""Articles as documents of spaCy."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def to_spacy(article: Article, nlp: Language) -> Doc:
    """Return an article as a document with a span for each labelled part.

    Its text is title, authors, date and blocks of the body, each on lines of its own. The spans in
    ``doc.spans["structce"]`` are labelled ``Title``, ``Author``, ``Date``, ``Subtitle``,
    ``Paragraph`` or ``Caption``. ``span._.structce`` is a dictionary of the span's ``xpath``,
    ``span`` in the source, ``box`` and ``confidence``; ``doc._.structce`` one of the page's address
    and values. All are plain, so that a ``DocBin`` stores them. Only the tokeniser of the pipeline
    is used; ``nlp(doc)`` then applies its components.
    """
    parts: list[tuple[str, str, FieldValue | Block]] = []
    fields = [("Title", article.title), *(("Author", author) for author in article.authors)]
    for label, value in [*fields, ("Date", article.date)]:
        if value is not None:
            parts.append((label, value.value, value))
    for block in article.body:
        text = block.content if block.kind == "figure" else "\n".join(block.lines)
        if text:
            parts.append((_LABELS.get(block.kind, "Paragraph"), text, block))
    doc = nlp.make_doc("\n".join(text for _, text, _ in parts))
    start, spans = 0, []
    for label, text, part in parts:
        end = start + len(text)
        span = doc.char_span(start, end, label=label, alignment_mode="expand")
        place = part.span if isinstance(part, FieldValue) else _span(part)
        values = {"xpath": part.xpath, "span": place, "box": part.box}
        span._.structce = {**values, "confidence": part.confidence}
        spans.append(span)
        start = end + 1  # the line break
    doc.spans[SPANS] = spans
    doc._.structce = {"url": article.url, **article_metadata(article)}
    return doc


def _span(block: Block) -> tuple[int, int] | None:
    return (block.spans[0][0], block.spans[-1][1]) if block.spans else None
