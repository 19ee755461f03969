"""Engines of the learners: which can be used here, and bringing the one that pip cannot install."""

from structce.engines.catalogue import Engine, list_engines
from structce.engines.installing import add_pystruct, remove_pystruct
from structce.engines.released import PYSTRUCT, Release

__all__ = [
    "PYSTRUCT",
    "Engine",
    "Release",
    "add_pystruct",
    "list_engines",
    "remove_pystruct",
]
