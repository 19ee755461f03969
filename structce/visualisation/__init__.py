"""Views of pages: pictures, overlays, drawings."""

from structce.visualisation.overlay import OverlayLink, overlay_index, overlay_page
from structce.visualisation.page_drawing import page_drawing
from structce.visualisation.page_picture import draw_labels, screenshot

__all__ = [
    "OverlayLink", "draw_labels", "overlay_index", "overlay_page", "page_drawing", "screenshot",
]  # fmt: skip
