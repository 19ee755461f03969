"""Whether tests that need a browser can run here."""

from importlib.util import find_spec

from structce.rendering import search_browser


def has_browser():
    return find_spec("playwright") is not None and search_browser().browser is not None
