"""Plots of a report as SVG elements of its page."""

from __future__ import annotations
