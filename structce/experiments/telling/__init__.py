"""Tells what an experiment found: tables, plots, pages, files."""
