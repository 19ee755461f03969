"""CleanEval by text leaves, as Leonhardt, Anand and Khosla (2020) measure it: split and Table 1."""

from __future__ import annotations

N_VALIDATION = 5
"""Development pages that are not learnt from."""

PAPER = {
    "Web2Text": (0.82, 0.76, 0.79, 0.84, 0.89, 0.86),
    "Web2Text (unary)": (0.80, 0.78, 0.79, 0.85, 0.87, 0.86),
    "BoilerPipe": (0.58, 0.90, 0.71, 0.90, 0.58, 0.71),
    "Readability.js": (0.85, 0.76, 0.81, 0.82, 0.89, 0.85),
    "BoilerNet": (0.82, 0.83, 0.82, 0.87, 0.86, 0.87),
}
"""Table 1: precision, recall and F1 of boilerplate, then of content."""

CLASS_COLUMNS = tuple(
    f"{kind} {score}" for kind in ("boilerplate", "content") for score in ("P", "R", "F1")
)
"""Names of the columns of such a row."""
