"""Extraction experiments: content extractors compared on test packages, from one TOML file.

``config`` reads the file, ``packages`` the pages; ``runner`` measures, and ``statistics`` turns the
rows into ``results``.
"""
