"""Benchmarks of content extraction: our measures beside scores that others published."""
