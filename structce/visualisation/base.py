"""Basis of all drawings: which boxes have an area, confidences as text, HTML templates."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources

import numpy as np
from jinja2 import Environment, FunctionLoader, StrictUndefined

from structce.arrays import Flags
from structce.labels import label_colour
from structce.language import printable
from structce.page import Page


def confidence_label(confidence: float) -> str:
    """Return a probability in per cent, ``98 %``; 100 % only if no doubt is left."""
    return f"{confidence if confidence == 1 else min(confidence, 0.994):.0%}".replace("%", " %")


def has_area(page: Page) -> Flags:
    """Return whether each region's box has an area, shape (n_regions,); unknown boxes have none."""
    return np.asarray((page.boxes[:, 2] > 0) & (page.boxes[:, 3] > 0), dtype=bool)


def read_asset(name: str) -> str:
    """Return the text of a template or script in the folder of the modules."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


_TEMPLATES = Environment(
    loader=FunctionLoader(read_asset),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.filters |= {
    "confidence": confidence_label,
    "label_colour": label_colour,
    "printable": printable,
}


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
