"""The plots of a report, one module each: from what was found to a piece of the page."""

from __future__ import annotations
