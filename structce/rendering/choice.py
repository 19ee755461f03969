"""Which renderer: the one asked for, or the best that this machine has."""

from __future__ import annotations

import logging
from importlib.util import find_spec

from structce.errors import RenderError
from structce.rendering.base import Renderer, Settings
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.chromium.discovery import find_browser
from structce.rendering.static import StaticRenderer

RENDERERS = ("static", "chromium")
"""Names of the renderers."""

_log = logging.getLogger(__name__)


def start_renderer(
    name: str | None = None,
    *,
    browser: str | None = None,
    settings: Settings | None = None,
    workers: int = 1,
) -> Renderer:
    """Return a renderer, not yet opened.

    Parameters
    ----------
    name
        ``static``, ``chromium``, or None: chromium where Playwright and a browser are installed,
        else static, with a warning.
    browser
        Path of the browser to use; found by itself when not given.
    settings
        Window, scripts, and what one page may take; the static renderer heeds the limits.
    workers
        Pages under way at once: browsers, or processes of the static renderer.

    Raises
    ------
    RenderError
        If there is no renderer of the name, or it cannot run scripts as the settings ask.
    """
    if name is None:
        name = "chromium" if has_browser(browser) else "static"
        if name == "static":
            _log.warning(
                "no browser: pages are rendered without layout; 'structce doctor' tells how to "
                "get one, '--renderer static' silences this"
            )
    if name == "static":
        if settings is not None and settings.scripts:
            raise RenderError("scripts run only in a browser; use --renderer chromium")
        return StaticRenderer(settings=settings, workers=workers)
    if name == "chromium":
        return ChromiumRenderer(browser, settings=settings, workers=workers)
    raise RenderError(f"unknown renderer {name!r}; expected one of {', '.join(RENDERERS)}")


def has_browser(browser: str | None = None) -> bool:
    """Return whether Playwright and a browser are installed."""
    return find_spec("playwright") is not None and find_browser(browser) is not None
