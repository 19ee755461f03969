"""Record of an article: its fields with their places, as JSON values.

``docs/article.schema.json`` describes it as a JSON schema.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import asdict

from structce.article.blocks import Block, Box, Cell, Inline, Line, line_text
from structce.article.values import (
    DOUBTFUL,
    ArticleFields,
    Context,
    FieldValue,
    LabelledRegion,
    Post,
)

JsonObject = dict[str, object]
"""One JSON object."""


def article_record(article: ArticleFields, *, has_blocks: bool = True) -> JsonObject:
    """Return an article as JSON values; a field that was not found is None.

    The blocks of the body double the space taken by the text.
    """
    values = {name: _field(value) for name, value in article.values.items()}
    return {
        "title": _field(article.title),
        "authors": [_field(author) for author in article.authors],
        "date": _moment(article.date),
        "modified": _moment(article.modified),
        "language": _field(article.language),
        "page_type": _field(article.page_type),
        "site_name": _field(article.site_name),
        "description": _field(article.description),
        "main_image": _field(article.main_image),
        "canonical_url": article.canonical_url or None,
        "quality": None if article.quality is None else round(article.quality, 4),
        "verdict": article.verdict and asdict(article.verdict),
        "text": article.text,
        **({"text_source": asdict(article.text_source)} if article.text_source else {}),
        "figures": [{**_figure(block), "xpath": block.xpath} for block in article.figures],
        "posts": [_post(post) for post in article.posts],
        **({"context": _context(article.context)} if article.context else {}),
        **({"values": values} if values else {}),
        **({"blocks": _blocks(article.blocks)} if has_blocks else {}),
    }


def _field(value: FieldValue | None) -> JsonObject | None:
    if value is None:
        return None
    return {
        "value": value.value,
        "raw": value.raw or None,
        "confidence": round(value.confidence, 4),
        "source": value.source or None,
        "xpath": value.xpath,
        "span": value.span,
        "box": _box(value.box),
        **({"doubtful": True} if value.confidence < DOUBTFUL else {}),
    }


def _moment(value: FieldValue | None) -> JsonObject | None:
    record = _field(value)
    more = value and {"precision": value.precision, "clock_source": value.clock_source or None}
    return record and {**record, **(more or {})}


def _box(box: Box | None) -> list[float] | None:
    return box and [round(side, 2) for side in box]


def region_record(region: LabelledRegion) -> JsonObject:
    """Return a labelled region as JSON values."""
    return {
        "index": region.index,
        "label": region.label,
        "confidence": round(region.confidence, 4),
        "text": region.text,
        "xpath": region.xpath,
        "span": region.span,
        "box": _box(region.box),
    }


def _context(context: Context) -> JsonObject:
    access, following = context.access, context.next_page
    return {
        "access": access and asdict(access),
        "next_page": following and asdict(following),
        "comments": [_post(post) for post in context.comments],
    }


def _post(post: Post) -> JsonObject:
    return {
        "text": post.text,
        "author": _field(post.author),
        "date": _moment(post.date),
        "regions": post.regions,
        "xpath": post.xpath,
        "box": _box(post.box),
    }


def _figure(block: Block) -> JsonObject:
    images = [
        {"address": image.address, "alt": image.alt or None, "region": image.region}
        for image in block.images
    ]
    return {"images": images, "caption": block.content or None}


def _blocks(blocks: Iterable[Block]) -> list[JsonObject]:
    return [_block(block) for block in blocks]


def _block(block: Block) -> JsonObject:
    record: JsonObject = {}
    match block.kind:
        case "heading":
            record = {"level": block.level, **_words(block.line)}
        case "paragraph" | "formula":
            record = _words(block.line)
        case "code":
            record = {"text": block.content, "language": block.name or None}
        case "list":
            record = {"is_ordered": block.is_ordered, "start": block.start, "items": _items(block)}
        case "definitions":
            record = {"items": _items(block)}
        case "table":
            rows = [[_cell(cell) for cell in row] for row in block.rows]
            record = {"caption": block.content or None, "rows": rows}
        case "quote":
            record = {"blocks": _blocks(block.blocks)}
        case "footnote":
            record = {"name": block.name, "blocks": _blocks(block.blocks)}
        case "figure":
            record = _figure(block)
    return {
        "kind": block.kind,
        **record,
        "confidence": round(block.confidence, 4),
        "regions": block.regions,
        "xpath": block.xpath,
        "spans": block.spans,
        "box": _box(block.box),
    }


def _items(block: Block) -> list[JsonObject]:
    return [
        {"is_checked": item.is_checked, "is_term": item.is_term, "blocks": _blocks(item.blocks)}
        for item in block.items
    ]


def _words(line: Line) -> JsonObject:
    """Return the text of a line and, if it is more than that, its inlines."""
    is_plain = all(inline.kind == "text" and not inline.marks for inline in line)
    inlines = {} if is_plain else {"inlines": [_inline(inline) for inline in line]}
    return {"text": line_text(line), **inlines}


def _inline(inline: Inline) -> JsonObject:
    marks = [
        {"kind": mark.kind, **({"address": mark.address} if mark.address else {})}
        for mark in inline.marks
    ]
    return {
        "kind": inline.kind,
        "text": inline.text,
        "marks": marks,
        "is_joined": inline.is_joined,
        "address": inline.address or None,
        "regions": inline.regions,
        "xpath": inline.xpath or None,
        "spans": inline.spans,
        **({"tex": inline.tex} if inline.tex else {}),
    }


def _cell(cell: Cell) -> JsonObject:
    return {
        "text": cell.text,
        "is_header": cell.is_header,
        "n_columns": cell.n_columns,
        "n_rows": cell.n_rows,
        "blocks": _blocks(cell.blocks),
    }
