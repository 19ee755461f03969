"""Features that are shares of a text's characters or words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from structce.features.characters import characters, share
from structce.features.registry import feature
from structce.page import Page

_SHARES = (0.01, 0.05, 0.1, 0.2, 0.4, 0.7)
Floats = NDArray[np.float64]


@feature("text", bins=(0.3, 0.6, 0.95))
def capitalised_share(page: Page) -> Floats:
    """Share of words that begin with a capital: high for names and headlines."""
    found = characters(page)
    return share(found.capitalised, found.words)


@feature("text", bins=_SHARES)
def digit_share(page: Page) -> Floats:
    """Share of characters that are digits: high for dates."""
    found = characters(page)
    return share(found.digits, found.n)


@feature("text", bins=_SHARES)
def punctuation_share(page: Page) -> Floats:
    """Share of characters that are neither letters, digits nor spaces."""
    found = characters(page)
    return share(found.punctuation, found.n)


@feature("text", bins=(0.005, 0.01, 0.015, 0.02, 0.03, 0.05))
def comma_share(page: Page) -> Floats:
    """Commas and semicolons a character: prose has them, headlines and menus hardly."""
    found = characters(page)
    return share(found.commas, found.n)


@feature("text", bins=(0.01, 0.2, 0.5, 0.8, 0.95))
def quoted_share(page: Page) -> Floats:
    """Share of characters between quotation marks: pull quotes and reported speech."""
    found = characters(page)
    return share(found.quoted, found.n)


@feature("text")
def quotes(page: Page) -> NDArray[np.bool_]:
    """Text holds quotation marks, as reported speech does."""
    return characters(page).quotation_marks > 0
