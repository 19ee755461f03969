"""Pages with right and wrong labels as mark-up for a report."""

from structce.experiments.telling.wireframes.drawing import draw_wireframe, legend
from structce.experiments.telling.wireframes.style import WIREFRAME_CSS

__all__ = ["WIREFRAME_CSS", "draw_wireframe", "legend"]
