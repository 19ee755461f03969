"""Kernels: loops over typed columns, compiled if a compiler was there at installation."""

from structce.kernels.chosen import *  # noqa: F403
from structce.kernels.chosen import __all__  # noqa: F401
