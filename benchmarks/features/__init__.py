"""How fast pages are encoded, and how the same features fare as functions of one region.

python3 -m benchmarks.features --help
"""
