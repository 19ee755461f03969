"""Plots of a report as SVG elements of its page."""
