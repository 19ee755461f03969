"""Version of the installed package."""

from __future__ import annotations

from functools import cache


@cache
def package_version() -> str:
    """Return the version of the installed package."""
    from importlib.metadata import PackageNotFoundError, version  # late: it takes 20 ms to import

    try:
        return version("structce")
    except PackageNotFoundError:  # imported from a folder without being installed
        return "0+unknown"


def __getattr__(name: str) -> str:
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return package_version()
