"""Benchmarks are no part of what is installed, so the tests say where they are."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
