"""TEI XML of an article, following the P5 guidelines of the Text Encoding Initiative.

References
----------
TEI Consortium. TEI P5: Guidelines for electronic text encoding and interchange. Chapters 2 (the
header), 3 (elements of all documents), 4 (text structure) and 14 (tables and figures).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from structce.article.characters import in_one_line, printable, spaced
from structce.article.images import checked_address, safe_images
from structce.article.links import split_links
from structce.article.values import ArticleFields, Block, Cell, Link
from structce.version import __version__

_LINK = "ref"
_SPACE = "http://www.tei-c.org/ns/1.0"
_XML = "{http://www.w3.org/XML/1998/namespace}"
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?")


def to_tei(article: ArticleFields) -> str:
    """Return an article as a TEI document in UTF-8."""
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
    _body(SubElement(text, "body"), article.body)
    if not len(profile):
        header.remove(profile)
    _indent(root)
    document = tostring(root, encoding="unicode", short_empty_elements=True)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{document}\n'


def _add(parent: Element, tag: str, text: str = "", **attributes: str) -> Element:
    """Add an element with a text in one line."""
    element = SubElement(parent, tag, attributes)
    element.text = in_one_line(text) or None
    return element


def _add_linked(
    parent: Element, tag: str, text: str, links: Sequence[Link], **attributes: str
) -> Element:
    """Add an element with a text in one line and the links in it."""
    if not links:
        return _add(parent, tag, text, **attributes)
    element = SubElement(parent, tag, attributes)
    for piece, address in split_links(text, links):
        if address:
            SubElement(element, _LINK, target=address).text = spaced(piece)
        elif len(element):
            element[-1].tail = spaced(piece)
        else:
            element.text = spaced(piece)
    return element


def _indent(element: Element, level: int = 0) -> None:
    """Put each element on its own line, except inside text, where white space would count."""
    if not len(element) or element[0].tag == _LINK:
        return
    element.text = "\n" + "  " * (level + 1)
    for child in element:
        _indent(child, level + 1)
        child.tail = element.text
    element[-1].tail = "\n" + "  " * level


def _file_description(article: ArticleFields, parent: Element) -> None:
    statement = SubElement(parent, "titleStmt")
    _title_and_authors(article, statement)
    publication = SubElement(parent, "publicationStmt")
    if article.site_name:
        _add(publication, "publisher", article.site_name.value)
        _dates(article, publication)
    else:
        SubElement(publication, "p")
    source = SubElement(SubElement(parent, "sourceDesc"), "bibl")
    _title_and_authors(article, source)
    _dates(article, source)
    if address := checked_address(article.url):
        SubElement(source, "ptr", target=address)


def _title_and_authors(article: ArticleFields, parent: Element) -> None:
    _add(parent, "title", article.title.value if article.title else "")
    for author in article.authors:
        _add(parent, "author", author.value)


def _dates(article: ArticleFields, parent: Element) -> None:
    for kind, value in (("published", article.date), ("modified", article.modified)):
        if value is not None:
            element = _add(parent, "date", value.value, type=kind)
            if _MOMENT.fullmatch(value.value):
                element.set("when", value.value)


def _body(body: Element, blocks: Sequence[Block]) -> None:
    """Add the blocks of a body, one division per heading, nested by level."""
    open_divisions: list[tuple[int, Element]] = [(0, body)]
    for block in blocks:
        if block.kind == "heading":
            while open_divisions[-1][0] >= block.level:
                open_divisions.pop()
            division = SubElement(open_divisions[-1][1], "div")
            _add_linked(division, "head", block.content, block.links)
            open_divisions.append((block.level, division))
        else:
            _block(open_divisions[-1][1], block)
    for division in [body, *body.iter("div")]:
        if all(child.tag == "head" for child in division):
            SubElement(division, "p")  # a division needs more than its heading


def _block(parent: Element, block: Block) -> None:
    match block.kind:
        case "paragraph":
            _add_linked(parent, "p", block.content, block.links)
        case "heading":  # inside a list or a quote, where there are no divisions
            _add_linked(parent, "p", block.content, block.links, rend="heading")
        case "code":
            code = SubElement(parent, "ab", {"type": "code", f"{_XML}space": "preserve"})
            code.text = printable(block.content)
        case "quote":
            quote = SubElement(parent, "quote")
            for inner in block.blocks:
                _block(quote, inner)
        case "list":
            _list(parent, block)
        case "table":
            _table(parent, block.rows)
        case "figure":
            _figure(parent, block)


def _list(parent: Element, block: Block) -> None:
    listing = SubElement(parent, "list", rend="numbered" if block.is_ordered else "bulleted")
    for number, entry in enumerate(block.items, start=block.start):
        item = SubElement(listing, "item", {"n": str(number)} if block.is_ordered else {})
        for inner in entry.blocks:
            _block(item, inner)


def _table(parent: Element, rows: Sequence[Sequence[Cell]]) -> None:
    table = SubElement(parent, "table")
    for cells in rows:
        row = SubElement(table, "row")
        for cell in cells:
            role = {"role": "label"} if cell.is_header else {}
            element = _add_linked(row, "cell", cell.text, cell.links, **role)
            for name, n in (("cols", cell.n_columns), ("rows", cell.n_rows)):
                if n > 1:
                    element.set(name, str(n))


def _figure(parent: Element, block: Block) -> None:
    images = safe_images(block.images)
    if not block.content and not images:
        return
    figure = SubElement(SubElement(parent, "p"), "figure")
    for address, alt in images:
        SubElement(figure, "graphic", url=address)
        if alt:
            _add(figure, "figDesc", alt)
    if block.content:
        _add(figure, "p", block.content)
