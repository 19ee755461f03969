"""Drawings of pages and models: page pictures, overlays, region pages, wireframes, weights."""

from structce.visualisation.model_weights import ModelView, Weight, draw_model, to_png, view_model
from structce.visualisation.overlay import OverlayLink, overlay_index, overlay_page
from structce.visualisation.page_picture import Highlight, draw_highlights, draw_labels, screenshot
from structce.visualisation.regions import region_page, text_layout_page
from structce.visualisation.wireframe import draw_wireframe, wireframe_css, wireframe_legend

__all__ = [
    "Highlight",
    "ModelView",
    "OverlayLink",
    "Weight",
    "draw_highlights",
    "draw_labels",
    "draw_model",
    "draw_wireframe",
    "overlay_index",
    "overlay_page",
    "region_page",
    "screenshot",
    "text_layout_page",
    "to_png",
    "view_model",
    "wireframe_css",
    "wireframe_legend",
]
