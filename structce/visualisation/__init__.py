"""Drawings of pages and models: page pictures, overlays, region pages, compared labels, weights."""

from structce.visualisation.comparison import comparison_css, comparison_legend, draw_comparison
from structce.visualisation.model_weights import ModelView, Weight, draw_model, to_png, view_model
from structce.visualisation.overlay import OverlayLink, overlay_index, overlay_page
from structce.visualisation.page_picture import Highlight, draw_highlights, draw_labels, screenshot
from structce.visualisation.regions import page_drawing, region_page

__all__ = [
    "Highlight", "ModelView", "OverlayLink", "Weight", "comparison_css", "comparison_legend",
    "draw_comparison", "draw_highlights", "draw_labels", "draw_model", "overlay_index",
    "overlay_page", "page_drawing", "region_page", "screenshot", "to_png", "view_model",
]  # fmt: skip
