"""Tells what an experiment found: tables, plots, pages, files."""

from __future__ import annotations
