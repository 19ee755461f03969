"""Views of pages: pictures with labels, and drawings."""

from structce.visualisation.page_drawing import page_drawing
from structce.visualisation.page_picture import draw_labels

__all__ = ["draw_labels", "page_drawing"]
