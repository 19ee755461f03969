"""An SVG picture as PNG, drawn by a browser."""

from __future__ import annotations

from lxml import etree

from structce.rendering import ChromiumRenderer, Document

DENSITY = 2
"""Pixels of the PNG picture by pixel of the SVG; our choice, for sharp text in print."""

_FRAME = "<!doctype html><style>body{margin:0}svg{display:block;width:100%;height:auto}</style>"


def to_png(picture: str, renderer: ChromiumRenderer) -> bytes:
    """Return an SVG picture as PNG.

    Parameters
    ----------
    renderer
        An open one.

    Raises
    ------
    RenderError
        If the browser fails.
    """
    root = etree.fromstring(picture.encode())
    width, height = (round(DENSITY * float(root.attrib[side])) for side in ("width", "height"))
    return renderer.picture(Document(_FRAME + picture), size=(width, height))
