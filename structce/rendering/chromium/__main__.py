"""Find or install a browser: ``python -m structce.rendering.chromium --install``."""

from __future__ import annotations

import sys

from structce.rendering.chromium.discovery import main

sys.exit(main())
