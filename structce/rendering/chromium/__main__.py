"""Find or install a browser: ``python -m structce.rendering.chromium --install``."""

from __future__ import annotations

import sys

from structce.rendering.chromium.discovery import browser_command

sys.exit(browser_command())
