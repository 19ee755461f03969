"""visualisation."""

from structce.visualisation.audit import audit_page, card_key
from structce.visualisation.model_weights import ModelView, Weight, draw_model, to_png, view_model
from structce.visualisation.overlay import overlay_page
from structce.visualisation.page_picture import Mark, draw, draw_marks, picture
from structce.visualisation.regions import region_page, wireframe
from structce.visualisation.wireframe import WIREFRAME_CSS, draw_wireframe, legend

__all__ = [
    "WIREFRAME_CSS",
    "Mark",
    "ModelView",
    "Weight",
    "audit_page",
    "card_key",
    "draw",
    "draw_marks",
    "draw_model",
    "draw_wireframe",
    "legend",
    "overlay_page",
    "picture",
    "region_page",
    "to_png",
    "view_model",
    "wireframe",
]
