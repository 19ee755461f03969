"""Find or install a browser: ``python -m structce.rendering.browsers --install``."""

import sys

from structce.rendering.browsers import main

sys.exit(main())
