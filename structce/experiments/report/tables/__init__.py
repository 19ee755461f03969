"""Tables of a report, written as text, Markdown and LaTeX."""

from __future__ import annotations
