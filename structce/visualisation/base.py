"""Basis of all drawings: label colours, box geometry, numbers as text, HTML and SVG templates."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Mapping
from importlib import resources

import numpy as np
from jinja2 import Environment, FunctionLoader, StrictUndefined

from structce.arrays import Flags
from structce.explanation import format_signed
from structce.page import Page

LABEL_COLOURS: Mapping[str, str] = {
    "Advertisement": "#767676",
    "Author": "#1b7f4d",
    "Caption": "#a3681a",
    "Date": "#7a3fb0",
    "Multimedia": "#0e7c86",
    "Paragraph": "#2b5fc0",
    "Subtitle": "#c2477f",
    "Title": "#c8321e",
}
"""Frame and tag of each label of the news; white text can be read on all of them."""

_OTHER_COLOURS = ("#5b6b2f", "#8a4b2a", "#3d5a80", "#6d4c91", "#2f6f6a", "#8c3b5e")
"""Of labels that are not of the news, by their names."""


def label_colour(label: str) -> str:
    """Return the colour of a label, ``#rrggbb``: always the same for the same name."""
    other = _OTHER_COLOURS[zlib.crc32(label.encode()) % len(_OTHER_COLOURS)]
    return LABEL_COLOURS.get(label, other)


def confidence_label(confidence: float) -> str:
    """Return a probability as people read it, ``98 %``; 100 % only where nothing is left."""
    return f"{confidence if confidence == 1 else min(confidence, 0.994):.0%}".replace("%", " %")


def signed_label(value: float, largest: float, digits: int = 2) -> str:
    """Return a number with its sign, the minus as a minus sign instead of a hyphen."""
    return format_signed(value, largest, digits).replace("-", "−")


def has_area(page: Page) -> Flags:
    """Return whether each region's box has an area, shape (n_regions,); unknown boxes have none."""
    return np.asarray((page.boxes[:, 2] > 0) & (page.boxes[:, 3] > 0), dtype=bool)


def read_asset(name: str) -> str:
    """Return the text of a template or script that lies beside the modules."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


_TEMPLATES = Environment(
    loader=FunctionLoader(read_asset),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
"""Compiles each template once: a report draws one template for every page."""


def render_template(name: str, *, script: str | None = None, **values: object) -> str:
    """Render a template; every value is escaped, and a missing one is an error.

    Parameters
    ----------
    script
        File of the only script of the page: the template gets its text as ``script`` and its
        hash for the content security policy as ``digest``.
    """
    if script is not None:
        text = read_asset(script)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
        values |= {"script": text, "digest": digest}
    return _TEMPLATES.get_template(name).render(**values)
