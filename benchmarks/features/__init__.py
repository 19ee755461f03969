"""How fast pages are encoded: python3 -m benchmarks.features --help."""
