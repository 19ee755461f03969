"""Views of pages: pictures with labels, drawings, compared labels."""

from structce.visualisation.comparison import comparison_css, comparison_legend, draw_comparison
from structce.visualisation.page_drawing import page_drawing
from structce.visualisation.page_picture import draw_labels

__all__ = [
    "comparison_css", "comparison_legend", "draw_comparison", "draw_labels", "page_drawing",
]  # fmt: skip
