"""How fast pages are rendered, what that takes, and how well the two renderers agree.

python3 -m benchmarks.rendering --help
"""
