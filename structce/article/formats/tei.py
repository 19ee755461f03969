"""TEI XML of an article, following the P5 guidelines of the Text Encoding Initiative.

References
----------
TEI Consortium. TEI P5: Guidelines for electronic text encoding and interchange. Chapters 2 (the
header), 3 (elements of all documents), 4 (text structure) and 14 (tables and figures).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from structce.article.blocks import (
    Block,
    Inline,
    Line,
    Node,
    Part,
    in_one_line,
    joined_lines,
    nested,
    printable,
    spaced,
    without,
)
from structce.article.images import checked_address, safe_images
from structce.article.values import ArticleFields
from structce.patterns import lazy_pattern
from structce.version import __version__

_RENDITIONS = {"strong": "bold", "emphasis": "italic", "sub": "subscript", "sup": "superscript"}
_ELEMENTS = {"link": "ref", "deleted": "del", "inserted": "add"}
_INSIDE_LINES = frozenset("ref hi del add code formula lb".split())
_SPACE = "http://www.tei-c.org/ns/1.0"
_XML = "{http://www.w3.org/XML/1998/namespace}"
_LANGUAGE = lazy_pattern(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_MOMENT = lazy_pattern(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?")


def to_tei(article: ArticleFields, *, left_out: Collection[Part] = ()) -> str:
    """Return an article as a TEI document in UTF-8, without the parts ``left_out``.

    Its header always contains the fields.
    """
    root = Element("TEI", xmlns=_SPACE)
    header = SubElement(root, "teiHeader")
    _file_description(article, SubElement(header, "fileDesc"))
    software = SubElement(SubElement(header, "encodingDesc"), "appInfo")
    program = SubElement(software, "application", ident="structce", version=__version__)
    _add(program, "label", "structce")
    profile = SubElement(header, "profileDesc")
    if article.description:
        _add(SubElement(profile, "abstract"), "p", article.description.value)
    text = SubElement(root, "text")
    if article.language and _LANGUAGE.fullmatch(article.language.value):
        text.set(f"{_XML}lang", article.language.value)
        language = SubElement(SubElement(profile, "langUsage"), "language")
        language.set("ident", article.language.value)
    _body(SubElement(text, "body"), without(article.body, left_out))
    if not len(profile):
        header.remove(profile)
    _indent(root)
    document = tostring(root, encoding="unicode", short_empty_elements=True)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{document}\n'


def _add(parent: Element, tag: str, text: str = "", **attributes: str) -> Element:
    element = SubElement(parent, tag, attributes)
    element.text = in_one_line(text) or None
    return element


def _add_line(parent: Element, tag: str, line: Line, **attributes: str) -> Element:
    element = SubElement(parent, tag, attributes)
    _fill(element, nested(line))
    return element


def _fill(parent: Element, nodes: Iterable[Node]) -> None:
    for node in nodes:
        if not isinstance(node, Inline):
            mark, inside = node
            address = checked_address(mark.address)
            attributes = {"target": address} if mark.kind == "link" and address else {}
            attributes |= {"rend": _RENDITIONS[mark.kind]} if mark.kind in _RENDITIONS else {}
            _fill(SubElement(parent, _ELEMENTS.get(mark.kind, "hi"), attributes), inside)
        elif node.kind != "text":
            _inline(parent, node)
        elif len(parent):
            parent[-1].tail = (parent[-1].tail or "") + spaced(node.text)
        else:
            parent.text = (parent.text or "") + spaced(node.text)


def _inline(parent: Element, inline: Inline) -> None:
    match inline.kind:
        case "code":
            SubElement(parent, "code").text = spaced(inline.text)
        case "formula":
            SubElement(parent, "formula", notation="TeX").text = spaced(inline.tex)
        case "reference":
            reference = SubElement(parent, "ref", target=f"#note-{inline.address}", type="note")
            reference.text = spaced(inline.text)
        case "break":
            SubElement(parent, "lb")
        case "image" if address := checked_address(inline.address):
            _graphic(SubElement(parent, "figure"), address, inline.text)


def _graphic(figure: Element, address: str, alt: str) -> None:
    SubElement(figure, "graphic", url=address)
    if alt:
        _add(figure, "figDesc", alt)


def _indent(element: Element, level: int = 0) -> None:
    """Put each element on its own line, except inside text, where white space would count."""
    if not len(element) or element.text or any(child.tail for child in element):
        return
    if not _INSIDE_LINES.isdisjoint(child.tag for child in element):
        return
    element.text = "\n" + "  " * (level + 1)
    for child in element:
        _indent(child, level + 1)
        child.tail = element.text
    element[-1].tail = "\n" + "  " * level


def _file_description(article: ArticleFields, parent: Element) -> None:
    statement = SubElement(parent, "titleStmt")
    publication = SubElement(parent, "publicationStmt")
    source = SubElement(SubElement(parent, "sourceDesc"), "bibl")
    for parent_element in (statement, source):
        _add(parent_element, "title", article.title.value if article.title else "")
        for author in article.authors:
            _add(parent_element, "author", author.value)
    if article.site_name:
        _add(publication, "publisher", article.site_name.value)
    else:
        SubElement(publication, "p")
    for parent_element in (publication, source) if article.site_name else (source,):
        for kind, moment in (("published", article.date), ("modified", article.modified)):
            if moment is not None:
                element = _add(parent_element, "date", moment.value, type=kind)
                if _MOMENT.fullmatch(moment.value):
                    element.set("when", moment.value)
    if address := checked_address(article.url):
        SubElement(source, "ptr", target=address)


def _body(body: Element, blocks: Sequence[Block]) -> None:
    """Add the blocks of a body, one division per heading, nested by level."""
    open_divisions: list[tuple[int, Element]] = [(0, body)]
    for block in blocks:
        if block.kind == "heading":
            while open_divisions[-1][0] >= block.level:
                open_divisions.pop()
            division = SubElement(open_divisions[-1][1], "div")
            _add_line(division, "head", block.line)
            open_divisions.append((block.level, division))
        else:
            _block(open_divisions[-1][1], block)
    for division in [body, *body.iter("div")]:
        if all(child.tag == "head" for child in division):
            SubElement(division, "p")  # a division needs more than its heading


def _block(parent: Element, block: Block) -> None:
    match block.kind:
        case "paragraph" | "formula":
            _add_line(parent, "p", block.line)
        case "heading":  # inside a list or a quote, where there are no divisions
            _add_line(parent, "p", block.line, rend="heading")
        case "code":
            code = SubElement(parent, "ab", {"type": "code", f"{_XML}space": "preserve"})
            code.text = printable(block.content)
            code.attrib |= {"subtype": block.name} if block.name else {}
        case "quote":
            _add_blocks(SubElement(parent, "quote"), block.blocks)
        case "footnote":
            note = SubElement(parent, "note", {f"{_XML}id": f"note-{block.name}", "n": block.name})
            _add_blocks(note, block.blocks)
        case "list" | "definitions":
            _list(parent, block)
        case "table":
            _table(parent, block)
        case "figure":
            _figure(parent, block)
        case "rule":
            SubElement(parent, "milestone", unit="section", rend="rule")


def _add_blocks(parent: Element, blocks: Sequence[Block]) -> None:
    for block in blocks:
        _block(parent, block)


def _list(parent: Element, block: Block) -> None:
    is_gloss = block.kind == "definitions"
    kind = "gloss" if is_gloss else "numbered" if block.is_ordered else "bulleted"
    listing = SubElement(parent, "list", {"type": kind} if is_gloss else {"rend": kind})
    for number, entry in enumerate(block.items, start=block.start):
        if entry.is_term:
            _add_line(listing, "label", joined_lines(inner.line for inner in entry.blocks))
            continue
        item = SubElement(listing, "item", {"n": str(number)} if block.is_ordered else {})
        if entry.is_checked is not None:
            item.set("rend", "checked" if entry.is_checked else "unchecked")
        _add_blocks(item, entry.blocks)


def _table(parent: Element, block: Block) -> None:
    table = SubElement(parent, "table")
    if block.line:
        _add_line(table, "head", block.line)
    for cells in block.rows:
        row = SubElement(table, "row")
        for cell in cells:
            element = SubElement(row, "cell", {"role": "label"} if cell.is_header else {})
            if [inner.kind for inner in cell.blocks] in ([], ["paragraph"]):
                _fill(element, nested(cell.line))
            else:
                _add_blocks(element, cell.blocks)
            for name, n in (("cols", cell.n_columns), ("rows", cell.n_rows)):
                if n > 1:
                    element.set(name, str(n))


def _figure(parent: Element, block: Block) -> None:
    images = safe_images(block.images)
    if not block.line and not images:
        return
    figure = SubElement(SubElement(parent, "p"), "figure")
    for address, alt in images:
        _graphic(figure, address, alt)
    if block.line:
        _add_line(figure, "p", block.line)
