"""The tables of a report, and how text, Markdown and LaTeX write them."""

from __future__ import annotations
