"""Basis of all drawings: which boxes have an area, and HTML templates."""

from __future__ import annotations

from importlib import resources

import numpy as np
from jinja2 import Environment, FunctionLoader, StrictUndefined

from structce.arrays import Flags
from structce.page import Page


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


def render_template(name: str, **values: object) -> str:
    """Render a template; every value is escaped, and a missing one is an error."""
    return _TEMPLATES.get_template(name).render(**values)
