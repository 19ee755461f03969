"""Reports of experiments: files, findings in words, tables, plots, the HTML page, differences."""

from __future__ import annotations
