"""The page of a report."""

from structce.experiments.telling.html.page import render_html

__all__ = ["render_html"]
