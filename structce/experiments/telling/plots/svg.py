"""Makes a drawing of matplotlib a part of a page: its theme, its font, ids that clash with none."""

from __future__ import annotations

import re

from lxml import etree

from structce.experiments.telling.plots.theme import VARIABLES

SVG = "http://www.w3.org/2000/svg"
HREF = "{http://www.w3.org/1999/xlink}href"

_COLOUR = re.compile(r"#[0-9a-f]{6}")
_FONT = re.compile(r"font-family: [^;]*; ?|; font-family: [^;]*$")


def inline_svg(text: str, prefix: str, title: str, description: str) -> str:
    """Return an SVG file as an element to stand in a page.

    Parameters
    ----------
    text
        As matplotlib writes it with ``svg.fonttype`` none.
    prefix
        Of every id inside; no other figure of the page has it.
    title, description
        The alternative text, plain; escaped here.

    Returns
    -------
    It fills the width that it is given, in the font of the page. Colours of
    :data:`...plots.theme.VARIABLES` have become the page's, and no rule inside reaches out of it.
    """
    root = etree.fromstring(text.encode(), etree.XMLParser(resolve_entities=False))
    for one in root.findall(f"{{{SVG}}}metadata") + root.findall(f"{{{SVG}}}defs[{{{SVG}}}style]"):
        root.remove(one)
    for one in root.iter(etree.Element):
        one.tag = etree.QName(one).localname
        one.text, one.tail = _kept(one.text), _kept(one.tail)
        if target := one.get(HREF):
            del one.attrib[HREF]
            one.set("href", target)
        if style := one.get("style"):
            one.set("style", _themed(style))
    _name_ids(root, prefix)
    _begin(root, prefix, title, description)
    etree.cleanup_namespaces(root)
    return etree.tostring(root, encoding="unicode")


def _kept(text: str | None) -> str | None:
    """Return text between tags without the line breaks that only lay out the file."""
    return text if text and text.strip() else None


def _themed(style: str) -> str:
    style = _FONT.sub("", style)
    return _COLOUR.sub(lambda found: VARIABLES.get(found[0], found[0]), style)


def _name_ids(root: etree._Element, prefix: str) -> None:
    """Put the prefix before every id that something points to, and drop the others."""
    whole = etree.tostring(root, encoding="unicode")
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', whole))
    named = {one for pair in used for one in pair if one}
    for one in root.iter(etree.Element):
        if name := one.get("id"):
            del one.attrib["id"]
            if name in named:
                one.set("id", f"{prefix}-{name}")
        if target := one.get("href"):
            one.set("href", target.replace("#", f"#{prefix}-", 1))
        if clip := one.get("clip-path"):
            one.set("clip-path", clip.replace("url(#", f"url(#{prefix}-"))


def _begin(root: etree._Element, prefix: str, title: str, description: str) -> None:
    view = root.attrib["viewBox"]
    root.attrib.clear()
    root.attrib.update(
        {
            "xmlns": SVG,
            "class": "plot",
            "viewBox": view,
            "role": "img",
            "aria-labelledby": f"{prefix}-title {prefix}-text",
            "style": "width: 100%; height: auto; font-family: inherit; stroke-linejoin: round",
        }
    )
    for place, (tag, words) in enumerate((("title", title), ("desc", description))):
        part = etree.Element(tag, {"id": f"{prefix}-{'text' if place else 'title'}"})
        part.text = words
        root.insert(place, part)
